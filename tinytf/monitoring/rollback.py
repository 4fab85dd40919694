"""How far a lost session had come, and where the one in its place goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tinytf import protos
from tinytf.framework import errors_impl, tf_logging
from tinytf.framework.graph import Graph
from tinytf.framework.graph_keys import GraphKeys

_LONGEST_READ = 1000  # ms; a session that is lost may not answer


@dataclass(frozen=True)
class Loss:
    """A session that is about to be closed, as its end is an error's."""

    cause: str
    step: int | None  # that was reached; None: there is no global step, or it cannot be read any more


def loss_of(sess: Any, cause: str) -> Loss:
    """The loss of a session that still is open."""
    return Loss(cause, _step_of(sess))


def tell_of_rollback(loss: Loss, number: int, sess: Any, checkpoint: str | None) -> int:
    """Warns of the loss, the so manyth, when `sess`, which began with this checkpoint or with none, is in its place; how many
    steps are to be done again, as far as that is known."""
    step = _step_of(sess)
    place = "the beginning" if step is None else f"global step {step}"
    source = f"restored from {checkpoint}" if checkpoint else "without a checkpoint"
    again = max(loss.step - step, 0) if loss.step is not None and step is not None else 0
    text = f"The session was lost (loss {number}, {loss.cause}). The new one goes on at {place}, {source}"
    if loss.step is not None:
        text += f"; step {loss.step} had been reached"
    text += f": {again} step{'s are' if again != 1 else ' is'} done again." if again else "."
    tf_logging.warning("%s", text + " What belonged to the old session, handles and places in its input, is gone.")
    return again


def _step_of(sess: Any) -> int | None:
    """The session's global step, by a step of its own without hooks."""
    found = _global_step(sess.graph)
    if found is None:
        return None
    try:
        value = np.asarray(sess.run(found, options=protos.RunOptions(timeout_in_ms=_LONGEST_READ)))
    except (errors_impl.OpError, RuntimeError, TypeError, ValueError):  # not initialised, closed, no answer, no tensor
        return None
    return int(value) if value.ndim == 0 and value.dtype.kind in "iu" else None


def _global_step(graph: Graph) -> Any:
    """The step that `get_global_step` finds; None, without a word, where that complains."""
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if not steps:
        try:
            return graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    return steps[0] if len(steps) == 1 else None
