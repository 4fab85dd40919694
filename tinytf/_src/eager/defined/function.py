"""`_DefinedFunction`: a function whose calls are operations with its name as their type."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tinytf import _core
from tinytf._src.eager.defined.attrs import parsed_attrs
from tinytf._src.eager.defined.body import BodyGraph, build
from tinytf._src.eager.defined.definition import definition_of
from tinytf._src.framework.context.execution import executing_eagerly, graph_mode
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.dtypes import as_dtype


class _DefinedFunction:
    """A Python function with dtypes of its arguments. It is called, to build the body, when that is first needed."""

    def __init__(
        self,
        func: Callable[..., Any],
        argnames: Sequence[str],
        input_types: Sequence[Any],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Any = None,
        shape_func: Callable[[Operation], Sequence[Any]] | None = None,
        capture_by_value: bool = False,
        whitelisted_stateful_ops: Any = None,
        capture_resource_var_by_value: bool = True,
        **kwargs: Any,
    ) -> None:
        """See `Defun`; `kwargs` become attrs of the function."""
        self._func = func
        self._name = func_name
        self._grad_func = grad_func
        self._python_grad_func = python_grad_func
        self._out_names = out_names
        self._shape_func = shape_func
        self._capture = (capture_by_value, whitelisted_stateful_ops or set(), capture_resource_var_by_value)
        self._options = kwargs
        self._types = tuple(as_dtype(dtype) for dtype in input_types)
        self._arg_names = [argnames[i] if i < len(argnames) else f"arg{i}" for i in range(len(self._types))]
        self._devices = [] if executing_eagerly() else get_default_graph()._scopes.open.devices[-1:]
        self._body: BodyGraph | None = None
        self._definition: Any = None
        self.derivation: Any = None  # its gradient function, once derived

    # -- Properties --------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The function's name in graphs."""
        return str(self.definition.signature.name)

    @property
    def definition(self) -> Any:
        """The function as a `FunctionDef` message."""
        self._create_definition_if_needed()
        return self._definition

    @property
    def graph(self) -> BodyGraph:
        """The graph of its body."""
        self._create_definition_if_needed()
        assert self._body is not None
        return self._body

    @property
    def inputs(self) -> list[Tensor]:
        """The body's placeholders of the arguments, then of the captured tensors."""
        return self.graph.inputs

    @property
    def outputs(self) -> list[Tensor]:
        """The output tensors in the body."""
        return self.graph.outputs

    @property
    def given(self) -> list[Tensor]:
        """Empty: captured tensors are among the inputs."""
        return []

    @property
    def captured_inputs(self) -> list[Any]:
        """The captured outer tensors, which calls pass as the last inputs."""
        return self.graph.extra_inputs

    @property
    def declared_input_types(self) -> tuple[Any, ...]:
        """The dtypes of the arguments, without captured tensors."""
        return self._types

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """Name and type of each stateful operation of the body."""
        return [(op.name, op.type) for op in self.graph.get_operations() if op._is_stateful]

    @property
    def grad_func_name(self) -> str | None:
        """The name of the function that is its gradient, or None."""
        return self._grad_func.name if self._grad_func else None

    @property
    def python_grad_func(self) -> Callable[..., Any] | None:
        """The gradient function of its calls, as of ops, or None."""
        return self._python_grad_func

    def set_grad_func(self, grad_func: _DefinedFunction) -> None:
        """Sets the function that is its gradient. AssertionError if there is one already, or it is of another type."""
        assert not self._grad_func
        assert isinstance(grad_func, _DefinedFunction)
        self._grad_func = grad_func

    # -- Building ----------------------------------------------------------------------------------------------------

    def _create_definition_if_needed(self) -> None:
        if self._definition is not None:
            return
        with graph_mode():
            name = self._name or _name_of(self._func)
            body = BodyGraph(name, *self._capture)
            body.shares_variables_of(get_default_graph())
            build(self._func, self._arg_names, self._types, body, self._devices)
            base = name
            if self._name is None and self._grad_func:
                base += f"_{self._grad_func.name}"
            attrs = parsed_attrs(base, self._options)
            definition = definition_of(body, body.inputs, body.outputs, base, self._name is None, self._out_names)
        definition.signature.description = self._func.__doc__ or ""
        for attr, value in attrs.items():
            definition.attr[attr].CopyFrom(value)
        self._body, self._definition = body, definition

    def add_to_graph(self, g: Graph) -> None:
        """Adds the function, the functions that it calls, and its gradient to the library of a graph. ValueError if it
        has both kinds of gradient, or the graph has another function of that name."""
        if self._grad_func and self._python_grad_func:
            raise ValueError(f"Gradient defined twice for function {self.name}")
        if g._functions.get(self.name) is self:
            return
        g._functions.define(g, self.name, self)
        if self._grad_func:
            self._grad_func.add_to_graph(g)
            _core.set_gradient(g._core, self.name, self._grad_func.name)

    # -- Calling -----------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds an operation that calls the function to the default graph.

        Args:
          *args: the arguments, convertible to tensors.
          **kwargs: `name` of the operation, and options that become its attrs, for example `noinline`.

        Returns:
          The output tensor, a tuple of several, or the operation if there are none.

        Raises:
          ValueError: for arguments of wrong number or dtype.
        """
        graph = get_default_graph()
        self.add_to_graph(graph)
        tensors = [convert_to_tensor(arg) for arg in args] + self.captured_inputs
        op = self._called(graph, tensors, **kwargs)
        if self._shape_func is not None:
            shapes = self._shape_func(op)
            if len(shapes) != len(op.outputs):
                raise ValueError(f"shape_func produced {len(shapes)} shapes for {len(op.outputs)} outputs")
            for tensor, shape in zip(op.outputs, shapes, strict=True):
                tensor.set_shape(shape)
        if len(op.outputs) > 1:
            return tuple(op.outputs)
        return op.outputs[0] if op.outputs else op

    def _called(self, graph: Graph, tensors: list[Any], name: str | None = None, **options: Any) -> Operation:
        signature = self.definition.signature
        if len(tensors) != len(signature.input_arg):
            raise ValueError(f"Expected number of arguments: {len(signature.input_arg)}, received: {len(tensors)}")
        attrs = parsed_attrs(self.name, options)
        called = graph.unique_name(name or self.name)
        for arg, tensor in zip(signature.input_arg, tensors, strict=True):
            wanted = as_dtype(arg.type)
            if tensor.dtype.base_dtype != wanted:
                raise ValueError(
                    f"Input '{arg.name}' passed {tensor.dtype.base_dtype._core_name} expected {wanted._core_name} while "
                    f"building NodeDef '{called}' using {_summary(signature)}"
                )
        return graph.create_op(self.name, tensors, name=f"{called}/", attrs=attrs)


def _name_of(func: Callable[..., Any]) -> str:
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    return func.__name__ if inspect.isfunction(func) else str(type(func))


def _summary(signature: Any) -> str:
    def types(args: Any) -> str:
        return ", ".join(f"{arg.name}:{as_dtype(arg.type)._core_name}" for arg in args)

    stateful = "; is_stateful=true" if signature.is_stateful else ""
    return (
        f"Op<name={signature.name}; signature={types(signature.input_arg)} -> {types(signature.output_arg)}{stateful}>"
    )
