"""`ConcreteFunction`: one trace of a Python function, which can be called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.eager import composites
from tinytf._src.eager.calls import add_call
from tinytf._src.eager.control_flow.version import hand_down
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.eager.graph_function import GraphFunction, GraphSession
from tinytf._src.eager.lifting import Creator
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.errors_impl import InaccessibleTensorError
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.resources.variable_watch import accessed, accessed_in_graph
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.tensor_like import is_graph_tensor
from tinytf._src.variables.scope_defaults import open_creators, share_scopes

_GIVEN_NAME = "_user_specified_name"  # attr with the argument's name in TensorFlow's exports


class ConcreteFunction:
    """A graph traced from a Python function, with its captured tensors. Thread-safe.

    Call it with the tensors among the function's arguments: by position, or by parameter name.
    """

    def __init__(self, graph: FuncGraph, input_names: list[str], targets: list[Operation]) -> None:
        self.graph = graph
        self._names = input_names
        self._captured = tuple(graph.external_captures)
        self._function = GraphFunction(
            graph.name, GraphSession(graph), [*graph.inputs, *graph.internal_captures], [], graph.outputs, targets
        )
        self.created_variables: list[Any] = []  # made by the Python function during the trace
        self.starts_with: ConcreteFunction | None = None  # runs in place of this at the first call, if set
        self.unliftable = ""  # if not empty: why variable initializers could not be lifted out of the trace
        structure = graph.structured_outputs
        self._single = isinstance(structure, Tensor)

    @property
    def name(self) -> bytes:
        """The function's name in graphs: `__inference_`, the name of the Python function, and a number."""
        return self._function.entry.name.encode()

    @property
    def function_def(self) -> Any:
        """The function as a `FunctionDef` message."""
        graph = Graph()
        definition = _core.function_def(graph._core, self._function.entered(graph))
        return protos.FunctionDef.FromString(definition)

    def add_to_graph(self, g: Graph | None = None) -> None:
        """Adds the function and the functions that it calls to the library of a graph.

        Args:
          g: the graph; None: the default graph, or no graph if operations are executed eagerly.
        """
        if g is not None or not executing_eagerly():
            self._function.entered(g or get_default_graph())

    @property
    def inputs(self) -> list[Tensor]:
        """The placeholders of the arguments, then of the captures."""
        return [*self.graph.inputs, *self.graph.internal_captures]

    @property
    def outputs(self) -> list[Tensor]:
        """The output tensors, in the function's graph."""
        return self.graph.outputs

    @property
    def captured_inputs(self) -> list[Any]:
        """The captured outer tensors."""
        return list(self._captured)

    @property
    def variables(self) -> list[Any]:
        """The variables that the function reads and that still exist."""
        return self.graph.variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable ones among `variables`."""
        return self.graph.trainable_variables

    @property
    def structured_input_signature(self) -> Any:
        """(args, kwargs) of the trace: a TensorSpec for each tensor, an UnknownArgument for each object."""
        return self.graph.structured_input_signature

    @property
    def structured_outputs(self) -> Any:
        """The result of the Python function, made of the graph's tensors."""
        return self.graph.structured_outputs

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the outputs, in the structure of the result; of composite tensors, of their components."""
        return self._of_outputs(lambda tensor: tensor.dtype)

    @property
    def output_shapes(self) -> Any:
        """The static shapes of the outputs, in the structure of the result; of composite tensors, of their
        components."""
        return self._of_outputs(lambda tensor: tensor.shape)

    def _of_outputs(self, property_of: Callable[[Any], Any]) -> Any:
        tensors = nest.map_structure(composites.components, self.structured_outputs)
        return nest.map_structure(lambda tensor: None if tensor is None else property_of(tensor), tensors)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function: executes it, or adds a call to the default graph.

        Raises:
          TypeError: for missing or unexpected arguments.
          ValueError: for tensors whose dtype or shape does not fit.
        """
        values = list(composites.flatten(args))
        missing = self._names[len(values) :]
        for name in missing:
            if name not in kwargs:
                raise TypeError(f"{self.graph.name} takes {len(self._names)} tensors, but '{name}' is missing")
            values.append(kwargs.pop(name))
        if kwargs or len(values) > len(self._names):
            surplus = ", ".join(kwargs) or f"{len(values)} tensors, not {len(self._names)}"
            raise TypeError(f"{self.graph.name} got unexpected arguments: {surplus}")
        tensors = [convert_to_tensor(v, dtype_hint=p.dtype) for v, p in zip(values, self.graph.inputs, strict=True)]
        for i, (tensor, inner) in enumerate(zip(tensors, self.graph.inputs, strict=True)):
            if tensor.dtype != inner.dtype or not inner.shape.is_compatible_with(tensor.shape):
                raise ValueError(
                    f"cannot compute {self._function.entry.name} as input #{i} was expected to be a {inner.dtype.name} "
                    f"tensor of shape {inner.shape} but is a {tensor.dtype.name} tensor of shape {tensor.shape}"
                )
        return self.run(tuple(tensors)) if executing_eagerly() else self.call_in_graph(tuple(tensors))

    def run(self, tensors: tuple[Any, ...]) -> Any:
        """Executes the function eagerly on tensors that fit, in order."""
        if _core.any_tape():
            for variable in self.graph.variables:
                accessed(variable)
        values = self._function.call(tensors, self._captured)
        if self._single:
            return values[0]
        return self._structured(values)

    def call_in_graph(self, tensors: tuple[Any, ...]) -> Any:
        """Adds a call of the function to the default graph and returns its result. For a function without result, in a
        plain graph, returns the call operation, which can be run."""
        graph = get_default_graph()
        for variable in self.graph.variables:
            accessed_in_graph(variable)
        waits = (
            graph.control_dependencies(self.graph.control_captures) if self.graph.control_captures else nullcontext()
        )
        with waits:
            op = add_call(self._function, [*tensors, *self._captured])
        if self.graph.structured_outputs is None and not graph.building_function:
            return op
        return self._structured(op.outputs)

    def _structured(self, values: list[Any]) -> Any:
        structure = self.graph.structured_outputs
        rest = iter(values)
        flat = [None if leaf is None else next(rest) for leaf in composites.flatten(structure)]
        return composites.pack(structure, flat)

    def __repr__(self) -> str:
        return f"<tf.ConcreteFunction {self._function.entry.name} of {len(self.graph._nodes.ops)} operations>"


