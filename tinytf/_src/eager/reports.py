"""Reports of the memory that an eager session's tensors and exports hold."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from tinytf._src.framework.logs import log
from tinytf._src.framework.values import dtypes

_SHOWN = 10  # number of entries in a report


class LiveTensor(NamedTuple):
    """A live tensor. `op` and `site` ("file:line") are '' in sessions without `track_sites`."""

    shape: tuple[int, ...] | None
    dtype: Any
    bytes: int
    op: str
    site: str


class Holding(NamedTuple):
    """Number and total size of a group of tensors."""

    tensors: int
    bytes: int


class LiveExport(NamedTuple):
    """Memory of a value that is held outside of tensors: by an "array", a "buffer" (memoryview) or a "DLPack" consumer.
    `op` and `site` ("file:line") tell the value's origin; they are '' in sessions without `track_sites`."""

    kind: str
    shape: tuple[int, ...]
    dtype: Any
    bytes: int
    op: str
    site: str

    def __str__(self) -> str:
        made = f" made by {self.op} at {self.site}" if self.op else ""
        return f"{self.kind} of {self.bytes} bytes: {self.dtype.name}, shape {self.shape}{made}"


def live_tensors(core: Any, by: str | None) -> Any:
    """See `EagerSession.live_tensors`."""
    tensors = [LiveTensor(shape, dtypes.as_dtype(dtype), *rest) for shape, dtype, *rest in core.live_tensors()]
    if by is None:
        return tensors
    if by not in ("op", "site"):
        raise ValueError(f"by must be 'op', 'site' or None, not {by!r}")
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for tensor in tensors:
        groups[getattr(tensor, by)].append(tensor.bytes)
    holdings = {key: Holding(len(sizes), sum(sizes)) for key, sizes in groups.items()}
    return dict(sorted(holdings.items(), key=lambda item: -item[1].bytes))


def live_exports(core: Any) -> list[LiveExport]:
    """See `EagerSession.live_exports`."""
    exports = [
        LiveExport(kind, shape, dtypes.as_dtype(dtype), *rest) for kind, shape, dtype, *rest in core.live_exports()
    ]
    return [export for export in exports if export.bytes]


def held_exports(core: Any) -> str:
    """Describes the largest exports of a closed session, for the error of a strict close; '' if there are none."""
    exports = sorted(live_exports(core), key=lambda export: -export.bytes)
    if not exports:
        return ""
    lines = [f"  {export}" for export in exports[:_SHOWN]]
    if len(exports) > _SHOWN:
        lines.append(f"  and {len(exports) - _SHOWN} more")
    total = sum(export.bytes for export in exports)
    return f"{total} bytes of the closed session's values are still held outside it:\n" + "\n".join(lines)


def leak_report(core: Any) -> None:
    """Logs the ten lines of the program whose tensors hold most memory, if there are live tensors."""
    holdings = live_tensors(core, "site")
    if not holdings:
        return
    total = Holding(sum(h.tensors for h in holdings.values()), sum(h.bytes for h in holdings.values()))
    lines = [
        f"  {h.bytes} bytes in {h.tensors} tensors made at {site or '?'}" for site, h in list(holdings.items())[:_SHOWN]
    ]
    log.logger().warning(
        "An eager session is being closed while the program still holds %d of its tensors with %d bytes:\n%s",
        total.tensors,
        total.bytes,
        "\n".join(lines),
    )
