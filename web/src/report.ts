import "uplot/dist/uPlot.min.css";
import "./report.css";
import "./replay.css";

import { Motion } from "./motion";
import { PageData } from "./page_data";
import { makePlots } from "./plots";
import { makeReplay } from "./replay";
import * as sections from "./sections";
import { TimeCursor } from "./time_cursor";

const data = JSON.parse(document.getElementById("page-data")!.textContent!) as PageData;
const cursor = new TimeCursor();
const motion = data.scene === null ? null : new Motion(data.scene.motion);
const replay = makeReplay(data, motion, cursor);
const plots = makePlots(data, motion, cursor);
const parts = [
  sections.header(data), sections.checks(data), sections.faults(data), sections.notes(data),
  ...sections.tables(data), replay?.node ?? null, plots?.node ?? null,
  sections.metrics(data), sections.scenario(data), sections.provenance(data),
];
document.getElementById("report")!.append(...parts.filter((part) => part !== null));
plots?.draw();
replay?.draw();
