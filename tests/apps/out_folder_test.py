"""`--out`: what is in it, and that it is written whole or not at all."""

import os
import resource
import shutil
import subprocess
import unittest

import support
from support import strict_json

RUN = ("run", "stand_balancer", "--set", "duration_s=0.5")
FILES = ["log.csv", "log.npz", "manifest.sha256", "metrics.json", "report.html", "timing.json"]
NOBODY = 65534


class Result(support.AppTest):
    def test_the_folder_holds_metrics_timing_logs_and_report(self):
        outcome = self.run_here(*RUN, "--out", "deep/er/result")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(sorted(os.listdir(self.folder / "deep/er/result")), FILES)
        self.assertEqual(os.listdir(self.folder / "deep/er"), ["result"])
        self.assertEqual(outcome.err, "report: deep/er/result/report.html\n")
        timing = strict_json((self.folder / "deep/er/result/timing.json").read_text())
        self.assertLessEqual({"control_cycle_us_p50", "control_cycle_us_p99", "control_cycle_us_max",
                              "realtime_factor", "wall_s"}, set(timing))

    def test_the_log_has_one_row_a_tick_and_its_formats_can_be_chosen(self):
        for formats, files in (("csv", ["log.csv"]), ("npz", ["log.npz"]), ("npz,csv", ["log.csv", "log.npz"])):
            self.assertEqual(self.run_here(*RUN, "--out", "result", "--log", formats).code, 0)
            logs = [name for name in sorted(os.listdir(self.folder / "result")) if name.startswith("log.")]
            self.assertEqual(logs, files)
        header, *rows = (self.folder / "result/log.csv").read_text().splitlines()
        self.assertEqual(len(rows), 500)
        self.assertEqual(header.split(",")[0], "time_s")
        self.assertEqual({row.count(",") for row in rows}, {header.count(",")})
        self.assertEqual(float(rows[-1].split(",")[0]), 0.5)

    def test_without_out_nothing_is_written(self):
        self.assertEqual(self.run_here(*RUN).code, 0)
        self.assertEqual(self.files_here(), [])

    def test_an_earlier_result_is_replaced_whole(self):
        self.assertEqual(self.run_here(*RUN, "--out", "result", "--log", "csv").code, 0)
        self.assertEqual(self.run_here(*RUN, "--out", "result/", "--log", "npz").code, 0)
        self.assertEqual(sorted(os.listdir(self.folder / "result")), [name for name in FILES if name != "log.csv"])
        self.assertEqual(os.listdir(self.folder), ["result"])

    def test_the_same_seed_gives_the_same_bytes_times_aside(self):
        push = ("--set", "events=[{push: {force_per_weight: [0.05, 0.02, 0], start_s: 0.1}}]", "--set", "seed=7")
        for scenario in ("stand_sarcos", "stand_hoap3"):
            for name in ("a", "b"):
                outcome = self.run_here("run", scenario, "--set", "duration_s=0.6", *push, "--out", name)
                self.assertIn(outcome.code, (0, 1), outcome)
            for name in FILES:
                if name == "timing.json":
                    continue
                a, b = ((self.folder / run / name).read_bytes() for run in ("a", "b"))
                self.assertTrue(a == b, f"{scenario}: {name} differs")


    def test_the_manifest_lists_every_file_for_sha256sum(self):
        self.assertEqual(self.run_here(*RUN, "--out", "result").code, 0)
        self.assertTrue(support.has_all_its_files(self.folder / "result"))
        text = (self.folder / "result/manifest.sha256").read_text()
        for name in FILES:
            self.assertTrue(name in text or name == "manifest.sha256", name)

    def test_locale_time_zone_folder_and_jobs_change_no_byte(self):
        locales = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
        comma = [name for name in locales if name.startswith(("de_", "fr_", "pl_"))][:1]
        variants = [({}, "1", "."), ({"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"}, "3", "other folder"),
                    ({"LC_ALL": (comma or ["C"])[0], "TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8"}, "2", "x/y")]
        seen = []
        for number, (environment, jobs, folder) in enumerate(variants):
            (self.folder / folder).mkdir(parents=True, exist_ok=True)
            for verb in (("run", "stand_balancer", "--set", "duration_s=0.3"),
                         ("run", "stand_balancer", "--set", "duration_s=0.2", "--set",
                          "vary.world.floor.friction=[0.2,0.9]", "--repeat", "5", "--jobs", jobs)):
                done = support.aplomb(*verb, "--out", f"r{number}{len(verb)}", cwd=self.folder / folder,
                                      env={**os.environ, **environment})
                self.assertEqual(done.code, 0, done)
            seen.append({(path.parent.name[2:], path.name): path.read_bytes()
                         for path in (self.folder / folder).glob(f"r{number}*/*") if path.name != "timing.json"})
        self.assertGreaterEqual(len(seen[0]), 8)
        for other in seen[1:]:
            self.assertEqual(set(other), set(seen[0]))
            for name in other:
                self.assertTrue(other[name] == seen[0][name], f"{name} differs")


