"""Files in memory that Python and the Node process share: one holds the images of a call, others the results.

They lie in /dev/shm on Linux, else in the folder of temporary files, and their names begin alike, so that whoever is left removes them.
"""
from __future__ import annotations

import errno
import mmap
import os
import secrets
import tempfile
import weakref
from collections import deque
from typing import Any

import numpy as np

#: Types of arrays by the child's names.
NUMPY = {
    "u8": np.uint8, "u16": np.uint16, "i16": np.int16, "u32": np.uint32, "i32": np.int32,
    "f32": np.float32, "f64": np.float64, "i64": np.int64,
}
SENT = {np.dtype(kind): name for name, kind in NUMPY.items()}

#: The most bytes of files that wait to serve again, and the least bytes of one.
MOST_WAITING, LEAST_WAITING = 2**29, 2**20


def folder() -> str:
    """A folder for files in memory."""
    return "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


def prefix() -> str:
    """How the names of the files of a Node process begin: process numbers repeat in containers that share a folder."""
    return f"skerry-{os.getpid()}-{secrets.token_hex(4)}-"


def sweep(where: str, begin: str) -> None:
    """Removes all files whose names begin so. Arrays in them stay valid."""
    for name in os.listdir(where):
        if name.startswith(begin):
            remove(os.path.join(where, name))


def remove(path: str) -> None:
    try:
        os.unlink(path)
    except (FileNotFoundError, PermissionError):
        # Windows keeps a file that is mapped; the sweep at the end removes it.
        pass


class Room:
    """A file that holds the images of a call; it grows, and serves again."""

    def __init__(self, where: str, begin: str) -> None:
        self.path = os.path.join(where, f"{begin}in")
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0), 0o600)
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


class Results:
    """Files of results. One serves again once nobody holds an array in it: its memory is there already, and is filled in half of the time."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._paths: set[str] = set()
        # A deque, since arrays may be dropped in any thread, at any time.
        self._waiting: deque[tuple[str, int]] = deque()
        ALL.add(self)

    def take(self, size: int) -> tuple[str, int] | None:
        """A file that waits, at least of this size and not much larger."""
        for _ in range(len(self._waiting)):
            try:
                each = self._waiting.popleft()
            except IndexError:
                return None
            if size <= each[1] <= 2 * size:
                return each
            self._waiting.append(each)
        return None

    def give(self, path: str, size: int) -> None:
        """Has a file wait; a small one, one of too many, and one that a process shares since a fork are removed."""
        if os.getpid() != self._owner:
            return
        waits = path in self._paths and size >= LEAST_WAITING
        if waits and size + sum(each[1] for each in list(self._waiting)) <= MOST_WAITING:
            self._waiting.append((path, size))
        else:
            self._paths.discard(path)
            remove(path)

    def purge(self) -> bool:
        """Removes the files that wait; whether there were some."""
        found = False
        while self._waiting:
            path, _ = self._waiting.popleft()
            self._paths.discard(path)
            remove(path)
            found = True
        return found

    def retire(self) -> None:
        """Has the files that are held now serve no more: a process that is forked off holds their arrays, too."""
        self._paths = {path for path, _ in self._waiting}

    def arrays(self, sent: list[dict[str, Any]]) -> dict[str, np.ndarray]:
        """The arrays of an answer, as views on its file. What is written to them stays in this process, as to any array."""
        found: dict[str, np.ndarray] = {}
        if not sent:
            return found
        path = sent[0]["file"]
        size = os.path.getsize(path)
        mapped = None
        if size > 0:
            with open(path, "rb") as file:
                mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY)
            self._paths.add(path)
            # Every array of the file has the map as its base, and so have its views: without it, nobody reads the file.
            weakref.finalize(mapped, self.give, path, size).atexit = False
        else:
            remove(path)
        for each in sent:
            kind, shape = NUMPY[each["type"]], tuple(each["shape"])
            if mapped is None or 0 in shape:
                found[each["name"]] = np.empty(shape, kind)
            else:
                found[each["name"]] = np.ndarray(shape, kind, mapped, each["offset"])
        return found


#: All of them, for forks.
ALL: weakref.WeakSet[Results] = weakref.WeakSet()


def retire_all() -> None:
    for each in list(ALL):
        each.retire()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=retire_all)


def expected(images: list[tuple[str | None, np.ndarray, dict[str, Any]]], results: tuple[str, ...]) -> int:
    """Bytes of the results that have a value per pixel."""
    _, first, facts = images[0]
    pixels = first.size // facts.get("channels", 1)
    each = {"labels": 4.0, "distances": 4.0, "nearest": 4.0, "classes": 1.0, "mask": 1 / 8}
    return int(pixels * sum(each.get(name, 0.0) for name in results))
