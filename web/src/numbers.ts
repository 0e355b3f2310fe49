const minus = "\u2212";

function withMinus(text: string): string {
  return text.replace(/-/g, minus);
}

/** "12.5", "0.00123", "1.2e−7": at most four significant digits, without padding zeros. */
export function formatValue(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e6)) {
    return withMinus(value.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e"));
  }
  return withMinus(String(Number(value.toPrecision(4))));
}

/** How many decimals write a step of an axis exactly: 1 for 0.5, 4 for 0.0025. */
function decimalsOf(step: number): number {
  const text = Number(step.toPrecision(3)).toExponential(); // "2.5e-3"
  const [digits = "", exponent = "0"] = text.split("e");
  return Math.max(0, digits.replace(/^\d\.?/, "").length - Number(exponent));
}

/** Texts of the ticks of an axis, all with the digits that their spacing needs. */
export function formatTicks(ticks: number[]): string[] {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest === 0) return ticks.map(() => "0");
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : largest;
  if (largest >= 1e-3 && largest < 1e6) {
    const decimals = decimalsOf(step);
    return ticks.map((tick) => withMinus((tick === 0 ? 0 : tick).toFixed(decimals)));
  }
  const digits = decimalsOf(step / Math.pow(10, Math.floor(Math.log10(largest))));
  return ticks.map((tick) => (tick === 0 ? "0" : withMinus(tick.toExponential(digits).replace("e+", "e"))));
}

/** Round numbers between low and high, about `count` of them and two at least: one does not show a scale. */
export function niceTicks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / Math.max(1, count);
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const steps = [0.5, 1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const wanted = steps.findIndex((step) => step >= raw && step >= power);
  const ticks = ticksOf(low, high, steps[wanted]!);
  return ticks.length > 1 ? ticks : ticksOf(low, high, steps[wanted - 1]!);
}

function ticksOf(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step);
  const numTicks = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, numTicks) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The unit in a label such as "forward CoM [m]"; empty without one. */
export function unitOf(label: string): string {
  return /\[([^\]]+)\]\s*$/.exec(label)?.[1] ?? "";
}

/** The index of the number nearest to `value` in an ascending list; -1 when it is empty. */
export function nearestIndex(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && value - ascending[low - 1]! < ascending[low]! - value) --low;
  return ascending.length === 0 ? -1 : low;
}
