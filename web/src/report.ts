import "uplot/dist/uPlot.min.css";
import "./report.css";

import { PageData } from "./page_data";
import { makePlots } from "./plots";
import * as sections from "./sections";

const data = JSON.parse(document.getElementById("page-data")!.textContent!) as PageData;
const plots = makePlots(data);
const parts = [
  sections.header(data), sections.checks(data), sections.faults(data), sections.notes(data),
  ...sections.tables(data), plots?.node ?? null,
  sections.metrics(data), sections.scenario(data), sections.provenance(data),
];
document.getElementById("report")!.append(...parts.filter((part) => part !== null));
plots?.draw();
