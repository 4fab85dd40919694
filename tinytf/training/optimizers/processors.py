"""How an optimizer treats each kind of thing it may be asked to change: what to differentiate by, how to update."""

from __future__ import annotations

from typing import Any

from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.name_scope import control_dependencies
from tinytf.framework.tensor import Tensor
from tinytf.variables.resource_variable import ResourceVariable
from tinytf.variables.variable import Variable


class RefProcessor:
    """A reference variable: differentiated by, and updated through, its reference."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def target(self) -> Any:
        """What the loss is differentiated by."""
        return self.variable._ref()

    def update_op(self, optimizer: Any, grad: Any) -> Any:
        """The operations that apply a gradient, as one operation or tensor. RuntimeError for a sparse gradient of a
        variable with a constraint."""
        if isinstance(grad, IndexedSlices):
            _refuse_constraint(self.variable)
            return optimizer._apply_sparse_duplicate_indices(grad, self.variable)
        return _constrained(self.variable, optimizer._apply_dense(grad, self.variable))


class ResourceProcessor:
    """A resource variable: differentiated by, and updated through, its handle."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def target(self) -> Any:
        """What the loss is differentiated by."""
        return self.variable

    def update_op(self, optimizer: Any, grad: Any) -> Any:
        """As RefProcessor.update_op."""
        if isinstance(grad, IndexedSlices):
            _refuse_constraint(self.variable)
            return optimizer._resource_apply_sparse_duplicate_indices(grad.values, self.variable, grad.indices)
        return _constrained(self.variable, optimizer._resource_apply_dense(grad, self.variable))


class TensorProcessor:
    """A tensor: a loss may be differentiated by it, but it cannot be updated."""

    def __init__(self, tensor: Tensor) -> None:
        self.variable = tensor

    def target(self) -> Tensor:
        """What the loss is differentiated by."""
        return self.variable

    def update_op(self, optimizer: Any, grad: Any) -> Any:
        """Raises NotImplementedError."""
        raise NotImplementedError("Trying to update a Tensor ", self.variable)


def _refuse_constraint(variable: Any) -> None:
    if variable.constraint is not None:
        raise RuntimeError("Cannot use a constraint function on a sparse variable.")


def _constrained(variable: Any, update: Any) -> Any:
    """The update, followed by the variable's projection if it has one."""
    if variable.constraint is None:
        return update
    with control_dependencies([update]):
        return variable.assign(variable.constraint(variable))


def processor_of(variable: Any) -> RefProcessor | ResourceProcessor | TensorProcessor:
    """The processor for a variable or tensor. AttributeError for what has no `op`, NotImplementedError for other things."""
    if isinstance(variable, ResourceVariable):
        return ResourceProcessor(variable)
    if isinstance(variable, Variable):
        return RefProcessor(variable)
    if isinstance(variable, Tensor):
        return TensorProcessor(variable)
    if not hasattr(variable, "op"):
        raise AttributeError(f"'{type(variable).__name__}' object has no attribute 'op'")
    raise NotImplementedError("Trying to optimize unsupported type ", variable)
