"""`aplomb batch`: many jobs in processes of this machine, the same bytes however they were done, and what may go wrong."""

import csv
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import time
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
SWEEP = "jobs: [{run: stand_coman, seeds: [1, 12], set: {duration_s: 0.05}}]\n"
MIXED = """jobs:
  - run: stand_coman
    seeds: [1, 3]
    set: {duration_s: 0.05}
    grid: {world.floor.friction: [0.4, 0.9]}
  - human: missing.c3d
  - run: stand_coman
    set: {robot: no_such_robot}
  - run: stand_coman
    set: {duration_s: 0.05}
    files: all
"""


def files_of(folder: pathlib.Path) -> dict[str, bytes]:
    """Everything in a result folder but computing times (and the manifests that list their names)."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name != "timing.json"}


def rows_of(folder: pathlib.Path) -> list[dict[str, str]]:
    with (folder / "jobs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def children(process: int) -> list[int]:
    """Process numbers of the workers."""
    done = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


class BatchTest(support.AppTest):
    def batch(self, *options, code: int = 0, manifest: str = SWEEP, out: str = "out") -> pathlib.Path:
        self.write("jobs.yaml", manifest)
        done = self.run_here("batch", "jobs.yaml", "--out", out, *options)
        self.assertEqual(done.code, code, done)
        self.last = done
        return self.folder / out


class Batch(BatchTest):
    def test_one_process_and_two_leave_the_same_bytes(self):
        one = self.batch("--jobs", 1, manifest=MIXED, out="one", code=1)
        two = self.batch("--jobs", 2, manifest=MIXED, out="two", code=1)
        self.assertEqual(files_of(one), files_of(two))
        rows = rows_of(one)
        self.assertEqual([row["job"] for row in rows], [str(i + 1) for i in range(9)])
        self.assertEqual([row["outcome"] for row in rows], ["pass"] * 6 + ["error", "error", "pass"])
        self.assertEqual(rows[1]["set.seed"], "2")
        self.assertIn("missing.c3d: no such file", rows[6]["error"])
        self.assertIn("no robot named 'no_such_robot'", rows[7]["error"])
        self.assertTrue((one / "jobs" / rows[8]["key"][:2] / rows[8]["key"] / "report.html").exists())

    def test_a_job_of_a_batch_gives_what_the_command_alone_gives(self):
        out = self.batch(manifest="jobs: [{run: stand_coman, seeds: [5, 5], set: {duration_s: 0.05}, files: all}]\n")
        key = rows_of(out)[0]["key"]
        done = self.run_here("run", "stand_coman", "--set", "duration_s=0.05", "--set", "seed=5", "--out", "alone")
        self.assertEqual(done.code, 0, done)
        job = out / "jobs" / key[:2] / key
        self.assertTrue(support.has_all_its_files(job))
        self.assertEqual(files_of(job), files_of(self.folder / "alone"))

    def test_what_is_finished_is_not_done_again_and_an_error_is(self):
        out = self.batch(manifest=MIXED, code=1)
        before = {file: file.stat().st_mtime_ns for file in out.glob("jobs/*/*.json")}
        self.batch(manifest=MIXED, code=1)
        self.assertIn("2 jobs done", self.last.err)
        self.assertIn("7 were done before", self.last.err)
        errors = {out / "jobs" / row["key"][:2] / f"{row['key']}.json" for row in rows_of(out) if row["outcome"] == "error"}
        again = {file for file, time_ns in before.items() if file.stat().st_mtime_ns != time_ns}  # 7 have replays by now
        self.assertEqual(again, errors)

    def test_a_changed_input_makes_its_jobs_new(self):
        stand = (ROOT / "scenarios" / "stand_coman.yaml").read_text()
        scenario = self.write("mine.yaml", stand.replace("duration_s: 5\n", "duration_s: 0.05\n"))
        text = "jobs: [{run: mine.yaml, seeds: [1, 2]}, {run: stand_coman, set: {duration_s: 0.05}}]\n"
        out = self.batch(manifest=text)
        scenario.write_text(scenario.read_text().replace("0.05", "0.06"))
        self.batch(manifest=text)
        self.assertIn("2 jobs done", self.last.err)
        self.assertEqual([row["duration_s"] for row in rows_of(out)], ["0.06", "0.06", "0.05"])

    def test_the_worst_jobs_have_a_replay(self):
        out = self.batch()
        self.assertEqual(len(list(out.glob("jobs/*/*/report.html"))), 10)  # of 12
        self.assertIn("Worst jobs", (out / "report.html").read_text())

    def test_shares_of_an_array_do_all_jobs_and_collect_makes_the_table(self):
        whole = self.batch(out="whole")
        script = self.batch("--executor", "slurm", "--tasks", 5, out="shares")
        self.assertIn("sbatch --wait", self.last.out)
        text = (script / "slurm.sh").read_text()
        self.assertIn("#SBATCH --array=1-5", text)
        for task in (3, 1, 5, 2, 4):  # as the script, on a machine that gives its task's number
            done = subprocess.run(["bash", script / "slurm.sh"], capture_output=True, text=True,
                                  env=os.environ | {"SLURM_ARRAY_TASK_ID": str(task)})
            self.assertEqual(done.returncode, 0, done)
            self.assertRegex(done.stderr, r"\A[23] jobs done")
        self.batch("--only", "collect", out="shares")
        self.assertEqual({name: text for name, text in files_of(script).items() if name != "slurm.sh"}, files_of(whole))

    def test_two_at_once_share_the_work(self):
        self.write("jobs.yaml", SWEEP.replace("0.05", "0.3"))
        drivers = [subprocess.Popen([support.PROGRAM, "batch", "jobs.yaml", "--out", "out", "--jobs", "1"], cwd=self.folder,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        told = [driver.communicate(timeout=support.PATIENCE_S)[1] for driver in drivers]
        self.assertEqual([driver.returncode for driver in drivers], [0, 0], told)
        self.assertEqual(sum(int(text.split(" jobs done")[0]) for text in told), 12, told)


class Kills(BatchTest):
    JOBS = SWEEP.replace("12", "40").replace("0.05", "0.5")

    def start(self) -> subprocess.Popen:
        return subprocess.Popen([support.PROGRAM, "batch", "jobs.yaml", "--out", "out", "--jobs", "2"], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def finished(self) -> dict[str, int]:
        return {str(file): file.stat().st_mtime_ns for file in (self.folder / "out").glob("jobs/*/*.json")}

    def note_finished(self, seen: dict[str, int]) -> None:
        for file, time_ns in self.finished().items():
            has_replay = pathlib.Path(file.removesuffix(".json")).exists()  # the worst ten are done again for it, at the end
            if not has_replay:
                self.assertEqual(seen.setdefault(file, time_ns), time_ns, "a finished job was done again")

    def kill_now_and_then(self, chance: random.Random, kills: int) -> None:
        """Kills workers, and the driver, which is then started again."""
        driver, seen = self.start(), {}
        self.addCleanup(lambda: driver.poll() is None and driver.kill())
        for _ in range(kills):
            time.sleep(chance.uniform(0.1, 0.5))
            self.note_finished(seen)
            workers = children(driver.pid)
            if workers and chance.random() < 0.6:
                os.kill(chance.choice(workers), signal.SIGKILL)
            else:
                driver.kill()
            if driver.poll() is not None or chance.random() < 0.1:
                driver.kill()
                driver.wait()
                driver = self.start()
        self.assertEqual(driver.wait(timeout=support.PATIENCE_S), 0)
        self.note_finished(seen)

    def test_workers_and_drivers_that_are_killed_cost_their_jobs_in_flight_only(self):
        self.write("jobs.yaml", self.JOBS)
        self.kill_now_and_then(random.Random(7), 10)
        undisturbed = self.batch(manifest=self.JOBS, out="undisturbed")
        found = {name: text for name, text in files_of(self.folder / "out").items() if "/." not in name}
        self.assertEqual(found, files_of(undisturbed))

    def test_a_job_that_kills_its_process_each_time_is_a_row_with_its_error(self):
        source = self.write("die.c", "#include <stdlib.h>\nvoid aplomb_register_controllers(void) { abort(); }\n")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.folder / "die.so", source], check=True)
        out = self.batch("--jobs", 2, code=1, manifest="jobs: [{run: stand_coman, plugin: ./die.so, set: {duration_s: 0.05}}, "
                                                       "{run: stand_coman, seeds: [1, 3], set: {duration_s: 0.05}}]\n")
        rows = rows_of(out)
        self.assertEqual([row["outcome"] for row in rows], ["error", "pass", "pass", "pass"])
        self.assertIn("its process ended by signal 6 (Aborted), 5 times", rows[0]["error"])

    def test_ctrl_c_stops_it_and_the_same_command_continues(self):
        self.write("jobs.yaml", self.JOBS)
        driver = subprocess.Popen([support.PROGRAM, "batch", "jobs.yaml", "--out", "out"], cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        while len(self.finished()) < 3:
            time.sleep(0.02)
        os.killpg(driver.pid, signal.SIGINT)
        out, told = driver.communicate(timeout=support.PATIENCE_S)
        self.assertEqual((driver.returncode, out), (130, ""))
        self.assertIn("the same command continues", told)
        done = len(self.finished())
        self.batch(manifest=self.JOBS)
        self.assertIn(f"{40 - done} jobs done", self.last.err)


class BadInput(BatchTest):
    def test_a_manifest_that_cannot_be_read_is_one_line_and_nothing_is_written(self):
        self.refuse_here(["batch", "gone.yaml", "--out", "out"], "gone.yaml", "no such file")
        self.write("jobs.yaml", "jobs:\n- {run: stand_coman, sets: 1}\n")
        self.refuse_here(["batch", "jobs.yaml", "--out", "out"], "jobs.yaml:2", "'--sets'", "--set")
        self.write("jobs.yaml", b"\x00\xff\xfe")
        self.refuse_here(["batch", "jobs.yaml", "--out", "out"], "jobs.yaml")
        self.write("jobs.csv", "verb,input,robot\nretarget,a.c3d,g1\nretarget,b.c3d\n")
        self.refuse_here(["batch", "jobs.csv", "--out", "out"], "jobs.csv:3", "2 fields")
        self.write("ok.yaml", SWEEP)
        self.refuse_here(["batch", "ok.yaml"], "--out DIR is missing")
        self.refuse_here(["batch", "ok.yaml", "--out", "out", "--task", "6/5"], "--task 6/5", "K/N")
        for executor in ("ray", "joblib"):
            self.refuse_here(["batch", "ok.yaml", "--out", "out", "--executor", executor], f"pip install aplomb[{executor}]")

    def test_a_folder_of_another_version_or_of_somebody_else_stays_as_it_is(self):
        out = self.batch()
        text = json.loads((out / "batch.json").read_text())
        (out / "batch.json").write_text(json.dumps(text | {"aplomb": "0.0.1 (abc)"}))
        self.refuse_here(["batch", "jobs.yaml", "--out", "out"], "was begun by aplomb 0.0.1 (abc)", "another folder")
        self.write("notes.txt", "mine")
        (self.folder / "other").mkdir()
        (self.folder / "other" / "notes.txt").write_text("mine")
        self.refuse_here(["batch", "jobs.yaml", "--out", "other"], "not a batch of aplomb")
        self.refuse_here(["batch", "jobs.yaml", "--out", "notes.txt"], "is a file")

    def test_a_full_disk_ends_it_with_one_line_and_keeps_what_is_finished(self):
        manifest = "jobs: [{run: stand_coman, seeds: [1, 4], set: {duration_s: 0.05}}, " \
                   "{run: stand_coman, seeds: [5, 5], set: {duration_s: 0.05}, files: all}]\n"
        self.write("jobs.yaml", manifest)
        limit = 100_000  # bytes of a file: a row fits, a report does not

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = self.run_here("batch", "jobs.yaml", "--out", "out", "--jobs", 1, preexec_fn=limited)
        self.assert_refused(done, "File too large", "4 finished jobs are kept in out", "the same command continues")
        self.batch(manifest=manifest)
        self.assertIn("1 jobs done", self.last.err)


if __name__ == "__main__":
    unittest.main()
