"""States that are variables: with handles that are references, and with resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from op_table import numpy_type
from state_table import State, _plain

from tinytf._src.framework.errors.errors import FailedPreconditionError, NotFoundError
from tinytf._src.framework.values import dtypes


class Variables(State):
    """Variables with start values, of the dtype in `attrs`; the first ones are inputs of the ops."""

    starts: tuple[Any, ...] = ()
    attrs = {"dtype": "float32"}
    assign: str
    read: str | None = None

    def __init__(self, **changed: Any) -> None:
        self.given = {**self.attrs, **changed}
        kind = numpy_type(self.given["dtype"])
        self.values = [np.asarray(start).astype(kind) for start in self.starts]
        self.handles = [self._made(number, value) for number, value in enumerate(self.values)]
        self.build()

    def _made(self, number: int, value: np.ndarray) -> Any:
        names = {"shared_name": f"variable{number}"}
        return self.op(self.maker, dtype=dtypes.as_dtype(value.dtype), shape=value.shape, **names)

    def on_it(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        return self.op(name, *self.handles, *inputs, **attrs)

    def build(self) -> None:
        self.assigns = [self.op(self.assign, *pair) for pair in zip(self.handles, self.values, strict=True)]
        kind = dtypes.as_dtype(self.values[0].dtype)
        self.reads = self.handles if self.read is None else [self.op(self.read, h, dtype=kind) for h in self.handles]

    def fill(self, run: Callable[..., Any]) -> None:
        run(self.assigns)

    def take_all(self, run: Callable[..., Any]) -> Any:
        """The values, rounded; a text for a variable without one."""
        return [self._taken(run, read) for read in self.reads]

    def _taken(self, run: Callable[..., Any], read: Any) -> Any:
        try:
            value = run(read)
        except (FailedPreconditionError, NotFoundError):
            return "no value"
        return _plain(np.round(value.astype(np.float64), 4)) if value.dtype.kind not in "iu" else _plain(value)


class References(Variables):
    maker = "VariableV2"
    assign = "Assign"


class EarlyReferences(Variables):
    maker = "Variable"
    assign = "Assign"


class Resources(Variables):
    maker = "VarHandleOp"
    assign = "AssignVariableOp"
    read = "ReadVariableOp"


def of(kind: type[Variables], *starts: Any, dtype: str = "float32", empty: bool = False) -> type[Variables]:
    """The variables of a kind with these start values; if `empty`, without a value."""
    members: dict[str, Any] = {"starts": starts, "attrs": {"dtype": dtype}}
    if empty:
        members["fill"] = lambda self, run: None
    return type(kind.__name__, (kind,), members)
