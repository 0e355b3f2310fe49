import { PackedMotion } from "./scene_data";

const missing = 65535;

/** The sample at or before an instant, and the fraction of the way to the next one. */
export interface Instant {
  index: number;
  share: number;
}

/** 16-bit numbers, little-endian, as base64. */
export function codesOf(base64: string): Uint16Array {
  const text = atob(base64);
  const codes = new Uint16Array(text.length >> 1);
  for (let i = 0; i < codes.length; ++i) codes[i] = text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 8);
  return codes;
}

/** A value between two samples. Where one of them is missing, the nearer one is used. */
export function sample(column: Float32Array, { index, share }: Instant): number {
  const before = column[index] ?? NaN;
  if (share === 0) return before;
  const after = column[index + 1] ?? NaN;
  const between = before + share * (after - before);
  if (!Number.isNaN(between)) return between;
  return share < 0.5 ? before : after;
}

type Columns = Map<string, { values: Float32Array; unit: string }>;

/** Columns over time, read between their samples. */
export class Motion {
  constructor(readonly time: Float64Array, private readonly columns: Columns) {}

  static unpack(packed: PackedMotion): Motion {
    const time = Float64Array.from(packed.time);
    const codes = codesOf(packed.base64);
    const columns: Columns = new Map();
    packed.columns.forEach(({ name, unit, low, step }, index) => {
      const values = new Float32Array(time.length);
      for (let i = 0; i < time.length; ++i) {
        const code = codes[index * time.length + i]!;
        values[i] = code === missing ? NaN : low + step * code;
      }
      columns.set(name, { values, unit });
    });
    return new Motion(time, columns);
  }

  /** Takes over the values of a motion with the same columns, from this sample on. */
  fill(first: number, part: Motion): void {
    for (const [name, { values }] of part.columns) {
      this.columns.get(name)?.values.set(values.subarray(0, Math.max(0, this.time.length - first)), first);
    }
  }

  /** This motion, and those columns of another that it lacks, at its own instants. */
  with(other: Motion): Motion {
    const columns: Columns = new Map(this.columns);
    for (const [name, { values, unit }] of other.columns) {
      if (columns.has(name)) continue;
      columns.set(name, { values: Float32Array.from(this.time, (time) => sample(values, other.locate(time))), unit });
    }
    return new Motion(this.time, columns);
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
    return this.columns.get(name)?.unit ?? "";
  }

  column(name: string): Float32Array | null {
    return this.columns.get(name)?.values ?? null;
  }

  locate(time: number): Instant {
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
