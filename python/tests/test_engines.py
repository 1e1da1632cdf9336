"""Counts in threads that nobody waits for, and in the workers of table engines."""

import asyncio
import contextvars
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path

import pytest

import tallyboard as tb
from tallyboard._engines import default_threads

TEXT = tb.to_text(tb.generate(40, seed=5))
RATINGS = tb.rate(TEXT).tolist()
# Hours, if nothing ends it.
LONG = 26


def test_a_count_ends_with_its_block() -> None:
    async def given_up() -> None:
        with tb.Cancellation():
            await asyncio.wait_for(asyncio.to_thread(tb.queens_count, LONG), 0.2)

    # `asyncio.run` waits for its threads, so that it returns shows that the count has ended.
    with pytest.raises(TimeoutError if sys.version_info >= (3, 11) else asyncio.TimeoutError):
        asyncio.run(given_up())


def test_a_count_ends_when_it_is_cancelled() -> None:
    with ThreadPoolExecutor(1) as executor, tb.Cancellation() as cancellation:
        future = executor.submit(contextvars.copy_context().run, tb.queens_count, LONG)
        time.sleep(0.1)
        assert not future.done()
        cancellation.cancel()
        with pytest.raises(CancelledError, match="cancelled"):
            future.result(60)
        assert cancellation.is_cancelled
    # Outside of the block, and in a block of its own, counts are as ever.
    with tb.Cancellation():
        assert tb.queens_count(8) == 92
    assert tb.queens_count(8) == 92


@pytest.mark.parametrize("pool", ["threading.Thread(target=tb.queens_count, args=(26,)).start()",
                                  "ThreadPoolExecutor().submit(tb.queens_count, 26)"])  # fmt: skip
def test_the_end_of_the_interpreter_ends_a_count(pool: str) -> None:
    begun = f"import threading, time, tallyboard as tb\nfrom concurrent.futures import ThreadPoolExecutor\n{pool}\ntime.sleep(.1)"
    subprocess.run([sys.executable, "-c", begun], check=True, timeout=60, capture_output=True)


def test_a_task_takes_the_cores_that_its_engine_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ray", "pyspark", "distributed"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert default_threads() == 0
    monkeypatch.setitem(sys.modules, "ray", type(sys)("ray"))
    assert default_threads() == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert default_threads() == 0


def test_ray_tells_a_task_its_cores() -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:

        @ray.remote(num_cpus=1)
        def task(rows: list[str]) -> tuple[int, list[float]]:
            from tallyboard._engines import default_threads

            return default_threads(), tb.rate(rows).tolist()

        assert ray.get(task.remote(TEXT)) == (1, RATINGS)
        dataset = ray.data.from_pandas(pandas.DataFrame({"puzzle": TEXT}))
        rated = dataset.map_batches(lambda frame: frame.assign(rating=tb.rate(frame.puzzle)), batch_format="pandas")
        assert sorted(row["rating"] for row in rated.take_all()) == sorted(RATINGS)
    finally:
        ray.shutdown()


def test_dask_knows_a_result_before_it_is_computed() -> None:
    pytest.importorskip("dask.dataframe", reason="dask is not installed")
    import dask.dataframe
    import pandas
    from tallyboard.dask import map_column

    frame = dask.dataframe.from_pandas(pandas.DataFrame({"puzzle": TEXT}), npartitions=3)
    rating = map_column(frame.puzzle, tb.rate)
    assert rating.dtype == float and rating.name == "puzzle" and rating.compute().tolist() == RATINGS
    method = map_column(frame.puzzle, tb.method, errors="null")
    assert method.compute().tolist() == tb.method(TEXT)
    with pytest.raises(TypeError, match="returns Solved"):
        map_column(frame.puzzle, tb.solve)


def test_dask_gives_a_task_one_thread() -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert client.submit(default_threads).result() == 1
    assert default_threads() == 0


def page() -> str:
    """The page of tables, in a clone or beside the tests."""
    tests = Path(__file__).parent
    for path in (tests.parent / "python.md", tests.parent.parent / "docs" / "python.md"):
        if path.exists():
            return path.read_text()
    pytest.skip("no docs/python.md")


@pytest.mark.parametrize("engine", ["ray", "dask", "daft", "pyspark", "duckdb", "datafusion", "ibis", "lance"])
def test_the_lines_of_the_page_rate_a_folder(engine: str, tmp_path: Path) -> None:
    for package in (engine, "pandas", "pyarrow", *(["dask.dataframe"] if engine == "dask" else [])):
        pytest.importorskip(package, reason=f"{package} is not installed")
    if engine == "pyspark" and not shutil.which("java"):
        pytest.skip("PySpark needs Java")
    import pyarrow
    import pyarrow.parquet

    blocks = page().split("## Tables that outgrow a machine")[1].split("\n## ")[0].split("\n\n")
    [lines] = [block for block in blocks if re.search(rf"^    (import|from) .*\b{engine}\b", block, re.MULTILINE)]
    (tmp_path / "lines.py").write_text(textwrap.dedent(lines))
    table = pyarrow.table({"puzzle": TEXT})
    (tmp_path / "in").mkdir()
    for part in range(2):
        pyarrow.parquet.write_table(table.slice(20 * part, 20), tmp_path / "in" / f"{part}.parquet")
    if engine == "lance":
        import lance

        lance.write_dataset(table, tmp_path / "puzzles.lance")
    # PySpark's workers take the first Python of the path otherwise.
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "lines.py"]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    if engine == "lance":
        rated = lance.dataset(tmp_path / "puzzles.lance").to_table()
    else:
        [out] = tmp_path.glob("out*")
        rated = pyarrow.parquet.read_table(out, columns=["puzzle", "rating"])
    assert dict(zip(rated["puzzle"].to_pylist(), rated["rating"].to_pylist())) == dict(zip(TEXT, RATINGS))
