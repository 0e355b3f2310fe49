"""`aplomb run --live`: a page follows the simulation, in real time at most, and becomes the report."""

import base64
import json
import re
import struct
import subprocess
import time
import unittest
import urllib.error
import urllib.request

import support


def get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def embedded(html: str, name: str):
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.S)[1])


def column(motion: dict, name: str) -> list[float]:
    """As web/src/motion.ts unpacks it."""
    rows = len(motion["time"])
    index = [one["name"] for one in motion["columns"]].index(name)
    codes = struct.unpack(f"<{rows}H", base64.b64decode(motion["base64"])[2 * rows * index:2 * rows * (index + 1)])
    one = motion["columns"][index]
    return [one["low"] + one["step"] * code for code in codes]


class Live(support.AppTest):
    def start(self, *arguments: str) -> tuple[subprocess.Popen, str]:
        process = subprocess.Popen([support.PROGRAM, "run", *arguments, "--live"], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if line.startswith("live: "):
                return process, line.split()[1]
        self.fail(f"no address: {process.wait()}")

    def test_the_page_gets_every_part_of_the_run_and_then_its_report(self):
        run = ["stand_coman", "--set", "duration_s=1", "--set",
               "events=[{push: {force_per_weight: [0.1, 0, 0], start_s: 0.2, duration_s: 0.1}}]"]
        process, address = self.start(*run, "--out", "live")
        code, page = get(address)
        self.assertEqual(code, 200)
        opened = time.monotonic()
        data = embedded(page, "page-data")
        whole = data["scene"]["motion"]["time"]
        self.assertAlmostEqual(whole[-1], 1, delta=0.03)
        com, times = [], []
        while True:
            code, text = get(f"{address}rows/{len(times)}")
            if code == 410:
                break
            if code == 204:
                time.sleep(0.02)
                continue
            self.assertEqual(code, 200)
            for part in json.loads(text):
                self.assertEqual(part["first"], len(com))
                com += column(part["motion"], "com_x_m")
                times.append(time.monotonic() - opened)
        self.assertGreater(len(times), 5)
        self.assertGreater(times[-1], 0.7, "faster than real time")
        code, report = get(address)
        self.assertEqual(code, 200)
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertEqual(embedded(report, "page-data")["verdict"], "pass")
        log = column(embedded(report, "page-data")["scene"]["motion"], "com_x_m")
        self.assertGreater(max(com) - min(com), 0.001)  # the push is in it
        self.assertAlmostEqual(max(com), max(log), delta=1e-4)
        # The result is that of the run without a page.
        self.assertEqual(self.run_here(*["run", *run, "--out", "plain"]).code, 0)
        for name in ("metrics.json", "log.csv"):
            self.assertEqual((self.folder / "live" / name).read_bytes(), (self.folder / "plain" / name).read_bytes())

    def test_other_addresses_and_sites_get_nothing(self):
        process, address = self.start("stand_coman", "--set", "duration_s=0.5")
        self.assertEqual(get(address.rstrip("/")[:-1] + "0/")[0], 404)
        self.assertEqual(get(address + "rows/-1")[0], 404)
        self.assertEqual(get(address + "rows/1x")[0], 404)
        request = urllib.request.Request(address, headers={"Origin": "http://elsewhere.example"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=30)
        self.assertEqual(refused.exception.code, 403)
        process.terminate()  # while it waits for a reader
        self.assertEqual(process.wait(timeout=10), 130)

    def test_many_runs_have_no_live_page(self):
        self.refuse_here(["run", "stand_coman", "--repeat", "2", "--live"], "--live shows one run", "--repeat")
        self.refuse_here(["run", "stand_coman", "--json", "--live"], "--live shows one run", "--json")
        self.refuse_here(["run", "hoap3_push_limit", "--live"], "--live shows one run", "search")
        self.refuse_here(["run", "identify_sarcos_real", "--live"], "--live shows one run")


if __name__ == "__main__":
    unittest.main()
