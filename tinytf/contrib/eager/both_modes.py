"""Decorators that run test methods in graph mode and in eager mode."""

from __future__ import annotations

import functools
import unittest
from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.eager.context import eager_mode, graph_mode

__all__ = ["run_all_tests_in_graph_and_eager_modes", "run_test_in_graph_and_eager_modes"]


def run_test_in_graph_and_eager_modes(
    func: Callable[..., Any] | None = None,
    config: Any = None,
    use_gpu: bool = True,
    reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """Decorates a method of a `tf.test.TestCase` to run first in a graph with a session, then eagerly.

    Args:
      func: the method; if None, a decorator is returned.
      config: a `ConfigProto` for the session.
      use_gpu: bool, as in `TestCase.test_session`.
      reset_test: bool, whether `tearDown` and `setUp` run in between.
      assert_no_eager_garbage: ignored; accepted for compatibility.

    Returns:
      The decorated method, or a decorator.

    Raises:
      ValueError: if `func` is a class.
    """

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        if isinstance(method, type):
            raise ValueError(
                "`run_test_in_graph_and_eager_modes` only supports test methods. Did you mean to use "
                "`run_all_tests_in_graph_and_eager_modes`?"
            )

        @functools.wraps(method)
        def both(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                with graph_mode(), self.test_session(use_gpu=use_gpu, config=config):
                    method(self, *args, **kwargs)
            except unittest.SkipTest:
                pass  # skipped in graph mode only
            if reset_test:
                self.tearDown()
            tf.reset_default_graph()
            with eager_mode():
                if reset_test:
                    self.setUp()
                method(self, *args, **kwargs)

        return both

    return decorate if func is None else decorate(func)


def run_all_tests_in_graph_and_eager_modes(cls: type) -> type:
    """Class decorator that runs all test methods in both modes, except methods named `testSkipEager…`."""
    for name in list(vars(cls)):
        method = getattr(cls, name)
        if callable(method) and name.startswith("test") and not name.startswith("testSkipEager"):
            if name != "test_session":
                setattr(cls, name, run_test_in_graph_and_eager_modes(method))
    return cls
