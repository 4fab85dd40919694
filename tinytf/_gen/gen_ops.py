"""The functions of all ops, under TensorFlow's names: `gen_ops.mat_mul`. A family is loaded when the first function of it is
asked for, so that importing the package costs the same with more ops."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    from tinytf._gen.op_functions import FAMILIES

    family = FAMILIES.get(name)
    if family is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, getattr(import_module(f"tinytf._gen.{family}_ops"), name))


def __dir__() -> list[str]:
    from tinytf._gen.op_functions import FAMILIES

    return sorted(FAMILIES)
