// Opens the sample reports in Chromium from disk, and checks what a reader would see:
//   node report_test.mjs FOLDER_OF_SAMPLES
// Screenshots are left beside the samples, to be looked at.
import assert from "node:assert/strict";
import path from "node:path";

import { excessWidths, runTests } from "./browser.mjs";

const samples = path.resolve(process.argv[2]);

/** The number of colours in each canvas: a blank one has a single one. */
function coloursOfCanvases(page) {
  return page.$$eval("canvas", (canvases) => canvases.map((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }));
}

const dragAcross = async (page, from, to) => {
  await page.locator(".u-over").first().scrollIntoViewIfNeeded();
  const box = await page.locator(".u-over").first().boundingBox();
  await page.mouse.move(box.x + from * box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
};

const tests = {
  async "a passed run shows its verdict, its tables and every plot"(reports) {
    const { page, troubles } = await reports.open("passed");
    assert.equal(await page.locator(".badge").innerText(), "Pass");
    assert.equal(await page.locator("#checks tbody tr").count(), 4);
    assert.equal(await page.locator("#checks tr.failed").count(), 0);
    const canvases = await coloursOfCanvases(page);
    assert.equal(canvases.length, 4);
    assert.ok(canvases.every((colours) => colours > 10), `colours of the canvases: ${canvases}`);
    const paths = await page.$$eval("path.path", (nodes) => nodes.map((node) => node.getTotalLength()));
    assert.equal(paths.length, 2);
    assert.ok(paths.every((length) => length > 50), `lengths of the paths: ${paths}`);
    assert.deepEqual(troubles, []);
  },

  async "a failed run with hostile text shows it as text"(reports) {
    const { page, troubles } = await reports.open("failed");
    assert.equal(await page.locator(".badge").innerText(), "Fail");
    assert.equal(await page.locator("#checks tr.failed").count(), 2);
    assert.match(await page.locator("h1").innerText(), /<script>window\.broken/);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.deepEqual(troubles, []);
  },

  async "a result without a log shows no plots"(reports) {
    const { page, troubles } = await reports.open("without_log");
    assert.equal(await page.locator("canvas").count(), 0);
    assert.equal(await page.locator("#plots").count(), 0);
    assert.ok((await page.locator("#metrics .metric").count()) > 5);
    assert.deepEqual(troubles, []);
  },

  async "a result without checks is not judged, in grey, in light and dark"(reports) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, troubles } = await reports.openAnew("without_log", { colorScheme });
      assert.equal(await page.locator(".badge").innerText(), "Not judged");
      assert.equal(await page.locator(".count").innerText(), "no checks were asked for");
      assert.doesNotMatch(await page.locator("header").innerText(), /pass/i);
      assert.match(await page.title(), /: not judged$/);
      for (const property of ["color", "background-color"]) { // grey: the three channels are close to each other
        const text = await page.locator(".badge").evaluate((node, name) => getComputedStyle(node)[name], property);
        const channels = text.match(/\d+/g).slice(0, 3).map(Number);
        assert.ok(Math.max(...channels) - Math.min(...channels) <= 25, `${property} in ${colorScheme}: ${text}`);
      }
      await page.screenshot({ path: path.join(samples, `not_judged_${colorScheme}.png`) });
      assert.deepEqual(troubles, []);
      await page.context().close();
    }
  },

  async "a check shows the reason of its bound"(reports) {
    const { page } = await reports.open("passed");
    assert.match(await page.locator("#checks").innerText(), /the paper's Fig\. 8/);
  },

  async "a story shows its chapters, each with tables and plots of its own"(reports) {
    const { page, troubles } = await reports.open("story");
    assert.equal(await page.locator(".chapter").count(), 2);
    assert.deepEqual(await page.locator(".chapter > .kicker").allInnerTexts(), ["Chapter 1", "Chapter 2"]);
    assert.equal(await page.locator("#chapter-1 .story").innerText(), "<img src=x>");
    assert.equal(await page.locator("img").count(), 0);
    const canvases = await coloursOfCanvases(page);
    assert.equal(canvases.length, 8);
    assert.ok(canvases.every((colours) => colours > 10), `colours of the canvases: ${canvases}`);
    assert.equal(await page.locator("#chapter-1-2-1 tbody tr").count(), 2);
    const ids = await page.$$eval("[id]", (nodes) => nodes.map((node) => node.id));
    assert.equal(new Set(ids).size, ids.length, `an id is there twice: ${ids}`);
    assert.deepEqual(troubles, []);
  },

  async "curves that hide each other, rounding errors and two references can be told apart"(reports) {
    const { page, troubles } = await reports.open("curves");
    const labels = await page.locator(".legend .label").allInnerTexts();
    assert.ok(labels.includes("right foot (same as left foot)"), labels.join("; "));
    const [reference, person] = await page.locator(".plot").nth(1).locator(".swatch")
      .evaluateAll((nodes) => nodes.slice(1).map((node) => getComputedStyle(node).borderTopColor));
    assert.notEqual(reference, person);
    const rows = await page.locator("canvas").nth(2).evaluate((canvas) => { // rows of pixels in the first curve's colour
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const inColour = (i) => Math.hypot(data[i] - 0x00, data[i + 1] - 0x72, data[i + 2] - 0xb2) < 60;
      return Array.from({ length: height }, (_, y) => y)
        .filter((y) => Array.from({ length: width }, (_, x) => 4 * (y * width + x)).some(inColour)).length;
    });
    assert.ok(rows >= 1 && rows <= 6, `a constant covers ${rows} rows`);
    assert.deepEqual(troubles, []);
  },

  async "many runs show their tables, a point for each and the limits by direction"(reports) {
    const { page, troubles } = await reports.open("many_runs");
    assert.equal(await page.locator("#table-1 tbody tr").count(), 2);
    assert.equal(await page.locator("#table-2 tbody tr").count(), 1);
    assert.equal(await page.locator("#table-1 td.number").count(), 6); // p10, p50 and mean of two metrics
    assert.match(await page.locator("#table-2 td").last().innerText(), /<img/);
    const points = await page.$$eval(".scatter svg .runs", (groups) => groups.map((group) => group.children.length));
    assert.deepEqual(points, [119, 119]); // one run has no value
    assert.equal(await page.locator(".scatter .marks line").count(), 1);
    assert.equal(await page.locator(".points path").count(), 1);
    assert.equal(await page.locator(".plane:not(.scatter) .plane-holder circle.end").count(), 13);
    for (const scatter of await page.locator(".scatter").all()) { // one number does not show a scale
      const numbers = await scatter.locator(".axes text").allTextContents();
      const onX = new Set(numbers.filter((text) => /^[\u2212\d.e]+$/.test(text)));
      assert.ok(onX.size >= 2, `numbers at the axes: ${numbers}`);
    }
    await page.locator(".scatter .runs circle.failed").last().hover({ force: true });
    assert.match(await page.locator(".scatter .value").last().innerText(), /^run \d+: .* m at /);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.deepEqual(troubles, []);
  },

  async "pointing at a plot shows values in every plot, and the instant in the planes"(reports) {
    const { page, troubles } = await reports.open("passed");
    await page.locator(".u-over").first().scrollIntoViewIfNeeded();
    const box = await page.locator(".u-over").first().boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.5 * box.height); // 1.5 s
    const values = await page.$$eval(".line-grid .value", (nodes) => nodes.map((node) => node.textContent));
    assert.equal(values.length, 18);
    assert.ok(values.every((value) => /\d/.test(value)), values.join("; "));
    assert.match(values[0], / m$/);
    assert.match(await page.locator(".plane .value").first().innerText(), /at 1\.5\d* s|at 1\.4\d* s/);
    assert.equal(await page.locator(".marker[visibility=visible]").count(), 2);
    await page.mouse.move(0, 0);
    assert.equal(await page.locator(".marker[visibility=visible]").count(), 0);
    assert.deepEqual(troubles, []);
  },

  async "dragging zooms all plots and the button goes back"(reports) {
    const { page, troubles } = await reports.open("passed");
    const second = page.locator("canvas").nth(1);
    const before = await second.screenshot();
    await dragAcross(page, 0.2, 0.4);
    await page.mouse.move(0, 0);
    assert.ok(await page.locator(".reset").isVisible());
    const zoomed = await second.screenshot();
    assert.ok(!before.equals(zoomed), "the second plot did not zoom with the first");
    await page.locator(".reset").click();
    await page.mouse.move(0, 0);
    assert.ok(await page.locator(".reset").isHidden());
    assert.ok(before.equals(await second.screenshot()), "the second plot is not as it was");
    assert.deepEqual(troubles, []);
  },

  async "a click on a name hides its curve"(reports) {
    const { page } = await reports.open("passed");
    const canvas = page.locator("canvas").first();
    const entry = page.locator("button.entry").first();
    await entry.scrollIntoViewIfNeeded();
    await page.mouse.move(0, 0);
    const before = await canvas.screenshot();
    await entry.click();
    assert.equal(await entry.getAttribute("aria-pressed"), "false");
    await page.mouse.move(0, 0);
    assert.ok(!before.equals(await canvas.screenshot()));
    await entry.click();
    await page.mouse.move(0, 0);
    assert.ok(before.equals(await canvas.screenshot()), "another click shows it again");
  },

  async "nothing is wider than the window, from a phone to a desk"(reports) {
    for (const name of ["passed", "failed", "many_runs", "story"]) {
      const { page } = await reports.open(name);
      for (const [width, excess] of Object.entries(await excessWidths(page, [320, 390, 768, 1280, 1920]))) {
        assert.ok(excess <= 0, `${name} is ${excess} px too wide at ${width} px`);
      }
    }
  },

  async "the page and its plots follow the theme"(reports) {
    const { page } = await reports.open("passed");
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const canvas = page.locator("canvas").first();
    const lightPlot = await canvas.screenshot();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(150);
    assert.notEqual(await background(), light);
    assert.ok(!lightPlot.equals(await canvas.screenshot()), "the plots did not follow the theme");
    await page.screenshot({ path: path.join(samples, "dark.png"), fullPage: true });
    await page.emulateMedia({ colorScheme: "light" });
  },

  async "pictures are saved of the desk, a phone and paper"(reports) {
    for (const [name, file] of [["passed", "light.png"], ["failed", "failed.png"], ["many_runs", "many_runs.png"]]) {
      const { page } = await reports.open(name);
      await page.screenshot({ path: path.join(samples, file), fullPage: true });
    }
    await (await reports.open("passed")).page.pdf({ path: path.join(samples, "print.pdf"), format: "A4" });
    const phone = await reports.openAnew("passed", { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
    await phone.page.screenshot({ path: path.join(samples, "narrow.png"), fullPage: true });
  },
};

await runTests(tests, samples);
