// Opens the page of `aplomb run --live` in Chromium: the replay follows the simulation, then the page is the report.
//   node live_test.mjs PROGRAM
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

import { runTests, watch } from "./browser.mjs";

const program = path.resolve(process.argv[2]);

const tests = {
  async "the replay follows the simulation, and the page becomes the report"(_, browser) {
    const run = spawn(program, ["run", "stand_coman", "--live", "--set", "duration_s=8"], { stdio: ["ignore", "ignore", "pipe"] });
    try {
      let address = "";
      for await (const line of createInterface({ input: run.stderr })) {
        if (line.startsWith("live: ")) {
          address = line.slice(6).trim();
          break;
        }
      }
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const troubles = watch(page, (url) => url.startsWith(address));
      await page.goto(address);
      await page.waitForSelector("#replay canvas");
      assert.equal(await page.locator(".badge").innerText(), "Live");
      const clock = async () => parseFloat(await page.locator(".clock").innerText());
      await page.waitForFunction(() => parseFloat(document.querySelector(".clock").textContent) > 0.3);
      const early = await clock();
      assert.ok(early < 7.9, `${early} s: it ran ahead of the simulation`);
      if (process.env.APLOMB_PICTURE) await page.screenshot({ path: process.env.APLOMB_PICTURE });
      await page.waitForSelector("#provenance", { timeout: 60_000 });
      assert.equal(await page.locator(".badge").innerText(), "Pass");
      const [code] = run.exitCode === null ? await once(run, "exit") : [run.exitCode];
      assert.equal(code, 0);
      assert.deepEqual(troubles.filter((text) => !text.includes("410")), []); // the last request says that it is over
      await page.close();
    } finally {
      run.kill();
    }
  },
};

await runTests(tests);
