// The instant that the reader points at, shared by everything on the page that shows time.

type Listener = (time: number | null) => void;

export class TimeCursor {
  private listeners: Listener[] = [];
  private time: number | null = null;

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(time: number | null): void {
    if (time === this.time) return;
    this.time = time;
    for (const listener of this.listeners) listener(time);
  }
}
