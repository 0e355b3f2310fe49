import { svg } from "./dom";
import { formatTicks, niceTicks } from "./numbers";

export const margin = { left: 62, right: 14, top: 10, bottom: 46 };

/** Maps values to pixels from the upper left corner. */
export interface Frame {
  width: number;
  height: number;
  toX(x: number): number;
  toY(y: number): number;
  range: { x: [number, number]; y: [number, number] };
}

/** A grid with its numbers; without `hasY` only those of the x axis. */
export function drawAxes(frame: Frame, xLabel: string, hasY = true): SVGGElement {
  const group = svg("g", { class: "axes" });
  const left = margin.left;
  const right = frame.width - margin.right;
  const top = margin.top;
  const bottom = frame.height - margin.bottom;
  const xTicks = niceTicks(...frame.range.x, (right - left) / 70); // pixels from tick to tick, at least
  const yTicks = hasY ? niceTicks(...frame.range.y, (bottom - top) / 40) : [];
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
  group.append(svg("text", { x: (left + right) / 2, y: frame.height - 8, "text-anchor": "middle" }, xLabel));
  return group;
}
