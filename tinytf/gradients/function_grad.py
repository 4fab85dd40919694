"""Gradients of calls of functions."""

from __future__ import annotations

from typing import Any

from tinytf.gradients.registry import RegisterGradient


def _function_of(op: Any, name: str) -> Any:
    function = op.graph._functions.get(name)
    if function is None:
        raise LookupError(
            f"No gradient defined for operation '{op.name}' (op type: {op.type}): the function {name} was imported, so that "
            "its Python function is not known."
        )
    return function


@RegisterGradient("PartitionedCall")
@RegisterGradient("StatefulPartitionedCall")
def _call_grad(op: Any, *grads: Any) -> list[Any]:
    return _function_of(op, op._raw_attr("f")).gradient_of_call(op, grads)


@RegisterGradient("If")
@RegisterGradient("StatelessIf")
def _if_grad(op: Any, *grads: Any) -> list[Any]:
    return _function_of(op, op._raw_attr("then_branch")).gradient_of_node(op, grads)


@RegisterGradient("Case")
@RegisterGradient("StatelessCase")
def _case_grad(op: Any, *grads: Any) -> list[Any]:
    return _function_of(op, op._raw_attr("branches")[0]).gradient_of_node(op, grads)


@RegisterGradient("While")
@RegisterGradient("StatelessWhile")
def _while_grad(op: Any, *grads: Any) -> list[Any]:
    return _function_of(op, op._raw_attr("body")).gradient_of_node(op, grads)
