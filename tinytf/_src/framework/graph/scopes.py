"""Scopes of a graph that add control inputs and attrs to its operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from tinytf._src import protos
from tinytf._src.framework.declarations.op_spec import OpSpec
from tinytf._src.framework.graph.bases import BaseGraph, BaseOperation, BaseTensor
from tinytf._src.framework.graph.open_scopes import OpenScopes, OpenScopesOfThreads
from tinytf._src.framework.values.tensor_like import is_control_input, is_graph_tensor

_Operation = TypeVar("_Operation", bound=BaseOperation)


class GraphScopes(Generic[_Operation]):
    """The open scopes of a graph, other than name scopes, and their effect on new operations."""

    def __init__(self) -> None:
        self.open = OpenScopes()
        self.control_flow_context: Any = None  # the branch or loop that is being built
        # Raises if an operation has an input that it must not use.
        self.check_inputs: Callable[[_Operation], None] | None = None

    def switch_to_thread_local(self) -> None:
        """See `Graph.switch_to_thread_local`."""
        if not isinstance(self.open, OpenScopesOfThreads):
            self.open = OpenScopesOfThreads(self.open)

    @property
    def asks_context(self) -> bool:
        """Whether `enter_context` must be called for new operations."""
        return self.control_flow_context is not None or self.check_inputs is not None

    def enter_context(self, op: _Operation, outside: list[_Operation] | None) -> None:
        """Adds a new operation to the branch or loop that is being built. `outside`: operations after which it must
        run, but which were excluded from its control inputs."""
        context = op._control_flow_context = self.control_flow_context
        if self.check_inputs is not None:
            self.check_inputs(op)
        if context is not None:
            context.AddOp(op)
            if outside:
                context.wait_for_outside(op, outside)

    def parted_controls(self, ops: list[_Operation]) -> tuple[list[_Operation], list[_Operation] | None]:
        """Splits control inputs into operations that a new operation can depend on directly, and operations in other
        loops."""
        part = getattr(self.control_flow_context, "parted_controls", None)
        return (ops, None) if part is None else part(ops)

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """See `Graph.container`."""
        saved, self.open.container = self.open.container, container_name
        try:
            yield container_name
        finally:
            self.open.container = saved

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """See `Graph.gradient_override_map`."""
        if not isinstance(op_type_map, dict) or not all(
            isinstance(k, str) and isinstance(v, str) for k, v in op_type_map.items()
        ):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        saved = self.open.gradient_overrides
        self.open.gradient_overrides = {**saved, **op_type_map}
        try:
            yield
        finally:
            self.open.gradient_overrides = saved

    @contextmanager
    def original_op(self, op: _Operation) -> Iterator[None]:
        """See `Graph._original_op`."""
        saved, self.open.original_op = self.open.original_op, op
        try:
            yield
        finally:
            self.open.original_op = saved

    @contextmanager
    def attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """See `Graph._attr_scope`."""
        if not isinstance(attr_map, dict):
            raise TypeError("attr_map must be a dictionary mapping strings to Callable objects")
        saved = self.open.attrs
        self.open.attrs = {k: v for k, v in {**saved, **attr_map}.items() if v is not None}
        try:
            yield
        finally:
            self.open.attrs = saved

    def waited_for(self) -> set[_Operation]:
        """The control inputs of all open scopes."""
        return {op for controller in self.open.control_dependencies for op in controller.control_inputs}

    def controls_for(self, input_ops: Any) -> list[_Operation]:
        """The control inputs that the open scopes give to an operation whose inputs are produced by `input_ops`."""
        inputs = set(input_ops)
        needed: dict[_Operation, None] = {}
        for controller in self.open.control_dependencies:
            # An input created inside the scope already depends on its control inputs.
            if not any(controller.op_in_group(op) for op in inputs):
                needed.update((c, None) for c in controller.control_inputs if c not in inputs)
        return list(needed)

    def note_seen(self, op: _Operation) -> None:
        """Records that an operation was created in the open scopes."""
        for controller in self.open.control_dependencies:
            controller.add_op(op)

    def attrs_for(self, spec: OpSpec, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """The given attrs, completed by the open scopes."""
        merged = dict(attrs or {})
        for key, value in self.open.attrs.items():
            if key not in merged:
                scoped = value(self._fake_node_def(spec, merged)) if callable(value) else value
                if scoped is not None:
                    from tinytf._src.framework.declarations.attr_values import plain_attr

                    merged[key] = plain_attr(spec.attr_by_name.get(key), scoped)
        override = self.open.gradient_overrides.get(spec.name)
        if override is not None and "_gradient_op_type" not in merged:
            merged["_gradient_op_type"] = override
        if self.open.container and spec.has_container and not merged.get("container"):
            merged["container"] = self.open.container
        return merged

    def _fake_node_def(self, spec: OpSpec, attrs: dict[str, Any]) -> Any:
        return protos.NodeDef(name="", op=spec.name)


def operations_to_wait_for(graph: BaseGraph, control_inputs: Iterable[Any]) -> list[Any]:
    """The operations that the given objects are or that produce them. Raises TypeError for other objects."""
    ops = []
    for c in control_inputs:
        if isinstance(c, BaseOperation) and c._graph is graph:
            ops.append(c)
            continue
        if is_graph_tensor(c) and c._op._graph is graph:
            ops.append(c._op)
            continue
        if not isinstance(c, (BaseTensor, BaseOperation)) and (
            is_control_input(c) or (hasattr(c, "handle") and hasattr(c, "op"))
        ):
            # A resource variable stands for its handle, or for the update that returned it: the dependency does not
            # read it.
            ops.append(c.op)
            continue
        try:
            element = graph.as_graph_element(c)
        except TypeError:
            raise TypeError(f"Control input must be Operation or Tensor: {c}") from None
        ops.append(element._op if isinstance(element, BaseTensor) else element)
    return ops


class ControlDependencies:
    """A control-dependency scope; `control_inputs` None clears the enclosing dependencies. Can be entered once at a
    time."""

    def __init__(self, scopes: GraphScopes[Any], control_inputs: list[Any] | None) -> None:
        self._scopes = scopes
        self._clears = control_inputs is None
        self.control_inputs = control_inputs or []
        self._seen: set[int] = set()
        self._old_stack: list[ControlDependencies] = []
        self._old_context: Any = None

    def __enter__(self) -> None:
        scopes, open = self._scopes, self._scopes.open
        self._old_stack = open.control_dependencies
        if self._clears:
            open.control_dependencies = []
            self._old_context = scopes.control_flow_context
            scopes.control_flow_context = None
        else:
            open.control_dependencies = [*self._old_stack, self]

    def __exit__(self, *exc: Any) -> None:
        self._scopes.open.control_dependencies = self._old_stack
        if self._clears:
            self._scopes.control_flow_context = self._old_context

    def add_op(self, op: BaseOperation) -> None:
        self._seen.add(op._id)

    def op_in_group(self, op: BaseOperation) -> bool:
        return op._id in self._seen
