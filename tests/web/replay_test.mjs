// Replays the sample with a motion in Chromium, from disk: a robot that squats every two seconds and is pushed from 0.5
// to 0.7 s.
//   node replay_test.mjs FOLDER_OF_SAMPLES
// Pictures are left beside the samples, to be looked at.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import path from "node:path";

import { excessWidths, runTests } from "./browser.mjs";

const samples = path.resolve(process.argv[2]);

/** The page, at the start of the motion and standing still. */
async function open(reports) {
  const { page, troubles } = await reports.open("moving");
  await page.mouse.move(0, 0);
  await scrub(page, 0);
  return { page, troubles };
}

const timeOf = async (page) => Number.parseFloat(await page.locator(".clock").innerText());
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const picture = async (page) => {
  await settle(page);
  return page.locator("#replay canvas").screenshot();
};

async function scrub(page, time) {
  await page.locator(".timeline input").evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  }, String(time));
}

async function setLayer(page, layer, isOn) {
  await page.locator(`input[data-layer=${layer}]`).setChecked(isOn);
}

/** Where the plots' cursors stand, in seconds. */
function cursorTimes(page) {
  return page.$$eval(".line-grid .uplot", (plots) => plots.map((plot) => {
    const over = plot.querySelector(".u-over");
    const shift = new DOMMatrix(getComputedStyle(plot.querySelector(".u-cursor-x")).transform).m41;
    return (2 * shift) / over.clientWidth; // the sample lasts 2 s
  }));
}

