"""`RecordedOp`: represents an eager operation in gradient functions."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.operation import attr_to_python


class RecordedOp:
    """Represents an operation on a tape where a gradient function expects an `Operation`. Gradient functions may use
    its type, inputs, outputs and attrs, which are read on demand."""

    __slots__ = ("type", "inputs", "outputs", "_kernel", "_reached")

    def __init__(self, type: str, inputs: tuple[Any, ...], outputs: tuple[Any, ...], kernel: Any, reached: Any) -> None:
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self._kernel = kernel
        self._reached = reached

    @property
    def name(self) -> str:
        """The op's type: eager operations have no names."""
        return self.type

    @property
    def _spec(self) -> Any:
        return op_spec(self.type)

    def values(self) -> tuple[Any, ...]:
        """The outputs."""
        return self.outputs

    def wants_gradient(self, index: int) -> bool:
        """Whether the gradient of an input is needed."""
        return self.inputs[index] in self._reached

    def get_attr(self, name: str) -> Any:
        """The value of an attr. Raises ValueError if the operation has no such attr."""
        found = self._kernel.attr(name)
        if found is None:
            raise ValueError(f"Operation '{self.type}' has no attr named '{name}'.")
        return attr_to_python(*found)

    def _raw_attr(self, name: str) -> Any:
        found = self._kernel.attr(name)
        return None if found is None else found[1]

    def __repr__(self) -> str:
        return f"<executed {self.type}>"
