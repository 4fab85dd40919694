"""Advice for a step that timed out while it waited for a queue: which queue, and whether its queue runner was
started."""

from __future__ import annotations

import re
from typing import Any

from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.sites.creation_line import made_at

_TIMEOUT = re.compile(r"(Timed out waiting for notification|Operation timed out\.)\n")
_WAITING = re.compile(r"\[\[(?:\{\{node )?([^\s\]}]+)(?:\}\})?\]\]")


def is_timeout(message: str) -> bool:
    """Whether a runtime message reports a step that timed out while nodes, which it names, were waiting."""
    return _TIMEOUT.match(message) is not None


def about_wait(graph: Any, message: str) -> str:
    """The text to append to a timeout message; '' if no named node waits for a queue of the graph."""
    return "".join(_about_node(graph, name) for name in dict.fromkeys(_WAITING.findall(message)))


def _about_node(graph: Any, name: str) -> str:
    op = graph._nodes.named(name)
    if op is None or not op.type.startswith(("QueueDequeue", "QueueEnqueue")):
        return ""
    queue = op.inputs[0].op
    while _passes_on(queue):
        queue = queue.inputs[0].op
    takes = op.type.startswith("QueueDequeue")
    wants = "elements in" if takes else "room in"
    text = f"\n\nOperation {name!r}{made_at(op)} waited for {wants} the queue {queue.name!r}{made_at(queue)} until the timeout."
    return text + (_about_runners(graph, queue) if takes else "")


def _passes_on(op: Any) -> bool:
    """Whether the operation forwards the queue, or a reference to it, from its first input."""
    spec = op._spec
    return spec.passes_value or spec.control_flow in ("enter", "switch") or op.type == "RefIdentity"


def _about_runners(graph: Any, queue: Any) -> str:
    """The state of the queue runners in the graph's collection that serve a queue."""
    known = [runner for runner in graph.get_collection(GraphKeys.QUEUE_RUNNERS) if hasattr(runner, "_has_started")]
    runners = [runner for runner in known if _queue_of(runner) is queue]
    if not runners:
        return f" The graph's collection {GraphKeys.QUEUE_RUNNERS!r} has no queue runner for it."
    idle = [runner for runner in runners if not runner._has_started()]
    if idle:
        enqueues = ", ".join(repr(op.name) for runner in idle for op in runner.enqueue_ops)
        return (
            f" The queue runner that fills it, by {enqueues}, was not started: call "
            "tf.train.start_queue_runners(sess=...), or use a monitored session, which starts all queue runners."
        )
    return "" if any(runner._is_running() for runner in runners) else " The threads of its queue runners have ended."


def _queue_of(runner: Any) -> Any:
    """The operation that creates a runner's queue; imported runners store that operation itself."""
    queue = getattr(runner, "queue", None)
    ref = getattr(queue, "queue_ref", None)
    return queue if ref is None else ref.op
