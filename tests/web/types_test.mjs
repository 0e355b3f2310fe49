// The page's TypeScript has no type errors (esbuild strips the types without looking at them).
import { spawnSync } from "node:child_process";

import { packageForTests, requireFromWeb, web } from "./support.mjs";

packageForTests("typescript");
const compiler = requireFromWeb.resolve("typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [compiler, "--noEmit", "-p", web], { stdio: "inherit" });
process.exit(status ?? 1);
