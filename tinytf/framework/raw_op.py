"""`tf.raw_ops`: the generated wrappers under the ops' own names, with keyword arguments only."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tinytf.framework.error_traceback import REPORTED, leave_to_user


def raw_op(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` as `tf.raw_ops.<name>`.

    Raises (when called):
      TypeError: an argument is given by position.
    """

    def raw(*args: Any, **kwargs: Any) -> Any:
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
