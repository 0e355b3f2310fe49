import uPlot from "uplot";

import { element } from "./dom";
import { Legend, LegendEntry } from "./legend";
import { formatTicks } from "./numbers";
import { Curve, LinePlot, Series } from "./page_data";
import { colour, numSeriesColours, seriesColour } from "./theme";

export const linePlotHeight = 260; // of axes and curves [px]
const height = linePlotHeight;
const dash = [7, 4];

/** One colour for each curve. Several references have those of the curves they belong to, when there is one for each;
 * otherwise the first is drawn in the colour of the text (null), and the others in colours of their own. */
export function colourIndices(series: Series[]): (number | null)[] {
  const numReferences = series.filter((one) => one.is_reference).length;
  const numMeasured = series.length - numReferences;
  const inPairs = numReferences > 1 && numReferences === numMeasured;
  let measured = 0;
  let reference = 0;
  return series.map((one) => {
    if (!one.is_reference) return measured++;
    const index = reference++;
    if (inPairs) return index;
    return index === 0 ? null : numMeasured + index - 1;
  });
}

function entriesOf(plot: LinePlot): LegendEntry[] {
  const indices = colourIndices(plot.series);
  return plot.series.map((one, i) => {
    const index = indices[i] ?? null;
    // After the last colour they start again, thinner, so that the curves can be distinguished.
    const width = index !== null && index >= numSeriesColours ? 1 : 2;
    const hidden = plot.series[one.same_as ?? -1];
    return {
      label: hidden === undefined ? one.label : `${one.label} (same as ${hidden.label})`,
      stroke: () => (index === null ? colour("text") : seriesColour(index)),
      isDashed: one.is_reference,
      width,
    };
  });
}

const noise = 1e-9; // differences of a curve's values below this are rounding errors

/** The smallest range that contains data and limits, with a margin; never a scale for rounding errors. */
export function yRange(limits: number[], low: number | null, high: number | null): [number, number] {
  const values = [...limits, ...(low === null || high === null ? [] : [low, high])];
  if (values.length === 0) return [0, 1];
  const least = Math.min(...values);
  const most = Math.max(...values);
  const size = Math.max(Math.abs(least), Math.abs(most));
  const isConstant = most - least <= noise * Math.max(1, size);
  const air = !isConstant ? 0.06 * (most - least) : size > noise ? 0.1 * size : 1;
  return [least - air, most + air];
}

/** Thinned curves have samples at different instants: the nearest one of this curve. */
function nearestSample(plot: uPlot, series: number, index: number): number {
  const values = plot.data[series]!;
  for (let distance = 0; distance < values.length; ++distance) {
    for (const candidate of [index - distance, index + distance]) {
      if (candidate >= 0 && candidate < values.length && values[candidate] !== undefined) return candidate;
    }
  }
  return index;
}

/** The same room for the numbers in all plots, so that their time axes stand one above the other; long ones get more. */
function yAxisSize(_: uPlot, texts: string[] | null): number {
  const longest = Math.max(0, ...(texts ?? []).map((text) => text.length));
  return Math.max(62, 7.2 * longest + 14);
}

function isPointing(eventType: string): boolean {
  return eventType === "mousemove" || eventType === "mouseleave";
}

/** Dotted lines across the plot: horizontal at limits, vertical at events. */
function drawLines(plot: uPlot, values: number[], scale: "x" | "y", name: string): void {
  const { left, top, width: plotWidth, height: plotHeight } = plot.bbox;
  const context = plot.ctx;
  context.save();
  context.strokeStyle = colour(name);
  context.lineWidth = uPlot.pxRatio;
  context.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
  for (const value of values) {
    const at = Math.round(plot.valToPos(value, scale, true));
    const [low, size] = scale === "x" ? [left, plotWidth] : [top, plotHeight];
    if (at < low || at > low + size) continue;
    context.beginPath();
    context.moveTo(scale === "x" ? at : left, scale === "x" ? top : at);
    context.lineTo(scale === "x" ? at : left + plotWidth, scale === "x" ? top + plotHeight : at);
    context.stroke();
  }
  context.restore();
}

export interface LinePlotEvents {
  onCursor(x: number | null): void;
  onSeek(x: number): void;
  onZoom(min: number, max: number): void;
  onResetZoom(): void;
}

/** A plot over time in a card of its own, with a legend that shows the values under the cursor and hides curves. */
export class LinePlotView {
  readonly figure: HTMLElement;
  readonly xRange: [number, number];
  private readonly holder = element("div", { class: "canvas-holder" });
  private readonly legend: Legend;
  private readonly data: uPlot.AlignedData;
  private readonly order: number[]; // series as drawn (references last, on top) -> series as listed
  private plot: uPlot | null = null;
  private isHidden: boolean[];
  private isFollowing = false; // the cursor is moved from outside: do not pass it on

