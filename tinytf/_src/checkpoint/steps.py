"""Conversion of step numbers."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.platform.compat import integral_types


def step_number(session: Any, step: Any) -> int:
    """Returns the step as int: an integer, or a tensor or variable that is evaluated in the session or in eager
    execution."""
    if isinstance(step, integral_types):
        return int(step)
    return int(only_element(step.numpy() if executing_eagerly() else session.run(step)))
