// The page of `aplomb run --live`: rows of the run come from its server (src/aplomb/report/live_server.cpp).

import { Motion } from "./motion";
import { PackedMotion } from "./scene_data";

const waitMs = 60;

const pause = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Fills in the motion as it is simulated, until the run is over; then the page becomes its report. */
export async function follow(motion: Motion, setLimit: (time: number) => void, tell: (text: string) => void): Promise<void> {
  for (let index = 0; ;) {
    let answer: Response;
    try {
      answer = await fetch(`rows/${index}`);
    } catch {
      tell("The run was ended: what was simulated can be replayed, there is no report.");
      return;
    }
    if (answer.status === 410) {
      location.reload();
      return;
    }
    if (answer.status !== 200) {
      await pause(waitMs);
      continue;
    }
    for (const { first, motion: packed } of (await answer.json()) as { first: number; motion: PackedMotion }[]) {
      const part = Motion.unpack(packed);
      motion.fill(first, part);
      setLimit(part.end);
      tell(`simulated: ${part.end.toFixed(1)} s of ${motion.end.toFixed(1)} s`);
      ++index;
    }
  }
}
