"""How an optimizer differentiates by, and updates, each kind of variable."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.variable import Variable


class RefProcessor:
    """Handles a reference variable, which is differentiated by and updated through its reference."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def target(self) -> Any:
        """Returns the tensor by which the loss is differentiated."""
        return self.variable._ref()

    def update_op(self, optimizer: Any, grad: Any) -> Any:
        """Returns an operation or tensor that applies a gradient. Raises RuntimeError for a sparse gradient of a
        variable with a constraint.
        """
        if isinstance(grad, IndexedSlices):
            _refuse_constraint(self.variable)
            return optimizer._apply_sparse_duplicate_indices(grad, self.variable)
        return _constrained(self.variable, optimizer._apply_dense(grad, self.variable))


class ResourceProcessor:
    """Handles a resource variable, which is differentiated by and updated through its handle."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def target(self) -> Any:
        """Returns the variable, by which the loss is differentiated."""
        return self.variable

    def update_op(self, optimizer: Any, grad: Any) -> Any:
        """Does the same as RefProcessor.update_op."""
        if isinstance(grad, IndexedSlices):
            _refuse_constraint(self.variable)
            return optimizer._resource_apply_sparse_duplicate_indices(grad.values, self.variable, grad.indices)
        return _constrained(self.variable, optimizer._resource_apply_dense(grad, self.variable))


class TensorProcessor:
    """Handles a tensor, by which a loss can be differentiated, but which cannot be updated."""

    def __init__(self, tensor: Tensor) -> None:
        self.variable = tensor

    def target(self) -> Tensor:
        """Returns the tensor by which the loss is differentiated."""
        return self.variable

    def update_op(self, optimizer: Any, grad: Any) -> Any:
        """Raises NotImplementedError."""
        raise NotImplementedError("Trying to update a Tensor ", self.variable)


def _refuse_constraint(variable: Any) -> None:
    if variable.constraint is not None:
        raise RuntimeError("Cannot use a constraint function on a sparse variable.")


def _constrained(variable: Any, update: Any) -> Any:
    """Returns the update, followed by the variable's constraint if it has one."""
    if variable.constraint is None:
        return update
    with control_dependencies([update]):
        return variable.assign(variable.constraint(variable))


def processor_of(variable: Any) -> RefProcessor | ResourceProcessor | TensorProcessor:
    """Returns the processor for a variable or tensor.

    Raises AttributeError for an object without `op`, and NotImplementedError for any other object.
    """
    if isinstance(variable, ResourceVariable):
        return ResourceProcessor(variable)
    if isinstance(variable, Variable):
        return RefProcessor(variable)
    if isinstance(variable, Tensor):
        return TensorProcessor(variable)
    if not hasattr(variable, "op"):
        raise AttributeError(f"'{type(variable).__name__}' object has no attribute 'op'")
    raise NotImplementedError("Trying to optimize unsupported type ", variable)
