"""The public functions of `tf.autograph`."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from tinytf.auto_graph import candidates, conversion
from tinytf.auto_graph.calls import operators_of
from tinytf.auto_graph.features import Options, options_of
from tinytf.auto_graph.unsupported import Unsupported
from tinytf.exports import tf_export
from tinytf.framework.autograph_status import Status, called_in
from tinytf.framework.error_traceback import called_by_users


@tf_export("autograph.to_graph")
@called_by_users
def to_graph(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """A function whose control flow builds branches and loops of a graph where tensors decide.

    Args:
      entity: a function, a method (what is returned takes the object first), or a class: then a subclass is returned in
        which all its methods are such functions.
      recursive: whether functions that are called are treated so, too.
      arg_values, arg_types: without effect.
      experimental_optional_features: one `tf.autograph.experimental.Feature`, or several.

    NotImplementedError for what cannot be rewritten: other objects, generators, functions without a source.
    """
    options = options_of(recursive, experimental_optional_features)
    if inspect.isclass(entity):
        methods = {n: _rewritten(m, options) for n, m in vars(entity).items() if isinstance(m, FunctionType)}
        return types.new_class(
            entity.__name__, (entity,), {}, lambda names: names.update({"__module__": entity.__module__, **methods})
        )
    return _rewritten(_function(entity), options)


@tf_export("autograph.to_code")
@called_by_users
def to_code(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """The source of what `to_graph` returns, with the same arguments; `indentation` is without effect."""
    options = options_of(recursive, experimental_optional_features)
    if inspect.isclass(entity):
        return "\n".join(_source(m, options) for m in vars(entity).values() if isinstance(m, FunctionType))
    return _source(_function(entity), options)


def _source(function: FunctionType, options: Options) -> str:
    try:
        return conversion.rewritten_source(function, options)
    except Unsupported as error:
        raise NotImplementedError(*error.args) from None


def _function(entity: Any) -> FunctionType:
    function = entity.__func__ if isinstance(entity, MethodType) else entity
    if not isinstance(function, FunctionType):
        raise NotImplementedError(f'cannot convert entity "{entity}": object conversion is not yet supported.')
    return function


def _rewritten(function: FunctionType, options: Options) -> FunctionType:
    if conversion.is_rewritten(function):
        return function
    try:
        return conversion.rewritten(function, options, operators_of(options))
    except Unsupported as error:
        raise NotImplementedError(*error.args) from None


@tf_export("autograph.experimental.do_not_convert")
def do_not_convert(func: Any = None) -> Any:
    """The function as one that is called as it is, and whose calls are calls of functions as they are; without `func` a
    decorator."""
    if func is None:
        return do_not_convert

    call = called_in(Status.DISABLED, func)
    if inspect.isfunction(func) or inspect.ismethod(func):
        functools.update_wrapper(call, func)
    candidates.mark(call)
    return call


def traced(function: Callable[..., Any], features: Any) -> Callable[..., Any]:
    """The function as `tf.function` calls it when it makes a trace."""
    operators = operators_of(options_of(True, features))
    rewritten = operators.requested(function) if isinstance(function, FunctionType) else operators.converted(function)
    return called_in(Status.ENABLED, rewritten)
