import { drawAxes, Frame, margin } from "./axes";
import { element, svg } from "./dom";
import { formatValue, nearestIndex, unitOf } from "./numbers";
import { Path, PlanePlot } from "./page_data";
import { numSeriesColours } from "./theme";
import { TimeCursor } from "./time_cursor";

const tallest = 420; // of the plane itself [px]

/** The range of both coordinates over everything that is drawn. */
function bounds(plot: PlanePlot): { x: [number, number]; y: [number, number] } {
  const xs = [...plot.rectangles.flatMap((one) => [one.x_min, one.x_max]), ...plot.points.map((one) => one.x)];
  const ys = [...plot.rectangles.flatMap((one) => [one.y_min, one.y_max]), ...plot.points.map((one) => one.y)];
  for (const path of [plot, ...(plot.others ?? [])]) {
    path.x.forEach((x, i) => {
      const y = path.y[i];
      if (x === null || y === null || y === undefined) return;
      xs.push(x);
      ys.push(y);
    });
  }
  const range = (values: number[]): [number, number] =>
    values.length === 0 ? [-1, 1] : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return { x: range(xs), y: range(ys) };
}

/** Equal scales on both axes. */
function makeFrame(plot: PlanePlot, width: number, tallest: number): Frame {
  const { x, y } = bounds(plot);
  const air = 0.08 * Math.max(x[1] - x[0], y[1] - y[0]) || 0.5;
  const spanX = x[1] - x[0] + 2 * air;
  const spanY = y[1] - y[0] + 2 * air;
  const innerWidth = Math.max(80, width - margin.left - margin.right);
  const innerHeight = Math.min(tallest, Math.max(160, (innerWidth * spanY) / spanX));
  const pixels = Math.min(innerWidth / spanX, innerHeight / spanY);
  const centre = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2] as const;
  const middle = [margin.left + innerWidth / 2, margin.top + innerHeight / 2] as const;
  const half = [innerWidth / 2 / pixels, innerHeight / 2 / pixels] as const;
  return {
    width: innerWidth + margin.left + margin.right,
    height: innerHeight + margin.top + margin.bottom,
    toX: (value) => middle[0] + (value - centre[0]) * pixels,
    toY: (value) => middle[1] - (value - centre[1]) * pixels,
    range: { x: [centre[0] - half[0], centre[0] + half[0]], y: [centre[1] - half[1], centre[1] + half[1]] },
  };
}

/** Puts labels where the fewest points of the curves, and no other label, are. */
class Labels {
  private readonly taken: { x: number; y: number }[] = [];

  constructor(plot: PlanePlot, private readonly frame: Frame) {
    for (const path of [plot, ...(plot.others ?? [])]) {
      path.x.forEach((x, i) => {
        const y = path.y[i];
        if (x !== null && y !== null && y !== undefined) this.taken.push({ x: frame.toX(x), y: frame.toY(y) });
      });
    }
  }

  /** A text at the best of these places for the left end of its base line. */
  place(label: string, candidates: [number, number][]): SVGTextElement {
    const width = 6.7 * label.length; // of 12 pixels high letters
    let best = candidates[0]!;
    let least = Infinity;
    for (const [x, y] of candidates) {
      const covers = this.taken.filter((one) => one.x > x - 3 && one.x < x + width + 3 && one.y > y - 13 && one.y < y + 5).length;
      const isOutside = x < margin.left || x + width > this.frame.width - margin.right / 2 || y < 13 || y > this.frame.height - margin.bottom;
      const cost = covers + (isOutside ? 1000 : 0);
      if (cost >= least) continue;
      least = cost;
      best = [x, y];
    }
    for (let x = best[0]; x <= best[0] + width; x += 6) this.taken.push({ x, y: best[1] - 4 });
    return svg("text", { x: best[0], y: best[1] }, label);
  }
}

function drawRectangles(plot: PlanePlot, frame: Frame, labels: Labels): SVGGElement {
  const group = svg("g", { class: "rectangles" });
  for (const one of plot.rectangles) {
    const x = frame.toX(one.x_min);
    const y = frame.toY(one.y_max);
    const width = frame.toX(one.x_max) - x;
    const height = frame.toY(one.y_min) - y;
    const right = x + width - 6 - 6.7 * one.label.length;
    group.append(svg("rect", { x, y, width, height, rx: 3 }), labels.place(one.label,
      [[x + 6, y + 15], [right, y + 15], [x + 6, y + height - 7], [right, y + height - 7]]));
  }
  return group;
}

function drawPoints(plot: PlanePlot, frame: Frame, labels: Labels): SVGGElement {
  const group = svg("g", { class: "points" });
  for (const one of plot.points) {
    const x = frame.toX(one.x);
    const y = frame.toY(one.y);
    const left = x - 8 - 6.7 * one.label.length;
    group.append(svg("path", { d: `M${x - 5} ${y}h10M${x} ${y - 5}v10` }), labels.place(one.label,
      [[x + 8, y + 15], [x + 8, y - 7], [left, y + 15], [left, y - 7], [x + 18, y + 4], [left - 10, y + 4], [x + 8, y + 32], [left, y + 32]]));
  }
  return group;
}

