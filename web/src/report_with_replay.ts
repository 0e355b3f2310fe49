// The script of a report with a scene, and of `aplomb view`. Its style is that of report.ts.
import { start } from "./page";
import { makeReplay } from "./replay";

start(makeReplay);
