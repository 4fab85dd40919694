"""`tf.experimental.ProgressHook`: shows the progress of a training."""

from __future__ import annotations

import importlib
import importlib.util
import math
import sys
import time
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.monitored_session.global_step_reads import global_step_read
from tinytf._src.monitored_session.idling import Idle, idles
from tinytf._src.monitored_session.logging_tensor_hook import graph_element
from tinytf._src.training.session_run_hook import SessionRunArgs, SessionRunHook

_LIVE_SECS, _LINE_SECS = 0.1, 10.0  # update intervals of live displays and of files


@tf_export("experimental.ProgressHook")
@idles
class ProgressHook(SessionRunHook):
    """Shows step, speed, remaining time and values of tensors.

    On terminals and in notebooks it uses tqdm if that is installed, else one line that is overwritten; elsewhere it
    writes a line every 10 seconds.

    Args:
      last_step: int, the global step at which the training ends, or None if unknown.
      tensors: dict from tags to tensors or their names, or None. Steps that do not feed their placeholders do not
        update them.
      every_secs: float, seconds between updates; None: 0.1 on live displays, 10 elsewhere.
      stream: the output stream; None: `sys.stderr`.
    """

    waits_for_feeds = True

    def __init__(
        self, last_step: int | None = None, tensors: Any = None, every_secs: float | None = None, stream: Any = None
    ) -> None:
        self._last_step = last_step
        self._tensors = dict(tensors or {})
        self._every_secs = every_secs
        self._stream = stream
        self._display: Any = None

    def begin(self) -> None:
        """Finds the global step and the tensors."""
        self._step_read = global_step_read("ProgressHook")
        self._wanted = {tag: graph_element(tensor) for tag, tensor in self._tensors.items()}
        self._args = SessionRunArgs({"step": self._step_read, "shown": self._wanted})
        self._shown: dict[str, Any] = {}  # latest values
        self._is_due = False

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Shows the step at which the training starts or resumes."""
        step = int(session.run(self._step_read))
        if self._display is None:
            stream = self._stream or sys.stderr
            is_live = _is_watched(stream)
            self._wait = self._every_secs if self._every_secs is not None else _LIVE_SECS if is_live else _LINE_SECS
            kind: Any = _bar_class() if is_live else _Lines
            self._display = (kind or _LiveLine)(step, self._last_step, stream)
        self._due = time.monotonic() + self._wait
        self._display.show(step, {})

    def before_run(self, run_context: Any) -> Any:
        """Fetches step and tensors if an update is due."""
        self._is_due = time.monotonic() >= self._due
        return self._args if self._is_due else None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Updates the display."""
        if not self._is_due:
            return
        if run_values.results is None:  # the step does not feed the tensors' placeholders
            self._show(run_context.session)
        else:
            self._shown = run_values.results["shown"]
            self._display.show(int(run_values.results["step"]), self._shown)
        self._due = time.monotonic() + self._wait

    def _idle(self) -> Any:
        self._is_due = False
        left = self._due - time.monotonic()
        return Idle(secs_before=left) if left > 0 else None

    def end(self, session: Any) -> None:
        """Shows the final step."""
        self._show(session)

    def on_close(self) -> None:
        """Ends the line."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _show(self, session: Any) -> None:
        self._display.show(int(session.run(self._step_read)), self._shown)


def _text(values: dict[str, Any]) -> dict[str, str]:
    return {tag: f"{value:.4g}" if _is_number(value) else str(value) for tag, value in values.items()}


def _is_number(value: Any) -> bool:
    return np.ndim(value) == 0 and np.asarray(value).dtype.kind not in "SUO"


class _Line:
    """Formats the text for a step."""

    def __init__(self, first_step: int, last_step: int | None, stream: Any) -> None:
        self._first = first_step
        self._last = last_step
        self._stream = stream
        self._began = time.monotonic()

    def _line(self, step: int, values: dict[str, Any]) -> str:
        parts = [f"step {step}" if self._last is None else f"step {step}/{self._last}"]
        parts += [f"{tag} {text}" for tag, text in _text(values).items()]
        seconds = time.monotonic() - self._began
        if step > self._first and seconds > 0:
            speed = (step - self._first) / seconds
            parts.append(f"{speed:,.4g} steps/s")
            if self._last is not None and self._last > step:
                left = math.ceil((self._last - step) / speed)
                parts.append(f"{left // 60}:{left % 60:02d} left")
        return "   ".join(parts)


class _Lines(_Line):
    """Writes one line for each update."""

    _shown: Any = None

    def show(self, step: int, values: dict[str, Any]) -> None:
        """Writes a line, unless the last one was for the same step."""
        if self._shown != step:
            self._shown = step
            self._stream.write(self._line(step, values) + "\n")
            self._stream.flush()

    def close(self) -> None:
        """Does nothing."""


class _LiveLine(_Line):
    """Overwrites a single line."""

    _width = 0

    def show(self, step: int, values: dict[str, Any]) -> None:
        """Overwrites the line."""
        line = self._line(step, values)
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def close(self) -> None:
        """Begins a new line."""
        self._stream.write("\n")
        self._stream.flush()


def _is_watched(stream: Any) -> bool:
    """Returns whether the stream is a live display: a terminal or a notebook."""
    return bool(getattr(stream, "isatty", bool)()) or _in_notebook(stream)


def _in_notebook(stream: Any) -> bool:
    return type(stream).__module__.startswith("ipykernel.")


def _bar_class() -> Any:
    """Returns a display class that uses tqdm; None if that is not installed."""
    if importlib.util.find_spec("tqdm") is None:
        return None
    # `tqdm.auto` warns in notebooks without ipywidgets.
    kind = "tqdm.std" if importlib.util.find_spec("ipywidgets") is None else "tqdm.auto"
    tqdm: Any = importlib.import_module(kind).tqdm

    class Bar(tqdm):
        monitor_interval = 0  # no thread

    class Display:
        def __init__(self, first_step: int, last_step: int | None, stream: Any) -> None:
            self._bar = Bar(
                total=last_step, initial=first_step, unit="step", file=stream, dynamic_ncols=True, mininterval=0
            )

        def show(self, step: int, values: dict[str, Any]) -> None:
            if values:
                self._bar.set_postfix(_text(values), refresh=False)
            if step < self._bar.n:  # a recovered session resumes from its checkpoint
                self._bar.n = step
            self._bar.update(step - self._bar.n)
            self._bar.refresh()

        def close(self) -> None:
            self._bar.close()

    return Display
