"""`BodyGraph`: the graph in which a `Defun` function is built."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.func_graph import stand_in
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.ops.control_flow.context import recalled
from tinytf._src.variables.creation import variable_creator_scope
from tinytf._src.variables.resource_variable import ResourceVariable
from tinytf._src.variables.scope import get_variable_in, get_variable_scope, variable_scope
from tinytf._src.variables.scope_defaults import STORE_KEY

_MOST_COPIES = 1000  # operations of a body up to which each use of a captured tensor has a copy


class BodyGraph(Graph):
    """A graph whose `outputs` are a function of its `inputs`.

    Captured tensors of other graphs become inputs, `extra_args`; calls pass the tensors in `extra_inputs` for them.
    With `capture_by_value` their operations are copied here instead. `extra_vars` are the variables that the function
    asked for, which belong to the enclosing graph.
    """

    def __init__(
        self, name: str, capture_by_value: bool, copied_stateful_ops: Any, capture_resource_var_by_value: bool
    ) -> None:
        super().__init__()
        self._building_function = True
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.extra_inputs: list[Any] = []
        self.extra_args: list[Tensor] = []
        self.extra_vars: list[Any] = []
        self.outer_graph: Graph | None = None if executing_eagerly() else get_default_graph()
        self._by_value = capture_by_value
        self._copied_stateful_ops = copied_stateful_ops
        self._reads_variables = capture_resource_var_by_value
        self._scope = get_variable_scope()
        self._captured: dict[Any, Tensor] = {}
        self._captured_by: dict[int, Any] = {}  # outer tensors, by the keys of their arguments

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """See `Graph.container`; applies to the variables, which are of the enclosing graph, too."""
        with init_scope():
            outer = get_default_graph().container(container_name)
        with outer, super().container(container_name):
            yield container_name

    def shares_variables_of(self, graph: Graph) -> None:
        """Shares the variable collections of a graph."""
        for key in [*GraphKeys._VARIABLE_COLLECTIONS, STORE_KEY]:
            self._collections.share(key, graph._collections)

    def get_variable(self, getter: Any, name: str, **options: Any) -> Any:
        """Custom getter of the body's variable scope: returns a variable of the enclosing graph, or its value read
        there."""
        del getter
        passed = ("shape", "dtype", "initializer", "reuse", "trainable", "collections", "use_resource")
        with self._around():
            taken: dict[str, Any] = {key: options.get(key) for key in passed}
            variable = get_variable_in(self._scope, name, **taken)
            self.extra_vars.append(variable)
            if isinstance(variable, ResourceVariable) and self._reads_variables:
                # read in the enclosing graph, so that the function depends on its arguments only
                return variable.value()
            return variable

    def _around(self) -> Any:
        return init_scope() if self.outer_graph is None else self.outer_graph.as_default()

    def capture(self, tensor: Any, name: str | None = None) -> Tensor:
        """Returns the stand-in for an outer tensor, or for an eager one. Own tensors are returned as they are."""
        if is_graph_tensor(tensor):
            return self._own(tensor)
        return self._stand_in(tensor, name)

    def _own(self, tensor: Tensor) -> Tensor:
        if tensor._op._graph is self:
            return tensor
        known = recalled(self._scopes.control_flow_context, tensor)
        return self._stand_in(tensor, None) if known is None else known

    def _stand_in(self, tensor: Any, name: str | None) -> Tensor:
        found = self._captured.get(tensor)
        if found is not None:
            return found
        if self._by_value and is_graph_tensor(tensor):
            return self._copied(tensor.op)[tensor._key & 0xFFFFFFFF]
        self.extra_inputs.append(tensor)
        with self.control_dependencies(None):
            inner = stand_in(tensor, name or "Placeholder", tensor.shape)
        self.inputs.append(inner)
        self._captured[tensor] = inner
        self._captured_by[inner._key] = tensor
        self.extra_args.append(inner)
        return inner

    def _placeholder_of(self, outer: Any) -> Tensor | None:
        """Returns the argument for an outer tensor, or None if it is not captured."""
        return self._captured.get(outer)

    def _outer_of(self, tensor: Tensor) -> Any:
        """See `Graph._outer_of`."""
        return self._captured_by.get(tensor._key)

    def _copied(self, op: Operation) -> list[Tensor]:
        """Copies an operation, with all that it depends on, into this graph; returns the copy's outputs. ValueError for
        placeholders, and for stateful operations that are not in `copied_stateful_ops`."""
        for what, refused in (
            ("stateful node", op._is_stateful and op not in self._copied_stateful_ops),
            ("placeholder", op._spec.is_placeholder),
        ):
            if refused:
                raise ValueError(f"Cannot capture a {what} (name:{op.name}, type:{op.type}) by value.")
        inputs = [self._input_of_copy(t) for t in op.inputs]
        copy = self.create_op(op.type, inputs, name=op.name, attrs=dict(op.node_def.attr))
        self._captured.update(zip(op.outputs, copy.outputs, strict=True))
        return copy.outputs

    def _input_of_copy(self, tensor: Tensor) -> Tensor:
        """Returns the stand-in for an input of a copied operation. Like in TensorFlow, each use of a tensor has a copy of its
        own, until there are so many that they would fill the memory."""
        if self._last_id > _MOST_COPIES and tensor in self._captured:
            return self._captured[tensor]
        return self._copied(tensor.op)[tensor._key & 0xFFFFFFFF]


def _made_around(next_creator: Callable[..., Any], **options: Any) -> Any:
    with init_scope():
        return next_creator(**options)


def build(
    func: Callable[..., Any], names: Sequence[str], types: Sequence[Any], graph: BodyGraph, devices: list[Any]
) -> None:
    """Calls the Python function in `graph`, with placeholders of these names and dtypes. ValueError if it returns None
    in a list of results. `devices`: the enclosing device requests."""
    with graph.as_default():
        graph._scopes.open.devices.extend(devices)
        graph.inputs.extend(gen_ops.placeholder(dtype, name=name) for name, dtype in zip(names, types, strict=True))
        with variable_creator_scope(_made_around), variable_scope("", custom_getter=graph.get_variable):
            returned = func(*graph.inputs)
        if returned is None:
            returned = ()
        elif not isinstance(returned, (list, tuple)):
            returned = (returned,)
        if any(value is None for value in returned):
            raise ValueError(f"Function {graph.name} can not return None.")
        graph.outputs = [graph.capture(convert_to_tensor(value)) for value in returned]
        graph._scopes.open.devices.clear()
