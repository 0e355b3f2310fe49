import { drawAxes, Frame, margin } from "./axes";
import { element, svg } from "./dom";
import { formatValue, unitOf } from "./numbers";
import { ScatterPlot } from "./page_data";

const heightWithY = 240;
const heightAlongAxis = 96;

/** Numbers of [0, 1) that lie apart for neighbouring indices, the same in every drawing: fractions of the golden ratio. */
function spread(index: number): number {
  return (index * 0.6180339887498949) % 1;
}

function rangeOf(values: (number | null)[]): [number, number] {
  const finite = values.filter((value): value is number => value !== null);
  if (finite.length === 0) return [0, 1];
  const low = finite.reduce((a, b) => Math.min(a, b));
  const high = finite.reduce((a, b) => Math.max(a, b));
  const air = high > low ? 0.04 * (high - low) : 0.1 * Math.abs(high) || 1;
  return [low - air, high + air];
}

/** Points, one for each run: what passed and what failed, along one axis or over another value. */
export class ScatterPlotView {
  readonly figure: HTMLElement;
  readonly hasY: boolean;
  private readonly holder = element("div", { class: "plane-holder" });
  private readonly readout = element("span", { class: "value" });
  private readonly y: (number | null)[];
  private frame: Frame | null = null;
  private marker: SVGCircleElement | null = null;

  constructor(private readonly plot: ScatterPlot) {
    this.hasY = plot.y.length > 0;
    this.y = this.hasY ? plot.y : plot.row.map(spread);
    this.holder.setAttribute("role", "img");
    const numFailed = plot.is_ok.filter((ok) => !ok).length;
    this.holder.setAttribute("aria-label",
      `${plot.title}: ${plot.x_label}${this.hasY ? `, ${plot.y_label}` : ""}; ${plot.x.length} runs, ${numFailed} failed`);
    const entry = (...children: (Node | string)[]) => element("span", { class: "entry" }, ...children);
    const key = (name: string) => svg("svg", { class: "key", viewBox: "0 0 12 12", "aria-hidden": "true" },
      svg("circle", { class: name, cx: 6, cy: 6, r: 4 }));
    this.figure = element("figure", { class: "card plot plane scatter" },
      element("figcaption", {}, element("h3", {}, plot.title)),
      element("div", {}, element("div", { class: "y-label" }, plot.y_label), this.holder),
      element("div", {}, element("div", { class: "legend plane-legend" }, entry(key("passed"), "passed"),
        entry(key("failed"), "failed"), entry(this.readout)), element("p", { class: "about" }, plot.about)));
    this.holder.addEventListener("pointermove", (event) => this.pointAt(event));
    this.holder.addEventListener("pointerleave", () => this.mark(-1));
  }

  draw(): void {
    const frame = this.makeFrame();
    this.frame = frame;
    const points = svg("g", { class: "runs" });
    // Failed ones last, on top.
    for (const isOk of [true, false]) {
      this.plot.x.forEach((x, i) => {
        const y = this.y[i];
        if (this.plot.is_ok[i] !== isOk || x === null || y === null || y === undefined) return;
        points.append(svg("circle", { class: isOk ? "passed" : "failed", cx: frame.toX(x), cy: frame.toY(y), r: 3 }));
      });
    }
    this.marker = svg("circle", { class: "marker", r: 5, visibility: "hidden" });
    this.holder.replaceChildren(svg("svg", { width: frame.width, height: frame.height },
      drawAxes(frame, this.plot.x_label, this.hasY), points, this.drawMarks(frame), this.marker));
  }

  resize(): void {
    const width = this.holder.clientWidth;
    if (width > 0 && width !== this.frame?.width) this.draw();
  }

  private makeFrame(): Frame {
    const width = Math.max(margin.left + margin.right + 80, this.holder.clientWidth);
    const innerWidth = width - margin.left - margin.right;
    const innerHeight = this.hasY ? heightWithY : heightAlongAxis;
    const x = rangeOf(this.plot.x);
    const y: [number, number] = this.hasY ? rangeOf(this.y) : [-0.1, 1.1];
    return {
      width,
      height: innerHeight + margin.top + margin.bottom,
      toX: (value) => margin.left + ((value - x[0]) / (x[1] - x[0])) * innerWidth,
      toY: (value) => margin.top + ((y[1] - value) / (y[1] - y[0])) * innerHeight,
      range: { x, y },
    };
  }

  private drawMarks(frame: Frame): SVGGElement {
    const group = svg("g", { class: "marks" });
    for (const { x, label } of this.plot.marks) {
      if (x === null) continue;
      const at = frame.toX(x);
      group.append(svg("line", { x1: at, x2: at, y1: margin.top, y2: frame.height - margin.bottom },
        svg("title", {}, `${label}: ${formatValue(x)}`)));
    }
    return group;
  }

  private pointAt(event: PointerEvent): void {
    const frame = this.frame;
    if (frame === null) return;
    const box = this.holder.getBoundingClientRect();
    let best = -1;
    let bestDistance = Infinity;
    this.plot.x.forEach((x, i) => {
      const y = this.y[i];
      if (x === null || y === null || y === undefined) return;
      const distance = Math.hypot(frame.toX(x) - event.clientX + box.left, frame.toY(y) - event.clientY + box.top);
      if (distance < bestDistance) {
        best = i;
        bestDistance = distance;
      }
    });
    this.mark(best);
  }

  private mark(index: number): void {
    const x = this.plot.x[index];
    const y = this.y[index];
    const isShown = typeof x === "number" && typeof y === "number" && this.frame !== null;
    this.marker?.setAttribute("visibility", isShown ? "visible" : "hidden");
    this.readout.textContent = "";
    if (!isShown) return;
    this.marker?.setAttribute("cx", String(this.frame!.toX(x)));
    this.marker?.setAttribute("cy", String(this.frame!.toY(y)));
    const values = `${formatValue(x)} ${unitOf(this.plot.x_label)}`.trim();
    const over = this.hasY ? `${formatValue(y)} ${unitOf(this.plot.y_label)}`.trim() + ` at ${values}` : values;
    this.readout.textContent = `run ${this.plot.row[index]}: ${over}`;
  }
}
