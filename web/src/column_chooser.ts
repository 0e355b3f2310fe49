import { element } from "./dom";
import { LineViews } from "./line_views";
import { Motion } from "./motion";

/** Adds a plot of any column that the log has. */
export function makeColumnChooser(motion: Motion, lines: LineViews): HTMLElement {
  const names = motion.names().filter((name) => !name.startsWith("scene_"));
  const options = element("datalist", { id: "columns" }, ...names.map((name) => element("option", { value: name })));
  const input = element("input", { list: "columns", placeholder: `log column (${names.length})`, "aria-label": "column" });
  const button = element("button", { class: "reset", type: "submit" }, "Add a plot");
  const answer = element("span", { class: "hint", role: "status" });
  const form = element("form", { class: "chooser screen-only" }, input, button, answer, options);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = input.value.trim();
    const column = motion.column(name);
    answer.textContent = column === null ? `The log has no column named '${name}'.` : "";
    if (column === null) return;
    const curve = { x: [...motion.time], y: [...column].map((value) => (Number.isNaN(value) ? null : value)) };
    const unit = motion.unit(name);
    lines.add({
      id: name, title: name, about: "As downsampled for the replay.", x_label: "time [s]",
      y_label: unit === "" ? name : `[${unit}]`, is_over_time: true, limits: [], series: [{ label: name, curve: 0, is_reference: false }],
    }, [curve]).draw();
    input.value = "";
  });
  return form;
}
