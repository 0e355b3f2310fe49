import { Motion } from "./motion";
import { Scene } from "./scene_data";

/** A quantity at a sample of the log; NaN where it does not exist. */
type Quantity = (index: number) => number;

function largest(motion: Motion, quantity: Quantity): number | null {
  let best: number | null = null;
  let most = -Infinity;
  for (let i = 0; i < motion.time.length; ++i) {
    const value = quantity(i);
    if (value > most) {
      most = value;
      best = motion.time[i]!;
    }
  }
  return best;
}

function distance(motion: Motion, columns: string[], references: string[]): Quantity | null {
  const pairs = columns.map((name, i) => [motion.column(name), motion.column(references[i]!)] as const);
  if (pairs.some(([column, reference]) => column === null || reference === null)) return null;
  return (index) => Math.hypot(...pairs.map(([column, reference]) => column![index]! - reference![index]!));
}

function largestOf(motion: Motion, prefix: string): Quantity | null {
  const columns = motion.names().filter((name) => name.startsWith(prefix)).map((name) => motion.column(name)!);
  return columns.length === 0 ? null : (index) => Math.max(...columns.map((column) => Math.abs(column[index]!)));
}

/** How far the CoP of each foot is outside of its sole (inside: negative), the worse of the feet. */
function beyondSole(motion: Motion, scene: Scene): Quantity | null {
  const feet = scene.soles.flatMap((sole) => {
    const y = motion.column(sole.loaded.replace("_x_", "_y_"));
    const x = motion.column(sole.loaded);
    const [xs, ys] = [sole.corners.map((corner) => corner[0]), sole.corners.map((corner) => corner[1])];
    return x === null || y === null ? [] : [{ x, y, xs: [Math.min(...xs), Math.max(...xs)], ys: [Math.min(...ys), Math.max(...ys)] }];
  });
  if (feet.length === 0) return null;
  return (index) => Math.max(...feet.map(({ x, y, xs, ys }) => {
    const beyond = Math.max(xs[0]! - x[index]!, x[index]! - xs[1]!, ys[0]! - y[index]!, y[index]! - ys[1]!);
    return Number.isNaN(beyond) ? -Infinity : beyond; // the foot carries no load
  }));
}

function quantityOf(metric: string, motion: Motion, scene: Scene): Quantity | null {
  const axes = metric === "com_error_max_m" || metric.startsWith("com_error_rms") ? ["x", "y", "z"]
    : metric.startsWith("com_x_error") ? ["x"] : metric.startsWith("com_height_error") ? ["z"] : null;
  if (axes !== null) return distance(motion, axes.map((axis) => `com_${axis}_m`), axes.map((axis) => `com_reference_${axis}_m`));
  if (metric === "torque_peak_ratio") return largestOf(motion, "torque_ratio_");
  if (metric === "joint_speed_max_rad_per_s") return largestOf(motion, "velocity_");
  if (["cop_margin_min_m", "heel_margin_min_m", "toe_margin_min_m"].includes(metric)) return beyondSole(motion, scene);
  // `trunk_tilt_max_rad` is the largest `trunk_tilt_rad`, `zmp_margin_min_m` the smallest `zmp_margin_m`.
  const [, stem, extreme, unit] = /^(.*)_(max|min)_(.*)$/.exec(metric) ?? [];
  const column = stem === undefined ? null : motion.column(`${stem}_${unit}`);
  if (column === null) return null;
  return extreme === "max" ? (index) => column[index]! : (index) => -column[index]!;
}

/** The instant of a metric's value, if the log has it; else null. */
export function worstMoment(metric: string, value: string, motion: Motion, scene: Scene): number | null {
  if (metric.endsWith("_at_s") || metric === "seat_off_s") return Number.isFinite(Number(value)) ? Number(value) : null;
  const quantity = quantityOf(metric, motion, scene);
  return quantity === null ? null : largest(motion, quantity);
}
