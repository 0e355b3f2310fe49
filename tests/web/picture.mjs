// Saves a picture of a report's replay at an instant, as scripts/figures asks for:
//   node picture.mjs REPORT TIME_S FILE.png
import path from "node:path";
import { pathToFileURL } from "node:url";

import { launch } from "./browser.mjs";

const [report, time, file] = process.argv.slice(2);
const { browser, close } = await launch();
const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
await page.goto(pathToFileURL(path.resolve(report)).href, { waitUntil: "commit" });
await page.waitForSelector("#replay canvas", { timeout: 120_000 });
await page.locator(".timeline input").evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}, time);
await page.waitForTimeout(500);
await page.locator(".scene-holder").screenshot({ path: file });
await close();
