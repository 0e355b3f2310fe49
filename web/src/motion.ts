import { PackedMotion } from "./scene_data";

const missing = 65535;

function codesOf(base64: string): Uint16Array {
  const text = atob(base64);
  const codes = new Uint16Array(text.length >> 1);
  for (let i = 0; i < codes.length; ++i) codes[i] = text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 8);
  return codes;
}

/** Columns over time, read between their samples. */
export class Motion {
  readonly time: Float64Array;
  private readonly columns = new Map<string, Float32Array>();
  private readonly units = new Map<string, string>();

  constructor(packed: PackedMotion) {
    this.time = Float64Array.from(packed.time);
    const codes = codesOf(packed.base64);
    const count = this.time.length;
    packed.columns.forEach(({ name, unit, low, step }, index) => {
      const values = new Float32Array(count);
      for (let i = 0; i < count; ++i) {
        const code = codes[index * count + i]!;
        values[i] = code === missing ? NaN : low + step * code;
      }
      this.columns.set(name, values);
      this.units.set(name, unit);
    });
  }

  get start(): number {
    return this.time[0] ?? 0;
  }

  get end(): number {
    return this.time[this.time.length - 1] ?? 0;
  }

  names(): string[] {
    return [...this.columns.keys()];
  }

  unit(name: string): string {
    return this.units.get(name) ?? "";
  }

  column(name: string): Float32Array | null {
    return this.columns.get(name) ?? null;
  }

  /** The sample at or before an instant, and how far the next one is along: for `sample`. */
  locate(time: number): { index: number; share: number } {
    const last = this.time.length - 1;
    if (last < 1 || time <= this.start) return { index: 0, share: 0 };
    if (time >= this.end) return { index: last, share: 0 };
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle]! <= time) low = middle;
      else high = middle;
    }
    return { index: low, share: (time - this.time[low]!) / (this.time[high]! - this.time[low]!) };
  }
}

/** A value between two samples. Where one of them is missing, the nearer one counts. */
export function sample(column: Float32Array, { index, share }: { index: number; share: number }): number {
  const before = column[index] ?? NaN;
  if (share === 0) return before;
  const after = column[index + 1] ?? NaN;
  const between = before + share * (after - before);
  if (!Number.isNaN(between)) return between;
  return share < 0.5 ? before : after;
}