def trace(
    function: Callable[..., Any],
    name: str,
    name_of: Callable[[int], str],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    creator: Creator,
    shapes: list[Any] | None = None,
) -> ConcreteFunction:
    """Calls the Python function once, with placeholders for tensors and specs, and returns the traced function.

    `name_of` maps positions to parameter names, `creator` creates the variables that the function asks for, `shapes`
    overrides the placeholders' shapes. TypeError if a result is not a tensor; ValueError if the function changes the
    structure of its arguments.
    """
    return ConcreteFunction(*traced_graph(function, name, name_of, args, kwargs, creator, shapes))


def traced_graph(
    function: Callable[..., Any],
    name: str,
    name_of: Callable[[int], str],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    creator: Creator,
    shapes: list[Any] | None = None,
) -> tuple[FuncGraph, list[str], list[Operation]]:
    """Like `trace`; returns the graph, the names of its arguments, and the operations that must run."""
    hand_down()
    graph = FuncGraph(name)
    share_scopes(graph, get_default_graph())
    placeholders = _Placeholders(graph, shapes)
    paused = _core.pause_tapes()
    try:
        _core.share_site()
        with graph.as_default():
            creators = open_creators()
            creators.functions = creator.among(creators.functions)
            inner_args = tuple(placeholders.within(arg, name_of(i)) for i, arg in enumerate(args))
            inner_kwargs = {key: placeholders.within(value, key) for key, value in kwargs.items()}
            graph.structured_input_signature = nest.map_structure(_spec_of, (inner_args, inner_kwargs))
            before = nest.map_structure(_itself, (inner_args, inner_kwargs))
            result = function(*inner_args, **inner_kwargs)
            _check_unchanged(before, (inner_args, inner_kwargs))
            graph.structured_outputs = nest.map_structure(lambda leaf: _as_output(leaf, graph), result)
        graph.outputs = [leaf for leaf in composites.flatten(graph.structured_outputs) if leaf is not None]
    finally:
        _core.unshare_site()
        _core.resume_tapes(paused)
    return graph, placeholders.names, graph.note_order()


