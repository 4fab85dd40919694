"""`tf.experimental.data_report`: what the stages of an input pipeline do, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator as Iteration
from dataclasses import dataclass
from typing import Any

from tinytf import _core
from tinytf._src.data.python_calls import PythonCall, python_calls
from tinytf._src.data.stage_lines import StageLines
from tinytf._src.data.stage_report import StageReport
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.default_graph import get_default_session
from tinytf._src.framework.values.tensor_like import is_eager_tensor


@tf_export("experimental.DataReport")
@dataclass(frozen=True)
class DataReport:
    """What `tf.experimental.data_report` returns. Its text is a table; notebooks show it with bars.

    Attributes:
      is_measured: bool, whether elements were requested since measuring began. Otherwise all numbers are 0.
      last: tuple of StageReport, the stage that yields the elements of the iterator; empty if the iterator was not
        initialized yet.
      python_calls: tuple of PythonCall, the Python functions of the pipeline that run now.
    """

    is_measured: bool
    last: tuple[StageReport, ...]
    python_calls: tuple[PythonCall, ...]

    @property
    def stages(self) -> tuple[StageReport, ...]:
        """All stages, from the last one to the sources."""
        return tuple(stage for last in self.last for _, stage in last.stages())

    def __str__(self) -> str:
        from tinytf._src.data.pipeline_text import report_text

        return report_text(self.last, self.is_measured, self.python_calls)

    def _repr_html_(self) -> str:
        from tinytf._src.data.pipeline_text import report_html

        return report_html(self.last, self.is_measured, self.python_calls)


@tf_export("experimental.data_report")
def data_report(iterator: Any, session: Any = None) -> DataReport:
    """Reports what each stage of an input pipeline does, to find the slow one.

    The first call begins to measure the pipeline, also when it runs already, so its report has the stages only; later
    ones have the measurements since. Measuring reads the clock twice for an element and a stage; before the first call,
    a stage only tests whether it is measured. It goes on when the iterator is initialized again. The call does not
    wait for elements that are being made, so it tells where a pipeline hangs.

    Example:
      iterator = tf.data.make_one_shot_iterator(dataset)
      element = iterator.get_next()
      with tf.Session() as session:
        tf.experimental.data_report(iterator)
        for _ in range(100):
          session.run(element)
        print(tf.experimental.data_report(iterator))

    Args:
      iterator: `tf.data.Iterator` of a graph, or an iterator of eager execution.
      session: the `tf.Session` that runs the iterator of a graph; None means the default session.

    Returns:
      DataReport.

    Raises:
      TypeError: if `iterator` is no iterator.
      ValueError: for an iterator of a graph without a session, or if the iterator belongs to another graph.
    """
    resource = getattr(iterator, "_iterator_resource", None)
    if resource is None:
        raise TypeError(f"`iterator` must be an iterator over a dataset, not {iterator!r}.")
    is_measured, stages = _core.pipeline_report(resource if is_eager_tensor(resource) else _held(resource, session))
    lines = StageLines(iterator)
    last = tuple(_stage(stage, lines, ()) for stage in stages)
    functions = {name for stage in stages for name in _functions(stage)}
    return DataReport(is_measured, last, python_calls(functions))


def _held(resource: Any, session: Any) -> Any:
    """Returns the handle of an iterator of a graph."""
    session = get_default_session() if session is None else session
    if session is None:
        raise ValueError(
            "The iterator belongs to a graph: pass the session that runs it, or make it the default session."
        )
    session = session.raw_session() if hasattr(session, "raw_session") else session
    return session._inspection.held(resource)


def _functions(stage: Any) -> Iteration[str]:
    _, _, functions, _, inputs = stage
    yield from functions
    for before in inputs:
        yield from _functions(before)


def _stage(stage: Any, lines: StageLines, around: tuple[str, ...]) -> StageReport:
    """Returns the report of a stage; `around` are functions of the stages that its elements go through."""
    op, (site, site_op, name), functions, counts, inputs = stage
    line = lines.line(site, site_op, name, around)
    before = tuple(_stage(one, lines, (*functions, *around)) for one in inputs)
    # Rows of batches are not sized one by one. Stages that keep elements mostly have those of their input.
    size = counts["element_bytes"] or max((one[3]["element_bytes"] for one in inputs), default=0)
    return StageReport(
        kind=op,
        line=line,
        elements=counts["elements"],
        own_seconds=counts["own"] / 1e9,
        waited_seconds=counts["waited"] / 1e9,
        held=counts["held"],
        most_held=counts["most"],
        held_bytes=counts["held"] * size,
        parallelism=counts["parallelism"],
        calls=counts["calls"],
        calls_seconds=counts["calls_for"] / 1e9,
        inputs=before,
    )
