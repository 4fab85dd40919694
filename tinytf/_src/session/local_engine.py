"""The engine of this process. The only Python file that makes core sessions, and prepares and starts steps on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tinytf import _core

if TYPE_CHECKING:
    from tinytf._src.framework.graph.graph import Graph
    from tinytf._src.framework.graph.operation import Operation
    from tinytf._src.framework.graph.tensor import Tensor
    from tinytf._src.session.engine import Convert


class CoreEngine:
    """A core session of a graph: a `LocalEngine`. `options`: keyword arguments of `_core.Session`.

    What it prepares are objects of the core, so a step passes through none of these methods.
    """

    __slots__ = ("_core",)

    def __init__(self, graph: Graph, **options: Any) -> None:
        self._core = _core.Session(graph._core, **options)

    @property
    def local(self) -> CoreEngine:
        return self

    def devices(self) -> list[str]:
        return self._core.devices()

    def placements(self) -> dict[str, int]:
        return self._core.placements()

    def take_placement_news(self) -> tuple[list[tuple[str, str, int]], list[str], list[str]]:
        return self._core.take_placement_news()

    def extend(self) -> None:
        self._core.extend()

    def prepare(
        self,
        feeds: Sequence[Tensor],
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        convert: Convert | None,
        yield_: str = "list",
        timeout_ms: int = 0,
        cancellation: Any = None,
    ) -> _core.PreparedCall:
        return _core.prepare(
            self._core,
            [tensor._key for tensor in feeds],
            [tensor._key for tensor in fetches],
            [op._id for op in targets],
            convert,
            yield_,
            timeout_ms,
            cancellation,
        )

    def partial_run(
        self, feeds: Sequence[Tensor], fetches: Sequence[Tensor], targets: Sequence[Operation]
    ) -> _core.PartialRun:
        return _core.PartialRun(
            self._core,
            [tensor._key for tensor in feeds],
            [tensor._key for tensor in fetches],
            [op._id for op in targets],
            [tensor.name for tensor in feeds],
            [tensor.name for tensor in fetches],
        )

    def stored(self, handle: str) -> Any:
        return self._core.stored(handle)

    def drop_stored(self, handle: str) -> None:
        self._core.drop_stored(handle)

    def clear_container(self, name: str, /) -> None:
        self._core.clear_container(name)

    def close(self) -> None:
        self._core.close()

    def abort(self, message: str) -> None:
        self._core.abort(message)

    def closed(self) -> bool:
        return self._core.closed()

    def steps(self) -> int:
        return self._core.steps()

    def active_runs(self) -> int:
        return self._core.active_runs()

    def feed_bytes_copied(self) -> int:
        return self._core.feed_bytes_copied()

    def memory_stats(self) -> dict[str, int]:
        return self._core.memory_stats()

    def trim(self) -> int:
        return self._core.trim()

    def watch_nan(self, level: int) -> None:
        self._core.watch_nan(level)

    def event_writer(self, name: str, folder: str, suffix: str, delay: float) -> _core.EventWriter:
        return _core.EventWriter.of_session(self._core, name, folder, suffix, delay)

    def forget_event_writer(self, name: str) -> None:
        _core.EventWriter.forget(self._core, name)
