"""`Defun`: Python functions as functions of graphs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tinytf.eager.defined.body import BodyGraph
from tinytf.eager.defined.function import _DefinedFunction
from tinytf.eager.defined.overloaded import _OverloadedFunction
from tinytf.framework.default_graph import get_default_graph


class Defun:
    """`@Defun(tf.float32, …)`: makes a Python function, which adds operations and returns tensors, one of graphs.

    A call is one operation whose type is the function's name. Without types the function is built for the types of what it
    is called with. Variables that it asks for are of the graph around it.
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        """Types of the arguments, and options:

        func_name: the name of the function; else the Python function's, with a hash of what it is made of.
        grad_func: the function that is its gradient, of the same kind: takes the arguments, then gradients of the outputs.
        python_grad_func: what builds gradients of calls, as `tf.RegisterGradient` asks for.
        out_names: names of the outputs.
        shape_func: yields the shapes of the outputs of a call, an operation.
        capture_by_value: builds what captured tensors depend on again in the function, instead of taking them.
        whitelisted_stateful_ops, capture_resource_var_by_value: what may be built again; whether variables are read
          outside of the function.
        noinline, compiled, experimental_…: attrs of the function.
        """
        self._input_types = input_types
        self._options = {
            name: kwargs.pop(name, None) for name in ("func_name", "grad_func", "python_grad_func", "out_names")
        }
        self._options.update(kwargs)

    def __call__(self, func: Callable[..., Any]) -> Any:
        """The function of graphs. ValueError for what cannot be called, takes keyword arguments or has defaults, or takes
        another number of arguments than there are types."""
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError(
                "function with argument defaults or keywords arguments are not supported. "
                f"{func} has defaults {spec.defaults} and keywords {spec.varkw}."
            )
        names = spec.args[1:] if inspect.ismethod(func) else spec.args
        if self._input_types:
            given = len(self._input_types)
            if given < len(names) or (given > len(spec.args) and not spec.varargs):
                raise ValueError("The function has fewer arguments than the number of specified input types.")
            return _DefinedFunction(func, names, self._input_types, **self._options)
        if not names and not spec.varargs:
            return _DefinedFunction(func, [], [], **self._options)
        return _OverloadedFunction(func, names, **self._options)


def get_extra_vars() -> list[Any]:
    """The variables that the function that is being built asked for; none outside of such functions."""
    graph = get_default_graph()
    return graph.extra_vars if isinstance(graph, BodyGraph) else []


def get_extra_inputs() -> list[Any]:
    """The tensors of other graphs that the function that is being built uses; none outside of such functions."""
    graph = get_default_graph()
    return graph.extra_inputs if isinstance(graph, BodyGraph) else []


def get_extra_args() -> list[Any]:
    """What stands for those in the function that is being built; none outside of such functions."""
    graph = get_default_graph()
    return graph.extra_args if isinstance(graph, BodyGraph) else []
