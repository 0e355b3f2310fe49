"""Batches: many jobs on the processes of this machine, on joblib or on Ray.

The program of the package expands the manifest, does the jobs and makes table and report (`aplomb batch`); what is here brings
job lines to its workers, `aplomb batch --worker FOLDER`. Nothing but those lines and counts goes through joblib or Ray: results
are written to the folder, by whoever did the job, which every machine has to see.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _aplomb

PROGRAM = Path(_aplomb.__file__).parent / "bin" / "aplomb"
CHUNK_S = 1.0  # of work in one task: what joblib and Ray need for a task, some ms, is then little
MOST_JOBS_IN_CHUNK = 1000
MOST_ATTEMPTS = 5  # deaths of a worker at one job, after which the job has an error
BUSY_PAUSE_S = 0.2  # until a job that another process is at is asked for again


class BatchFailed(RuntimeError):
    """The batch cannot go on (full disk, no program); what is finished stays."""


class Worker:
    """The program as a worker on one machine. It keeps robots and plans from job to job, and is started again when it dies."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.process: subprocess.Popen | None = None

    def _start(self) -> subprocess.Popen:
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([PROGRAM, "batch", "--worker", self.folder], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True)
        return self.process

    def _ask(self, line: str) -> dict[str, Any] | None:
        """The answer to a job; None when the worker died at it."""
        process = self._start()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        return json.loads(answer) if answer.endswith("\n") else None

    def do(self, line: str) -> dict[str, Any]:
        """Does one job, or says that another process is at it ("busy")."""
        for _ in range(MOST_ATTEMPTS):
            answer = self._ask(line)
            if answer is not None:
                break
            code = self.end()
            if code in (2, 127):
                raise BatchFailed(f"a worker of the batch cannot work in {self.folder}: exit code {code}")
        else:
            given_up = json.loads(line) | {"give_up": f"its process ended by {-code if code < 0 else code}, {MOST_ATTEMPTS} times"}
            answer = self._ask(json.dumps(given_up))
            if answer is None:
                raise BatchFailed(f"a worker of the batch cannot work in {self.folder}")
        if answer["kind"] == "stop":
            if answer["error"] == "interrupted":
                raise KeyboardInterrupt
            raise BatchFailed(answer["error"])
        return answer

    def end(self) -> int:
        """Waits for the process, which ends with its input."""
        process, self.process = self.process, None
        if process is None:
            return 0
        assert process.stdin and process.stdout
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdout.close()
        return process.wait()


_workers: dict[tuple[str, int], Worker] = {}


def do_chunk(folder: str, lines: Sequence[str]) -> dict[str, float]:
    """Does some jobs in this process's worker, which later chunks find again. Returns counts."""
    worker = _workers.setdefault((folder, threading.get_ident()), Worker(folder))
    counts = {"through": 0, "done": 0, "failed": 0}
    begin = time.monotonic()
    left = list(lines)
    while left:
        busy = []
        for line in left:
            answer = worker.do(line)
            if answer["kind"] == "busy":
                busy.append(line)
                continue
            counts["through"] += 1
            counts["done"] += not answer["was_there"]
            counts["failed"] += answer["failed"]
        left = busy
        if left:
            time.sleep(BUSY_PAUSE_S)
    return counts | {"seconds": time.monotonic() - begin}


class Chunks:
    """Job lines of the index in chunks of about CHUNK_S, from the time that jobs took so far. `share`: of how many workers."""

    def __init__(self, index: Path) -> None:
        self.file = index.open()
        self.job_s = CHUNK_S  # the first chunks have one job each
        self.done = 0

    def next(self) -> list[str]:
        size = max(1, min(MOST_JOBS_IN_CHUNK, round(CHUNK_S / max(self.job_s, 1e-6))))
        lines = []
        for line in self.file:
            lines.append(line.rstrip("\n"))
            if len(lines) == size:
                break
        return lines

    def note(self, counts: Mapping[str, float]) -> None:
        self.done += int(counts["through"])
        if counts["through"]:
            self.job_s = 0.7 * self.job_s + 0.3 * counts["seconds"] / counts["through"]


