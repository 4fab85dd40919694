"""`FuncGraph`: the graph of a traced function, with captures of outer tensors."""

from __future__ import annotations

import weakref
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager import control_order
from tinytf._src.framework.apply import random_seed
from tinytf._src.framework.apply.apply_op import check_eager
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context import execution
from tinytf._src.framework.errors.errors_impl import InaccessibleTensorError
from tinytf._src.framework.graph.default_graph import get_default_graph, graph_around
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.handle_data import handle_data
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_eager_tensor, is_graph_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.control_flow.context import recalled


class FuncGraph(Graph):
    """The body graph of a function.

    `inputs` are the placeholders of the arguments, in order; `captures` are pairs (outer tensor, placeholder), in the
    order of first use; `outputs` are the results. Outer tensors are eager tensors, or tensors of the graph in which the
    function is called. `control_captures` are operations of that graph on which the function's operations depend by
    control inputs.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._building_function = True
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.structured_input_signature: Any = None
        self.structured_outputs: Any = None
        self._captures: dict[Any, tuple[Any, Tensor]] = {}  # by the outer tensor
        self._captured_by: dict[int, Any] = {}  # outer tensors, by the keys of their placeholders
        self._returned: dict[int, Tensor] = {}  # originals of the outputs, which are copies, by key
        self.control_captures: list[Operation] = []
        self.copies_results = True
        self._variables: dict[int, weakref.ref[Any]] = {}  # variables that are read, by id
        self.outer_graph: Graph | None = None if execution.executing_eagerly() else get_default_graph()
        self.seed = random_seed.eager_seed() if self.outer_graph is None else self.outer_graph.seed

    @property
    def calls_functions(self) -> bool:
        """True: functions of this graph are called by operations such as PartitionedCall."""
        return True

    @property
    def captures(self) -> list[tuple[Any, Tensor]]:
        """The pairs (outer tensor, placeholder), in the order of first use."""
        return list(self._captures.values())

    @property
    def external_captures(self) -> list[Any]:
        """The captured outer tensors."""
        return [outer for outer, _ in self._captures.values()]

    @property
    def internal_captures(self) -> list[Tensor]:
        """The placeholders of the captured tensors."""
        return [inner for _, inner in self._captures.values()]

    def capture(self, tensor: Any, name: str | None = None) -> Tensor:
        """Returns the placeholder of an outer tensor; the graph's own tensors are returned as they are. It is created
        at first use, in the current name scope, with `name` or else the name of the tensor's operation."""
        if is_graph_tensor(tensor):
            return self._own(tensor, name)
        return self._captured(tensor, name)

    def _captured(self, tensor: Any, name: str | None) -> Tensor:
        """Returns the placeholder of a tensor that is not of this graph; see `capture`."""
        found = self._captures.get(tensor)
        if found is None:
            name = name or (tensor.op.name if is_graph_tensor(tensor) else "captured")
            with self.as_default(), self.control_dependencies(None):
                found = self._captures[tensor] = (tensor, stand_in(tensor, name, tensor.shape))
            self._captured_by[found[1]._key] = tensor
        return found[1]

    def _placeholder_of(self, outer: Any) -> Tensor | None:
        """Returns the placeholder of an outer tensor, or None if it is not captured."""
        found = self._captures.get(outer)
        return None if found is None else found[1]

    def _outer_of(self, tensor: Tensor) -> Any:
        """See `Graph._outer_of`."""
        return self._captured_by.get(tensor._key)

    def _own(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """Returns the tensor itself, or the placeholder of a tensor of an enclosing graph. InaccessibleTensorError for
        a tensor of an inner function, branch or loop. For one of an unrelated graph, TypeError if the function is
        executed eagerly, else ValueError."""
        graph = tensor._op._graph
        if graph is self:
            return tensor
        known = recalled(self._scopes.control_flow_context, tensor)
        if known is not None:
            return known
        outer: Any = self.outer_graph
        while outer is not graph:
            if outer is None or not outer.building_function:
                self._check_accessible(tensor)
                if outer is None and getattr(graph, "outer_graph", None) is None:
                    check_eager([tensor])  # as if it were an argument of the function
                raise ValueError(
                    f"{tensor} belongs neither to the graph of the function {self.name} nor to a graph that encloses it."
                )
            outer = outer.outer_graph
        return self._captured(tensor, name)

    def _check_accessible(self, tensor: Tensor) -> None:
        graph: Any = tensor._op._graph
        while isinstance(graph, FuncGraph):
            graph = graph.outer_graph
            if graph is self:
                home = tensor._op._graph
                raise InaccessibleTensorError(
                    f"The tensor '{tensor}' cannot be accessed here: it is defined in another function or code block. Use "
                    "return values, explicit Python locals or TensorFlow collections to access it. Defined in: "
                    f"FuncGraph(name={home.name}, id={id(home)}); accessed from: FuncGraph(name={self.name}, id={id(self)}).\n"
                )

    def returned(self, tensor: Any) -> Tensor:
        """Returns a copy of a tensor, to be an output."""
        tensor = convert_to_tensor(tensor)
        copy = gen_ops.identity(tensor)  # captures an outer tensor in its name scope
        self._returned[copy._key] = self.capture(tensor)
        return copy

    def original(self, tensor: Tensor) -> Tensor:
        """Returns the original of an output copy; other tensors unchanged. Calls fetch the originals; the copies exist
        for readers of the graph."""
        return self._returned.get(tensor._key, tensor)

    @property
    def captured_from(self) -> Graph | None:
        """The innermost enclosing function, or else the plain graph, on whose tensors or operations this one depends;
        calls are valid there, in its branches and loops and in its functions. None if it depends on nothing outside."""
        used = {op.graph for op in self.control_captures}
        used |= {tensor.graph for tensor in self.external_captures if is_graph_tensor(tensor)}
        outer: Any = self.outer_graph
        while used and outer not in used:
            outer = graph_around(outer)
        return outer if used else None

    def watch_variable(self, variable: Any) -> None:
        """Notes a variable that is read, so that calls can report it to tapes."""
        self._variables.setdefault(id(variable), weakref.ref(variable))

    @property
    def variables(self) -> list[Any]:
        """The variables that are read and still exist, in the order of first use."""
        return [v for v in (reference() for reference in self._variables.values()) if v is not None]

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable ones among `variables`."""
        return [v for v in self.variables if v.trainable]

    def control_dependencies(self, control_inputs: Any) -> Any:
        """See `Graph.control_dependencies`. Eager tensors are dropped; operations of enclosing graphs become control
        inputs of the function's call."""
        if control_inputs is not None:
            control_inputs = [c for c in control_inputs if self._is_own_control(_awaited(c))]
        return super().control_dependencies(control_inputs)

    def _is_own_control(self, item: Any) -> bool:
        if is_eager_tensor(item):
            return False
        op = item if isinstance(item, Operation) else getattr(item, "op", None)
        if not isinstance(op, Operation) or op.graph is self:
            return True
        if op not in self.control_captures:
            self.control_captures.append(op)
        return False

    def note_order(self, first: int = 0) -> list[Any]:
        """Orders stateful operations with ids above `first` as the program calls them; returns the operations that must
        run."""
        return control_order.in_program_order(self.made_since(first))


def stand_in(tensor: Any, name: str | None, shape: TensorShape) -> Tensor:
    """Returns the stand-in for an outer tensor in a function: a placeholder of the given shape, or for a variable's
    handle a handle with its dtype and shape."""
    known = handle_data(tensor) if is_eager_tensor(tensor) else _handle_data(tensor)
    if known is None or tensor.dtype != dtypes.resource or shape.ndims:  # handles of TensorArrays are vectors
        return gen_ops.placeholder(tensor.dtype.base_dtype, shape=shape, name=name)
    held, held_shape = known
    return gen_ops.var_handle_op(dtype=held, shape=held_shape, name=name)


def _handle_data(tensor: Tensor) -> tuple[Any, Any] | None:
    known = tensor.graph._core.handle_info(tensor._key)
    return None if known is None else (dtypes.as_dtype(known[0]), TensorShape._from_tuple(known[1]))


def _awaited(item: Any) -> Any:
    """Returns the tensor or operation that a control input stands for: a variable's handle, the values of an
    IndexedSlices."""
    if isinstance(item, IndexedSlices):
        return item.values
    return item if isinstance(item, Tensor) else getattr(item, "handle", item)
