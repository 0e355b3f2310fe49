import { element, svg } from "./dom";
import { formatTicks, formatValue, nearestIndex, niceTicks, unitOf } from "./numbers";
import { PlanePlot } from "./page_data";
import { TimeCursor } from "./time_cursor";

const margin = { left: 62, right: 14, top: 10, bottom: 46 };
const tallest = 420;

interface Frame {
  width: number;
  height: number;
  toX(x: number): number;
  toY(y: number): number;
  range: { x: [number, number]; y: [number, number] };
}

/** The least and the largest of both coordinates, over the path and the rectangles. */
function bounds(plot: PlanePlot): { x: [number, number]; y: [number, number] } {
  const xs = plot.rectangles.flatMap((one) => [one.x_min, one.x_max]);
  const ys = plot.rectangles.flatMap((one) => [one.y_min, one.y_max]);
  plot.x.forEach((x, i) => {
    const y = plot.y[i];
    if (x === null || y === null || y === undefined) return;
    xs.push(x);
    ys.push(y);
  });
  const range = (values: number[]): [number, number] =>
    values.length === 0 ? [-1, 1] : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return { x: range(xs), y: range(ys) };
}

/** Equal scales on both axes: a metre is as long across as it is up. */
function makeFrame(plot: PlanePlot, width: number): Frame {
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

function drawAxes(plot: PlanePlot, frame: Frame): SVGGElement {
  const group = svg("g", { class: "axes" });
  const left = margin.left;
  const right = frame.width - margin.right;
  const top = margin.top;
  const bottom = frame.height - margin.bottom;
  const xTicks = niceTicks(...frame.range.x, (right - left) / 70); // pixels from tick to tick, at least
  const yTicks = niceTicks(...frame.range.y, (bottom - top) / 40);
  const xTexts = formatTicks(xTicks);
  const yTexts = formatTicks(yTicks);
  xTicks.forEach((tick, i) => {
    const x = frame.toX(tick);
    group.append(svg("line", { x1: x, x2: x, y1: top, y2: bottom }),
      svg("text", { x, y: bottom + 16, "text-anchor": "middle" }, xTexts[i]!));
  });
  yTicks.forEach((tick, i) => {
    const y = frame.toY(tick);
    group.append(svg("line", { x1: left, x2: right, y1: y, y2: y }),
      svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, yTexts[i]!));
  });
  group.append(svg("text", { x: (left + right) / 2, y: frame.height - 8, "text-anchor": "middle" }, plot.x_label));
  return group;
}

function drawRectangles(plot: PlanePlot, frame: Frame): SVGGElement {
  const group = svg("g", { class: "rectangles" });
  for (const one of plot.rectangles) {
    const x = frame.toX(one.x_min);
    const y = frame.toY(one.y_max);
    group.append(
      svg("rect", { x, y, width: frame.toX(one.x_max) - x, height: frame.toY(one.y_min) - y, rx: 3 }),
      svg("text", { x: x + 6, y: y + 15 }, one.label));
  }
  return group;
}

function pathText(plot: PlanePlot, frame: Frame): string {
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

/** A path in a plane over the areas that it should keep inside, with start, end and the instant under the cursor. */
export class PlanePlotView {
  readonly figure: HTMLElement;
  private readonly holder = element("div", { class: "plane-holder" });
  private readonly readout = element("span", { class: "value" });
  private frame: Frame | null = null;
  private marker: SVGCircleElement | null = null;

  constructor(private readonly plot: PlanePlot, private readonly cursor: TimeCursor) {
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `${plot.title}: ${plot.y_label} over ${plot.x_label}`);
    const key = (name: string) => svg("svg", { class: "key", viewBox: "0 0 12 12", "aria-hidden": "true" },
      svg("circle", { class: name, cx: 6, cy: 6, r: 4 }));
    const entry = (...children: (Node | string)[]) => element("span", { class: "entry" }, ...children);
    this.figure = element("figure", { class: "card plot plane" },
      element("figcaption", {}, element("h3", {}, plot.title), element("p", { class: "about" }, plot.about)),
      element("div", {}, element("div", { class: "y-label" }, plot.y_label), this.holder),
      element("div", { class: "legend plane-legend" },
        entry(key("start"), "start"), entry(key("end"), "end"), entry(this.readout)));
    this.holder.addEventListener("pointermove", (event) => this.pointAt(event));
    this.holder.addEventListener("pointerleave", () => {
      this.cursor.set(null);
      this.mark(-1);
    });
    cursor.subscribe((time) => this.mark(time === null ? -1 : nearestIndex(plot.time, time)));
  }

  draw(): void {
    const frame = makeFrame(this.plot, this.holder.clientWidth);
    this.frame = frame;
    const isPoint = (i: number) => this.plot.x[i] !== null && this.plot.y[i] !== null;
    const indices = this.plot.x.map((_, i) => i).filter(isPoint);
    const dot = (name: string, index: number | undefined) =>
      index === undefined ? svg("g") : svg("circle", { class: name, r: 4,
        cx: frame.toX(this.plot.x[index]!), cy: frame.toY(this.plot.y[index]!) });
    this.marker = svg("circle", { class: "marker", r: 5, visibility: "hidden" });
    const { width, height } = frame;
    this.holder.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
      drawAxes(this.plot, frame), drawRectangles(this.plot, frame),
      svg("path", { class: "path", d: pathText(this.plot, frame) }),
      dot("start", indices[0]), dot("end", indices[indices.length - 1]), this.marker));
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
