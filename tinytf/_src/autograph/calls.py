"""Selects the callable that replaces a called function: its conversion, an overload of a builtin, or the function
itself."""

from __future__ import annotations

import functools
import inspect
from types import FunctionType, MethodType
from typing import Any

from tinytf._src.autograph import candidates, conversion, verbosity
from tinytf._src.autograph.directives import loop_options
from tinytf._src.autograph.equality import compares_by_value
from tinytf._src.autograph.features import Feature, Options
from tinytf._src.autograph.operators import branches, builtins, logic, loops, variables
from tinytf._src.autograph.unsupported import Unsupported
from tinytf._src.framework.sites.creation_line import is_users_file


class Operators:
    """The object that rewritten code accesses as `ag__`."""

    if_stmt = staticmethod(branches.if_stmt)
    while_stmt = staticmethod(loops.while_stmt)
    for_stmt = staticmethod(loops.for_stmt)
    and_ = staticmethod(logic.and_)
    or_ = staticmethod(logic.or_)
    not_ = staticmethod(logic.not_)
    none_of = staticmethod(logic.none_of)
    if_exp = staticmethod(logic.if_exp)
    checked = staticmethod(logic.checked)
    names_in = staticmethod(builtins.names_in)
    scope_for = staticmethod(builtins.scope_for)
    returned = staticmethod(variables.returned)
    attribute = staticmethod(variables.attribute)
    item = staticmethod(variables.Item)
    set_item = staticmethod(builtins.set_item)
    loop_options = staticmethod(loop_options)

    def __init__(self, options: Options) -> None:
        self.options = options
        by_value = options.uses(Feature.EQUALITY_OPERATORS)
        comparisons = logic.Comparisons(lambda: by_value or compares_by_value())
        self.eq, self.not_eq, self.chain = comparisons.eq, comparisons.not_eq, comparisons.chain
        printing = {print: builtins.print_} if options.uses(Feature.BUILTIN_FUNCTIONS) else {}
        self._overloads = {id(function): new for function, new in {**builtins.OVERLOADS, **printing}.items()}

    def converted(self, function: Any) -> Any:
        """Returns the callable that rewritten code calls in place of `function`."""
        kind = type(function)
        if kind is FunctionType:
            return self._of_function(function)
        if kind is MethodType:
            return self._of_method(function)
        if inspect.isclass(function) or inspect.isbuiltin(function):
            return self._overloads.get(id(function), function)
        if kind is functools.partial:
            return functools.partial(self.converted(function.func), *function.args, **function.keywords)
        call = inspect.getattr_static(kind, "__call__", None)
        if type(call) is not FunctionType or candidates.left_alone(function):
            return function
        new = self._of_function(call)
        return function if new is call else MethodType(new, function)

    def _of_method(self, method: MethodType) -> Any:
        if type(method.__func__) is not FunctionType or candidates.is_test_case(method.__self__):
            return method
        new = self._of_function(method.__func__)
        return method if new is method.__func__ else MethodType(new, method.__self__)

    def _of_function(self, function: FunctionType) -> FunctionType:
        if not self.options.recursive or not candidates.is_candidate(function):
            return function
        return self.requested(function)

    def requested(self, function: FunctionType) -> FunctionType:
        """Returns the converted function; if it cannot be converted, logs a warning once and returns the function
        itself."""
        code = function.__code__
        if candidates.left_alone(function) or conversion.is_rewritten(function) or not is_users_file(code.co_filename):
            return function
        if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
            kind = "a generator function" if inspect.isgeneratorfunction(function) else "a coroutine function"
            _warn_once(function, "Entity %s appears to be %s. It will not be converted by AutoGraph.", kind)
            return function
        try:
            new = conversion.rewritten(function, self.options, self)
        except Unsupported as error:
            if code.co_filename != "<string>":  # code that a program generated has no source; no warning
                text = "Entity %s could not be transformed and will be executed as-is. Cause: %s"
                _warn_once(function, text, str(error))
            return function
        verbosity.tell(1, "Converted %s", function)
        return new


_warned: set[str] = set()


def _warn_once(function: FunctionType, text: str, *values: str) -> None:
    code = function.__code__
    place = f"{code.co_filename}:{code.co_firstlineno}"
    if place not in _warned:
        _warned.add(place)
        verbosity.warn(text, f"{function} at {place}", *values)


@functools.cache
def operators_of(options: Options) -> Operators:
    """Returns the operators for these options; the object is cached."""
    return Operators(options)
