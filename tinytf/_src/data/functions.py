"""`StructuredFunctionWrapper`: a Python function of a dataset's elements, traced into a function of a graph."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

from tinytf._src.autograph.api import converted_here
from tinytf._src.data import structure
from tinytf._src.eager.concrete_function import traced_graph
from tinytf._src.eager.defined.defun import Defun
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.eager.graph_function import GraphSession, NodeFunction
from tinytf._src.eager.lifting import Creator
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.function_numbers import new_number
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.sites.call_site import creation_site
from tinytf._src.framework.sites.function_callers import Caller, note_caller
from tinytf._src.framework.tensors.conversion import convert_to_tensor


class DatasetFunction:
    """A traced function of datasets' operations."""

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        specs: list[Any],
        name_of: Callable[[int], str] = "args_{}".format,
    ) -> None:
        """Traces `function`, which takes tensors of these specs and returns a list of tensors; `name_of` names its
        arguments."""
        self.graph: FuncGraph
        creator = Creator(allowed=True, creates_once=False)
        self.graph, _, _ = traced_graph(function, name, name_of, tuple(specs), {}, creator)
        targets = _with_effects(self.graph)
        for tensor in self.graph.outputs:  # which are copies
            tensor.op._add_control_inputs(sorted(targets, key=lambda op: op.name))
        inputs = [*self.graph.inputs, *self.graph.internal_captures]
        self._function = NodeFunction(name, GraphSession(self.graph), inputs, [], self.graph.outputs, targets)

    @property
    def name(self) -> bytes:
        """The function's name in graphs."""
        return self._function.entry.name.encode()

    @property
    def captured_inputs(self) -> list[Any]:
        """The captured outer tensors, which operations pass to the function as its last arguments."""
        return self.graph.external_captures

    def add_to_graph(self, g: Graph | None = None) -> None:
        """Adds the function, and the functions that it calls, to the library of a graph, by default of the default
        graph if there is one."""
        if g is None and executing_eagerly():
            return
        graph = g or get_default_graph()
        self._function.entered(graph)
        graph._graph_def_versions = graph._graph_def_versions.with_functions()


def _with_effects(graph: FuncGraph) -> list[Operation]:
    """Returns the operations that run even if their outputs are not used: all with state, as in TensorFlow."""
    return [
        op
        for op in graph.get_operations()
        if op._is_stateful
        and not (op._spec.is_placeholder or op._spec.is_variable or op._spec.is_random)
        and op._get_control_flow_context() is None
    ]


class StructuredFunctionWrapper:
    """A Python function of nested elements, and the graph function that it was traced into.

    Attributes:
      function: the graph function, of tensors, with `captured_inputs`; as an attr of operations it is added to their
        graph.
      output_structure: the specification of its results.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        transformation_name: str,
        dataset: Any = None,
        input_structure: Any = None,
        add_to_graph: bool = True,
        use_legacy_function: bool = False,
        defun_kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Traces a function.

        Args:
          func: callable that takes an element; the components of a tuple are passed as several arguments.
          transformation_name: str that ends in "()", name of the user's call, for messages and the function's name.
          dataset: the dataset whose elements are passed.
          input_structure: their specification, if `dataset` is None.
          add_to_graph: whether the function is added to the default graph.
          use_legacy_function: whether it is made by `Defun`.
          defun_kwargs: options of `Defun`.

        Raises:
          TypeError: if the function returns something else than nested tensors.
        """
        self.output_structure: Any = None
        self._input_structure = input_structure if dataset is None else dataset.element_spec
        self._transformation = transformation_name
        site = creation_site(1)
        self._func = converted_here(func)
        name = "_".join([transformation_name.replace(".", "_")[:-2], _name_of(func)])
        self.function: Any
        if use_legacy_function:
            self.function = self._defined(f"{name}_{new_number()}", defun_kwargs or {})
            if add_to_graph:
                self.function.add_to_graph(get_default_graph())
            else:
                self.function._create_definition_if_needed()
        else:
            specs = structure.get_flat_tensor_specs(self._input_structure)
            self.function = DatasetFunction(self._on_tensors, name, specs)
            if add_to_graph:
                self.function.add_to_graph()
            self._warn_of_seed(name)
        note_caller(_text(self.function.name), self.function.graph, Caller(transformation_name, site))

    @property
    def output_classes(self) -> Any:
        """The classes of the results."""
        return structure.legacy_classes(self.output_structure)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results."""
        return structure.legacy_shapes(self.output_structure)

    @property
    def output_types(self) -> Any:
        """The types of the results."""
        return structure.legacy_types(self.output_structure)

    def _defined(self, name: str, options: dict[str, Any]) -> Any:
        types = structure.get_flat_tensor_types(self._input_structure)

        def function(*args: Any) -> list[Any]:
            result = self._called(*args)
            return structure.to_tensor_list(self.output_structure, result)

        return Defun(*types, func_name=name, **options)(function)

    def _on_tensors(self, *args: Any) -> list[Any]:
        result = self._called(*args)
        return [convert_to_tensor(tensor) for tensor in structure.to_tensor_list(self.output_structure, result)]

    def _called(self, *args: Any) -> Any:
        """Calls the user's function with the element that the tensors encode; sets `output_structure`."""
        element = structure.from_compatible_tensor_list(self._input_structure, list(args))
        result = self._func(*element) if unpacks(element) else self._func(element)
        if isinstance(result, list):
            result = tuple(result)
        try:
            self.output_structure = structure.type_spec_from_value(result)
        except (TypeError, ValueError):
            raise TypeError(
                f"Unsupported return value from function passed to {self._transformation}: {result!s}."
            ) from None
        return result

    def _warn_of_seed(self, name: str) -> None:
        outer = None if executing_eagerly() else get_default_graph().seed
        if outer and self.function.graph.seed == outer and self.function.graph.seed_used:
            warnings.warn(
                f"Seed {outer} from outer graph might be getting used by function {name}, if the random op has not been "
                "provided any seed. Explicitly set the seed in the function if this is not the intended behavior.",
                stacklevel=4,
            )


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name


def unpacks(element: Any) -> bool:
    """Whether the components of an element are passed to functions as several arguments."""
    return type(element) is tuple


def _name_of(func: Callable[..., Any]) -> str:
    if not callable(func):
        raise ValueError("Argument must be callable")
    if inspect.isfunction(func):
        return func.__name__
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    return str(type(func))
