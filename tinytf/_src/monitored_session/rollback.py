"""Reports how many steps the loss of a session costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tinytf._src import protos
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.monitored_session.input_state import continues_input

_LONGEST_READ = 1000  # milliseconds; a lost session may not respond


@dataclass(frozen=True)
class Loss:
    """The loss of a session: error and last known progress."""

    cause: str
    step: int | None  # global step reached; None: there is none, or it cannot be read


def loss_of(sess: Any, cause: str) -> Loss:
    """Records the loss of a session that is still open."""
    return Loss(cause, _step_of(sess))


def tell_of_rollback(loss: Loss, number: int, sess: Any, checkpoint: str | None) -> int:
    """Logs the loss, number `number`, when the new session `sess` exists, which was restored from `checkpoint` (None:
    from none). Returns the number of steps to be repeated, 0 if unknown."""
    step = _step_of(sess)
    place = "the beginning" if step is None else f"global step {step}"
    source = f"restored from {checkpoint}" if checkpoint else "without a checkpoint"
    again = max(loss.step - step, 0) if loss.step is not None and step is not None else 0
    text = f"The session was lost (loss {number}, {loss.cause}). A new session continues at {place}, {source}"
    if loss.step is not None:
        text += f"; the lost session had reached step {loss.step}"
    text += f": {again} step{'s are' if again != 1 else ' is'} repeated." if again else "."
    lost = "Handles" if continues_input(sess) else "Handles and input positions"
    tf_logging.warning("%s", f"{text} {lost} of the lost session are no longer valid.")
    return again


def _step_of(sess: Any) -> int | None:
    """Reads the session's global step, in a step without hooks; None if that fails."""
    found = _global_step(sess.graph)
    if found is None:
        return None
    try:
        value = np.asarray(sess.run(found, options=protos.RunOptions(timeout_in_ms=_LONGEST_READ)))
    # uninitialized, closed, no response, not a tensor
    except (errors_impl.OpError, RuntimeError, TypeError, ValueError):
        return None
    return int(value) if value.ndim == 0 and value.dtype.kind in "iu" else None


def _global_step(graph: Graph) -> Any:
    """Like `get_global_step`, but returns None silently instead of failing."""
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if not steps:
        try:
            return graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    return steps[0] if len(steps) == 1 else None
