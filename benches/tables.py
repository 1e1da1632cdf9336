"""What engines for tables cost over `tallyboard.solve` on arrays, and what a second worker gives. Prints a table.

    python benches/tables.py [ENGINE]...

In an environment with the package and the engines. Each engine reads a folder of Parquet files, adds the column
`solution`, and writes a folder. CPU seconds, user and system, are those of the driver and of all its descendants, from two
lengths of the table, so that what a start costs is told apart. Throughput is wall time after a warm-up,
of one worker and of two in turns, one thread each. Linux alone: it adopts what daemons leave behind.
"""

import ctypes
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

FILES, ROWS = 8, 250_000  # of the long table; the short one has the first two of these files
TURNS = int(os.environ.get("TURNS", "3"))
PR_SET_CHILD_SUBREAPER = 36


def arrays(_workers: int, source: Path, _out: Path) -> None:
    import numpy as np

    import tallyboard as tb

    for path in sorted(source.iterdir()):
        tb.solve(np.load(path.parents[1] / "cells" / f"{path.stem}.npy"))


def program(_workers: int, source: Path, out: Path) -> None:
    program = Path(sys.executable).with_name("tallyboard")
    out.mkdir(parents=True)
    for path in sorted(source.iterdir()):
        text = path.parents[1] / "text" / path.stem
        subprocess.run([program, "-q", "-j1", "sudoku", "solve", text, "-o", out / path.stem], check=True)


def pyarrow(_workers: int, source: Path, out: Path) -> None:
    import pyarrow.parquet as pq

    import tallyboard as tb

    out.mkdir(parents=True)
    for path in sorted(source.iterdir()):
        table = pq.read_table(path)
        pq.write_table(table.append_column("solution", tb.solve(table["puzzle"]).solutions), out / path.name)


def duckdb(_workers: int, source: Path, out: Path) -> None:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    import tallyboard as tb

    out.mkdir(parents=True)
    batches = duckdb.sql(f"select puzzle from '{source}/*.parquet'").to_arrow_reader(250_000)
    with pq.ParquetWriter(out / "out.parquet", pa.schema({"puzzle": pa.string(), "solution": pa.string()})) as file:
        for batch in batches:
            solutions = tb.solve(batch["puzzle"]).solutions
            file.write(pa.record_batch({"puzzle": batch["puzzle"], "solution": solutions}))


def daft(_workers: int, source: Path, out: Path) -> None:
    import daft

    import tallyboard as tb

    solve = daft.func.batch(return_dtype=daft.DataType.string())(lambda puzzles: tb.solve(puzzles).solutions)
    frame = daft.read_parquet(str(source))
    frame.with_column("solution", solve(frame["puzzle"])).write_parquet(str(out))


def ray(workers: int, source: Path, out: Path) -> None:
    import ray

    import tallyboard as tb

    if not ray.is_initialized():
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    rows = ray.data.read_parquet(str(source))
    rows.map_batches(
        lambda batch: batch.assign(solution=tb.solve(batch.puzzle).solutions), batch_format="pandas"
    ).write_parquet(str(out))


def dask(workers: int, source: Path, out: Path) -> None:
    import dask.dataframe as dd
    import distributed

    import tallyboard as tb
    from tallyboard.dask import map_column

    try:
        distributed.default_client()
    except ValueError:
        distributed.Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    frame = dd.read_parquet(str(source))
    frame.assign(solution=map_column(frame.puzzle, lambda puzzles: tb.solve(puzzles).solutions)).to_parquet(str(out))