  constructor(private readonly content: LinePlot, curves: Curve[], private readonly syncKey: string,
              private readonly events: LinePlotEvents, private readonly moments: number[]) {
    this.order = content.series.map((_, i) => i);
    this.order.sort((a, b) => Number(content.series[a]!.is_reference) - Number(content.series[b]!.is_reference));
    const shown = this.order.map((i) => curves[content.series[i]!.curve]!);
    this.data = shown.length === 0 ? [[]] : uPlot.join(shown.map((curve) => [curve.x, curve.y]));
    this.isHidden = content.series.map(() => false);
    const xs = this.data[0];
    this.xRange = xs.length === 0 ? [0, 1] : [xs[0]!, xs[xs.length - 1]!];
    if (this.xRange[0] === this.xRange[1]) this.xRange = [this.xRange[0] - 0.5, this.xRange[1] + 0.5];
    this.legend = new Legend(entriesOf(content), content.y_label, content.limits.length > 0, {
      toggle: (series) => this.toggle(series),
      focus: (series) => this.focus(series),
    });
    const names = content.series.map((one) => one.label).join(", ");
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `${content.title}: ${content.y_label} over ${content.x_label}; ${names}`);
    this.figure = element("figure", { class: "card plot" },
      element("figcaption", {}, element("h3", {}, content.title)),
      element("div", {}, element("div", { class: "y-label" }, content.y_label), this.holder),
      element("div", {}, this.legend.node, element("p", { class: "about" }, content.about)));
  }

  /** Draws, or redraws in the current colours; the figure must be in the document. */
  draw(): void {
    const range = this.plot === null ? this.xRange : this.shownRange();
    this.plot?.destroy();
    this.plot = new uPlot(this.options(), this.data, this.holder);
    this.showRange(range);
    this.legend.paint();
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (this.plot !== null && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
  }

  showRange([min, max]: [number, number]): void {
    this.plot?.setScale("x", { min, max });
  }

  /** Puts the cursor at an instant, as the pointer would. */
  showTime(time: number | null): void {
    if (this.plot === null) return;
    const left = time === null ? -10 : this.plot.valToPos(time, "x");
    const isInside = left >= 0 && left <= this.plot.over.clientWidth;
    this.isFollowing = true;
    this.plot.setCursor(isInside ? { left, top: 0 } : { left: -10, top: -10 }, true);
    this.isFollowing = false;
  }

  private shownRange(): [number, number] {
    const { min, max } = this.plot!.scales.x!;
    return [min ?? this.xRange[0], max ?? this.xRange[1]];
  }

  private toggle(series: number): void {
    this.isHidden[series] = !this.isHidden[series];
    this.plot?.setSeries(1 + this.order.indexOf(series), { show: !this.isHidden[series] });
  }

  private focus(series: number | null): void {
    this.plot?.setSeries(series === null ? null : 1 + this.order.indexOf(series), { focus: series !== null });
  }

  private options(): uPlot.Options {
    const entries = entriesOf(this.content);
    const axis = {
      stroke: colour("muted"),
      grid: { stroke: colour("grid"), width: 1 },
      ticks: { stroke: colour("grid"), width: 1, size: 5 },
      font: `12px ${colour("font")}`,
      labelFont: `12px ${colour("font")}`,
      values: (_: uPlot, ticks: number[]) => formatTicks(ticks),
    };
    return {
      width: Math.max(200, this.holder.clientWidth),
      height,
      legend: { show: false },
      focus: { alpha: 0.25 },
      scales: { x: { time: false }, y: { range: (_, low, high) => yRange(this.content.limits, low, high) } },
      axes: [{ ...axis, label: this.content.x_label, labelSize: 18, size: 28 }, { ...axis, size: yAxisSize }],
      series: [{}, ...this.order.map((i) => ({
        label: entries[i]!.label,
        stroke: entries[i]!.stroke(),
        width: entries[i]!.width,
        dash: entries[i]!.isDashed ? dash : undefined,
        points: { show: false },
        show: !this.isHidden[i],
      }))],
      cursor: {
        // Plots share the cursor; the group shares the zoom, in values of x.
        sync: { key: this.syncKey, setSeries: false, scales: ["x", null], filters: { pub: isPointing } },
        drag: { x: true, y: false, setScale: false },
        dataIdx: nearestSample,
        points: { size: 7 },
        y: false,
        bind: { dblclick: () => () => { this.events.onResetZoom(); return null; } },
      },
      hooks: {
        drawAxes: [(plot) => {
          drawLines(plot, this.moments, "x", "muted");
          drawLines(plot, this.content.limits, "y", "limit");
        }],
        setCursor: [(plot) => this.showCursor(plot)],
        setSelect: [(plot) => this.zoomToSelection(plot)],
        ready: [(plot) => plot.over.addEventListener("click", () => this.seek(plot))],
      },
    };
  }

  private seek(plot: uPlot): void {
    const left = plot.cursor.left ?? -1;
    if (left >= 0) this.events.onSeek(plot.posToVal(left, "x"));
  }

  private zoomToSelection(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    this.events.onZoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private showCursor(plot: uPlot): void {
    const left = plot.cursor.left ?? -1;
    const isInside = left >= 0 && this.data[0].length > 0;
    const values = this.content.series.map((_, i) => {
      const drawn = 1 + this.order.indexOf(i);
      const index = isInside ? plot.cursor.idxs?.[drawn] : null;
      return index === null || index === undefined ? null : (plot.data[drawn]![index] ?? null);
    });
    this.legend.showValues(isInside ? values : null);
    if (!this.isFollowing) this.events.onCursor(isInside ? plot.posToVal(left, "x") : null);
  }
}
