"""Batches from Python: in processes of this machine, on joblib and on Ray; the same bytes by each, and what kills cost."""

import contextlib
import ctypes
import fcntl
import json
import os
import random
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import aplomb
from aplomb import _batch

try:
    import joblib
except ImportError:
    joblib = None
try:
    import ray
    import ray.cluster_utils
except ImportError:
    ray = None
try:
    import pyarrow
except ImportError:
    pyarrow = None

SHORT = {"duration_s": 0.05}
JOBS = [{"run": "stand_coman", "seeds": [1, 8], "set": SHORT}, {"run": "stand_coman", "set": SHORT, "files": "all"},
        {"human": "missing.c3d"}]
LONGER = [{"run": "stand_coman", "seeds": [1, 24], "set": {"duration_s": 1.0}}]


def files_of(folder):
    """Everything in a result folder but computing times."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name != "timing.json" and not file.name.startswith(".")}


def enter_own_network():
    """Moves this process, and all that it starts, into a network namespace whose only address is 127.0.0.1: a cluster of
    several nodes listens on the machine's own address, which then is this one. False where that is not permitted."""
    new_network, set_flags, up_and_running = 0x40000000, 0x8914, 0x41  # CLONE_NEWNET, SIOCSIFFLAGS, IFF_UP | IFF_RUNNING
    if ctypes.CDLL(None).unshare(new_network) != 0:
        return False
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", up_and_running))
    return True


def records(folder):
    return {file: file.stat().st_mtime_ns for file in folder.glob("jobs/*/*.json")}


class BatchTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="aplomb_batch_")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def program(self, jobs, out):
        """The same batch by `aplomb batch`, in one process."""
        manifest = self.folder / f"{out}.yaml"
        manifest.write_text(json.dumps({"jobs": jobs}))
        subprocess.run([_batch.PROGRAM, "batch", manifest, "--out", self.folder / out, "--jobs", "1"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return files_of(self.folder / out)

    def assert_same(self, batch, jobs=JOBS):
        self.assertEqual(files_of(batch.folder), self.program(jobs, "expected"))

    def watch(self, folder, stop):
        """Notes a finished job that is done again."""
        seen, again = {}, []

        def look():
            while not stop.wait(0.02):
                for file, time_ns in records(folder).items():
                    if seen.setdefault(file, time_ns) != time_ns:
                        again.append(file)

        thread = threading.Thread(target=look)
        thread.start()
        return thread, again


class Local(BatchTest):
    def test_it_leaves_what_the_program_leaves(self):
        told = []
        done = aplomb.batch(JOBS, self.folder / "out", jobs=2, progress=told.append)
        self.assert_same(done)
        self.assertEqual(done.metrics["jobs"], 10)
        self.assertEqual(done.metrics["jobs_with_error"], 1)
        self.assertEqual(done.verdict, "fail")
        self.assertEqual(told, sorted(told))
        self.assertEqual(told[-1], 1.0)
        self.assertIn("10 jobs", repr(done))
        self.assertIn("jobs_passed", done._repr_html_())

    def test_errors_are_those_of_the_program(self):
        with self.assertRaisesRegex(aplomb.Error, "no such file"):
            aplomb.batch("gone.yaml", self.folder / "out")
        with self.assertRaisesRegex(aplomb.InvalidValue, "executor is 'slurm'"):
            aplomb.batch(JOBS, self.folder / "out", executor="slurm")
        (self.folder / "other").mkdir()
        (self.folder / "other" / "notes").touch()
        with self.assertRaisesRegex(aplomb.Error, "not a batch of aplomb"):
            aplomb.batch(JOBS, self.folder / "other")

    def test_ctrl_c_ends_it_and_the_same_call_goes_on(self):
        def interrupt():  # as soon as a job is finished
            while not records(self.folder / "out"):
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            aplomb.batch([LONGER[0] | {"seeds": [1, 400]}], self.folder / "out", jobs=2, progress=False)
        self.assertLess(len(records(self.folder / "out")), 400)
        done = aplomb.batch([LONGER[0] | {"seeds": [1, 10]}], self.folder / "out", jobs=2, progress=False)
        self.assertEqual(done.metrics["jobs_not_done"], 0)


@unittest.skipUnless(pyarrow, "pyarrow is not installed (requirements/oracles.txt)")
class Parquet(BatchTest):
    def test_the_table_as_parquet_has_the_rows_of_the_csv(self):
        import csv

        import pyarrow.parquet
        done = aplomb.batch(JOBS, self.folder / "out", progress=False)
        table = pyarrow.parquet.read_table(done.to_parquet()).to_pylist()
        with done.table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["key"] for row in table], [row["key"] for row in rows])
        self.assertEqual(table[0]["fell"], False)
        self.assertEqual(table[0]["com_error_max_m"], float(rows[0]["com_error_max_m"]))
        self.assertIsNone(table[-1]["com_error_max_m"])  # an error has no metrics