def pyspark(workers: int, source: Path, out: Path) -> None:
    import pyarrow as pa
    from pyspark.sql import SparkSession

    import tallyboard as tb

    def solved(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            solutions = tb.solve(batch["puzzle"]).solutions
            yield pa.record_batch({"puzzle": batch["puzzle"], "solution": solutions})

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false")
    rows = builder.getOrCreate().read.parquet(str(source)).select("puzzle")
    rows.mapInArrow(solved, "puzzle string, solution string").write.parquet(str(out))


# Those that spread a table over workers themselves, and those of which each worker is a process with its share of the files.
CLUSTERS: list[Callable[[int, Path, Path], None]] = [ray, dask, pyspark]
PROCESSES: list[Callable[[int, Path, Path], None]] = [arrays, program, pyarrow, duckdb, daft]
ENGINES = {engine.__name__: engine for engine in [*PROCESSES, *CLUSTERS]}


def make_tables(work: Path) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    import tallyboard as tb

    cells = tb.generate(FILES * ROWS // 10, clues=27, seed=1)
    for kind in ["cells", "text", "long", "short", "warm", "half0", "half1"]:
        (work / kind).mkdir()
    for number in range(FILES):
        # Every puzzle comes in the table ten times, in other orders.
        some = np.random.default_rng(number).permutation(cells)
        some = np.concatenate([some, np.random.default_rng(FILES + number).permutation(cells)])[:ROWS]
        text = tb.to_text(some)
        name = f"{number:02}"
        np.save(work / "cells" / f"{name}.npy", some)
        (work / "text" / name).write_text("\n".join(text))
        path = work / "long" / f"{name}.parquet"
        pq.write_table(pa.table({"puzzle": text}), path)
        os.link(path, work / f"half{number % 2}" / path.name)
        if number < 2:
            os.link(path, work / "short" / path.name)
    pq.write_table(pa.table({"puzzle": text[:2000]}), work / "warm" / "00.parquet")


def child(name: str, workers: int, source: Path, out: Path, core: int) -> None:
    """What a worker process does, or the driver of a cluster: it warms up, says so, and waits for its turn."""
    if ENGINES[name] not in CLUSTERS:
        os.sched_setaffinity(0, {core})
    ENGINES[name](workers, source.parent / "warm", out / "warm")
    print("ready", flush=True)
    input()
    ENGINES[name](workers, source, out / "all")
    print("done", flush=True)


def measure(name: str, workers: int, sources: list[Path]) -> tuple[float, float]:
    """CPU seconds of all processes, and seconds of wall time after the warm-up."""
    before = cpu_seconds()
    with tempfile.TemporaryDirectory() as out:
        started = []
        for core, source in enumerate(sources):
            arguments = [name, str(workers), str(source), f"{out}/{core}", str(core)]
            command = [sys.executable, __file__, "--child", *arguments]
            pipe = subprocess.PIPE
            started.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True))
        for process in started:
            wait_for(process, "ready")
        begun = time.monotonic()
        for process in started:
            print("go", file=process.stdin, flush=True)
        for process in started:
            wait_for(process, "done")
        seconds = time.monotonic() - begun
        used = cpu_seconds() - before
        for process in started:
            process.communicate()
        # Daemons that a driver has left are children of this process now.
        try:
            while True:
                os.wait()
        except ChildProcessError:
            pass
    return used, seconds


def cpu_seconds() -> float:
    """Of all descendants: of those that live, each with those that it waited for, and of those that this process did."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks, parents = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(path.parent.name)
        parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    family = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    own = sum(ticks[pid] for pid in family - {os.getpid()})
    return ended.ru_utime + ended.ru_stime + own / os.sysconf("SC_CLK_TCK")


def wait_for(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if line.strip() == word:
            return
    sys.exit(f"FAILED: {process.args}: ended before it was {word}")


def main(names: list[str]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        make_tables(work)
        millions = (FILES - 2) * ROWS / 1e6
        print("| engine | start, CPU s | CPU s a million | wall s: one worker | two | two against one |")
        print("|---|---|---|---|---|---|", flush=True)
        for name in names or ENGINES:
            is_cluster = ENGINES[name] in CLUSTERS
            two = [work / "long"] if is_cluster else [work / "half0", work / "half1"]
            runs = []
            for _ in range(TURNS):
                short = measure(name, 1, [work / "short"])[0]
                cpu, one = measure(name, 1, [work / "long"])
                slope = (cpu - short) / millions
                runs.append((short - slope * 2 * ROWS / 1e6, slope, one, measure(name, 2, two)[1]))
            start, slope, one, both = (statistics.median(figures) for figures in zip(*runs, strict=True))
            ratio = statistics.median(one / both for *_, one, both in runs)
            print(f"| {name} | {start:.1f} | {slope:.2f} | {one:.1f} | {both:.1f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        name, workers, source, out, core = sys.argv[2:]
        child(name, int(workers), Path(source), Path(out), int(core))
    else:
        main(sys.argv[1:])
