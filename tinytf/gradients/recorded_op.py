"""`RecordedOp`: what gradient functions see of an operation that was executed."""

from __future__ import annotations

from typing import Any

from tinytf.framework.op_spec import op_spec
from tinytf.framework.operation import attr_to_python


class RecordedOp:
    """Stands for the operation of a tape's record where a gradient function expects an `Operation`: type, inputs, outputs
    and attrs, which are all that such functions may ask for. Attrs are read when asked for."""

    __slots__ = ("type", "inputs", "outputs", "_kernel", "_reached")

    def __init__(self, type: str, inputs: tuple[Any, ...], outputs: tuple[Any, ...], kernel: Any, reached: Any) -> None:
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self._kernel = kernel
        self._reached = reached

    @property
    def name(self) -> str:
        """The op's name: operations that were executed have none of their own."""
        return self.type

    @property
    def _spec(self) -> Any:
        return op_spec(self.type)

    def values(self) -> tuple[Any, ...]:
        """The outputs."""
        return self.outputs

    def wants_gradient(self, index: int) -> bool:
        """Whether anything is to be derived through the input."""
        return self.inputs[index] in self._reached

    def get_attr(self, name: str) -> Any:
        """The value of an attr. ValueError if the operation has none of that name."""
        found = self._kernel.attr(name)
        if found is None:
            raise ValueError(f"Operation '{self.type}' has no attr named '{name}'.")
        return attr_to_python(*found)

    def _raw_attr(self, name: str) -> Any:
        found = self._kernel.attr(name)
        return None if found is None else found[1]

    def __repr__(self) -> str:
        return f"<executed {self.type}>"