function pathText(plot: Path, frame: Frame): string {
  let text = "";
  let isDrawing = false;
  plot.x.forEach((x, i) => {
    const y = plot.y[i];
    if (x === null || y === null || y === undefined) {
      isDrawing = false;
      return;
    }
    text += `${isDrawing ? "L" : "M"}${frame.toX(x).toFixed(1)} ${frame.toY(y).toFixed(1)}`;
    isDrawing = true;
  });
  return text;
}

/** The class of another run's path; the first colour is the page's own. */
function otherName(index: number): string {
  return `path of-${((index + 1) % numSeriesColours) + 1}`;
}

/** A path in a plane over the areas that it should keep inside, with start, end and the instant under the cursor. */
export class PlanePlotView {
  readonly figure: HTMLElement;
  private readonly holder = element("div", { class: "plane-holder" });
  private readonly readout = element("span", { class: "value" });
  private frame: Frame | null = null;
  private marker: SVGCircleElement | null = null;
  private tallest = tallest;

  constructor(private readonly plot: PlanePlot, private readonly cursor: TimeCursor) {
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `${plot.title}: ${plot.y_label} over ${plot.x_label}`);
    const key = (name: string) => svg("svg", { class: "key", viewBox: "0 0 12 12", "aria-hidden": "true" },
      svg("circle", { class: name, cx: 6, cy: 6, r: 4 }));
    const line = (name: string) => svg("svg", { class: "key", viewBox: "0 0 12 12", "aria-hidden": "true" },
      svg("path", { class: name, d: "M0 6h12" }));
    const entry = (...children: (Node | string)[]) => element("span", { class: "entry" }, ...children);
    this.figure = element("figure", { class: "card plot plane" },
      element("figcaption", {}, element("h3", {}, plot.title)),
      element("div", {}, element("div", { class: "y-label" }, plot.y_label), this.holder),
      element("div", {}, element("div", { class: "legend plane-legend" },
        ...(plot.has_separate_samples ? [] : [entry(key("start"), "start"), entry(key("end"), "end")]),
        ...(plot.label === undefined || plot.label === "" ? [] : [entry(line("path"), plot.label)]),
        ...(plot.others ?? []).map((other, i) => entry(line(otherName(i)), other.label)), entry(this.readout)),
      element("p", { class: "about" }, plot.about)));
    this.holder.addEventListener("pointermove", (event) => this.pointAt(event));
    this.holder.addEventListener("pointerleave", () => {
      this.cursor.set(null);
      this.mark(-1);
    });
    cursor.subscribe((time) => this.mark(time === null ? -1 : nearestIndex(plot.time, time)));
  }

  /** As tall as its neighbour in a row, whose card would be half empty otherwise. */
  limitHeight(total: number): void {
    this.tallest = total - margin.top - margin.bottom;
  }

  draw(): void {
    const frame = makeFrame(this.plot, this.holder.clientWidth, this.tallest);
    this.frame = frame;
    const isPoint = (i: number) => this.plot.x[i] !== null && this.plot.y[i] !== null;
    const indices = this.plot.x.map((_, i) => i).filter(isPoint);
    const dot = (name: string, index: number | undefined) =>
      index === undefined ? svg("g") : svg("circle", { class: name, r: 4,
        cx: frame.toX(this.plot.x[index]!), cy: frame.toY(this.plot.y[index]!) });
    const dots = this.plot.has_separate_samples
      ? indices.map((i) => dot("end", i)) : [dot("start", indices[0]), dot("end", indices[indices.length - 1])];
    this.marker = svg("circle", { class: "marker", r: 5, visibility: "hidden" });
    const { width, height } = frame;
    const labels = new Labels(this.plot, frame);
    this.holder.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
      drawAxes(frame, this.plot.x_label), drawRectangles(this.plot, frame, labels), drawPoints(this.plot, frame, labels),
      ...(this.plot.others ?? []).map((other, i) => svg("path", { class: otherName(i), d: pathText(other, frame) })),
      svg("path", { class: "path", d: pathText(this.plot, frame) }), ...dots, this.marker));
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (width > 0 && width !== this.frame?.width) this.draw();
  }

  /** The sample of the path that is nearest to the pointer. */
  private pointAt(event: PointerEvent): void {
    const frame = this.frame;
    if (frame === null) return;
    const box = this.holder.getBoundingClientRect();
    let best = -1;
    let bestDistance = Infinity;
    this.plot.x.forEach((x, i) => {
      const y = this.plot.y[i];
      if (x === null || y === null || y === undefined) return;
      const distance = Math.hypot(frame.toX(x) - event.clientX + box.left, frame.toY(y) - event.clientY + box.top);
      if (distance < bestDistance) {
        best = i;
        bestDistance = distance;
      }
    });
    this.cursor.set(this.plot.time[best] ?? null);
    this.mark(best);
  }

  private mark(index: number): void {
    const x = this.plot.x[index];
    const y = this.plot.y[index];
    const isShown = typeof x === "number" && typeof y === "number" && this.frame !== null;
    this.marker?.setAttribute("visibility", isShown ? "visible" : "hidden");
    this.readout.textContent = "";
    if (!isShown) return;
    this.marker?.setAttribute("cx", String(this.frame!.toX(x)));
    this.marker?.setAttribute("cy", String(this.frame!.toY(y)));
    const time = this.plot.time[index];
    const at = time === undefined ? "" : ` at ${formatValue(time)} s`;
    this.readout.textContent = `(${formatValue(x)}, ${formatValue(y)}) ${unitOf(this.plot.x_label)}${at}`;
  }
}