class Kept(support.AppTest):
    """What aplomb did not write is never removed."""

    def refuse(self, *words):
        self.refuse_here([*RUN, "--out", "result"], "result", "will not be overwritten", *words)

    def test_a_file_of_the_user_in_an_earlier_result_is_kept(self):
        self.assertEqual(self.run_here(*RUN, "--out", "result").code, 0)
        self.write("result/notes.txt", "my thoughts")
        self.refuse("notes.txt")
        self.assertEqual((self.folder / "result/notes.txt").read_text(), "my thoughts")
        (self.folder / "result/notes.txt").unlink()
        self.assertEqual(self.run_here(*RUN, "--out", "result").code, 0)

    def test_a_result_inside_a_result_is_kept(self):
        self.assertEqual(self.run_here(*RUN, "--out", "result").code, 0)
        self.assertEqual(self.run_here(*RUN, "--out", "result/inner").code, 0)
        self.refuse("inner")
        self.assertTrue(support.has_all_its_files(self.folder / "result/inner"))

    def test_an_edited_file_of_an_earlier_result_is_kept(self):
        self.assertEqual(self.run_here(*RUN, "--out", "result").code, 0)
        self.write("result/log.csv", "edited by hand")
        self.refuse("log.csv")
        self.assertEqual((self.folder / "result/log.csv").read_text(), "edited by hand")

    def test_a_foreign_folder_with_the_words_of_a_result_is_kept(self):
        (self.folder / "result").mkdir()
        self.write("result/metrics.json", '{"schema": 7, "verb": "train", "accuracy": 0.9}')
        self.write("result/model.bin", "weeks of training")
        self.refuse()
        self.assertEqual((self.folder / "result/model.bin").read_text(), "weeks of training")

    def test_a_file_that_the_user_named_is_not_overwritten(self):
        self.write("postures.csv", "measured for weeks")
        self.refuse_here(["identify", "--make-example", "postures.csv", "--robot", "sarcos_real", "--postures", "8"],
                         "postures.csv", "will not be overwritten")
        self.write("natural.c3d", "recorded for weeks")
        self.refuse_here(["demonstrate", "natural", "--out", "natural.c3d"], "natural.c3d", "will not be overwritten")
        self.refuse_here(["demonstrate", "natural", "--out", "new.c3d", "--static", "natural.c3d"], "natural.c3d")
        self.assertEqual((self.folder / "natural.c3d").read_text(), "recorded for weeks")
        self.assertEqual((self.folder / "postures.csv").read_text(), "measured for weeks")

    def test_the_same_command_again_finds_its_own_file(self):
        for _ in range(2):
            self.assertEqual(self.run_here("demonstrate", "natural", "--out", "a.c3d").code, 0)
        self.assertEqual(self.files_here(), ["a.c3d"])


