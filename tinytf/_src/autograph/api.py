"""The public functions of `tf.autograph`."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from tinytf._src.autograph import candidates, conversion
from tinytf._src.autograph.calls import operators_of
from tinytf._src.autograph.features import Options, options_of
from tinytf._src.autograph.unsupported import Unsupported
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.autograph_status import Status, called_in, status
from tinytf._src.framework.errors.error_traceback import called_by_users


@tf_export("autograph.to_graph")
@called_by_users
def to_graph(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """Converts a function so that `if`, `while`, `for` and logical operators that depend on tensors build graph
    operations.

    Args:
      entity: a function; a method, for which a function is returned that takes the object as its first argument; or a
        class, for which a subclass is returned whose own methods are converted.
      recursive: bool, whether functions that the converted code calls are converted, too.
      arg_values: ignored.
      arg_types: ignored.
      experimental_optional_features: a `tf.autograph.experimental.Feature`, a collection of them, or None for none.

    Returns:
      A function, or a class if `entity` is one.

    Raises:
      NotImplementedError: if `entity` cannot be converted: another object, a generator, a coroutine, or a function
        without source code.
      ValueError: if `experimental_optional_features` has anything but features.

    Example:
        def positive(x):
          if x > 0:
            return x
          return tf.zeros_like(x)
        y = tf.autograph.to_graph(positive)(tf.constant(-1.0))
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
    """Returns the source code of the function, or of the methods of the class, that `to_graph` returns.

    Args:
      entity: a function, method or class, as for `to_graph`.
      recursive: bool, as for `to_graph`.
      arg_values: ignored.
      arg_types: ignored.
      indentation: ignored.
      experimental_optional_features: as for `to_graph`.

    Returns:
      A string.

    Raises:
      NotImplementedError: if `entity` cannot be converted, as for `to_graph`.
      ValueError: if `experimental_optional_features` has anything but features.
    """
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
    """Excludes a function from conversion: it, and the functions that it calls, run as they are written.

    Args:
      func: a callable; if None, this function itself is returned for use as a decorator.

    Returns:
      A wrapper of `func`.
    """
    if func is None:
        return do_not_convert

    call = called_in(Status.DISABLED, func)
    if inspect.isfunction(func) or inspect.ismethod(func):
        functools.update_wrapper(call, func)
    candidates.mark(call)
    return call


def traced(function: Callable[..., Any], features: Any) -> Callable[..., Any]:
    """Returns the function that `tf.function` calls while it traces `function`; `features` are optional features or
    None."""
    operators = operators_of(options_of(True, features))
    rewritten = operators.requested(function) if isinstance(function, FunctionType) else operators.converted(function)
    return called_in(Status.ENABLED, rewritten)


def converted_here(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function as functions that are called now are converted: not at all where AutoGraph is disabled,
    else with the functions that it calls. It may be called elsewhere."""
    if status() is Status.DISABLED:
        return called_in(Status.DISABLED, function)
    return called_in(Status.ENABLED, operators_of(options_of(True, None)).converted(function))
