"""Enumerates the possible contents of a disk if the power fails while a program changes files.

Changes that were not synced may or may not be on the disk: each change of a folder independently; the bytes of a file
completely, partially, as zeros, or as they were when the file was last synced. A rename is a single change. Synced
changes are on the disk.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_ALL_CHOICES = 5  # up to this number of unsynced changes or files all combinations are tried, beyond it only some
_CHANGES = ("os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.truncate")
Place = tuple[str, str]  # (folder relative to the root, name in it)
Edit = dict[Place, int | None]  # inode by name; None: the name is removed
State = dict[str, bytes | None]  # content by path relative to the root; None: a folder


class Moment(NamedTuple):
    """The disk between two changes."""

    kept: dict[Place, int]  # synced names
    pending: list[Edit]  # changes that may be on the disk, in the order of execution
    written: dict[int, bytes]  # contents written to each file
    synced: dict[int, bytes]  # synced contents
    told: Any  # the last argument of `tell`


class Disk:
    """Records all changes by this process to files below a folder, from Python and from the engine, until it exits.
    Hard links in another folder keep inode numbers from being reused. Files with a prefix in `nobodys` are ignored.
    Thread-safe: a change waits until the previous state is recorded.
    """

    def __init__(self, root: str, aside: str, nobodys: tuple[str, ...] = ()) -> None:
        self.moments: list[Moment] = []
        self._root, self._aside, self._nobodys = root, aside, nobodys
        self._lock, self._looks = threading.RLock(), threading.local()
        self._names: dict[Place, int] = {}
        self._kept: dict[Place, int] = {}
        self._pending: list[Edit] = []
        self._written: dict[int, bytes] = {}
        self._synced: dict[int, bytes] = {}
        self._told: Any = None
        self._folders = 0
        self._over = False

    def watch(self, watch_engine: Callable[[Any], None]) -> None:
        """Starts recording on all threads, until `end`."""
        self._look()
        self._kept, self._synced, self._pending = dict(self._names), dict(self._written), []
        sync = os.fsync

        def fsync(descriptor: int) -> None:
            self._before_sync(os.readlink(f"/proc/self/fd/{descriptor}"))
            sync(descriptor)

        os.fsync = fsync  # type: ignore[assignment]
        sys.addaudithook(self._python_changes)
        watch_engine(self._engine_changes)

    def tell(self, what: Any) -> None:
        """Attaches a value to all moments from now on."""
        with self._lock:
            if self._told is not None:
                self.look()
            self._told = what
            self.look()

    def end(self) -> None:
        """Stops recording, also for other threads that are about to record."""
        with self._lock:
            self._over = True

    def look(self) -> None:
        """Records this moment, unless nothing changed."""
        with self._lock:
            if self._over:
                return
            self._looks.now = True
            try:
                self._look()
            finally:
                self._looks.now = False
            kept, pending, written = dict(self._kept), list(self._pending), dict(self._written)
            moment = Moment(kept, pending, written, dict(self._synced), self._told)
            if not self.moments or self.moments[-1] != moment:
                self.moments.append(moment)

    def _engine_changes(self, change: str, path: bytes, _size: int) -> None:
        if change == "sync":
            self._before_sync(os.path.abspath(os.fsdecode(path)))
        else:
            self.look()

    def _python_changes(self, event: str, arguments: Any) -> None:
        if self._over or (event not in _CHANGES and event != "open") or getattr(self._looks, "now", False):
            return
        if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & _WRITES):
            return
        if isinstance(arguments[0], (str, bytes)) and os.fsdecode(arguments[0]).startswith(self._root):
            self.look()

    def _before_sync(self, path: str) -> None:
        with self._lock:
            self.look()
            if not self._over:
                self._sync(path)

    def _sync(self, path: str) -> None:
        if os.path.isdir(path):
            folder, left = os.path.relpath(path, self._root), []
            for edit in self._pending:
                if any(place[0] == folder and number is not None for place, number in edit.items()) or all(
                    place[0] == folder for place in edit
                ):
                    _apply(edit, self._kept)
                else:
                    left.append(edit)
            self._pending = left
        else:
            number = os.stat(path).st_ino
            if number in self._written:
                self._synced[number] = self._written[number]

    def _look(self) -> None:
        names: dict[Place, int] = {}
        for folder, folders, files in os.walk(self._root):
            below = os.path.relpath(folder, self._root)
            for name in folders:  # own numbers, because the inode of a deleted folder may be reused
                self._folders += (below, name) not in self._names
                names[below, name] = self._names.get((below, name), -self._folders)
            for name in files:
                if name.startswith(self._nobodys):
                    continue
                path = os.path.join(folder, name)
                number = names[below, name] = os.stat(path).st_ino
                if number not in self._written:
                    os.link(path, os.path.join(self._aside, str(number)))
                with open(path, "rb") as file:
                    self._written[number] = file.read()
        edit: Edit = {place: None for place in self._names if place not in names}
        edit |= {place: number for place, number in names.items() if self._names.get(place) != number}
        gone = [place for place, number in edit.items() if number is None]
        moved = {self._names[place] for place in gone} & set(edit.values())
        if moved:
            self._pending.append(edit)
        else:
            self._pending += [{place: number} for place, number in edit.items()]
        self._names = names


def _apply(edit: Edit, names: dict[Place, int]) -> None:
    for place, number in edit.items():
        if number is None:
            names.pop(place, None)
        else:
            names[place] = number


def _choices(pending: list[Edit]) -> Iterator[list[Edit]]:
    """The possible subsets of folder changes on the disk."""
    count = len(pending)
    if count <= _ALL_CHOICES:
        for size in range(count + 1):
            yield from map(list, combinations(pending, size))
        return
    for i in range(count + 1):
        yield pending[:i]
        yield pending[i:]
        yield pending[:i] + pending[i + 1 :]


def _contents(moment: Moment, numbers: list[int]) -> Iterator[dict[int, bytes]]:
    """The possible contents of these files on the disk."""
    written = {number: moment.written[number] for number in numbers}
    synced = {number: moment.synced.get(number, b"") for number in numbers}
    open_ones = [number for number in numbers if written[number] != synced[number]]
    yield written
    if not open_ones:
        return
    yield synced
    yield {number: data if number not in open_ones else data[: len(data) // 2] for number, data in written.items()}
    yield {number: data if number not in open_ones else bytes(len(data)) for number, data in written.items()}
    for number in open_ones if 1 < len(open_ones) <= _ALL_CHOICES else ():
        yield {**written, number: synced[number]}
        yield {**synced, number: written[number]}


def states_after(moment: Moment) -> Iterator[State]:
    """The possible states of the disk if the power fails at that moment."""
    for edits in _choices(moment.pending):
        names = dict(moment.kept)
        for edit in edits:
            _apply(edit, names)
        reached = _reached(names)
        numbers = sorted({number for _, number in reached if number in moment.written})
        for contents in _contents(moment, numbers):
            yield {path: contents.get(number) for path, number in reached}


def _reached(names: dict[Place, int], folder: str = ".") -> list[tuple[str, int]]:
    """The (path, inode) pairs reachable from the root."""
    found = []
    folders = {place[0] for place in names}
    for (where, name), number in names.items():
        if where != folder:
            continue
        path = name if folder == "." else f"{folder}/{name}"
        found.append((path, number))
        if path in folders:
            found += _reached(names, path)
    return found


class States:
    """A folder that takes on one state after the other."""

    def __init__(self, root: str) -> None:
        shutil.rmtree(root)
        os.mkdir(root)
        self._root = root
        self._now: State = {}

    def write(self, state: State) -> None:
        """Makes the folder hold exactly this state."""
        now = self._now
        for path in sorted(now, reverse=True):
            if path not in state or (state[path] is None) != (now[path] is None):
                name = os.path.join(self._root, path)
                os.rmdir(name) if now.pop(path) is None else os.unlink(name)
        for path, content in sorted(state.items()):
            if path in now and now[path] == content:
                continue
            name = os.path.join(self._root, path)
            if content is None:
                os.mkdir(name)
            else:
                with open(name, "wb") as file:
                    file.write(content)
            now[path] = content
