// What the tests in a real browser share. They skip where Chromium or the packages for tests are not installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
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

const desk = { width: 1280, height: 900 };

/** Opens reports from disk, each once: loading one takes longer than to look at it. Tests leave a page as it was. */
export class Reports {
  #pages = new Map();

  constructor(browser, samples) {
    this.browser = browser;
    this.samples = samples;
  }

  /** The page, and what went wrong on it since it was opened. */
  async open(name) {
    if (!this.#pages.has(name)) this.#pages.set(name, await this.openAnew(name));
    const { page, troubles } = this.#pages.get(name);
    await page.bringToFront();
    return { page, troubles };
  }

  /** A page of its own, in a window of another kind. */
  async openAnew(name, options = {}, prepare = async () => {}) {
    const context = await this.browser.newContext({ viewport: desk, offline: true, ...options });
    await prepare(context);
    const page = await context.newPage();
    const url = pathToFileURL(path.join(this.samples, name, "report.html")).href;
    const troubles = watch(page, (requested) => requested === url);
    await page.goto(url);
    await page.waitForSelector("#provenance");
    await page.waitForTimeout(100); // uPlot draws in a microtask, the resize observer after the first layout
    return { page, troubles };
  }
}

/** The excess at each of these widths, by width; then the page is as wide as before. */
export async function excessWidths(page, widths) {
  const found = {};
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    found[width] = await excessWidth(page);
  }
  await page.setViewportSize(desk);
  await page.waitForTimeout(100);
  return found;
}

/** How much wider than the window the page is, once what follows a new size has been drawn: after 3 s at the latest. */
async function excessWidth(page) {
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

/** Opens the page of an `aplomb view` that is started for it; `use` gets the page and its troubles. */
export async function view(browser, program, folders, use) {
  const server = spawn(program, ["view", ...folders], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(server.stdout, "data");
    const address = String(line).trim();
    const page = await browser.newPage({ viewport: desk });
    const troubles = watch(page, (url) => url.startsWith(address));
    await page.goto(address);
    await page.waitForSelector("#provenance");
    await use(page, troubles);
    await page.close();
  } finally {
    server.kill();
  }
}

/** Runs { "a true sentence": async (reports, browser) => ... } and ends the process. */
export async function runTests(tests, samples) {
  const { browser, close } = await launch();
  const reports = new Reports(browser, samples);
  let failures = 0;
  for (const [name, test] of Object.entries(tests)) {
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
    try {
      await test(reports, browser);
      console.log(`ok: ${name} (${seconds()} s)`);
    } catch (error) {
      ++failures;
      console.log(`FAILED: ${name} (${seconds()} s)\n${error.stack}`);
    }
  }
  await close();
  process.exit(failures === 0 ? 0 : 1);
}