def _do_locally(folder: str, chunks: Chunks, jobs: int, note: Callable[[Mapping[str, float]], None]) -> None:
    """In threads, each with a worker process of its own."""
    lock, failures = threading.Lock(), []

    def work() -> None:
        try:
            while not failures:
                with lock:
                    lines = chunks.next()
                if not lines:
                    return
                counts = do_chunk(folder, lines)
                with lock:
                    note(counts)
        except BaseException as error:  # noqa: BLE001  for the calling thread
            failures.append(error)
        finally:
            worker = _workers.pop((folder, threading.get_ident()), None)
            if worker:
                worker.end()

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt as error:
        failures.append(error)
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def _do_with_joblib(folder: str, chunks: Chunks, jobs: int, note: Callable[[Mapping[str, float]], None]) -> None:
    try:
        import joblib
    except ImportError as error:
        raise ImportError("executor='joblib' needs joblib: pip install aplomb[joblib]") from error
    try:
        from joblib.externals.loky.process_executor import TerminatedWorkerError
    except ImportError:  # another backend may be all there is
        TerminatedWorkerError = BrokenPipeError  # noqa: N806

    unfinished: dict[int, list[str]] = {}

    def tasks() -> Iterator[Any]:
        for number in list(unfinished):
            yield joblib.delayed(_numbered_chunk)(number, folder, unfinished[number])
        while lines := chunks.next():
            number = next(numbers)
            unfinished[number] = lines
            yield joblib.delayed(_numbered_chunk)(number, folder, lines)

    numbers = iter(range(1 << 62))
    deaths = 0
    while True:
        before = chunks.done
        try:
            pool = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=2 * jobs, batch_size=1)
            for number, counts in pool(tasks()):
                unfinished.pop(number, None)
                note(counts)
            return
        except TerminatedWorkerError as error:  # joblib gives up all of its workers when one is killed
            deaths = deaths + 1 if chunks.done == before else 1
            if deaths > MOST_ATTEMPTS:
                raise BatchFailed("joblib's workers died again and again") from error


def _numbered_chunk(number: int, folder: str, lines: Sequence[str]) -> tuple[int, dict[str, float]]:
    return number, do_chunk(folder, lines)


def _do_with_ray(folder: str, chunks: Chunks, jobs: int | None, address: str | None,
                 note: Callable[[Mapping[str, float]], None]) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent from this machine
    try:
        import ray
    except ImportError as error:
        raise ImportError("executor='ray' needs Ray: pip install aplomb[ray]") from error
    started_here = not ray.is_initialized()
    if started_here:
        quiet = {"log_to_driver": False, "logging_level": "ERROR"}
        if address is None:
            ray.init(num_cpus=jobs, include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
        else:
            ray.init(address=address, **quiet)
    # A task that dies with its worker or its node is given to another, as often as it takes; its finished jobs are found done.
    task = ray.remote(num_cpus=1, max_retries=-1)(do_chunk)
    running: list[Any] = []
    try:
        while True:
            most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))  # one at work and one waiting on each core
            while len(running) < most and (lines := chunks.next()):
                running.append(task.remote(folder, lines))
            if not running:
                return
            ready, running = ray.wait(running, num_returns=1, timeout=5.0)
            for reference in ready:
                try:
                    note(ray.get(reference))
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from None
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if started_here:
            ray.shutdown()


class Batch:
    """The result folder of a batch: `table` (jobs.csv), `metrics` (counts), `verdict`, `report`."""

    def __init__(self, folder: Path, result: Mapping[str, Any]) -> None:
        self.folder = folder  #: of all results
        self.table = folder / "jobs.csv"  #: one row a job
        self.report = folder / "report.html"
        self.metrics: dict[str, int] = dict(result["metrics"])  #: jobs, jobs_passed, jobs_failed, ...
        self.verdict: str = result["verdict"]

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"

    def __repr__(self) -> str:
        return f"<aplomb.Batch {os.fspath(self.folder)!r}: " + ", ".join(f"{n} {k}" for k, n in self.metrics.items()) + ">"

    def to_pandas(self) -> Any:
        """The table of jobs as a pandas.DataFrame."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        return pandas.read_csv(self.table)

    def to_parquet(self, file: str | os.PathLike | None = None) -> Path:
        """Writes the table as Parquet, jobs.parquet in the folder if no file is given; needs pyarrow."""
        try:
            import pyarrow.csv
            import pyarrow.parquet
        except ImportError as error:
            raise ImportError("to_parquet needs pyarrow: pip install aplomb[parquet]") from error
        target = Path(file) if file is not None else self.folder / "jobs.parquet"
        with pyarrow.csv.open_csv(self.table, convert_options=pyarrow.csv.ConvertOptions(
                column_types=_column_types(self.table))) as rows:
            unfinished = target.with_name(f".{target.name}.unfinished")
            with pyarrow.parquet.ParquetWriter(unfinished, rows.schema) as writer:
                for part in rows:  # so that the table need not fit into memory
                    writer.write_batch(part)
        unfinished.replace(target)
        return target

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in self.metrics.items())
        return f"<table>{rows}</table><a href='{self.report.as_posix()}'>report</a>"


def _column_types(table: Path) -> dict[str, Any]:
    """The type of each column over all of its rows: Parquet fixes it before the first is written."""
    import csv

    import pyarrow
    kinds: dict[str, str] = {}
    with table.open(newline="") as file:
        for row in csv.DictReader(file):
            for name, text in row.items():
                kind = "" if not text else "flag" if text in ("true", "false") else "number" if _is_number(text) else "text"
                if kind:
                    kinds[name] = kind if kinds.get(name, kind) == kind else "text"
                else:
                    kinds.setdefault(name, "")
    types = {"flag": pyarrow.bool_(), "number": pyarrow.float64(), "text": pyarrow.string(), "": pyarrow.string()}
    return {name: types[kind] for name, kind in kinds.items()}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _program(*words: str) -> str:
    """Standard output of the program; its error as an exception of the package."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode not in (0, 1):
        from . import Error
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Error(lines[-1].removeprefix("aplomb: error: "))
    return done.stdout


