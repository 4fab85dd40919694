"""Registers ops that are declared as not differentiable."""

from __future__ import annotations

from tinytf import _core
from tinytf._src.gradients.registry import stops_at

for _name in _core.op_names():
    _definition = _core.op_def(_name)
    if _definition is not None and _definition["gradient"] == "not_differentiable":
        stops_at(_name)
