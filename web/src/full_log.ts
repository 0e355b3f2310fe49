// Data that the page of `aplomb view` gets from its server (src/aplomb/report/view_server.cpp).

import { Motion } from "./motion";
import { LinePlot, PageData } from "./page_data";

/** The log as src/aplomb/report/mcap/binary_log.cpp packs it: columns in full. */
export function readLog(buffer: ArrayBuffer): Motion | null {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as
    { rows: number; columns: { name: string; unit: string }[] };
  let at = 4 + length;
  let time: Float64Array | null = null;
  const columns = new Map<string, { values: Float32Array; unit: string }>();
  for (const { name, unit } of header.columns) {
    if (name === "time_s") time = new Float64Array(buffer, at, header.rows);
    else columns.set(name, { values: new Float32Array(buffer, at, header.rows), unit });
    at += Math.ceil(((name === "time_s" ? 8 : 4) * header.rows) / 8) * 8;
  }
  return time === null || time.length === 0 ? null : new Motion(time, columns);
}

async function fetched(path: string): Promise<Response> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer;
}

/** The curves of another run in the plots of the same id. */
export function addCurves(data: PageData, other: PageData, name: string): void {
  const plots = new Map(other.line_plots.map((plot): [string, LinePlot] => [plot.id, plot]));
  for (const plot of data.line_plots) {
    for (const series of plots.get(plot.id)?.series ?? []) {
      if (series.is_reference) continue;
      data.curves.push(other.curves[series.curve]!);
      plot.series.push({ label: `${series.label}, ${name}`, curve: data.curves.length - 1, is_reference: false });
    }
  }
  for (const plane of data.plane_plots) {
    const same = other.plane_plots.find((plot) => plot.id === plane.id);
    if (same !== undefined) (plane.others ??= []).push({ label: name, x: same.x, y: same.y });
  }
}

export interface Served {
  motion: Motion | null; // of the first run, at its full rate
  others: { name: string; data: PageData }[];
  problems: string[];
}

/** Requests the data that the page does not embed. Failures are reported in `problems`, not thrown. */
export async function fetchRuns(names: string[], own: Motion | null): Promise<Served> {
  const served: Served = { motion: own, others: [], problems: [] };
  try {
    const log = own === null ? null : readLog(await (await fetched("run/0/log")).arrayBuffer());
    if (log !== null && own !== null) served.motion = log.with(own);
  } catch (error) {
    served.problems.push(`The log could not be read at its full rate: ${(error as Error).message}`);
  }
  for (let i = 1; i < names.length; ++i) {
    try {
      served.others.push({ name: names[i]!, data: (await (await fetched(`run/${i}`)).json()) as PageData });
    } catch (error) {
      served.problems.push(`${names[i]}: ${(error as Error).message}`);
    }
  }
  return served;
}
