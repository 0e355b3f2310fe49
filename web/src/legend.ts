import { element } from "./dom";
import { formatValue, unitOf } from "./numbers";

export interface LegendEntry {
  label: string;
  stroke: () => string;
  isDashed: boolean;
  width: number;
}

export interface LegendEvents {
  toggle(series: number): void;
  focus(series: number | null): void;
}

/** Names, line styles and, while the cursor is over a plot, values. A name is a button that hides its curve. */
export class Legend {
  readonly node = element("div", { class: "legend" });
  private readonly swatches: HTMLElement[] = [];
  private readonly values: HTMLElement[] = [];
  private readonly unit: string;

  constructor(private readonly entries: LegendEntry[], yLabel: string, hasLimits: boolean, events: LegendEvents) {
    this.unit = unitOf(yLabel);
    entries.forEach((entry, i) => this.add(entry, i, events));
    // Columns wide enough for the longest name and any value.
    const longest = Math.max(0, ...entries.map((entry) => entry.label.length));
    this.node.style.setProperty("--entry", `${Math.min(48, longest + this.unit.length + 18)}ch`);
    if (hasLimits) {
      this.node.append(element("span", { class: "entry" }, element("span", { class: "swatch limit" }), "limit"));
    }
  }

  /** In the current colours. */
  paint(): void {
    this.swatches.forEach((swatch, i) => {
      const entry = this.entries[i]!;
      swatch.style.borderTop = `${entry.width + 0.5}px ${entry.isDashed ? "dashed" : "solid"} ${entry.stroke()}`;
    });
  }

  showValues(values: (number | null)[] | null): void {
    this.values.forEach((node, i) => {
      const value = values?.[i];
      node.textContent = value === null || value === undefined ? "" : `${formatValue(value)} ${this.unit}`.trim();
    });
  }

  private add(entry: LegendEntry, index: number, events: LegendEvents): void {
    const swatch = element("span", { class: "swatch" });
    const value = element("span", { class: "value" });
    const button = element("button", { class: "entry", type: "button", "aria-pressed": "true", title: "Hide or show" },
      swatch, element("span", { class: "label" }, entry.label), value);
    button.addEventListener("click", () => {
      const isShown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(isShown));
      events.toggle(index);
    });
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => events.focus(index));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => events.focus(null));
    this.swatches.push(swatch);
    this.values.push(value);
    this.node.append(button);
  }
}