const tests = {
  async "the replay draws the robot without an error and without a request"(reports) {
    const { page, troubles } = await open(reports);
    const shot = await picture(page);
    assert.ok(shot.length > 5000, `a picture of ${shot.length} bytes has nothing in it`);
    assert.match(await page.locator("#replay .hint").first().innerText(), /100 frames\/s \(log: 2,001 rows\)/);
    assert.deepEqual(troubles, []);
  },

  async "play moves the robot and pause stops it"(reports) {
    const { page, troubles } = await open(reports);
    const before = await picture(page);
    await page.locator("#replay canvas").focus();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => Number.parseFloat(document.querySelector(".clock").textContent) > 0.3);
    await page.keyboard.press("Space");
    const stopped = await timeOf(page);
    const after = await picture(page);
    assert.ok(!before.equals(after), "the picture did not change");
    await page.waitForTimeout(200);
    assert.equal(await timeOf(page), stopped);
    assert.deepEqual(troubles, []);
  },

  async "scrubbing shows the same picture at the same instant, whichever way it came there"(reports) {
    const { page } = await open(reports);
    await scrub(page, 1);
    const low = await picture(page);
    await scrub(page, 0);
    const high = await picture(page);
    await scrub(page, 1);
    assert.ok(!low.equals(high));
    assert.ok(low.equals(await picture(page)));
  },

  async "scrubbing to the push shows the push, and elsewhere there is none"(reports) {
    const { page } = await open(reports);
    for (const [time, isPushed] of [[0.6, true], [0.3, false]]) {
      await scrub(page, time);
      await setLayer(page, "push", true);
      const shown = await picture(page);
      await setLayer(page, "push", false);
      assert.equal(!shown.equals(await picture(page)), isPushed, `at ${time} s`);
      await setLayer(page, "push", true);
    }
    await page.locator(".tick").click();
    assert.ok(Math.abs((await timeOf(page)) - 0.6) < 1e-3, "the tick leads to the middle of the push");
  },

  async "every layer changes the picture"(reports) {
    const { page } = await open(reports);
    await scrub(page, 0.6);
    const names = await page.$$eval("input[data-layer]", (boxes) => boxes.map((box) => box.dataset.layer));
    assert.deepEqual(names, ["com", "cop", "polygon", "contact", "cone", "push", "limit"]);
    for (const name of names.filter((one) => one !== "limit")) {
      const before = await picture(page);
      await page.locator(`input[data-layer=${name}]`).click();
      assert.ok(!before.equals(await picture(page)), name);
      await page.locator(`input[data-layer=${name}]`).click();
    }
  },

  async "plots and replay agree on time, both ways"(reports) {
    const { page, troubles } = await open(reports);
    await page.setViewportSize({ width: 1280, height: 2400 }); // all in sight: nothing scrolls under the pointer
    await page.waitForTimeout(200);
    for (const time of [0.5, 1.37]) {
      await scrub(page, time);
      await settle(page);
      for (const shown of await cursorTimes(page)) assert.ok(Math.abs(shown - time) < 0.01, `${shown} for ${time}`);
    }
    const over = page.locator(".u-over").first();
    const { width, height } = await over.boundingBox();
    await over.click({ position: { x: 0.25 * width, y: height / 2 } });
    assert.ok(Math.abs((await timeOf(page)) - 0.5) < 0.01, "a click on a plot goes there");
    await over.hover({ position: { x: 0.5 * width, y: height / 2 } }); // at 1.5 s it would be as at 0.5 s
    const hovered = await picture(page);
    await page.mouse.move(0, 0);
    assert.ok(!hovered.equals(await picture(page)), "the replay went back to its own instant");
    await page.setViewportSize({ width: 1280, height: 900 });
    assert.deepEqual(troubles, []);
  },

  async "a check leads to the moment of its worst value"(reports) {
    const { page, troubles } = await open(reports);
    assert.equal(await page.locator("#checks tbody tr").count(), 2);
    assert.equal(await page.locator("#checks .jump").count(), 1); // no column tells when `fell` was decided
    await page.locator("#checks .jump").click();
    assert.ok(Math.abs((await timeOf(page)) - 1.5) < 0.011, `went to ${await timeOf(page)} s`);
    assert.deepEqual(troubles, []);
  },

  async "views, keys and the loop do what they say"(reports) {
    const { page } = await open(reports);
    const seen = new Set();
    for (const key of ["4", "3", "2", "1"]) {
      await page.locator("#replay canvas").focus();
      await page.keyboard.press(key);
      seen.add((await picture(page)).toString("base64"));
    }
    assert.equal(seen.size, 4);
    await page.keyboard.press("End");
    assert.equal(await timeOf(page), 2);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await timeOf(page), 0.01);
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await timeOf(page), 0.11);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => Number.parseFloat(document.querySelector(".clock").textContent) < 1);
    await page.keyboard.press("Space");
  },

  async "any column can be added as a plot, and an unknown one is answered"(reports) {
    const { page, troubles } = await open(reports);
    const plots = page.locator(".line-grid .plot");
    assert.equal(await plots.count(), 2);
    await page.locator(".chooser input").fill("position_knee_rad");
    await page.locator(".chooser button").click();
    assert.equal(await plots.count(), 3);
    assert.equal(await plots.last().locator("h3").innerText(), "position_knee_rad");
    await page.locator(".chooser input").fill("nonsense");
    await page.locator(".chooser button").click();
    assert.match(await page.locator(".chooser .hint").innerText(), /no column named 'nonsense'/);
    assert.deepEqual(troubles, []);
  },

  async "the controls fit a phone"(reports) {
    const { page } = await open(reports);
    for (const [width, excess] of Object.entries(await excessWidths(page, [320, 390, 768]))) {
      assert.ok(excess <= 0, `${excess} px too wide at ${width} px`);
    }
  },

  async "without WebGL the page says so and shows its plots"(reports) {
    const { page, troubles } = await reports.openAnew("moving", {}, (context) => context.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
        return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
      };
    }));
    assert.match(await page.locator("#replay").innerText(), /has no WebGL/);
    assert.equal(await page.locator(".line-grid .plot").count(), 2);
    assert.deepEqual(troubles, []);
  },

  async "a story begins with its replay, plays it, and says what happens now"(reports) {
    const { page, troubles } = await reports.openAnew("tale");
    const order = await page.$$eval("#report > section", (nodes) => nodes.map((node) => node.id));
    assert.equal(order[0], "replay");
    assert.ok(order.indexOf("table-1") < order.indexOf("chapter-1"));
    const said = new Set();
    for (const text of ["It is pushed.", "It squats.", "It stands."]) { // it plays, and begins again
      await page.waitForFunction((wanted) => document.querySelector("#replay .phase").textContent === wanted, text, { timeout: 20000 });
      said.add(text);
    }
    assert.equal(said.size, 3);
    await page.locator("#replay .clock").waitFor();
    assert.deepEqual(troubles, []);
    await page.context().close();
    const still = await reports.openAnew("tale", { reducedMotion: "reduce" });
    await still.page.waitForTimeout(300);
    assert.match(await still.page.locator("#replay .clock").innerText(), /^0\.000 s/);
    await still.page.context().close();
  },

  async "a chapter has a replay of its own, made when the reader comes to it"(reports) {
    const { page, troubles } = await reports.openAnew("tale", { viewport: { width: 800, height: 400 }, reducedMotion: "reduce" });
    assert.equal(await page.locator("canvas[role=img]").count(), 1);
    await page.locator("#chapter-1 .story").scrollIntoViewIfNeeded();
    const canvas = page.locator("#chapter-1 .replay canvas");
    await canvas.waitFor();
    const time = page.locator("#chapter-1 .clock");
    assert.match(await time.innerText(), /^0\.000 s/);
    await page.locator("#chapter-1 .controls button").nth(1).click();
    await page.waitForFunction(() => Number.parseFloat(document.querySelector("#chapter-1 .clock").textContent) > 0.1);
    assert.match(await page.locator("#replay .clock").innerText(), /^0\.000 s/); // the one at the top stands still
    const ids = await page.$$eval("[id]", (nodes) => nodes.map((node) => node.id));
    assert.equal(new Set(ids).size, ids.length, `an id is there twice: ${ids}`);
    assert.deepEqual(troubles, []);
    await page.context().close();
  },

  async "a mesh is drawn in its colour"(reports) {
    const { page, troubles } = await reports.openAnew("tale", { reducedMotion: "reduce" });
    await page.evaluate(() => scrollTo(0, 0));
    const shot = await page.locator("#replay canvas").screenshot();
    const reader = await page.context().newPage(); // a report's own policy lets it load no picture
    const count = await reader.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      let magenta = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        if (pixels[i] > 60 && pixels[i] > 2 * pixels[i + 1] && pixels[i + 2] > 2 * pixels[i + 1]) ++magenta;
      }
      return magenta;
    }, shot.toString("base64"));
    assert.ok(count > 300, `${count} pixels are magenta`);
    assert.deepEqual(troubles, []);
    await page.context().close();
  },

  async "on a phone a finger scrolls past the replay, and no verdict is cut off"(reports) {
    const { page } = await reports.openAnew("tale", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
      reducedMotion: "reduce" });
    assert.equal(await page.locator("#replay canvas").evaluate((node) => getComputedStyle(node).touchAction), "pan-y");
    const cells = await page.$$eval(".verdict-cell", (nodes) => nodes.map((node) => [node.textContent, node.getBoundingClientRect().right]));
    assert.deepEqual(cells.map(([text]) => text), ["pass", "FAIL", "not judged"]);
    assert.ok(cells.every(([, right]) => right <= 390), `verdicts end at ${cells}`);
    const colour = (name) => page.locator(`.verdict-cell.${name}`).evaluate((node) => getComputedStyle(node).color.match(/\d+/g).map(Number));
    const [red, green] = await colour("ok");
    assert.ok(green > red, "a pass is green");
    const grey = await colour("none");
    assert.ok(Math.max(...grey) - Math.min(...grey) <= 30, `not judged is ${grey}`);
    await page.context().close();
  },

  async "the replay is saved as a video"(reports) {
    const { page, troubles } = await reports.openAnew("tale", { acceptDownloads: true });
    await page.locator("#replay select").selectOption("2");
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), page.locator("#replay .save").click()]);
    assert.match(download.suggestedFilename(), /^squat\.(webm|mp4)$/);
    const file = path.join(samples, download.suggestedFilename());
    await download.saveAs(file);
    assert.ok(statSync(file).size > 10000, `${statSync(file).size} bytes`);
    assert.deepEqual(troubles.filter((text) => !text.startsWith("request for blob:")), []);
    await page.context().close();
  },

  async "pictures are saved in light and dark"(reports) {
    const { page } = await open(reports);
    await scrub(page, 0.6);
    const light = await picture(page);
    await page.locator("#replay").screenshot({ path: path.join(samples, "replay_light.png") });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(150);
    assert.ok(!light.equals(await picture(page)), "the picture did not follow the theme");
    await page.locator("#replay").screenshot({ path: path.join(samples, "replay_dark.png") });
    await page.emulateMedia({ colorScheme: "light" });
  },
};

await runTests(tests, samples);