class Attacker(support.AppTest):
    """Another user plants links where the program might write, in a folder that all may write to."""

    def setUp(self):
        super().setUp()
        self.victim = self.folder / "home"
        self.victim.mkdir()
        for name in ("metrics.json", "log.csv", "report.html", "timing.json", "work.txt", "precious"):
            (self.victim / name).write_text("precious")
        self.shared = self.folder / "shared"
        self.shared.mkdir()

    def assert_unharmed(self):
        self.assertEqual(sorted(os.listdir(self.victim)),
                         ["log.csv", "metrics.json", "precious", "report.html", "timing.json", "work.txt"])
        for path in self.victim.iterdir():
            self.assertEqual(path.read_text(), "precious", path)

    def test_retarget_writes_nothing_to_the_temporary_folder(self):
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "natural.c3d").code, 0)
        temporary = self.folder / "tmp"
        temporary.mkdir()
        process = subprocess.Popen([support.PROGRAM, "retarget", "natural.c3d", "--robot", "coman", "--no-zmp", "--out",
                                    "shared/out"], cwd=self.folder, env={**os.environ, "TMPDIR": str(temporary)},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name in ("natural", "natural.c3d", "out"):  # names that could be guessed
            for stem in ("aplomb-retarget", "aplomb"):
                (temporary / f"{stem}-{process.pid}-{name}").symlink_to(self.victim)
        planted = sorted(os.listdir(temporary))
        self.assertIn(process.wait(timeout=support.PATIENCE_S), (0, 1))
        self.assert_unharmed()
        self.assertEqual(sorted(os.listdir(temporary)), planted)
        self.assertTrue(support.has_all_its_files(self.shared / "out"))

    def test_links_beside_the_output_are_not_followed(self):
        for name in ("out.partial", ".out.tmp-AAAAAA", ".out.tmp", "out.lock", ".out.lock", "out.tmp"):
            (self.shared / name).symlink_to(self.victim)
        repeated = ("run", "stand_balancer", "--set", "duration_s=0.1", "--repeat", "2", "--out", "shared/out")
        self.assert_refused(self.run_here(*repeated), "out.partial")
        self.assert_unharmed()
        (self.shared / "out.partial").unlink()
        (self.victim / "empty").mkdir()
        (self.shared / "out.partial").symlink_to(self.victim / "empty")
        self.assert_refused(self.run_here(*repeated), "out.partial")
        self.assertEqual(os.listdir(self.victim / "empty"), [])
        (self.victim / "empty").rmdir()
        (self.shared / "out.partial").unlink()
        self.assertEqual(self.run_here(*repeated).code, 0)
        self.assert_unharmed()

    def test_links_beside_a_file_are_not_followed(self):
        for name in ("a.c3d.partial", "a.c3d.tmp", ".a.c3d.tmp-AAAAAA", ".aplomb-0000000000000000"):
            (self.shared / name).symlink_to(self.victim / "precious")
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "shared/a.c3d").code, 0)
        self.assert_unharmed()
        (self.shared / "b.c3d").symlink_to(self.victim / "precious")
        self.assert_refused(self.run_here("demonstrate", "natural", "--out", "shared/b.c3d"), "b.c3d")
        self.assert_unharmed()

    def test_a_partial_folder_of_another_user_is_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a folder of another user")
        (self.shared / "out.partial").mkdir()
        os.chown(self.shared / "out.partial", NOBODY, NOBODY)
        self.assert_refused(self.run_here("run", "stand_balancer", "--set", "duration_s=0.1", "--repeat", "2", "--out",
                                          "shared/out"), "out.partial", "another user")


class Unwritable(support.AppTest):
    def refuse(self, out, *words):
        self.refuse_here([*RUN, "--out", out], *words)

    def test_a_path_that_cannot_be_a_folder_is_refused(self):
        self.write("file", "mine")
        self.refuse("file", "file", "not a folder")
        self.refuse("file/result", "file/result")
        self.refuse("/proc/result", "/proc/result")
        self.refuse("/dev/null", "/dev/null")
        self.refuse("", "empty")
        self.refuse(".", "folder of its own")
        self.refuse("/", "folder of its own")
        self.refuse("x" * 300, "x" * 300)
        self.assertEqual((self.folder / "file").read_text(), "mine")

    def test_a_folder_with_the_files_of_others_is_not_touched(self):
        (self.folder / "thesis").mkdir()
        self.write("thesis/chapter1.tex", "years of work")
        self.refuse("thesis", "thesis", "will not be overwritten")
        self.assertEqual((self.folder / "thesis/chapter1.tex").read_text(), "years of work")

    def test_a_refused_out_comes_before_the_work(self):
        self.write("file", "")
        # An hour of simulated time takes minutes; the answer may not.
        self.refuse_here(["run", "stand_balancer", "--set", "duration_s=3600", "--out", "file"], "not a folder")

    def test_a_folder_without_the_right_to_write_is_refused(self):
        (self.folder / "locked").mkdir()
        self.folder.chmod(0o755)
        (self.folder / "locked").chmod(0o555)
        options = {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}
        try:
            self.run_here("--version", **options)
        except PermissionError:
            self.skipTest("the program lies where only root can run it")
        self.assert_refused(self.run_here(*RUN, "--out", "locked/result", **options), "locked", "Permission denied")
        self.assertEqual(self.files_here(), ["locked"])


