"""The check that tensors of a loop are consumed only by operations of that loop."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.sites.creation_line import creation_line
from tinytf._src.ops.control_flow.context import is_within, output_context


def check_inputs(op: Operation) -> None:
    """Raises ValueError if a new operation consumes a tensor of a loop that it does not belong to."""
    context = op._get_control_flow_context()
    for tensor in op.inputs:
        source = tensor.op
        if source._control_flow_context is not None:
            of_source = output_context(source)
            if of_source is not None and of_source is not context and not _may_take(op, context, of_source):
                _refuse(op, context, source, of_source)


def _loop(context: Any) -> Any:
    return None if context is None else context.GetWhileContext()


def _may_take(op: Operation, context: Any, of_source: Any) -> bool:
    loop, of_loop = _loop(context), _loop(of_source)
    if loop is not None:
        return is_within(loop, of_loop) or _computes_gradients(loop, of_loop) or _computes_gradients(of_loop, loop)
    # Enter and Switch operations get their context only after they are created.
    return of_loop is None or op._spec.control_flow in ("enter", "switch")


def _computes_gradients(loop: Any, forward: Any) -> bool:
    """Returns whether `loop` computes gradients of `forward`, of a loop that encloses it or of one directly inside."""
    state = loop.grad_state
    while state is not None:
        if is_within(state.forward, forward) or state.forward is forward.outer_context:
            return True
        state = state.forward.grad_state
    return False


def _refuse(op: Operation, context: Any, source: Operation, of_source: Any) -> None:
    why = f"'{source.name}' is in a while loop" if _loop(context) is None else "they are in different while loops"
    text = f"Cannot use '{source.name}' as input to '{op.name}' because {why}."
    from tinytf._src.framework.logs import tf_logging

    where = [f"{o.name} ({creation_line(o)}): {_loop(c)}" for o, c in ((op, context), (source, of_source))]
    tf_logging.info("%s Their loops are\n%s", text, "\n".join(where))
    raise ValueError(text + " See info log for more details.")
