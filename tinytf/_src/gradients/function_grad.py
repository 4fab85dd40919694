"""Gradients of operations that call functions."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.functions import GRADIENT_OF, name_attr_list
from tinytf._src.framework.registries.node_gradients import node_gradients
from tinytf._src.gradients.registry import gradient_of, gradients_of_calls_by
from tinytf._src.gradients.symbolic import derived_of, symbolic_gradient


def _gradient_of_call(op: Any) -> Any:
    """The gradient function of a call: given by the called Python function, or derived from its definition."""
    name = op.type if op._spec.is_function else op._raw_attr("f")
    function = op.graph._functions.find(name)
    if function is None:
        if op.graph.calls_functions and not op._spec.is_function:
            return lambda op, *grads: node_gradients.of_defined_call(op, grads)
        return symbolic_gradient
    if not hasattr(
        function, "gradient_of_call"
    ):  # a `Defun`; while a function is being derived, only definitions are used
        return symbolic_gradient if op.graph._functions.deriving else function.python_grad_func or symbolic_gradient
    return lambda op, *grads: function.gradient_of_call(op, grads)


gradients_of_calls_by(_gradient_of_call)


@gradient_of("PartitionedCall", free=True)
@gradient_of("StatefulPartitionedCall", free=True)
def _call_grad(op: Any, *grads: Any) -> list[Any]:
    return list(_gradient_of_call(op)(op, *grads))


@gradient_of("SymbolicGradient", free=True)
def _symbolic_gradient_grad(op: Any, *grads: Any) -> list[Any]:
    function = name_attr_list(op, "f")
    zeros = [gen_ops.zeros_like(y) if grad is None else grad for y, grad in zip(op.outputs, grads, strict=True)]
    return derived_of(op, function.name + GRADIENT_OF, dict(function.attr), zeros)


@gradient_of("If")
@gradient_of("StatelessIf")
@gradient_of("Case")
@gradient_of("StatelessCase", free=True)
def _branches_grad(op: Any, *grads: Any) -> list[Any]:
    return node_gradients.of_branches(op, grads)


@gradient_of("While", free=True)
@gradient_of("StatelessWhile", free=True)
def _while_grad(op: Any, *grads: Any) -> list[Any]:
    return node_gradients.of_loop(op, grads)
