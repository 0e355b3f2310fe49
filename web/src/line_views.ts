import { element } from "./dom";
import { LinePlotView } from "./line_plot";
import { Curve, LinePlot } from "./page_data";
import { TimeCursor } from "./time_cursor";

/** Plots with the same x axis share zoom and cursor. */
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

/** All line plots, over time or over another column. */
export class LineViews {
  readonly views: LinePlotView[] = [];
  readonly grid = element("div", { class: "line-grid" });
  private readonly groups = new Map<string, ZoomGroup>();

  // Plots outside the viewport do not follow the replay; they catch up when they become visible.
  private readonly inSight = new Set<Element>();
  private readonly sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.inSight.add(target);
      else this.inSight.delete(target);
    }
    this.follow();
  });
  private time: number | null = null; // of the replay

  /** Plots over time have vertical lines at the events of `moments`. */
  constructor(private readonly cursor: TimeCursor, private readonly resetButton: HTMLButtonElement,
              private readonly moments: number[]) {
    resetButton.addEventListener("click", () => this.groups.forEach((group) => group.reset()));
    cursor.subscribe((time, source) => {
      this.time = source === "replay" ? time : null;
      this.follow();
    });
  }

  add(plot: LinePlot, curves: Curve[]): LinePlotView {
    const group = this.groups.get(plot.x_label) ?? new ZoomGroup(this.resetButton);
    this.groups.set(plot.x_label, group);
    const view = new LinePlotView(plot, curves, plot.x_label, {
      onCursor: (x) => { if (plot.is_over_time) this.cursor.set(x); },
      onSeek: (x) => { if (plot.is_over_time) this.cursor.seek(x); },
      onZoom: (min, max) => group.zoom(min, max),
      onResetZoom: () => group.reset(),
    }, plot.is_over_time ? this.moments : []);
    group.views.push(view);
    this.views.push(view);
    this.grid.append(view.figure);
    if (plot.is_over_time) this.sight.observe(view.figure);
    return view;
  }

  private follow(): void {
    if (this.time === null) return;
    for (const view of this.views) if (this.inSight.has(view.figure)) view.showTime(this.time);
  }
}
