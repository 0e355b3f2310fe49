// Opens a real report of every kind in Chromium, from disk: short runs of each controller, many runs, a person, a motion
// for a robot.
//   node families_test.mjs PROGRAM FOLDER
// Pictures are left in the folder, to be looked at.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";

import { runTests } from "./browser.mjs";

const [program, folder] = process.argv.slice(2).map((one) => path.resolve(one));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** Runs the program; a check that fails is no trouble here, bad input is. */
async function run(name, ...options) {
  const child = spawn(program, [...options, "--out", path.join(folder, name)], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => { said += text; });
  const [code] = await once(child, "close");
  assert.ok(code === 0 || code === 1, `${options.join(" ")}: ${said}`);
}

const short = (scenario, duration) => ["run", scenario, "--set", `duration_s=${duration}`, "--log", "npz"];
const runs = {
  stand: short("stand_coman", 0.3),
  momentum_balance: short("balance_push_forward", 1.2),
  task_priority: short("hoap3_squat", 0.3),
  partial_force: short("coman_wall", 0.3),
  rise: [...short("sit_to_stand_natural", 2.2), "--set", "plan.parameters=true"],
  many_runs: ["run", "stand_balancer", "--set", "duration_s=0.1", "--repeat", "3"],
};

async function person() {
  await run("natural.c3d", "demonstrate", "natural");
  await run("human", "human", path.join(folder, "natural.c3d"));
  await run("retarget", "retarget", path.join(folder, "human"), "--robot", "sarcos_real");
}
await Promise.all([...Object.entries(runs).map(([name, options]) => run(name, ...options)), person()]);

const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The picture after a jump to a share of the motion. */
async function pictureAt(page, share) {
  await page.locator(".timeline input").evaluate((slider, value) => {
    slider.value = String(Number(slider.min) + value * (Number(slider.max) - Number(slider.min)));
    slider.dispatchEvent(new Event("input"));
  }, share);
  await settle(page);
  return page.locator("#replay canvas").screenshot();
}

/** Markers of the model and those that were measured are shown, each by itself. */
async function switchMarkers(page) {
  for (const layer of ["marker", "measured_marker"]) {
    const shown = await pictureAt(page, 0.5);
    await page.locator(`input[data-layer=${layer}]`).click();
    assert.ok(!shown.equals(await pictureAt(page, 0.5)), layer);
    await page.locator(`input[data-layer=${layer}]`).click();
  }
}

const kinds = { ...Object.fromEntries(Object.keys(runs).map((name) => [name, name !== "many_runs"])), human: true, retarget: true };
const tests = Object.fromEntries(Object.entries(kinds).map(([name, hasMotion]) => [
  `the report of ${name} opens without an error and without a request`,
  async (reports) => {
    const { page, troubles } = await reports.openAnew(name, { viewport: { width: 720, height: 640 } }); // small is fast
    assert.match(await page.locator(".badge").innerText(), /Pass|Fail/);
    assert.equal(await page.locator("#replay canvas").count(), hasMotion ? 1 : 0);
    if (hasMotion) {
      const [before, after] = [await pictureAt(page, 0), await pictureAt(page, 0.8)];
      assert.ok(!before.equals(after), "the motion does not show");
    }
    if (name === "retarget") await switchMarkers(page);
    await (hasMotion ? page.locator("#replay") : page).screenshot({ path: path.join(folder, `${name}.png`) });
    assert.deepEqual(troubles, []);
    await page.close();
  },
]));

await runTests(tests, folder);
