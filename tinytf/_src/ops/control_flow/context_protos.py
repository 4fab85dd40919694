"""Conversion of branch and loop contexts to and from protos, for graph export and import. Everything is referred to by
name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tinytf._src import protos
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import prepend_name_scope, strip_name_scope


class Context(Protocol):
    """The context of a branch or loop, as far as messages describe it."""

    _values: set[str]
    _external_values: dict[str, Any]
    _nested_contexts: list[Any]
    _pivot: Any

    @property
    def name(self) -> str:
        """The full name."""

    def known_names(self) -> set[str]:
        """The names of the tensors in the context, and of outer tensors that it uses."""


class Branch(Context, Protocol):
    """The context of a branch."""

    _pred: Any
    _branch: Any


class Loop(Context, Protocol):
    """The context of a loop."""

    _maximum_iterations: Any
    _parallel_iterations: Any
    _back_prop: Any
    _swap_memory: Any
    _pivot_for_pred: Any
    _pivot_for_body: Any
    _loop_exits: list[Any]
    _loop_enters: list[Any]


def _is_exported(context: Context, scope: str | None) -> bool:
    return scope is None or context.name.startswith(scope)


def cond_def(context: Branch, scope: str | None) -> Any:
    """Implements `ControlFlowContext.to_proto` for a branch."""
    if not _is_exported(context, scope):
        return None
    message = protos.CondContextDef(
        context_name=strip_name_scope(context.name, scope),
        pred_name=strip_name_scope(context._pred.name, scope),
        pivot_name=strip_name_scope(context._pivot.name, scope),
        branch=context._branch,
    )
    _write_contents(context, message, scope)
    return message


def while_def(context: Loop, scope: str | None) -> Any:
    """Implements `ControlFlowContext.to_proto` for a loop."""
    if not _is_exported(context, scope):
        return None
    message = protos.WhileContextDef(
        context_name=strip_name_scope(context.name, scope),
        parallel_iterations=context._parallel_iterations,
        back_prop=context._back_prop,
        swap_memory=context._swap_memory,
        pivot_name=strip_name_scope(context._pivot.name, scope),
        pivot_for_pred_name=strip_name_scope(context._pivot_for_pred.name, scope),
        pivot_for_body_name=strip_name_scope(context._pivot_for_body.name, scope),
        loop_exit_names=[strip_name_scope(tensor.name, scope) for tensor in context._loop_exits],
        loop_enter_names=[strip_name_scope(tensor.name, scope) for tensor in context._loop_enters],
    )
    if context._maximum_iterations is not None:
        message.maximum_iterations_name = strip_name_scope(context._maximum_iterations.name, scope)
    _write_contents(context, message, scope)
    return message


def _write_contents(context: Context, message: Any, scope: str | None) -> None:
    message.values_def.values.extend(strip_name_scope(name, scope) for name in sorted(context.known_names()))
    for name, tensor in context._external_values.items():
        message.values_def.external_values[strip_name_scope(name, scope)] = strip_name_scope(tensor.name, scope)
    for nested in context._nested_contexts:
        nested.to_control_flow_context_def(message.nested_contexts.add(), scope)


def read_cond(context: Branch, message: Any, scope: str | None) -> None:
    """Initializes a new context, which has its name already, from a `CondContextDef`."""
    tensor = _finder(scope)
    context._pred = tensor(message.pred_name)
    context._pivot = tensor(message.pivot_name)
    context._branch = message.branch
    _read_values(context, message.values_def, scope)


def read_while(context: Loop, message: Any, scope: str | None) -> None:
    """Initializes a new context, which has its name already, from a `WhileContextDef`. In an import scope the frame gets
    that name."""
    tensor = _finder(scope)
    maximum = message.maximum_iterations_name
    context._maximum_iterations = tensor(maximum) if maximum else None
    context._parallel_iterations = message.parallel_iterations
    context._back_prop = message.back_prop
    context._swap_memory = message.swap_memory
    context._pivot = tensor(message.pivot_name)
    context._pivot_for_pred = tensor(message.pivot_for_pred_name)
    context._pivot_for_body = tensor(message.pivot_for_body_name)
    context._loop_exits = [tensor(name) for name in message.loop_exit_names]
    context._loop_enters = [tensor(name) for name in message.loop_enter_names]
    _read_values(context, message.values_def, scope)
    if scope:
        get_default_graph()._names.take(context.name)
        for op in {get_default_graph().get_tensor_by_name(name).op for name in context._values}:
            if op._spec.control_flow == "enter":
                op._set_attr("frame_name", context.name.encode())


def _finder(scope: str | None) -> Callable[[str], Tensor]:
    graph = get_default_graph()
    return lambda name: graph.get_tensor_by_name(prepend_name_scope(name, scope))


def _read_values(context: Context, message: Any, scope: str | None) -> None:
    tensor = _finder(scope)
    context._values = {prepend_name_scope(name, scope) for name in message.values}
    external = message.external_values.items()
    context._external_values = {prepend_name_scope(name, scope): tensor(inner) for name, inner in external}
    graph = get_default_graph()
    for name in {name.partition(":")[0] for name in context._values - context._external_values.keys()}:
        graph.get_operation_by_name(name)._set_control_flow_context(context)
