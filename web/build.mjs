// Bundles the pages' scripts and styles, and writes them as a C++ source of the library:
//   node build.mjs OUTPUT_FOLDER
// A report is one file that runs this script and no other: its content-security policy names the two hashes.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.resolve(process.argv[2] ?? "dist");

// Three.js names web pages in its warnings and HTML's namespace when it makes an element: neither belongs in a page
// that loads nothing. Elements are made by the document itself, and the warnings lose their links.
const withoutAddresses = {
  name: "without-addresses",
  setup(bundle) {
    bundle.onLoad({ filter: /node_modules.three.*\.js$/ }, ({ path: file }) => {
      const text = readFileSync(file, "utf8")
        .replace(/document\.createElementNS\(\s*'http:\/\/www\.w3\.org\/1999\/xhtml',\s*/g, "document.createElement( ")
        .replace(/https?:\/\//g, "");
      return { contents: text, loader: "js" };
    });
  },
};

await build({
  absWorkingDir: here,
  entryPoints: ["src/report.ts", "src/report_with_replay.ts"],
  outdir,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome90", "firefox90", "safari15"],
  plugins: [withoutAddresses],
  legalComments: "none", // the licences are put in front below, whole
  logLevel: "warning",
});

function withNotice(text) {
  const notices = Object.entries({ uPlot: "uplot", "three.js": "three" }).map(([name, folder]) =>
    `Contains ${name}:\n${readFileSync(path.join(here, "node_modules", folder, "LICENSE"), "utf8").trim()}`);
  return `/* ${notices.join("\n\n")}\n*/\n${text.trim()}`;
}

function checked(name) {
  const text = withNotice(readFileSync(path.join(outdir, name), "utf8"));
  for (const forbidden of ["</script", "</style", "<!--", "http://", "https://"]) {
    if (text.includes(forbidden)) throw new Error(`${name} contains ${forbidden}, which must not stand in a report`);
  }
  return text;
}

/** A C++ string literal, in pieces: compilers limit the length of one. */
function literal(text) {
  const bytes = Buffer.from(text, "utf8");
  const pieces = [];
  for (let start = 0; start < bytes.length; start += 100) {
    let piece = "";
    for (const byte of bytes.subarray(start, start + 100)) {
      const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      piece += isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    pieces.push(`    "${piece}"`);
  }
  return pieces.join("\n");
}

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("base64");
const script = checked("report.js");
const replayScript = checked("report_with_replay.js");
const style = checked("report.css");
const entries = {
  kReportScript: script,
  kReportScriptHash: `sha256-${sha256(script)}`,
  kReplayScript: replayScript,
  kReplayScriptHash: `sha256-${sha256(replayScript)}`,
  kReportStyle: style,
  kReportStyleHash: `sha256-${sha256(style)}`,
};
const source = [
  "// Made by web/build.mjs.",
  '#include "aplomb/report/page/page_bundle.hpp"',
  "namespace aplomb {",
  ...Object.entries(entries).map(([name, text]) => `const std::string_view ${name} =\n${literal(text)};`),
  "}  // namespace aplomb",
];
writeFileSync(path.join(outdir, "page_bundle.cpp"), source.join("\n") + "\n");
