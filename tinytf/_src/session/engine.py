"""The interfaces between sessions and the engines that run their steps.

A session checks and flattens what its caller passes; an engine knows tensors, operations and values only. Errors of
engines are `errors.OpError`s without creation lines, which sessions add. Engines and prepared calls are thread-safe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor

Convert = Callable[[int, Any], np.ndarray]  # (index of the feed, value) → array to feed


class Prepared(Protocol):
    """A step whose feeds, fetches and targets are known to the engine. Keeps the engine's state alive, not its session.

    `yield_` of `Engine.prepare` determines what a call returns: "list" the values of the fetches, "single" the value of
    the only fetch, "none" None, "held" a list of values that stay in the engine's memory, which only engines of this
    process have.
    """

    def call(self, values: Sequence[Any], /) -> Any:
        """Runs the step; blocks until it has ended. `values` has one for each feed. CancelledError if the engine is
        closed, or is closed meanwhile."""

    def call_with(
        self,
        values: Sequence[Any],
        timeout_ms: int = 0,
        inter_op_pool: int = 0,
        traced: bool = False,
        cancellation: Any = None,
        digests: Any = None,
    ) -> tuple[Any, Any]:
        """Like `call`, with the options of one step; returns also the records of its nodes if it is `traced`.
        `cancellation` is a `_core.Cancellation`; `digests`, a `_core.DigestRecorder`, is for prepared calls of this
        process."""


class LocalPrepared(Prepared, Protocol):
    """A prepared call of an engine of this process."""

    def describe(self) -> dict[str, Any]:
        """Returns the nodes and the memory of the step, for a report."""

    def hold_variables(self) -> dict[str, Any]:
        """Returns the values of the reference variables that the step uses, by operation name; they are not copied. An
        update of a held variable writes to new memory."""

    def variables(self) -> list[tuple[str, int, Any]]:
        """Returns the variables that the step uses."""

    def set_variable(self, node: str, value: Any) -> None:
        """Sets a variable that the step uses."""

    def variable_digests(self) -> list[tuple[str, int]]:
        """Returns digests of the values of the variables that the step uses."""

    def random_states(self) -> list[tuple[str, list[int]]]:
        """Returns the states of the step's random operations."""

    def set_random_state(self, node: str, state: Sequence[int]) -> None:
        """Sets the state of a random operation of the step."""


class PartialStep(Protocol):
    """A step whose feeds are given, and whose fetches are taken, by several calls."""

    def go_on(self, feeds: Sequence[tuple[int, Any]], fetches: Sequence[int]) -> list[Any]:
        """Gives feeds, as pairs of index and array, and returns the values of fetches, given by index. Blocks until
        they are computed."""

    def over(self) -> bool:
        """Returns whether all feeds were given and all fetches taken, or the step failed."""


class Engine(Protocol):
    """Runs the steps of one session. Owns the session's variables, queues and other resources until `close`."""

    @property
    def local(self) -> LocalEngine | None:
        """The engine itself if it runs in this process, else None."""

    def devices(self) -> list[str]:
        """Returns the full names of the devices."""

    def placements(self) -> dict[str, int]:
        """Returns the index of the device of each operation that was placed, by operation name."""

    def take_placement_news(self) -> tuple[list[tuple[str, str, int]], list[str], list[str]]:
        """Returns the placements since the last call (name, op, device), and notes and warnings about them; empty if
        the config does not ask for a log."""

    def extend(self) -> None:
        """Brings the engine up to date with its graph. To be called before steps that use new operations are
        prepared."""

    def prepare(
        self,
        feeds: Sequence[Tensor],
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        convert: Convert | None,
        yield_: str = "list",
        timeout_ms: int = 0,
        cancellation: Any = None,
    ) -> Prepared:
        """Returns a prepared call. `convert` is called, with the GIL, for fed values that are not arrays of the
        tensor's type; the prepared call keeps it alive. `timeout_ms` and `cancellation` limit the preparation."""

    def partial_run(
        self, feeds: Sequence[Tensor], fetches: Sequence[Tensor], targets: Sequence[Operation]
    ) -> PartialStep:
        """Starts a step in parts. Its memory is freed when it is over or dropped."""

    def stored(self, handle: str) -> Any:
        """Returns the value that a session handle stands for. InvalidArgumentError if it was dropped."""

    def drop_stored(self, handle: str) -> None:
        """Drops the value of a session handle. No-op if there is none; never raises, as finalizers call it."""

    def clear_container(self, name: str, /) -> None:
        """Drops the resources of a container."""

    def close(self) -> None:
        """Cancels running steps, waits for their end and drops the resources. Idempotent."""

    def abort(self, message: str) -> None:
        """Like `close`; steps fail with AbortedError and this message."""

    def closed(self) -> bool:
        """Returns whether `close` or `abort` was called. Does not block."""


class LocalEngine(Engine, Protocol):
    """An engine of this process: its memory and its steps can be observed."""

    def prepare(
        self,
        feeds: Sequence[Tensor],
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        convert: Convert | None,
        yield_: str = "list",
        timeout_ms: int = 0,
        cancellation: Any = None,
    ) -> LocalPrepared:
        """As of `Engine`."""

    def steps(self) -> int:
        """Returns the number of steps that were begun."""

    def active_runs(self) -> int:
        """Returns the number of steps that are running, and of plans being made."""

    def feed_bytes_copied(self) -> int:
        """Returns how many bytes of fed values had to be copied."""

    def memory_stats(self) -> dict[str, int]:
        """Returns the figures of `MemoryStats`, by name. Also after `close`."""

    def trim(self) -> int:
        """Returns idle memory to the system; returns the number of bytes."""

    def watch_nan(self, level: int) -> None:
        """Makes steps fail at NaNs (level 1) and infinities, too (level 2); 0: neither."""

    def event_writer(self, name: str, folder: str, suffix: str, delay: float) -> Any:
        """Returns the `_core.EventWriter` that the engine has under a name; makes it if there is none."""

    def forget_event_writer(self, name: str) -> None:
        """Makes the next writer of that name a new one."""


class HasEngine(Protocol):
    """A session, for parts of it that must keep it alive and use its engine."""

    @property
    def _engine(self) -> Engine: ...
