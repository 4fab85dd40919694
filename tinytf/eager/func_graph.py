"""`FuncGraph`: the graph of a traced function. Outer tensors that have their values come in as captures."""

from __future__ import annotations

import weakref
from typing import Any

from tinytf._gen import gen_ops
from tinytf.eager import control_order
from tinytf.framework import dtypes, execution, random_seed
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.errors_impl import InaccessibleTensorError
from tinytf.framework.graph import Graph
from tinytf.framework.handle_data import handle_data
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_like import is_eager_tensor, is_graph_tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.control_flow.context import recalled


class FuncGraph(Graph):
    """A graph that is a function's body.

    `inputs` are the placeholders of the arguments, in their order; `captures` are (outer tensor, placeholder), in the
    order of their first use; `outputs` is what the function yields. Outer tensors have their values, or are of the graph
    in which the function is called; operations of that graph that the function's wait for are `control_captures`.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.structured_input_signature: Any = None
        self.structured_outputs: Any = None
        self._captures: dict[Any, tuple[Any, Tensor]] = {}  # by the outer tensor
        self._captured_by: dict[int, Any] = {}  # outer tensors by the keys of their placeholders
        self._returned: dict[int, Tensor] = {}  # what outputs are copies of, by key
        self.control_captures: list[Operation] = []
        self.copies_results = True
        self._variables: dict[int, weakref.ref[Any]] = {}  # those that are read, by id
        self.outer_graph: Graph | None = None if execution.executing_eagerly() else get_default_graph()
        self.seed = random_seed.eager_seed() if self.outer_graph is None else self.outer_graph.seed

    @property
    def building_function(self) -> bool:
        """True: this is a function's body."""
        return True

    @property
    def calls_functions(self) -> bool:
        """True: this is of the second generation."""
        return True

    @property
    def captures(self) -> list[tuple[Any, Tensor]]:
        """(outer tensor, placeholder), in the order of their first use."""
        return list(self._captures.values())

    @property
    def external_captures(self) -> list[Any]:
        """The outer tensors."""
        return [outer for outer, _ in self._captures.values()]

    @property
    def internal_captures(self) -> list[Tensor]:
        """The placeholders that stand for them."""
        return [inner for _, inner in self._captures.values()]

    def capture(self, tensor: Any, name: str | None = None) -> Tensor:
        """The placeholder of an outer tensor, made when it is first used, in the name scope that is open then and under the
        name of what made the tensor, if none is given. The graph's own tensors are left as they are."""
        if is_graph_tensor(tensor):
            return self._own(tensor._itself, name)
        return self._captured(tensor, name)

    def _captured(self, tensor: Any, name: str | None) -> Tensor:
        """The placeholder of a tensor that is not of this graph; see `capture`."""
        found = self._captures.get(tensor)
        if found is None:
            name = name or (tensor.op.name if is_graph_tensor(tensor) else "captured")
            with self.as_default(), self.control_dependencies(None):
                found = self._captures[tensor] = (tensor, stand_in(tensor, name, tensor.shape))
            self._captured_by[found[1]._key] = tensor
        return found[1]

    def _placeholder_of(self, outer: Any) -> Tensor | None:
        """The placeholder that stands for an outer tensor, if there is one."""
        found = self._captures.get(outer)
        return None if found is None else found[1]

    def _outer_of(self, tensor: Tensor) -> Any:
        """See `Graph._outer_of`."""
        return self._captured_by.get(tensor._key)

    def _own(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """The tensor, or the placeholder that stands for one of a graph around this one. InaccessibleTensorError for one of a
        function, branch or loop within; ValueError for one of another graph."""
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
                raise ValueError(
                    f"{tensor} is of another graph than the function {self.name}, and not of one around it either."
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
        """A copy of a tensor, to be an output."""
        inner = self.capture(convert_to_tensor(tensor))
        copy = gen_ops.identity(inner)
        self._returned[copy._key] = inner
        return copy

    def original(self, tensor: Tensor) -> Tensor:
        """What an output is a copy of; other tensors are themselves. Calls fetch it: a copy is for who reads the graph."""
        return self._returned.get(tensor._key, tensor)

    @property
    def captured_from(self) -> FuncGraph | None:
        """The innermost function around this one on whose tensors or operations it depends, the outermost if it is on those of
        a plain graph: it may be called there, and in branches and loops of that. None if it depends on none."""
        used = {op.graph for op in self.control_captures}
        used |= {tensor.graph for tensor in self.external_captures if is_graph_tensor(tensor)}
        outer: Any = self.outer_graph
        while used and outer not in used and outer.building_function:
            around = outer.outer_graph
            if around is None or not around.building_function:
                break
            outer = around
        return outer if used else None

    def watch_variable(self, variable: Any) -> None:
        """Notes a variable that is read: tapes that record a call of the function will want to know."""
        self._variables.setdefault(id(variable), weakref.ref(variable))

    @property
    def variables(self) -> list[Any]:
        """The variables that are read and still exist, in the order of their first use."""
        return [v for v in (reference() for reference in self._variables.values()) if v is not None]

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of `variables` that are trainable."""
        return [v for v in self.variables if v.trainable]

    def control_dependencies(self, control_inputs: Any) -> Any:
        """As of every graph; what has its value already need not be waited for, and for operations of graphs around this
        one the call of the function waits."""
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
        """Orders stateful operations above the id `first` as the program calls them; those that must run."""
        return control_order.in_program_order(self.made_since(first))


def stand_in(tensor: Any, name: str | None, shape: TensorShape) -> Tensor:
    """What calls feed with the tensor: a placeholder of a shape, or for variables a handle that tells what they hold."""
    known = handle_data(tensor) if is_eager_tensor(tensor) else _handle_data(tensor)
    if known is None or tensor.dtype != dtypes.resource or shape.ndims:  # handles of arrays are vectors
        return gen_ops.placeholder(tensor.dtype.base_dtype, shape=shape, name=name)
    held, held_shape = known
    return gen_ops.var_handle_op(dtype=held, shape=held_shape, name=name)


def _handle_data(tensor: Tensor) -> tuple[Any, Any] | None:
    known = tensor.graph._core.handle_info(tensor._key)
    return None if known is None else (dtypes.as_dtype(known[0]), TensorShape._from_tuple(known[1]))


def _awaited(item: Any) -> Any:
    """What a control input stands for: of a variable its handle, of an IndexedSlices its values."""
    if isinstance(item, IndexedSlices):
        return item.values
    return item if isinstance(item, Tensor) else getattr(item, "handle", item)
