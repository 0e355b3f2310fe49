// Elements are made with textContent and attributes, never from strings of HTML: whatever a scenario says stays text.

type Attributes = Record<string, string | number>;
type Child = Node | string;

function fill<T extends Element>(node: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

// The parser knows SVG's namespace; a page that loads nothing has no address in it.
const template = document.createElement("template");
template.innerHTML = "<svg></svg>";
const svgNamespace = template.content.firstElementChild!.namespaceURI;

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(svgNamespace, tag) as SVGElementTagNameMap[K], attributes, children);
}

/** A name such as `com_error_end_m`, which may be broken after its underscores. */
export function breakable(name: string): (Node | string)[] {
  return name.split(/(?<=_)/).flatMap((word, i) => (i === 0 ? [word] : [element("wbr"), word]));
}

function icon(path: string): SVGSVGElement {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** A tick or a cross, drawn as SVG: fonts differ in these characters. */
export function statusIcon(ok: boolean): SVGSVGElement {
  return icon(ok ? "M3 8.5 6.5 12 13 4.5" : "M4 4 12 12 M12 4 4 12");
}

/** A dash: neither passed nor failed. */
export function neutralIcon(): SVGSVGElement {
  return icon("M3.5 8 12.5 8");
}
