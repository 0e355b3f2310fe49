// Opens the page of `aplomb view` in Chromium: the log at its full rate, and another run as a ghost.
//   node view_test.mjs PROGRAM FOLDER_OF_SAMPLES
import assert from "node:assert/strict";
import path from "node:path";

import { runTests, view } from "./browser.mjs";

const [program, samples] = process.argv.slice(2).map((one) => path.resolve(one));

/** The page of a server for these samples. */
const viewSamples = (browser, names, use) => view(browser, program, names.map((name) => path.join(samples, name)), use);

const tests = {
  async "the replay has every row of the log"(_, browser) {
    await viewSamples(browser, ["moving"], async (page, troubles) => {
      assert.match(await page.locator("#replay .hint").first().innerText(), /All 2,001 rows of the log/);
      await page.locator("#replay canvas").focus();
      await page.keyboard.press("ArrowRight");
      assert.match(await page.locator(".clock").innerText(), /^0\.001 s/);
      assert.deepEqual(troubles, []);
    });
  },

  async "a second run is a ghost that can be switched off, and in the plots"(_, browser) {
    await viewSamples(browser, ["moving", "slower"], async (page, troubles) => {
      await page.locator(".timeline input").evaluate((slider) => {
        slider.value = "0.8";
        slider.dispatchEvent(new Event("input"));
      });
      const canvas = page.locator("#replay canvas");
      await page.waitForTimeout(300);
      await page.locator("#replay").screenshot({ path: path.join(samples, "ghost.png") });
      const both = await canvas.screenshot();
      await page.locator("input[data-layer=ghost]").click();
      await page.waitForTimeout(300);
      assert.ok(!both.equals(await canvas.screenshot()));
      const labels = await page.locator(".line-grid .plot").first().locator("button.entry .label").allInnerTexts();
      assert.deepEqual(labels, ["CoM", "CoM, slower"]);
      assert.deepEqual(troubles, []);
    });
  },

  async "a folder without a report says so"(_, browser) {
    await viewSamples(browser, ["damaged"], async (page) => {
      assert.equal(await page.locator(".badge").innerText(), "No report");
      assert.match(await page.locator("#notes").innerText(), /report\.html/);
    });
  },
};

await runTests(tests, samples);
