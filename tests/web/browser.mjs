// What the tests in a real browser share. They skip where Chromium or the packages for tests are not installed.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { packageForTests, skip } from "./support.mjs";

const { chromium } = packageForTests("playwright-core");
const executablePath = process.env.APLOMB_CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath)) skip(`no browser at ${executablePath}; install Debian's chromium`);

// A screenshot waits for the picture; the driver calls that a stall.
const isAboutScreenshots = (text) => text.includes("GPU stall due to ReadPixels");

/** Collects console errors, exceptions and requests for anything but what `isExpected`. */
export function watch(page, isExpected) {
  const troubles = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !isAboutScreenshots(message.text())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => {
    if (!isExpected(request.url())) troubles.push(`request for ${request.url()}`);
  });
  return troubles;
}

/** Opens a folder's report from disk. */
export async function openReport(context, folder) {
  const page = await context.newPage();
  const url = pathToFileURL(path.join(folder, "report.html")).href;
  const troubles = watch(page, (requested) => requested === url);
  await page.goto(url);
  await page.waitForSelector("#provenance");
  await page.waitForTimeout(100); // uPlot draws in a microtask, the resize observer after the first layout
  return { page, troubles };
}

/** How much wider than the window the page is, once what follows a new size has been drawn: after 3 s at the latest. */
export async function excessWidth(page) {
  const excess = () => document.documentElement.scrollWidth - innerWidth;
  await page.waitForTimeout(100);
  await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, null, { timeout: 3000 }).catch(() => {});
  return page.evaluate(excess);
}

/** A browser with a profile of its own, which `close` removes. */
export async function launch() {
  const profile = mkdtempSync(path.join(tmpdir(), "aplomb-browser-"));
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", `--disk-cache-dir=${profile}`],
  });
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
}

/** Runs { "a true sentence": async (context, browser) => ... } and ends the process. */
export async function runTests(tests) {
  const { browser, close } = await launch();
  let failures = 0;
  for (const [name, test] of Object.entries(tests)) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true });
    try {
      await test(context, browser);
      console.log(`ok: ${name}`);
    } catch (error) {
      ++failures;
      console.log(`FAILED: ${name}\n${error.stack}`);
    }
    await context.close();
  }
  await close();
  process.exit(failures === 0 ? 0 : 1);
}
