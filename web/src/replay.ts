import { Vector3 } from "three";

import { element } from "./dom";
import { Ghost } from "./ghost";
import { Motion } from "./motion";
import { PageData } from "./page_data";
import { Player } from "./player";
import { isBody, PackedMesh, Phase, Scene } from "./scene_data";
import { Layer, layers, makeMarks, Mark } from "./scene_marks";
import { SceneTree } from "./scene_tree";
import { onThemeChange } from "./theme";
import { TimeCursor } from "./time_cursor";
import { download, recordVideo, videoFormat } from "./video";
import { makeCanvas, View, viewNames, Viewport } from "./viewport";

const keyHint = "Click into the picture for keyboard control: space plays, arrows step (with shift by ten), home and end jump, "
  + "+ and \u2212 change the speed, L loops, F follows, 1 to 4 select a view. Drag rotates, right button pans, wheel zooms.";

function thinningNote(motion: Motion, rows: number): string {
  if (motion.time.length >= rows) return ` All ${rows.toLocaleString("en")} rows of the log.`;
  const rate = (motion.time.length - 1) / Math.max(motion.end - motion.start, 1e-9);
  return ` Downsampled to ${rate.toFixed(0)} frames/s (log: ${rows.toLocaleString("en")} rows), 16-bit values; `
    + "between frames the motion is interpolated.";
}

/** Which replay of a page it is. */
export interface Kind {
  id: string; // of its section
  isPart: boolean; // of a chapter: without heading and hint
  plays: boolean; // from the beginning, unless the reader's system asks for less motion
  name: string; // of a file that is saved
}

/** A replay's section; `draw` once it is in the document, `setLimit` while its motion is still made. */
export interface Made {
  node: HTMLElement;
  draw: () => void;
  setLimit: (time: number) => void;
}

/** The replay of a run: robot and world in motion, overlaid with CoM, CoP, forces and contacts. */
export class Replay {
  readonly node: HTMLElement;
  private readonly phases: Phase[];
  private readonly phase = element("p", { class: "phase", "aria-live": "off" });
  private readonly tree: SceneTree;
  private readonly marks: Mark[];
  private readonly viewport: Viewport;
  private readonly player: Player;
  private readonly strained = element("p", { class: "strained", role: "status" });
  private readonly holder: HTMLElement;

  constructor(scene: Scene, private readonly motion: Motion, private readonly cursor: TimeCursor,
              canvas: NonNullable<ReturnType<typeof makeCanvas>>, meshes: PackedMesh[], ghosts: [Scene, PackedMesh[]][],
              private readonly kind: Kind) {
    this.phases = scene.phases ?? [];
    this.tree = new SceneTree(scene, this.motion, meshes);
    const root = this.tree.views.find((view) => isBody(view.node) && view.node.free[0] !== "") ?? null;
    this.viewport = new Viewport(canvas, this.tree, root);
    this.measure();
    const size = 0.045 * this.viewport.bounds().getSize(new Vector3()).z;
    this.marks = [...makeMarks(scene, this.motion, this.tree.views, size), ...ghosts.map(([ghost, own]) => new Ghost(ghost, own))];
    this.viewport.world.add(...this.marks.map((mark) => mark.object));
    const step = (this.motion.end - this.motion.start) / Math.max(1, this.motion.time.length - 1);
    this.player = new Player(this.motion.start, this.motion.end, step, scene.events, (time) => {
      this.show(time);
      this.cursor.set(time, "replay");
    });
    const label = `Replay of the motion, ${this.motion.end.toFixed(1)} s`;
    this.viewport.canvas.setAttribute("aria-label", label);
    this.holder = element("div", { class: "scene-holder" }, this.viewport.canvas, this.strained);
    const hint = element("p", { class: "hint" }, keyHint + thinningNote(this.motion, scene.motion.rows));
    const layerBoxes = this.layerControls(scene);
    this.node = element("section", { id: kind.id, class: "screen-only" },
      ...(kind.isPart || kind.plays ? [] : [element("div", { class: "section-head" }, element("h2", {}, "Replay")), hint]),
      element("div", { class: "card replay" }, this.holder, this.phase, this.player.timeline,
        element("div", { class: "control-rows" }, this.player.controls, this.viewControls()),
        kind.isPart || kind.plays ? element("details", { class: "layer-box" }, element("summary", {}, "What is shown"),
          layerBoxes, ...(kind.plays ? [hint] : [])) : layerBoxes));
    this.phase.hidden = this.phases.length === 0;
    this.bind();
  }

