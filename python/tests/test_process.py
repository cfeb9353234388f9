"""The Node process: results that stay, threads, forks, crashes, and its end."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import skerry
from skerry import _process

IMAGE = np.random.default_rng(1).random((64, 80)) > 0.6


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def child_of(engine: skerry.Engine) -> int:
    return engine._process._child.pid


def test_results_stay_and_can_be_written_to() -> None:
    with skerry.Engine(threads=1) as engine:
        first = skerry.label(IMAGE, engine=engine)
        copy = first.copy()
        for seed in range(100):
            skerry.label(np.random.default_rng(seed).random((64, 80)) > 0.5, engine=engine)
        np.testing.assert_array_equal(first, copy)
        first[:] = 7
        assert (first == 7).all()
    # The end of the engine does not take results along.
    assert (first == 7).all()


def test_no_file_is_left() -> None:
    where = _process.folder()
    with skerry.Engine(threads=1) as engine:
        label = skerry.label(IMAGE, engine=engine)
        pid = child_of(engine)
        with pytest.raises(ValueError):
            skerry.label(IMAGE, connectivity=5, engine=engine)
    assert label.count > 0
    assert not [name for name in os.listdir(where) if name.startswith(f"skerry-{pid}-")]


def test_threads_take_turns() -> None:
    images = [np.random.default_rng(seed).random((50, 60)) > 0.5 for seed in range(8)]
    with skerry.Engine(threads=1) as engine:
        expected = [skerry.label(image, engine=engine).copy() for image in images]
        found: list[np.ndarray | None] = [None] * 8

        def work(index: int) -> None:
            found[index] = skerry.label(images[index], engine=engine)

        workers = [threading.Thread(target=work, args=(index,)) for index in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for own, other in zip(found, expected):
            np.testing.assert_array_equal(own, other)


def test_a_killed_child_is_told_once() -> None:
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(IMAGE, engine=engine)
        engine._process._child.kill()
        time.sleep(0.2)
        np.testing.assert_array_equal(skerry.label(IMAGE, engine=engine), expected)
        pid = child_of(engine)
        large = np.random.default_rng(2).integers(0, 255, (3000, 3000, 3)).astype(np.uint8)
        threading.Timer(0.5, lambda: os.kill(pid, signal.SIGKILL)).start()
        with pytest.raises(skerry.SkerryError, match="ended with the code -9"):
            skerry.kmeans(large, 200, channel_axis=-1, max_iterations=1000, engine=engine)
        np.testing.assert_array_equal(skerry.label(IMAGE, engine=engine), expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_starts_its_own() -> None:
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(IMAGE, engine=engine)
        pid = os.fork()
        if pid == 0:
            same = (skerry.label(IMAGE, engine=engine) == expected).all()
            engine.close()
            os._exit(0 if same else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        np.testing.assert_array_equal(skerry.label(IMAGE, engine=engine), expected)


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="no /proc")
@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 9)", "pass"])
def test_the_child_ends_with_its_parent(end: str) -> None:
    script = f"""
import os, numpy as np, skerry
skerry.label(np.eye(5))
print(skerry._engine.default_engine()._process._child.pid, flush=True)
{end}
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    pid = int(done.stdout)
    for _ in range(50):
        if not alive(pid):
            break
        time.sleep(0.1)
    assert not alive(pid)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_the_call_alone() -> None:
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(IMAGE, engine=engine)
        pid = child_of(engine)
        large = np.random.default_rng(3).integers(0, 255, (3000, 3000, 3)).astype(np.uint8)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            skerry.kmeans(large, 200, channel_axis=-1, max_iterations=1000, engine=engine)
        np.testing.assert_array_equal(skerry.label(IMAGE, engine=engine), expected)
        assert child_of(engine) == pid


def test_a_full_folder_is_a_memory_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if not hasattr(os, "posix_fallocate"):
        pytest.skip("no posix_fallocate")
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(IMAGE, engine=engine)
        monkeypatch.setattr(os, "posix_fallocate", full)
        with pytest.raises(MemoryError, match="has no room for an array"):
            skerry.label(np.zeros((2000, 2000), np.uint8), engine=engine)
        monkeypatch.undo()
        np.testing.assert_array_equal(skerry.label(IMAGE, engine=engine), expected)
