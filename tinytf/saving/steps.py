"""Step numbers, as programs give them."""

from __future__ import annotations

from typing import Any

from tinytf.framework.execution import executing_eagerly
from tinytf.framework.numpy_compat import only_element
from tinytf.platform.compat import integral_types


def step_number(session: Any, step: Any) -> int:
    """The number that this is: an integer, or what a session, or eager execution, has in a tensor or variable."""
    if isinstance(step, integral_types):
        return int(step)
    return int(only_element(step.numpy() if executing_eagerly() else session.run(step)))
