// The script of a report without a scene.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import "./replay.css";

import { start } from "./page";

start(() => null);
