"""`Defun`: turns Python functions into graph functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tinytf._src.eager.defined.body import BodyGraph
from tinytf._src.eager.defined.function import _DefinedFunction
from tinytf._src.eager.defined.overloaded import _OverloadedFunction
from tinytf._src.framework.graph.default_graph import get_default_graph


class Defun:
    """Decorator `@Defun(tf.float32, …)`: turns a Python function that builds operations into a graph function.

    A call is one operation whose type is the function's name. Without input types the function is built for the dtypes
    of each call's arguments. Variables that it asks for belong to the enclosing graph.
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        """Takes the dtypes of the arguments, and options.

        Args:
          *input_types: dtypes of the arguments; none: taken from each call.
          func_name: name of the function; None: the Python function's, with a hash of its contents.
          grad_func: a function of the same kind that is its gradient: takes the arguments, then the gradients of the
            outputs.
          python_grad_func: gradient function of its calls, as in `tf.RegisterGradient`.
          out_names: names of the outputs.
          shape_func: takes a call operation; returns the shapes of its outputs.
          capture_by_value: whether the operations of captured tensors are copied into the function.
          whitelisted_stateful_ops: the stateful operations that may be copied.
          capture_resource_var_by_value: whether variables are read outside of the function.
          noinline, compiled, experimental_…: attrs of the function.
        """
        self._input_types = input_types
        self._options = {
            name: kwargs.pop(name, None) for name in ("func_name", "grad_func", "python_grad_func", "out_names")
        }
        self._options.update(kwargs)

    def __call__(self, func: Callable[..., Any]) -> Any:
        """Returns the graph function.

        Raises:
          ValueError: if `func` is not callable, takes keyword arguments, has defaults, or takes another number of
            arguments than there are input types.
        """
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
    """Returns the variables that the function being built asked for; an empty list outside of such functions."""
    graph = get_default_graph()
    return graph.extra_vars if isinstance(graph, BodyGraph) else []


def get_extra_inputs() -> list[Any]:
    """Returns the outer tensors that the function being built captures; an empty list outside of such functions."""
    graph = get_default_graph()
    return graph.extra_inputs if isinstance(graph, BodyGraph) else []


def get_extra_args() -> list[Any]:
    """Returns the arguments that stand for `get_extra_inputs()`; an empty list outside of such functions."""
    graph = get_default_graph()
    return graph.extra_args if isinstance(graph, BodyGraph) else []
