"""Scopes of a graph that add control inputs and attrs to its operations, and whose scopes they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf import protos
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.op_spec import OpSpec
from tinytf.framework.open_scopes import OpenScopes, OpenScopesOfThreads
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor


class GraphScopes:
    """The part of a graph that keeps open scopes."""

    as_graph_element: Callable[..., Any]

    def __init__(self) -> None:
        super().__init__()
        self._open = OpenScopes()
        self._control_flow_context: Any = None

    def switch_to_thread_local(self) -> None:
        """From now on each thread has device, colocation, control-dependency and attr scopes of its own. It begins with
        those that are open now. Name scopes always are a thread's own."""
        if not isinstance(self._open, OpenScopesOfThreads):
            self._open = OpenScopesOfThreads(self._open)

    @property
    def _container(self) -> str:
        return self._open.container

    def control_dependencies(self, control_inputs: Any) -> _ControlDependencies:
        """Operations made in the scope run after `control_inputs` (operations or tensors). None clears the enclosing
        dependencies. TypeError for other things."""
        if control_inputs is None:
            return _ControlDependencies(self, None)
        ops = []
        for c in control_inputs:
            if isinstance(c, IndexedSlices) or (hasattr(c, "handle") and hasattr(c, "op")):
                # A resource variable is its handle, or the update it comes from: waiting for it reads nothing.
                ops.append(c.op)
                continue
            try:
                element = self.as_graph_element(c)
            except TypeError:
                raise TypeError(f"Control input must be Operation or Tensor: {c}") from None
            ops.append(element._op if isinstance(element, Tensor) else element)
        return _ControlDependencies(self, ops)

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Stateful operations made in the scope keep their state in this container."""
        saved, self._open.container = self._open.container, container_name
        try:
            yield container_name
        finally:
            self._open.container = saved

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Operations of these types made in the scope use the gradients registered under the given names."""
        if not isinstance(op_type_map, dict) or not all(
            isinstance(k, str) and isinstance(v, str) for k, v in op_type_map.items()
        ):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        saved = self._open.gradient_overrides
        self._open.gradient_overrides = {**saved, **op_type_map}
        try:
            yield
        finally:
            self._open.gradient_overrides = saved

    @contextmanager
    def _original_op(self, op: Operation) -> Iterator[None]:
        """Operations made in the scope say that they come from `op`, for messages."""
        saved, self._open.original_op = self._open.original_op, op
        try:
            yield
        finally:
            self._open.original_op = saved

    @contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """Operations made in the scope get these attrs, unless they set them; None removes an enclosing one."""
        if not isinstance(attr_map, dict):
            raise TypeError("attr_map must be a dictionary mapping strings to Callable objects")
        saved = self._open.attrs
        self._open.attrs = {k: v for k, v in {**saved, **attr_map}.items() if v is not None}
        try:
            yield
        finally:
            self._open.attrs = saved

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    def _control_dependencies_for_inputs(self, input_ops: Any) -> list[Operation]:
        inputs = set(input_ops)
        needed: dict[Operation, None] = {}
        for controller in self._open.control_dependencies:
            # An input that was made inside the scope already waits for its control inputs.
            if not any(controller.op_in_group(op) for op in inputs):
                needed.update((c, None) for c in controller.control_inputs if c not in inputs)
        return list(needed)

    def _scoped_attrs(self, spec: OpSpec, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """The given attrs with what open scopes add."""
        merged = dict(attrs or {})
        for key, value in self._open.attrs.items():
            if key not in merged:
                scoped = value(self._fake_node_def(spec, merged)) if callable(value) else value
                if scoped is not None:
                    from tinytf.framework.attr_values import plain_attr

                    merged[key] = plain_attr(spec.attr_by_name.get(key), scoped)
        override = self._open.gradient_overrides.get(spec.name)
        if override is not None and "_gradient_op_type" not in merged:
            merged["_gradient_op_type"] = override
        if self._open.container and spec.has_container and not merged.get("container"):
            merged["container"] = self._open.container
        return merged

    def _fake_node_def(self, spec: OpSpec, attrs: dict[str, Any]) -> Any:
        return protos.NodeDef(name="", op=spec.name)


class _ControlDependencies:
    """One `control_dependencies` scope. A context manager, for one use at a time."""

    def __init__(self, graph: GraphScopes, control_inputs: list[Operation] | None) -> None:
        self._graph = graph
        self._clears = control_inputs is None
        self.control_inputs = control_inputs or []
        self._seen: set[int] = set()
        self._old_stack: list[_ControlDependencies] = []
        self._old_context: Any = None

    def __enter__(self) -> None:
        graph = self._graph
        scopes = graph._open
        self._old_stack = scopes.control_dependencies
        if self._clears:
            scopes.control_dependencies = []
            self._old_context = graph._control_flow_context
            graph._control_flow_context = None
        else:
            scopes.control_dependencies = [*self._old_stack, self]

    def __exit__(self, *exc: Any) -> None:
        self._graph._open.control_dependencies = self._old_stack
        if self._clears:
            self._graph._control_flow_context = self._old_context

    def add_op(self, op: Operation) -> None:
        self._seen.add(op._id)

    def op_in_group(self, op: Operation) -> bool:
        return op._id in self._seen