class _Placeholders:
    """Makes the placeholders for the tensors among the arguments, in order."""

    def __init__(self, graph: FuncGraph, shapes: list[Any] | None) -> None:
        self.names: list[str] = []
        self._used: dict[str, int] = {}
        self._graph = graph
        self._shapes = None if shapes is None else iter(shapes)

    def within(self, structure: Any, name: str) -> Any:
        """Returns the structure with placeholders for its tensors."""

        def inside(leaf: Any) -> Any:
            if composites.has_parts(leaf):
                return composites.with_parts(leaf, [self._make(spec, name) for spec in composites.part_specs(leaf)])
            return self._make(leaf, name) if isinstance(leaf, (Tensor, TensorSpec)) else leaf

        return nest.map_structure(inside, structure)

    def _make(self, part: Any, name: str) -> Tensor:
        given = part.name if isinstance(part, TensorSpec) else None
        chosen = given or name
        shape = part.shape if self._shapes is None else next(self._shapes)
        inner = gen_ops.placeholder(part.dtype, shape=shape, name=_valid(chosen))
        inner.op._set_attr(_GIVEN_NAME, chosen.encode())
        self._graph.inputs.append(inner)
        count = self._used[chosen] = self._used.get(chosen, 0) + 1
        self.names.append(chosen if count == 1 else f"{chosen}_{count - 1}")
        return inner


def _itself(leaf: Any) -> Any:
    return leaf


class UnknownArgument:
    """Stands in signatures for an object that is neither a tensor nor a plain value; a trace keeps no reference to
    it."""


_PLAIN = (bool, int, float, complex, str, bytes, type(None), DType, TypeSpec)


def _spec_of(leaf: Any) -> Any:
    if is_graph_tensor(leaf):
        return TensorSpec(leaf.shape, leaf.dtype, leaf.op.name)
    if composites.is_composite(leaf):
        return leaf._type_spec
    return leaf if isinstance(leaf, _PLAIN) else UnknownArgument()


def _check_unchanged(before: Any, after: Any) -> None:
    """Raises ValueError if the Python function changed the structure of its arguments, which later calls would not
    repeat."""
    if not _same(before, after):
        raise ValueError(
            "Function to be traced should not modify structure of input arguments. Check if your function has list and "
            "dictionary operations that alter input arguments, such as `list.pop`, `list.append`"
        )


def _same(a: Any, b: Any) -> bool:
    if not nest.is_nested(a):
        return a is b
    if not nest.is_nested(b) or len(a) != len(b):
        return False
    if isinstance(a, Mapping):
        return all(key in b and _same(a[key], b[key]) for key in a)
    return all(map(_same, a, b))


def _valid(name: str) -> str:
    text = "".join(c if c.isascii() and (c.isalnum() or c in "_.-/") else "_" for c in name)
    return text if text[:1].isalnum() else f"arg{text}"


def _as_output(value: Any, graph: FuncGraph) -> Any:
    """Returns copies of a function's results, so that outputs have names of their own."""
    if value is None:
        return None
    if composites.is_composite(value):
        return composites.with_parts(value, [graph.returned(part) for part in composites.parts_of(value)])
    try:
        return graph.returned(convert_to_tensor(value))
    except InaccessibleTensorError:
        raise
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in compilation "
            f"of {graph.name}, found return value of type {type(value)}, which is not a Tensor."
        ) from None