class Full(support.AppTest):
    """The run is fine, its files do not fit: as if `--out` had never been given, but for the error."""

    def test_a_limit_on_the_size_of_files_is_an_error_and_nothing_is_left(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        outcome = self.run_here(*RUN, "--out", "new/result", preexec_fn=limit)
        self.assert_refused(outcome, "new/result/log.csv", "File too large")
        self.assertEqual(self.files_here(), [])

    def test_a_disk_that_is_full_is_no_fault_of_a_motion(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "a.c3d").code, 0)
        shutil.copy(self.folder / "a.c3d", self.folder / "b.c3d")
        outcome = self.run_here("retarget", "a.c3d", "b.c3d", "--robot", "coman", "--no-zmp", "--out", "out",
                                preexec_fn=limit)
        self.assert_refused(outcome, "out/log.csv", "File too large")
        self.assertEqual(self.files_here(), ["a.c3d", "b.c3d"])

    def test_a_full_disk_is_an_error_and_nothing_is_left(self):
        self.in_tiny_disk("", [])

    def test_a_full_disk_leaves_the_earlier_result_as_it_was(self):
        (self.folder / "earlier").mkdir()
        self.write("earlier/metrics.json", '{"schema": 1, "verb": "run"}')
        support.write_manifest(self.folder / "earlier")
        self.in_tiny_disk("cp -r earlier disk/result;",
                          ["disk/result", "disk/result/manifest.sha256", "disk/result/metrics.json"])

    def test_a_file_that_does_not_fit_leaves_the_one_that_it_should_replace(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        self.assertEqual(self.run_here(*RUN, "--out", "result").code, 0)
        save = ("view", "result", "--figure", "centre_of_mass_forward", "--save", "com.svg")
        self.assertEqual(self.run_here(*save).code, 0)
        drawn = (self.folder / "com.svg").read_bytes()
        other = ("view", "result", "--figure", "centre_of_pressure_of_the_left_foot", "--save", "com.svg")
        self.assert_refused(self.run_here(*other, preexec_fn=limit), "com.svg", "File too large")
        self.assertEqual((self.folder / "com.svg").read_bytes(), drawn)
        self.write("postures.csv", "mine")
        example = ("identify", "--make-example", "postures.csv", "--robot", "sarcos_real", "--postures", "8")
        self.assert_refused(self.run_here(*example, preexec_fn=limit), "postures.csv", "File too large")
        self.assertEqual((self.folder / "postures.csv").read_text(), "mine")
        self.assertEqual(sorted(os.listdir(self.folder)), ["com.svg", "postures.csv", "result"])

    def in_tiny_disk(self, prepare: str, left: list[str]):
        """A file system of 64 kB, which only these commands can see."""
        (self.folder / "disk").mkdir()
        enter = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
        mount = "mount -t tmpfs -o size=64k tmpfs disk"
        probe = shutil.which("unshare") and subprocess.run([*enter, "/bin/sh", "-c", mount], cwd=self.folder,
                                                           capture_output=True)
        if not probe or probe.returncode != 0:
            self.skipTest("no right to mount a small file system here")
        script = f'{mount} && {prepare} "$0" "$@"; code=$?; find disk -mindepth 1; exit $code'
        done = subprocess.run([*enter, "/bin/sh", "-c", script, support.PROGRAM, *RUN, "--out", "disk/result"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assert_refused(support.Outcome(done.returncode, "", done.stderr), "disk/result/", "No space left")
        self.assertEqual(sorted(done.stdout.splitlines()), left)


if __name__ == "__main__":
    unittest.main()
