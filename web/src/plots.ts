import { makeColumnChooser } from "./column_chooser";
import { element } from "./dom";
import { linePlotHeight } from "./line_plot";
import { LineViews } from "./line_views";
import { Motion } from "./motion";
import { Plots } from "./page_data";
import { PlanePlotView } from "./plane_plot";
import { ScatterPlotView } from "./scatter_plot";
import { onThemeChange } from "./theme";
import { TimeCursor } from "./time_cursor";

function thinningNote(data: Plots): string {
  if (!data.log.is_thinned) return "";
  const rows = data.log.rows.toLocaleString("en");
  const verb = data.log.files.length > 1 ? "have" : "has";
  const files = data.log.files.length > 0 ? `${data.log.files.join(" and ")} beside this page ${verb}` : "the log has";
  return ` Curves are downsampled (minima and maxima kept); ${files} all ${rows} samples.`;
}

/**
 * The section with all plots, or nothing; `draw` must be called once it is in the document. Those of a chapter's part
 * have no heading of their own. Plots over time have vertical lines at the events of `moments`.
 */
export function makePlots(data: Plots, motion: Motion | null, cursor: TimeCursor, moments: number[],
                          isPart = false): { node: HTMLElement; draw: () => void } | null {
  if (data.line_plots.length + data.plane_plots.length + data.scatter_plots.length === 0) return null;
  const resetButton = element("button", { class: "reset", type: "button", hidden: "" }, "Reset zoom");
  const lines = new LineViews(cursor, resetButton, moments);
  for (const plot of data.line_plots) lines.add(plot, data.curves);
  const planes = data.plane_plots.map((plot) => new PlanePlotView(plot, cursor));
  const scatters = data.scatter_plots.map((plot) => new ScatterPlotView(plot));
  if (isPart) { // in rows of two: the last one of an odd number has the whole width
    const figures = [...lines.views, ...planes, ...scatters].map((view) => view.figure);
    if (figures.length % 2 === 1) figures[figures.length - 1]!.classList.add("wide");
    if (lines.views.length % 2 === 1) planes[0]?.limitHeight(linePlotHeight); // it shares a row with the last of them
  }
  const hint = isPart || data.line_plots.length === 0 ? "" : "Drag across a plot to zoom, double-click to zoom out; click a name to hide its curve."
    + (moments.length === 0 ? "" : " Vertical lines are the events of the replay's time line.");
  const head = isPart ? [resetButton] : [
    element("div", { class: "section-head" }, element("h2", {}, "Plots"), resetButton),
    element("p", { class: "hint" }, element("span", { class: "screen-only" }, hint), thinningNote(data))];
  const node = element(isPart ? "div" : "section", isPart ? { class: "part-plots" } : { id: "plots" }, ...head,
    lines.grid, ...(motion === null ? [] : [makeColumnChooser(motion, lines)]),
    element("div", { class: "plane-grid" }, ...planes.map((view) => view.figure)),
    ...[false, true].map((hasY) => element("div", { class: "plane-grid" },
      ...scatters.filter((view) => view.hasY === hasY).map((view) => view.figure))));
  const views = () => [...lines.views, ...planes, ...scatters]; // columns may be added later
  const draw = () => views().forEach((view) => view.draw());
  onThemeChange(draw);
  new ResizeObserver(() => views().forEach((view) => view.resize())).observe(node);
  return { node, draw };
}
