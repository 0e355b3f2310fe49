// Canvas drawings take their colours from the style sheet, and are drawn again when those change: light, dark, print.

const root = document.documentElement;

export function colour(name: string): string {
  return getComputedStyle(root).getPropertyValue(`--${name}`).trim();
}

/** Colours of curves, named in the style sheet; safe for the common kinds of colour blindness (Okabe and Ito). */
export const numSeriesColours = 7;

export function seriesColour(index: number): string {
  return colour(`series-${(index % numSeriesColours) + 1}`);
}

export function onThemeChange(redraw: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => {
    root.classList.add("printing");
    redraw();
  });
  addEventListener("afterprint", () => {
    root.classList.remove("printing");
    redraw();
  });
}
