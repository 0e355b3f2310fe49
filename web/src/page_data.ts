// The data that src/aplomb/report/page/page_data.cpp embeds in a report. Values of metrics come as text, so that terminal and page
// show the same digits.

import { PackedMesh, Scene } from "./scene_data";

export interface Check {
  metric: string;
  value: string;
  rule: "equals" | "below" | "above";
  bound: string;
  unit: string;
  reason: string; // why the bound has this value; may be empty, absent in reports of older builds
  ok: boolean;
}

export interface Metric {
  name: string;
  value: string;
  unit: string;
  formula: string; // one line of docs/metrics.md; empty for a name that it does not list
}

export interface Fault {
  name: string;
  start: string;
  fallback: string;
}

/** Points of a column over another; null is a sample without a value, and breaks the line. */
export interface Curve {
  x: number[];
  y: (number | null)[];
}

export interface Series {
  label: string;
  curve: number; // index into PageData.curves
  is_reference: boolean;
  same_as?: number | null; // series of this plot that this one hides; absent in reports of older builds
}

export interface LinePlot {
  id: string; // unique among the plots of a page
  title: string;
  about: string;
  x_label: string;
  y_label: string;
  is_over_time: boolean;
  limits: number[];
  series: Series[];
}

export interface Rectangle {
  x_min: number;
  x_max: number;
  y_min: number;
  y_max: number;
  label: string;
}

export interface Path {
  x: (number | null)[];
  y: (number | null)[];
}

export interface PlanePlot extends Path {
  id: string; // unique among the plots of a page
  title: string;
  about: string;
  x_label: string;
  y_label: string;
  time: number[]; // empty when the log has no time
  rectangles: Rectangle[];
  points: { x: number; y: number; label: string }[];
  has_separate_samples: boolean; // each sample is a result of its own, not an instant of a motion
  label?: string; // of the path, where there are others
  others?: (Path & { label: string })[]; // more paths in the same plot; in `aplomb view` also those of other runs
}

/** One point for each run. */
export interface ScatterPlot {
  title: string;
  about: string;
  x_label: string;
  y_label: string;
  x: (number | null)[];
  y: (number | null)[]; // empty: the points lie along the axis
  row: number[]; // run of each point
  is_ok: boolean[];
  marks: { x: number | null; label: string }[];
}

export interface Table {
  title: string;
  about: string;
  header: string[];
  is_number: boolean[]; // by column
  rows: string[][];
}

/** Replay, tables and plots of one log. */
export interface Plots {
  notes: string[];
  log: { rows: number; is_thinned: boolean; files: string[] };
  curves: Curve[];
  line_plots: LinePlot[];
  plane_plots: PlanePlot[];
  scatter_plots: ScatterPlot[];
  tables: Table[];
  scene: Scene | null;
}

/** One step in a report of several. */
export interface Chapter {
  title: string;
  text: string;
  parts: Plots[];
}

export interface PageData extends Plots {
  title: string;
  about: string;
  verb: string;
  scenario: string;
  verdict: "pass" | "fail" | "not_judged" | "unknown"; // not_judged: no checks; unknown: the report is incomplete
  count: string; // "6 of 7 checks hold"
  checks: Check[];
  faults: Fault[];
  metrics: Metric[];
  scenario_text: string;
  provenance: [string, string][];
  chapters: Chapter[];
  meshes?: PackedMesh[]; // of all scenes; absent in reports of older builds
}