@unittest.skipUnless(joblib, "joblib is not installed (requirements/oracles.txt)")
class Joblib(BatchTest):
    def test_it_leaves_what_the_program_leaves(self):
        self.assert_same(aplomb.batch(JOBS, self.folder / "out", executor="joblib", jobs=2, progress=False))

    def test_workers_that_are_killed_cost_their_jobs_in_flight_only(self):
        stop = threading.Event()
        watcher, again = self.watch(self.folder / "out", stop)
        chance, kills = random.Random(3), []

        def kill():
            while len(kills) < 4 and not stop.wait(chance.uniform(0.4, 0.8)):
                done = subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "popen_loky"], capture_output=True, text=True)
                workers = [int(word) for word in done.stdout.split()]
                if workers:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(chance.choice(workers), signal.SIGKILL)
                        kills.append(1)

        killer = threading.Thread(target=kill)
        killer.start()
        done = aplomb.batch(LONGER, self.folder / "out", executor="joblib", jobs=2, progress=False)
        stop.set()
        killer.join()
        watcher.join()
        self.assertGreater(len(kills), 0)
        self.assertEqual(done.metrics["jobs_passed"], 24)
        self.assertEqual([file for file in again if not file.with_suffix("").exists()], [])


@unittest.skipUnless(ray, "Ray is not installed (requirements/oracles.txt)")
class Ray(BatchTest):
    """On raylets of this machine, each a node of its own, in a network namespace with nothing but the loopback."""

    OBJECT_STORE = 80 * 1024 * 1024  # the smallest that Ray accepts is 75 MB

    @classmethod
    def setUpClass(cls):
        if not enter_own_network():
            raise unittest.SkipTest("Ray's nodes need a network namespace of their own, which only root may make here")
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        os.environ["RAY_worker_niceness"] = "0"  # Ray's own 15 would starve beside other tests
        os.environ["RAY_health_check_period_ms"] = os.environ["RAY_health_check_initial_delay_ms"] = "500"
        os.environ["RAY_health_check_failure_threshold"] = "4"  # a killed node is noticed after 2 s instead of 15
        node = {"num_cpus": 0, "object_store_memory": cls.OBJECT_STORE, "include_dashboard": False}
        cls.cluster = ray.cluster_utils.Cluster(initialize_head=True, head_node_args=node)
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.nodes = [cls.add_node(), cls.add_node()]
        ray.init(address=cls.cluster.address, log_to_driver=False, logging_level="ERROR")
        cls.addClassCleanup(ray.shutdown)

    @classmethod
    def add_node(cls):
        return cls.cluster.add_node(num_cpus=1, object_store_memory=cls.OBJECT_STORE)

    def batch(self, jobs, out="out", **options):
        return aplomb.batch(jobs, self.folder / out, executor="ray", progress=False, **options)

    def test_it_leaves_what_the_program_leaves(self):
        self.assert_same(self.batch(JOBS))

    def test_a_node_and_workers_that_are_killed_cost_their_jobs_in_flight_only(self):
        stop = threading.Event()
        watcher, again = self.watch(self.folder / "out", stop)
        chance, kills = random.Random(5), []

        def kill():
            while len(kills) < 4 and not stop.wait(chance.uniform(0.5, 1.0)):
                if not records(self.folder / "out"):
                    continue
                if len(kills) == 1:  # a whole node: its raylet, and with it its workers
                    self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)
                    kills.append("node")
                    continue
                done = subprocess.run(["pgrep", "-f", "aplomb batch --worker " + str(self.folder)], capture_output=True, text=True)
                if done.stdout.split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(chance.choice(done.stdout.split())), signal.SIGKILL)
                        kills.append("worker")

        killer = threading.Thread(target=kill)
        killer.start()
        done = self.batch(LONGER)
        stop.set()
        killer.join()
        watcher.join()
        self.nodes.append(self.add_node())
        self.assertIn("node", kills)
        self.assertEqual(done.metrics["jobs_passed"], 24)
        self.assertEqual([file for file in again if not file.with_suffix("").exists()], [])

    def test_nothing_of_a_job_is_in_the_object_store(self):
        jobs = [{"run": "stand_coman", "seeds": [1, 30], "set": SHORT, "files": "all"}]
        used = []
        stop = threading.Event()

        def look():
            while not stop.wait(0.05):
                used.append(ray.cluster_resources().get("object_store_memory", 0)
                            - ray.available_resources().get("object_store_memory", 0))

        thread = threading.Thread(target=look)
        thread.start()
        done = self.batch(jobs)
        stop.set()
        thread.join()
        self.assertEqual(done.metrics["jobs_not_done"], 0)
        self.assertLess(max(used, default=0), 1e6)


if __name__ == "__main__":
    unittest.main()