  /** Once the section is in the document. */
  draw(): void {
    this.fit();
    this.viewport.look("3-D");
    this.player.seek(this.motion.start);
    if (this.kind.plays && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.player.play();
  }

  /** The motion is known up to this instant, and goes on. */
  setLimit(time: number): void {
    this.player.setLimit(time);
  }

  /** Keeps a body that sits down or falls in view throughout. */
  private measure(): void {
    const parts = 8;
    for (let i = parts; i >= 0; --i) {
      this.tree.update(this.motion.locate(this.motion.start + ((this.motion.end - this.motion.start) * i) / parts));
      this.viewport.include();
    }
  }

  private bind(): void {
    new ResizeObserver(() => this.fit()).observe(this.holder);
    onThemeChange(() => this.paint());
    if (this.kind.isPart) {
      new IntersectionObserver(([entry]) => this.player.setInSight(entry?.isIntersecting ?? true)).observe(this.node);
    }
    this.node.addEventListener("keydown", (event) => this.press(event));
    this.cursor.onSeek((time) => {
      this.player.pause();
      this.player.seek(time);
    });
    this.cursor.subscribe((time, source) => {
      if (source === "replay" || this.player.isPlaying) return;
      if (time !== null) this.show(time); // shows the instant under the pointer without moving the replay
      else requestAnimationFrame(() => this.player.seek(this.player.time));
    });
  }

  private show(time: number): void {
    const at = this.motion.locate(time);
    this.tree.update(at);
    for (const mark of this.marks) mark.update(at, time);
    const strained = this.tree.hasLimitColours ? this.tree.strained(at) : [];
    const phase = this.phases.filter(({ start }) => start <= time).pop() ?? this.phases[0];
    if (phase !== undefined && this.phase.textContent !== phase.text) this.phase.textContent = phase.text;
    this.strained.textContent = strained.length === 0 ? "" : `near a limit: ${strained.join(", ")}`;
    this.viewport.moved();
  }

  private fit(): void {
    this.viewport.resize(this.holder.clientWidth, this.holder.clientHeight);
  }

  private paint(): void {
    this.tree.paint();
    for (const mark of this.marks) mark.paint();
    this.viewport.paint();
    this.player.seek(this.player.time);
  }

  private viewControls(): HTMLElement {
    const buttons = viewNames.map((view: View) => {
      const node = element("button", { class: "control", type: "button" }, view);
      node.addEventListener("click", () => this.viewport.look(view));
      return node;
    });
    const follow = element("input", { type: "checkbox", class: "follow" });
    follow.checked = this.viewport.isFollowing;
    follow.addEventListener("change", () => { this.viewport.isFollowing = follow.checked; });
    return element("div", { class: "controls" }, ...buttons, element("label", { class: "control" }, follow, "follow"),
      ...this.saveControl());
  }

  /** Plays once, from the start, and saves what is seen as a video; nothing where the browser cannot. */
  private saveControl(): HTMLElement[] {
    const { canvas } = this.viewport;
    const format = videoFormat(canvas);
    if (format === null) return [];
    const button = element("button", { class: "control save", type: "button",
      title: "Play once from the start, at the chosen speed and view, and save it as a video" }, "save video");
    button.addEventListener("click", () => {
      button.disabled = true;
      button.textContent = "recording\u2026";
      const stop = recordVideo(canvas, format, (video) => {
        download(video, `${this.kind.name}.${video.type.endsWith("mp4") ? "mp4" : "webm"}`);
        button.disabled = false;
        button.textContent = "save video";
      });
      this.player.playOnce(stop);
    });
    return [button];
  }

  private layerControls(scene: Scene): HTMLElement {
    const present = new Set<Layer>(this.marks.map((mark) => mark.layer));
    if (scene.nodes.some((node) => node.look === "robot")) present.add("limit");
    const boxes = (Object.keys(layers) as Layer[]).filter((layer) => present.has(layer)).map((layer) => {
      const box = element("input", { type: "checkbox", "data-layer": layer });
      box.checked = layer === "limit" || this.marks.some((mark) => mark.layer === layer && mark.isOn);
      box.addEventListener("change", () => this.switchLayer(layer, box.checked));
      return element("label", { class: "control" }, box, element("span", { class: `key-dot ${layer}` }), layers[layer]);
    });
    const length = (100 * scene.metres_per_newton * 100).toPrecision(2);
    const scale = scene.forces.length > 0 ? `force scale: ${length} cm = 100 N` : "";
    return element("div", { class: "controls layers" }, ...boxes, element("span", { class: "hint" }, scale));
  }

  private switchLayer(layer: Layer, isOn: boolean): void {
    if (layer === "limit") this.tree.hasLimitColours = isOn;
    for (const mark of this.marks) if (mark.layer === layer) mark.isOn = isOn;
    this.player.seek(this.player.time);
  }

  private press(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isOurs = target === this.viewport.canvas;
    if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return; // sliders and boxes handle their own keys
    const view = viewNames[Number(event.key) - 1];
    if (view !== undefined) this.viewport.look(view);
    else if (event.key.toLowerCase() === "f") this.node.querySelector<HTMLInputElement>(".follow")!.click();
    else if (!this.player.press(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey)) return;
    event.preventDefault();
  }
}

/** A replay in a section of its own; a message where the browser cannot draw it; null without a scene. */
export function makeReplay(scene: Scene | null, motion: Motion | null, cursor: TimeCursor, meshes: PackedMesh[],
                           others: PageData[], kind: Kind): Made | null {
  if (scene === null || motion === null || motion.time.length === 0) return null;
  const canvas = makeCanvas();
  if (canvas === null) {
    const sorry = "This browser has no WebGL, which the replay needs; the plots below show the same run.";
    return { node: element("section", { id: kind.id, class: "screen-only" }, element("p", { class: "hint" }, sorry)), draw: () => {}, setLimit: () => {} };
  }
  const ghosts = others.flatMap((other): [Scene, PackedMesh[]][] => (other.scene === null ? [] : [[other.scene, other.meshes ?? []]]));
  const replay = new Replay(scene, motion, cursor, canvas, meshes, ghosts, kind);
  return { node: replay.node, draw: () => replay.draw(), setLimit: (time) => replay.setLimit(time) };
}
