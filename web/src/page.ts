import { element } from "./dom";
import { addCurves, fetchRuns, Served } from "./full_log";
import { Motion } from "./motion";
import { PageData, Plots } from "./page_data";
import { makePlots } from "./plots";
import { follow } from "./live";
import type { Kind, Made } from "./replay";
import { PackedMesh, Scene } from "./scene_data";
import * as sections from "./sections";
import { TimeCursor } from "./time_cursor";
import { worstMoment } from "./worst_moment";

// Longer tables come after the plots.
const MOST_ROWS_BEFORE_PLOTS = 15;

function embedded<T>(id: string): T | null {
  const node = document.getElementById(id);
  return node === null ? null : (JSON.parse(node.textContent!) as T);
}

/** A replay's section; null where there is none. */
export type MakeReplay = (scene: Scene | null, motion: Motion | null, cursor: TimeCursor, meshes: PackedMesh[],
                          others: PageData[], kind: Kind) => Made | null;

/** A place for a replay that is made when the reader comes near it: browsers draw few of them at a time. */
function later(make: () => Made | null): HTMLElement {
  const place = element("div", { class: "replay-place screen-only" });
  const sight = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    sight.disconnect();
    const made = make();
    if (made === null) return;
    place.replaceWith(made.node);
    made.draw();
  }, { rootMargin: "400px" });
  sight.observe(place);
  return place;
}

/** A name for a file: letters, digits and underscores. */
function fileName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "") || "replay";
}

/** A check's row leads to the instant of its worst value, in replay and plots. */
function jumpIn(data: PageData, motion: Motion | null, cursor: TimeCursor): sections.Jump {
  return (check) => {
    if (motion === null || data.scene === null) return null;
    const time = worstMoment(check.metric, check.value, motion, data.scene);
    if (time === null) return null;
    return () => {
      cursor.seek(time);
      document.getElementById("replay")?.scrollIntoView({ behavior: "smooth", block: "start" });
    };
  };
}

function show(data: PageData, makeReplay: MakeReplay, { motion, others, problems }: Served): void {
  for (const { name, data: other } of others) addCurves(data, other, name);
  data.notes.push(...problems);
  const cursor = new TimeCursor();
  const isStory = (data.chapters ?? []).length > 0; // a report of several steps begins with its replay
  const meshes = data.meshes ?? [];
  const name = fileName(data.title);
  const replay = makeReplay(data.scene, motion, cursor, meshes, others.map((other) => other.data),
    { id: "replay", isPart: false, plays: isStory, name });
  const moments = data.scene?.events.flatMap((event) => [event.start, event.end]) ?? [];
  const plots = makePlots(data, motion, cursor, moments);
  const tables = sections.tables(data);
  const isLong = (index: number): boolean => (data.tables[index]?.rows.length ?? 0) > MOST_ROWS_BEFORE_PLOTS;
  const drawers: (() => void)[] = [];
  const makePart = (part: Plots, id: string): HTMLElement[] => {
    const own = new TimeCursor();
    const { scene } = part;
    const made = makePlots(part, null, own, [], true);
    if (made !== null) drawers.push(made.draw);
    return [
      ...(scene === null || scene === undefined ? [] : [later(() => makeReplay(scene, Motion.unpack(scene.motion), own, meshes, [],
        { id: `${id}-replay`, isPart: true, plays: false, name: `${name}_${id}` }))]),
      ...sections.tables(part, id), ...(made === null ? [] : [made.node])];
  };
  const checks = sections.checks(data, jumpIn(data, motion, cursor));
  const chapters = (data.chapters ?? []).map((chapter, index) => sections.chapter(chapter, index, makePart));
  const parts = [
    sections.header(data), isStory ? replay?.node ?? null : checks, sections.faults(data), sections.notes(data),
    ...tables.filter((_, index) => !isLong(index)), isStory ? null : replay?.node ?? null, plots?.node ?? null,
    ...tables.filter((_, index) => isLong(index)),
    ...chapters, isStory ? checks : null,
    sections.metrics(data), sections.scenario(data), sections.provenance(data),
  ];
  document.getElementById("report")!.append(...parts.filter((part) => part !== null));
  plots?.draw();
  drawers.forEach((draw) => draw());
  replay?.draw();
}

/** A run in progress: its replay follows the simulation; at the end the address has the report. */
function showLive(data: PageData, makeReplay: MakeReplay, motion: Motion | null): void {
  const replay = makeReplay(data.scene, motion, new TimeCursor(), data.meshes ?? [], [],
    { id: "replay", isPart: false, plays: true, name: fileName(data.title) });
  const state = element("p", { class: "count", role: "status" });
  document.getElementById("report")!.append(...[sections.headerOfLive(data, state), replay?.node ?? null,
    sections.scenario(data)].filter((part) => part !== null));
  replay?.setLimit(motion?.start ?? 0);
  replay?.draw();
  if (motion !== null) void follow(motion, (time) => replay?.setLimit(time), (text) => { state.textContent = text; });
}

/** Shows the embedded data. Only pages with a scene include the code of the replay, which is most of the script. */
export function start(makeReplay: MakeReplay): void {
  const data = embedded<PageData>("page-data")!;
  const motion = data.scene === null ? null : Motion.unpack(data.scene.motion);
  const view = embedded<{ runs: string[] }>("view-data"); // in the page of `aplomb view` alone
  if (document.getElementById("live-data") !== null) showLive(data, makeReplay, motion);
  else if (view === null) show(data, makeReplay, { motion, others: [], problems: [] });
  else void fetchRuns(view.runs, motion).then((served) => show(data, makeReplay, served));
}
