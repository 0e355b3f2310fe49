import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../web");
export const requireFromWeb = createRequire(path.join(web, "package.json"));

/** Ends the test as skipped (ctest's SKIP_RETURN_CODE). */
export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

/** A package for tests; skips when `npm ci` was run without those. */
export function packageForTests(name) {
  if (!existsSync(path.join(web, "node_modules", name))) {
    skip(`${name} is not in web/node_modules; the set-up for tests installs it`);
  }
  return requireFromWeb(name);
}
