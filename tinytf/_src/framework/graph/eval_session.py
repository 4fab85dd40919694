"""Selection of the session for `Tensor.eval` and `Operation.run`."""

from __future__ import annotations

from typing import Any, Literal

from tinytf._src.framework.context.defaults import default_sessions


def eval_session(graph: object, session: Any, what: Literal["tensor", "operation"]) -> Any:
    """`session`, or the default session if that is None. Raises ValueError, with TensorFlow's messages, if there is no
    session or its graph is not `graph`."""
    tensor = what == "tensor"
    verb = "evaluate" if tensor else "execute"
    call = "eval" if tensor else "run"
    if session is None:
        session = default_sessions.get()
        if session is None:
            raise ValueError(
                f"Cannot {verb} {what} using `{call}()`: No default session is registered. Use `with "
                f"sess.as_default(){'' if tensor else ':'}` or pass an explicit session to `{call}(session=sess)`"
            )
        if session.graph is not graph:
            passed = "`eval(session=sess)`" if tensor else "run(session=sess)"
            raise ValueError(
                f"Cannot use the default session to {verb} {what}: the {what}'s graph is different from the "
                f"session's graph. Pass an explicit session to {passed}."
            )
    elif session.graph is not graph:
        raise ValueError(
            f"Cannot use the given session to {verb} {what}: the {what}'s graph is different from the session's graph."
        )
    return session
