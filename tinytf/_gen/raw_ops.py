"""`tf.raw_ops`: the functions of all ops under the ops' own names, with keyword arguments only."""

from __future__ import annotations

import inspect
import typing  # no name of it: there is an op Any

from tinytf._gen import gen_ops
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user


def __getattr__(name: str) -> typing.Any:
    from tinytf._gen.op_functions import FUNCTIONS

    function = FUNCTIONS.get(name)
    if function is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, _by_keyword(name, getattr(gen_ops, function)))


def __dir__() -> list[str]:
    from tinytf._gen.op_functions import FUNCTIONS

    return sorted(FUNCTIONS)


def _by_keyword(name: str, function: typing.Callable[..., typing.Any]) -> typing.Callable[..., typing.Any]:
    """`function` as `tf.raw_ops.<name>`.

    Raises (when called):
      TypeError: an argument is given by position.
    """

    def raw(*args: typing.Any, **kwargs: typing.Any) -> typing.Any:
        if args:
            keys = list(inspect.signature(function).parameters)
            raise TypeError(
                f"{name} only takes keyword args (possible keys: {keys}). Please pass these args as kwargs instead."
            )
        try:
            return function(**kwargs)
        except REPORTED:
            leave_to_user()
            raise

    raw.__name__ = raw.__qualname__ = name
    raw.__doc__ = function.__doc__
    raw.__wrapped__ = function  # type: ignore[attr-defined]  # for those who ask for the signature
    return raw
