// The current instant, shared by everything on the page that shows time: the one under the pointer, or that of the
// replay.

export type CursorSource = "pointer" | "replay";
type Listener = (time: number | null, source: CursorSource) => void;

export class TimeCursor {
  private listeners: Listener[] = [];
  private seekers: ((time: number) => void)[] = [];
  private time: number | null = null;

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(time: number | null, source: CursorSource = "pointer"): void {
    if (time === this.time) return;
    this.time = time;
    for (const listener of this.listeners) listener(time, source);
  }

  /** Goes to an instant and stays there. */
  seek(time: number): void {
    for (const seeker of this.seekers) seeker(time);
  }

  onSeek(seeker: (time: number) => void): void {
    this.seekers.push(seeker);
  }
}
