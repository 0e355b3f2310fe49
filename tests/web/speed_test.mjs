// How fast the page is: a run of 10 s with a robot of 34 joints and ten plots, and a log of ten minutes. It takes half a
// minute and its figures mean little on a busy machine: only with APLOMB_LONG_TESTS=1.
//   node speed_test.mjs PROGRAM SAMPLE_REPORT
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { runTests, view } from "./browser.mjs";
import { skip } from "./support.mjs";

if (process.env.APLOMB_LONG_TESTS === undefined) skip("only with APLOMB_LONG_TESTS=1");
const [program, sampleReport] = process.argv.slice(2).map((one) => path.resolve(one));
const folder = mkdtempSync(path.join(tmpdir(), "aplomb-speed-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function run(command, ...options) {
  const { status, stderr } = spawnSync(command, options, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** Adds columns until there are ten plots. */
async function addPlots(page) {
  const names = await page.$$eval("#columns option", (options) => options.map((option) => option.value));
  for (let i = await page.locator(".line-grid .plot").count(); i < 10; ++i) {
    await page.locator(".chooser input").fill(names[i]);
    await page.locator(".chooser button").click();
  }
}

/** Chromium's own counters of the page's thread, in seconds of its processor time: what else the machine does is not in it. */
async function counters(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
}

/** Counts the pictures of the page from now on. */
async function frameCounter(page) {
  await page.evaluate(() => {
    window.numFrames = 0;
    const count = () => { ++window.numFrames; requestAnimationFrame(count); };
    requestAnimationFrame(count);
  });
  return () => page.evaluate(() => window.numFrames);
}

/** Twenty jumps: how long each takes until it is drawn [ms], sorted. */
function jump(slider) {
  return (async () => {
    const found = [];
    for (let i = 1; i <= 20; ++i) {
      const start = performance.now();
      slider.value = String((i * 377) % 600);
      slider.dispatchEvent(new Event("input"));
      await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
      found.push(performance.now() - start);
    }
    return found.sort((a, b) => a - b);
  })();
}

const tests = {
  async "a run of 10 s with 34 joints is a page of less than 4 MB, seen within 2 s, played in less than 4 ms a frame"(reports) {
    run(program, "run", "stand_sarcos", "--set", "duration_s=10", "--set", "checks=[]", "--log", "npz", "--out", path.join(folder, "sarcos"));
    const size = statSync(path.join(folder, "sarcos", "report.html")).size;
    const { page } = await reports.openAnew("sarcos");
    const seen = await page.evaluate(() => performance.getEntriesByName("first-picture")[0].startTime);
    await addPlots(page);
    const [count, numFrames] = [await counters(page), await frameCounter(page)];
    const [before, first] = [await count(), await numFrames()];
    await page.locator("#replay canvas").focus();
    await page.keyboard.press("Space");
    await page.waitForTimeout(4000);
    const [after, last] = [await count(), await numFrames()];
    const perFrame = (1000 * (after.ScriptDuration - before.ScriptDuration)) / (last - first);
    console.log(`${(size / 1e6).toFixed(2)} MB, first picture after ${seen.toFixed(0)} ms, scripts ${perFrame.toFixed(2)} ms a frame`);
    assert.ok(size < 4e6 && seen < 2000 && perFrame < 4);
  },

  async "a jump in a log of ten minutes at its full rate takes less than 100 ms of the page's thread"(_, browser) {
    run(sampleReport, folder, "--long");
    await view(browser, program, [path.join(folder, "long")], async (page) => {
      assert.match(await page.locator("#replay .hint").first().innerText(), /All 60,001 rows/);
      await addPlots(page);
      const count = await counters(page);
      const before = await count();
      const times = await page.locator(".timeline input").evaluate(jump);
      const busy = (1000 * ((await count()).TaskDuration - before.TaskDuration)) / times.length;
      console.log(`a jump takes ${busy.toFixed(0)} ms of the page's thread; until it is drawn ${times[10].toFixed(0)} ms in the `
        + `middle, ${times[18].toFixed(0)} ms in nineteen of twenty`);
      assert.ok(busy < 100);
    });
  },
};

await runTests(tests, folder);
