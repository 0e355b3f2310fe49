import { element, svg } from "./dom";
import { SceneEvent } from "./scene_data";

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
const icons = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4z M9 3h3v10H9z",
  back: "M3 3h2v10H3z M13 3v10L6 8z",
  forward: "M11 3h2v10h-2z M3 3v10l7-5z",
} as const;

function icon(name: keyof typeof icons): SVGSVGElement {
  return svg("svg", { class: "control-icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: icons[name] }));
}

function button(name: keyof typeof icons, title: string, act: () => void): HTMLButtonElement {
  const node = element("button", { class: "control", type: "button", title, "aria-label": title }, icon(name));
  node.addEventListener("click", act);
  return node;
}

/** Play, pause, scrub, speed and loop: the time of the replay. `show` is called whenever it changes. */
export class Player {
  readonly controls = element("div", { class: "controls" });
  readonly timeline = element("div", { class: "timeline" });
  time: number;
  isPlaying = false;
  private readonly playButton = button("play", "Play or pause (space)", () => this.toggle());
  private readonly slider = element("input", { type: "range", step: "any", "aria-label": "time [s]" });
  private readonly clock = element("output", { class: "clock" });
  private readonly speedChoice = element("select", { class: "control", "aria-label": "speed" },
    ...speeds.map((speed) => element("option", { value: speed }, `${speed}×`)));
  private readonly loopBox = element("input", { type: "checkbox" });
  private last: number | null = null; // time of the last frame while playing [ms]
  private isInSight = true;
  private atEnd: (() => void) | null = null;
  private limit: number; // what is known of the motion so far ends here; then the replay waits

  constructor(private readonly start: number, private readonly end: number, private readonly step: number,
              events: SceneEvent[], private readonly show: (time: number) => void) {
    this.time = start;
    this.limit = end;
    Object.assign(this.slider, { min: String(start), max: String(end), value: String(start) });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.seek(Number(this.slider.value));
    });
    this.speedChoice.value = "1";
    this.loopBox.checked = true;
    this.controls.append(
      button("back", "Previous frame (left arrow)", () => this.nudge(-this.step)), this.playButton,
      button("forward", "Next frame (right arrow)", () => this.nudge(this.step)),
      this.speedChoice, element("label", { class: "control" }, this.loopBox, "loop"), this.clock);
    this.timeline.append(this.slider, this.ticksOf(events));
    this.tell();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play(): void {
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.last = null;
    if (this.time >= this.end) this.seek(this.start);
    this.playButton.replaceChildren(icon("pause"));
    requestAnimationFrame((now) => this.advance(now));
  }

  pause(): void {
    this.isPlaying = false;
    this.playButton.replaceChildren(icon("play"));
  }

  /** Plays from the start to the end once, at the chosen speed, then stops there. */
  playOnce(atEnd: () => void): void {
    this.pause();
    this.seek(this.start);
    this.atEnd = () => {
      this.atEnd = null;
      this.pause();
      atEnd();
    };
    this.play();
  }

  /** Out of sight it does not move; back in sight it goes on. */
  setInSight(isInSight: boolean): void {
    if (this.isInSight === isInSight) return;
    this.isInSight = isInSight;
    this.last = null;
    if (isInSight && this.isPlaying) requestAnimationFrame((now) => this.advance(now));
  }

  /** Of a motion that is still made: it is known up to here. Playing at full speed it keeps up, whatever drawing costs. */
  setLimit(time: number): void {
    const longestLag = 0.6; // [s]
    this.limit = Math.min(this.end, time);
    const keepsUp = this.isPlaying && Number(this.speedChoice.value) >= 1;
    if (keepsUp && this.limit - this.time > longestLag) this.time = this.limit - longestLag / 2;
  }

  seek(time: number): void {
    this.time = Math.min(this.limit, Math.max(this.start, time));
    this.tell();
    this.show(this.time);
  }

  /** True when the key was handled. */
  press(key: string, isFar: boolean): boolean {
    const far = isFar ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => this.toggle(),
      k: () => this.toggle(),
      ArrowLeft: () => this.nudge(-this.step * far),
      ArrowRight: () => this.nudge(this.step * far),
      Home: () => this.seek(this.start),
      End: () => this.seek(this.end),
      l: () => { this.loopBox.checked = !this.loopBox.checked; },
      "-": () => this.changeSpeed(-1),
      "+": () => this.changeSpeed(1),
    };
    actions[key]?.();
    return key in actions;
  }

  private nudge(step: number): void {
    this.pause();
    this.seek(this.time + step);
  }

  private changeSpeed(by: number): void {
    const index = this.speedChoice.selectedIndex + by;
    if (index >= 0 && index < speeds.length) this.speedChoice.selectedIndex = index;
  }

  private advance(now: number): void {
    if (!this.isPlaying || !this.isInSight) return;
    const passed = this.last === null ? 0 : (now - this.last) / 1000;
    this.last = now;
    let next = this.time + passed * Number(this.speedChoice.value);
    if (next >= this.limit && this.limit < this.end) {
      next = this.limit;
    } else if (next >= this.end) {
      if (this.atEnd !== null) {
        this.seek(this.end);
        this.atEnd();
        return;
      }
      if (this.loopBox.checked) next = this.start;
      else this.pause();
    }
    this.seek(next);
    requestAnimationFrame((later) => this.advance(later));
  }

  private tell(): void {
    this.slider.value = String(this.time);
    this.slider.setAttribute("aria-valuetext", `${this.time.toFixed(2)} s`);
    this.clock.textContent = `${this.time.toFixed(3)} s of ${this.end.toFixed(1)} s`;
  }

  private ticksOf(events: SceneEvent[]): HTMLElement {
    const share = (time: number) => `${(100 * (time - this.start)) / Math.max(this.end - this.start, 1e-9)}%`;
    const ticks = events.filter((event) => event.start <= this.end).map((event) => {
      const tick = element("button", { class: "tick", type: "button", title: `${event.label}, ${event.start.toFixed(3)} s` });
      tick.setAttribute("aria-label", `go to ${event.label} at ${event.start.toFixed(3)} s`);
      tick.style.left = share(event.start);
      tick.style.width = `max(5px, ${share(this.start + Math.min(event.end, this.end) - event.start)})`;
      tick.addEventListener("click", () => {
        this.pause();
        this.seek(event.start + 0.5 * Math.max(0, event.end - event.start));
      });
      return tick;
    });
    return element("div", { class: "ticks" }, ...ticks);
  }
}
