"""Reports on input pipelines as text, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tinytf._src.data.python_calls import PythonCall
from tinytf._src.data.stage_report import StageReport

_HEADS = ("stage", "line", "elements", "own time", "waited", "held", "memory", "parallel")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_SIZES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_STYLE = (
    "<style>.tinytf-pipeline td,.tinytf-pipeline th{text-align:left;font-family:monospace;vertical-align:top;"
    "padding:0 1em 0 0;white-space:pre}.tinytf-pipeline .tinytf-bar{display:inline-block;height:.7em;"
    "background:#4a90d9;margin-right:.4em}.tinytf-pipeline .tinytf-waits{background:#d98c4a}</style>"
)
_BAR_WIDTH = 8.0  # of the longest bar, in units of the font's size


def report_text(last: Sequence[StageReport], is_measured: bool, python_calls: Sequence[PythonCall]) -> str:
    """The report as a table, followed by the Python functions that run."""
    rows = [_HEADS, *(_cells(depth, stage) for end in last for depth, stage in end.stages())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*_notes(last, is_measured), *(lines if last else []), *_running(python_calls)])


def report_html(last: Sequence[StageReport], is_measured: bool, python_calls: Sequence[PythonCall]) -> str:
    """The report as an HTML fragment: the table, with bars for times."""
    stages = [found for end in last for found in end.stages()]
    longest = max((max(stage.own_seconds, stage.waited_seconds) for _, stage in stages), default=0.0)
    rows = "".join(_row(depth, stage, longest) for depth, stage in stages)
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    table = f"<table><tr>{heads}</tr>{rows}</table>" if stages else ""
    notes = "".join(f"<div>{escape(note)}</div>" for note in _notes(last, is_measured))
    running = "".join(f"<div>{escape(call)}</div>" for call in _running(python_calls))
    return f'<div class="tinytf-pipeline">{_STYLE}<b>Input pipeline</b>{notes}{table}{running}</div>'


def _notes(last: Sequence[StageReport], is_measured: bool) -> list[str]:
    if not last:
        return ["The iterator is not initialized. Its pipeline will be measured from the beginning."]
    return [] if is_measured else ["No element was requested since measuring began."]


def _running(python_calls: Sequence[PythonCall]) -> list[str]:
    return [f"running: {call}" for call in python_calls]


def _cells(depth: int, stage: StageReport) -> tuple[str, ...]:
    held = f"{stage.held}/{stage.most_held}" if stage.most_held else str(stage.held or "")
    parallel = str(stage.parallelism or "")
    if stage.calls:
        parallel += f"{' ' if parallel else ''}({stage.calls} running, for {_time(stage.calls_seconds)})"
    times = (_time(stage.own_seconds), _time(stage.waited_seconds))
    memory = _size(stage.held_bytes) if stage.held else ""
    return ("  " * depth + stage.kind, stage.line, str(stage.elements), *times, held, memory, parallel)


def _row(depth: int, stage: StageReport, longest: float) -> str:
    cells = [escape(cell) for cell in _cells(depth, stage)]
    for place, seconds, kind in ((3, stage.own_seconds, ""), (4, stage.waited_seconds, " tinytf-waits")):
        width = _BAR_WIDTH * seconds / longest if longest else 0.0
        cells[place] = f'<span class="tinytf-bar{kind}" style="width:{width:.2f}em"></span>{cells[place]}'
    cells[0] = f"<b>{cells[0]}</b>"
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _time(seconds: float) -> str:
    for unit, name in _UNITS:
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"


def _size(size: int) -> str:
    for unit, name in _SIZES:
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} bytes"
