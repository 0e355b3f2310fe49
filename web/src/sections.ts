import { breakable, element, neutralIcon, statusIcon } from "./dom";
import { inWords } from "./names";
import { Chapter, Check, PageData, Plots } from "./page_data";

const ruleTexts = { equals: "=", below: "<", above: ">" } as const;

function section(id: string, title: string, ...children: (Node | string)[]): HTMLElement {
  return element("section", { id }, element("div", { class: "section-head" }, element("h2", {}, title)), ...children);
}

function scrollable(table: HTMLTableElement): HTMLElement {
  return element("div", { class: "card table-holder" }, table);
}

export function header(data: PageData): HTMLElement {
  const words = { pass: "Pass", fail: "Fail", not_judged: "Not judged", unknown: "No report" } as const;
  const icon = data.verdict === "not_judged" ? neutralIcon() : statusIcon(data.verdict === "pass");
  return element("header", { class: `card verdict ${data.verdict}` },
    element("div", { class: "badge" }, icon, element("span", {}, words[data.verdict])),
    element("div", { class: "headline" },
      element("p", { class: "kicker" }, `aplomb ${data.verb}`),
      element("h1", {}, data.title),
      element("p", { class: "about" }, data.about),
      element("p", { class: "count" }, data.count)));
}

/** Of a run in progress; `state` says how far it is. */
export function headerOfLive(data: PageData, state: HTMLElement): HTMLElement {
  return element("header", { class: "card verdict not_judged" },
    element("div", { class: "badge" }, neutralIcon(), element("span", {}, "Live")),
    element("div", { class: "headline" },
      element("p", { class: "kicker" }, `aplomb ${data.verb}`),
      element("h1", {}, data.title),
      element("p", { class: "about" }, data.about), state));
}

/** Goes to the instant of a check's value; null when the log does not have it. */
export type Jump = (check: Check) => (() => void) | null;

/** A metric in words, and its name in files below. */
function named(metric: string, unit: string): HTMLElement[] {
  return [element("span", { class: "in-words" }, inWords(metric, unit !== "")), element("span", { class: "key-name" }, ...breakable(metric))];
}

function checkName(check: Check, jump: Jump): HTMLElement {
  const go = jump(check);
  if (go === null) return element("td", { class: "name" }, ...named(check.metric, check.unit));
  const button = element("button", { class: "jump", type: "button", title: "Go to the instant of the worst value" },
    ...named(check.metric, check.unit));
  button.addEventListener("click", go);
  return element("td", { class: "name" }, button);
}

function checkRow(check: Check, jump: Jump, hasReasons: boolean): HTMLElement {
  return element("tr", { class: check.ok ? "" : "failed" },
    element("td", { class: "status" }, statusIcon(check.ok),
      element("span", { class: "status-text" }, check.ok ? "passed" : "failed")),
    checkName(check, jump),
    element("td", { class: "number" }, check.value),
    element("td", { class: "number" }, `${ruleTexts[check.rule]} ${check.bound}`),
    element("td", { class: "unit" }, check.unit),
    ...(hasReasons ? [element("td", { class: "reason" }, check.reason)] : []));
}

function head(...titles: [string, string][]): HTMLElement {
  return element("thead", {}, element("tr", {},
    ...titles.map(([kind, title]) => element("th", { class: kind, scope: "col" }, title))));
}

export function checks(data: PageData, jump: Jump): HTMLElement | null {
  if (data.checks.length === 0) return null;
  const hasReasons = data.checks.some((check) => check.reason);
  return section("checks", "Checks", scrollable(element("table", {},
    head(["status", ""], ["", "metric"], ["number", "measured"], ["number", "required"], ["unit", "unit"],
      ...(hasReasons ? [["reason", "reason of the bound"] as [string, string]] : [])),
    element("tbody", {}, ...data.checks.map((check) => checkRow(check, jump, hasReasons))))));
}

export function notes(data: PageData): HTMLElement | null {
  if (data.notes.length === 0) return null;
  const items = data.notes.map((note) => element("li", {}, note));
  return section("notes", "Notes", element("ul", { class: "card notes" }, ...items));
}

export function faults(data: PageData): HTMLElement | null {
  if (data.faults.length === 0) return null;
  const rows = data.faults.map((fault) => element("tr", {}, element("td", { class: "name" }, ...breakable(fault.name)),
    element("td", { class: "number" }, fault.start), element("td", {}, fault.fallback)));
  return section("faults", "Injected faults", scrollable(element("table", {},
    head(["", "fault"], ["number", "start [s]"], ["", "fallback"]), element("tbody", {}, ...rows))));
}

/** A verdict of a table: "pass", "FAIL", or that nothing was judged. */
function verdictCell(text: string): HTMLElement {
  const isPass = text === "pass";
  const isFail = text.toUpperCase() === "FAIL";
  if (!isPass && !isFail) return element("td", { class: "verdict-cell none" }, neutralIcon(), text === "-" ? "not judged" : text);
  return element("td", { class: `verdict-cell ${isPass ? "ok" : "bad"}` }, statusIcon(isPass), text);
}

export function tables(data: Plots, prefix = "table"): HTMLElement[] {
  return data.tables.map((table, index) => {
    const kinds = table.is_number.map((isNumber) => (isNumber ? "number" : ""));
    const verdict = table.header.indexOf("verdict");
    const rows = table.rows.map((row) => element("tr", {}, ...row.map((cell, i) => (i === verdict && cell !== "" ? verdictCell(cell)
      : element("td", { class: kinds[i] ?? "", "data-label": table.header[i] ?? "" }, ...breakable(cell))))));
    return section(`${prefix}-${index + 1}`, table.title, element("p", { class: "hint" }, table.about),
      scrollable(element("table", verdict < 0 ? {} : { class: "has-verdict" }, head(...table.header.map((title, i): [string, string] => [kinds[i] ?? "", title])),
        element("tbody", {}, ...rows))));
  });
}

/** A chapter's heading and text, then the elements of each part by `makePart`. */
export function chapter(data: Chapter, index: number, makePart: (part: Plots, id: string) => HTMLElement[]): HTMLElement {
  const id = `chapter-${index + 1}`;
  return element("section", { id, class: "chapter" },
    element("p", { class: "kicker" }, `Chapter ${index + 1}`), element("h2", {}, data.title),
    element("p", { class: "story" }, data.text),
    ...data.parts.flatMap((part, i) => makePart(part, `${id}-${i + 1}`)));
}

export function metrics(data: PageData): HTMLElement | null {
  if (data.metrics.length === 0) return null;
  const rows = data.metrics.map((metric) => {
    const isMissing = metric.value === "null";
    return element("div", { class: isMissing ? "metric none" : "metric" },
      element("dt", metric.formula === "" ? {} : { title: metric.formula }, ...named(metric.name, metric.unit)),
      element("dd", {}, element("span", { class: "number" }, isMissing ? "\u2013" : metric.value), " ",
        element("span", { class: "unit" }, isMissing ? "" : metric.unit)));
  });
  return section("metrics", "Metrics", element("dl", { class: "card metrics" }, ...rows));
}

export function scenario(data: PageData): HTMLElement | null {
  if (data.scenario_text === "") return null;
  return section("scenario", "Scenario", element("pre", { class: "card", tabindex: 0 }, data.scenario_text));
}

export function provenance(data: PageData): HTMLElement {
  const rows = data.provenance.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return section("provenance", "Provenance", element("dl", { class: "card provenance" }, ...rows));
}