def _write_manifest(jobs: Sequence[Mapping[str, Any]], folder: Path) -> Path:
    """A list of jobs as a manifest beside the result folder; JSON is YAML."""
    file = folder.parent / f"{folder.name}.manifest.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"jobs": list(jobs)}, indent=1, default=os.fspath) + "\n")
    return file


def batch(manifest: str | os.PathLike | Sequence[Mapping[str, Any]], out: str | os.PathLike, *, executor: str = "local",
          jobs: int | None = None, address: str | None = None,
          progress: Callable[[float], object] | bool | None = None) -> Batch:
    """Does many jobs and makes one table of them (docs/scale.md).

    manifest: a YAML or CSV file of jobs, or a list of entries as in the YAML:
        [{"run": "balance_push_forward", "seeds": [1, 1000], "grid": {"world.floor.friction": [0.3, 0.5]}}]
    out: the result folder. What is finished there is not done again, whoever did it.
    executor: "local", processes of this machine; "joblib", with joblib's backend; "ray", on the cluster at `address`
        ("auto": the one of this machine) or, without one, on a local one.
    jobs: at the same time; with Ray on a cluster the cluster's cores decide. All cores when left out.
    progress: None a line on a terminal, False nothing, or a function of the fraction done.

    Ctrl-C and a killed process cost only the jobs that they were at: the same call goes on. Raises aplomb.Error on a bad
    manifest or folder; a job that fails is a row of the table with its error.
    """
    if executor not in ("local", "joblib", "ray"):
        from . import InvalidValue
        raise InvalidValue(f"executor is {executor!r}; valid are 'local', 'joblib', 'ray' (SLURM: `aplomb batch --executor slurm`)")
    folder = Path(out).absolute()
    if not isinstance(manifest, (str, os.PathLike)):
        manifest = _write_manifest(manifest, folder)
    words = ["batch", os.fspath(manifest), "--out", os.fspath(folder)]
    _program(*words, "--only", "index")
    index = folder / "index.jsonl"
    with index.open("rb") as file:
        total = sum(1 for _ in file)
    chunks = Chunks(index)
    state = {"failed": 0, "done": 0}
    begin = time.monotonic()
    is_shown = progress is None and sys.stderr.isatty()

    def note(counts: Mapping[str, float]) -> None:
        chunks.note(counts)
        state["failed"] += int(counts["failed"])
        state["done"] += int(counts["done"])
        if callable(progress):
            progress(chunks.done / total)
        elif is_shown:
            rate = state["done"] / (time.monotonic() - begin)
            left = f"{(total - chunks.done) / rate:.0f} s left" if rate else ""
            print(f"\r\x1b[K{chunks.done}/{total} jobs  {rate:.3g}/s  {state['failed']} failed  {left}", end="", file=sys.stderr)

    number = jobs or len(os.sched_getaffinity(0))
    try:
        if executor == "ray":
            _do_with_ray(os.fspath(folder), chunks, jobs, address, note)
        elif executor == "joblib":
            _do_with_joblib(os.fspath(folder), chunks, number, note)
        else:
            _do_locally(os.fspath(folder), chunks, number, note)
    except BatchFailed as error:
        from . import Error
        raise Error(f"{error}; finished jobs are kept in {folder}, the same call continues") from None
    finally:
        chunks.file.close()
        if is_shown:
            print(file=sys.stderr)
    return Batch(folder, json.loads(_program(*words, "--only", "collect", "--jobs", str(number), "--json")))


def command(words: Sequence[str]) -> int:
    """`aplomb batch MANIFEST --executor ray|joblib`: returns the exit code."""
    import argparse
    parser = argparse.ArgumentParser("aplomb batch")
    parser.add_argument("manifest")
    parser.add_argument("--out", required=True)
    parser.add_argument("--executor", required=True)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--address")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(words)
    from . import Error
    try:
        done = batch(options.manifest, options.out, executor=options.executor, jobs=options.jobs, address=options.address)
    except (Error, ImportError) as error:
        print(f"aplomb: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("aplomb: interrupted; the same command continues", file=sys.stderr)
        return 130
    print((done.folder / "metrics.json").read_text() if options.json else done)
    print(f"report: {done.report}", file=sys.stderr)
    return 0 if done.passed else 1
