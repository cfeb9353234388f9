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
from skerry import _process, _shared

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


def test_a_file_serves_again_once_nobody_holds_its_arrays() -> None:
    first = np.zeros((600, 700), np.uint8)
    first[5:9, 5:9] = 1
    second = np.random.default_rng(5).random((600, 700)) > 0.5
    with skerry.Engine(threads=1) as engine:
        held = skerry.label(first, engine=engine)
        part = held[4:10, 4:10]
        expected = part.copy()
        others = skerry.label(second, engine=engine)
        copy = others.copy()
        del others, held
        again = skerry.label(second, engine=engine)
        # The file of others serves again; that of held does not, since a part of it is held.
        assert len(engine._process._results._paths) == 2
        np.testing.assert_array_equal(again, copy)
        np.testing.assert_array_equal(part, expected)
        with pytest.raises(ValueError):
            skerry.label(second, connectivity=5, engine=engine)
        larger = skerry.label(np.pad(second, 300), engine=engine)
        assert larger.count == again.count
        np.testing.assert_array_equal(again, copy)
    np.testing.assert_array_equal(again, copy)


def test_no_file_is_left() -> None:
    where = _shared.folder()
    with skerry.Engine(threads=1) as engine:
        label = skerry.label(IMAGE, engine=engine)
        begin = engine._process._prefix
        with pytest.raises(ValueError):
            skerry.label(IMAGE, connectivity=5, engine=engine)
    assert label.count > 0
    assert not [name for name in os.listdir(where) if name.startswith(begin)]


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
    before = set(os.listdir(_shared.folder()))
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
    left = set(os.listdir(_shared.folder())) - before
    assert not [name for name in left if name.startswith("skerry-")]


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="no /proc")
def test_memory_is_flat() -> None:
    image = np.random.default_rng(4).integers(0, 200, (200, 300)).astype(np.uint8)
    with skerry.Engine(threads=1) as engine:
        def call(index: int) -> None:
            if index % 3 == 0:
                skerry.regions(image, threshold={"above": 100}, engine=engine)
            elif index % 3 == 1:
                skerry.distance_transform(image, threshold={"above": 190}, engine=engine)
            else:
                skerry.label(image, threshold="otsu", connectivity=8, engine=engine)

        for index in range(300):
            call(index)
        pids = (os.getpid(), child_of(engine))
        before = [resident(pid) for pid in pids]
        for index in range(1000):
            call(index)
        grown = [resident(pid) - bytes_before for pid, bytes_before in zip(pids, before)]
    # A leak of one of the results, 240 kB, would be 240 MB.
    assert max(grown) < 40e6


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_arrays_are_each_processs_own_after_a_fork() -> None:
    first = np.random.default_rng(6).random((700, 700)) > 0.5
    with skerry.Engine(threads=1) as engine:
        labels = skerry.label(first, engine=engine)
        expected = labels.copy()
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(write)
            labels[0, :] = 777
            os.read(read, 1)
            same = (labels[1:] == expected[1:]).all() and (labels[0] == 777).all()
            os._exit(0 if same else 1)
        os.close(read)
        del labels
        for _ in range(3):
            again = skerry.label(~first, engine=engine)
            assert 777 not in again[0]
        os.write(write, b"x")
        os.close(write)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        began = time.monotonic()
    # The child of the fork holds no end of the pipes.
    assert time.monotonic() - began < 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_during_a_call_of_another_thread() -> None:
    large = np.random.default_rng(7).integers(0, 255, (2000, 2000, 3)).astype(np.uint8)
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(IMAGE, engine=engine).copy()
        worker = threading.Thread(target=lambda: skerry.kmeans(large, 60, channel_axis=-1, max_iterations=20, engine=engine))
        worker.start()
        time.sleep(0.3)
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)
            same = (skerry.label(IMAGE, engine=engine) == expected).all()
            engine.close()
            os._exit(0 if same else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        worker.join()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupts_at_any_time_end_one_call() -> None:
    image = np.random.default_rng(8).random((300, 300)) > 0.5
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(image, engine=engine).copy()
        armed = threading.Event()

        def interrupt(*_: object) -> None:
            if armed.is_set():
                raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            for delay in np.random.default_rng(9).uniform(0.002, 0.02, 40):

                def press(delay: float = delay) -> None:
                    # Python swallows an interrupt that comes while an array is dropped: then it is pressed once more.
                    while armed.is_set():
                        time.sleep(delay)
                        os.kill(os.getpid(), signal.SIGINT)
                        time.sleep(0.3)

                armed.set()
                presser = threading.Thread(target=press)
                presser.start()
                calls, began = 0, time.monotonic()
                try:
                    while time.monotonic() - began < 10:
                        skerry.label(image, engine=engine)
                        calls += 1
                    raise AssertionError("no interrupt came through")
                except KeyboardInterrupt:
                    armed.clear()
                presser.join()
        finally:
            signal.signal(signal.SIGINT, before)
        np.testing.assert_array_equal(skerry.label(image, engine=engine), expected)


def test_an_error_of_the_progress_ends_the_call() -> None:
    class Stop(Exception):
        pass

    def stop(_: object) -> None:
        raise Stop

    large = np.random.default_rng(10).integers(0, 255, (1500, 1500)).astype(np.uint8)
    with skerry.Engine(threads=1) as engine:
        expected = skerry.label(IMAGE, engine=engine).copy()
        recipe = {"skerry": 1, "operation": "components", "options": {"threshold": "otsu"}}
        for _ in range(3):
            with pytest.raises(Stop):
                engine._process.call(recipe, [(None, large, {})], ("labels",), stop)
        np.testing.assert_array_equal(skerry.label(IMAGE, engine=engine), expected)
        assert not engine._process._left
