import { element } from "./dom";
import { LinePlotView } from "./line_plot";
import { LinePlot, PageData } from "./page_data";
import { PlanePlotView } from "./plane_plot";
import { ScatterPlotView } from "./scatter_plot";
import { onThemeChange } from "./theme";
import { TimeCursor } from "./time_cursor";

function thinningNote(data: PageData): string {
  if (!data.log.is_thinned) return "";
  const rows = data.log.rows.toLocaleString("en");
  const verb = data.log.files.length > 1 ? "have" : "has";
  const files = data.log.files.length > 0 ? `${data.log.files.join(" and ")} beside this page ${verb}` : "the log has";
  return ` Curves are thinned for this page, with every peak kept; ${files} all ${rows} samples.`;
}

/** Plots whose x axes show the same quantity zoom and point together. */
class ZoomGroup {
  readonly views: LinePlotView[] = [];

  constructor(private readonly resetButton: HTMLButtonElement) {}

  zoom(min: number, max: number): void {
    for (const view of this.views) view.showRange([min, max]);
    this.resetButton.hidden = false;
  }

  reset(): void {
    const low = Math.min(...this.views.map((view) => view.xRange[0]));
    const high = Math.max(...this.views.map((view) => view.xRange[1]));
    for (const view of this.views) view.showRange([low, high]);
    this.resetButton.hidden = true;
  }
}

function isOverTime(plot: LinePlot): boolean {
  return plot.x_label.startsWith("time");
}

function makeLineViews(data: PageData, cursor: TimeCursor, resetButton: HTMLButtonElement): LinePlotView[] {
  const groups = new Map<string, ZoomGroup>();
  resetButton.addEventListener("click", () => groups.forEach((group) => group.reset()));
  return data.line_plots.map((plot) => {
    const group = groups.get(plot.x_label) ?? new ZoomGroup(resetButton);
    groups.set(plot.x_label, group);
    const view = new LinePlotView(plot, data.curves, plot.x_label, {
      onCursor: (x) => { if (isOverTime(plot)) cursor.set(x); },
      onSeek: (x) => { if (isOverTime(plot)) cursor.seek(x); },
      onZoom: (min, max) => group.zoom(min, max),
      onResetZoom: () => group.reset(),
    });
    group.views.push(view);
    if (isOverTime(plot)) cursor.subscribe((time, source) => { if (source === "replay") view.showTime(time); });
    return view;
  });
}

/** The section with all plots, or nothing; `draw` must be called once it is in the document. */
export function makePlots(data: PageData, cursor: TimeCursor): { node: HTMLElement; draw: () => void } | null {
  if (data.line_plots.length + data.plane_plots.length + data.scatter_plots.length === 0) return null;
  const resetButton = element("button", { class: "reset", type: "button", hidden: "" }, "Reset zoom");
  const lines = makeLineViews(data, cursor, resetButton);
  const planes = data.plane_plots.map((plot) => new PlanePlotView(plot, cursor));
  const scatters = data.scatter_plots.map((plot) => new ScatterPlotView(plot));
  const hint = lines.length === 0 ? "" : "Drag across a plot to zoom, double-click to go back; click a name to hide its curve.";
  const node = element("section", { id: "plots" },
    element("div", { class: "section-head" }, element("h2", {}, "Plots"), resetButton),
    element("p", { class: "hint" }, element("span", { class: "screen-only" }, hint), thinningNote(data)),
    element("div", { class: "line-grid" }, ...lines.map((view) => view.figure)),
    element("div", { class: "plane-grid" }, ...planes.map((view) => view.figure)),
    ...[false, true].map((hasY) => element("div", { class: "plane-grid" },
      ...scatters.filter((view) => view.hasY === hasY).map((view) => view.figure))));
  const views = [...lines, ...planes, ...scatters];
  const draw = () => views.forEach((view) => view.draw());
  onThemeChange(draw);
  new ResizeObserver(() => views.forEach((view) => view.resize())).observe(node);
  return { node, draw };
}
