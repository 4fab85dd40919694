"""`make_template`: functions that create variables at the first call and share them afterwards."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs.log import logger
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.variables.captured_dependencies import capture_dependencies
from tinytf._src.variables.scope import variable_scope, variable_store
from tinytf._src.variables.scope_defaults import VariableScope
from tinytf._src.variables.store import VariableStore


@tf_export("make_template")
@called_by_users
def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Any:
    """Wraps a function so that all its calls share the variables that it gets with `tf.get_variable`.

    In eager mode, each template has its own variables.

    Args:
      name_: str, name of the variable scope, made unique.
      func_: callable that runs in the scope at each call; the scope reuses variables from the second call on.
      create_scope_now_: bool, whether the scope is created now instead of at the first call; all calls, including the
        first, then open their own name scopes.
      unique_name_: str, replaces `name_` and is not made unique, so that two templates with this name collide.
      custom_getter_: custom getter of the scope, as in `tf.variable_scope`.
      **kwargs: additional arguments of `func_`.

    Returns:
      A Template. Calls raise ValueError if a later call creates trainable variables; messages of exceptions also say
      where the template was defined.

    Raises:
      ValueError: if `name_` is None, or for `unique_name_` in eager mode.
    """
    if unique_name_ is not None and executing_eagerly():
        raise ValueError("unique_name_ cannot be used when eager execution is enabled.")
    func = functools.partial(func_, **kwargs) if kwargs else func_
    return Template(name_, func, create_scope_now_, unique_name_, custom_getter_)


class Template(Trackable):
    """The result of `tf.make_template`. It belongs to the graph of its first call. Not thread-safe."""

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Any = None,
    ) -> None:
        if name is None:
            raise ValueError("name cannot be None.")
        self._func = func
        self._name = name
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._defined = _stack(sys._getframe(2))
        self._variable_scope: VariableScope | None = None
        self._variables_created = False
        self._first_call = True
        self._store = VariableStore(keeps_eager_variables=True) if executing_eagerly() else None
        if create_scope_now:
            with self._open(auxiliary_name_scope=False) as scope:
                self._variable_scope = scope

    def _open(self, **options: Any) -> variable_scope:
        return variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter, **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function in the template's scope."""
        with nullcontext() if self._store is None else variable_store(self._store):
            return self._call_in_scope(args, kwargs)

    def _call_in_scope(self, args: Any, kwargs: Any) -> Any:
        again = self._variable_scope is not None
        opened = variable_scope(self._variable_scope, reuse=not self._first_call) if again else self._open()
        with opened as scope:
            if not again:
                self._variable_scope = scope
            try:
                return self._call(args, kwargs)
            except Exception as e:
                text = e.args[0] if e.args else ""
                e.args = (f"{text}\n\noriginally defined at:\n{self._definition()}", *e.args[1:])
                raise

    def _call(self, args: Any, kwargs: Any) -> Any:
        if self._variables_created:
            return self._call_again(args, kwargs)
        nested, self._first_call = not self._first_call, False  # recursive call during the first call
        try:
            with nullcontext() if nested else capture_dependencies(self):
                result = self._func(*args, **kwargs)
        except BaseException:
            self._first_call = not nested
            raise
        self._variables_created = not nested
        return result

    def _call_again(self, args: Any, kwargs: Any) -> Any:
        graph = get_default_graph()
        all_of_them: Any = graph.get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
        trainable: Any = graph.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
        known, known_trainable = len(all_of_them), len(trainable)
        result = self._func(*args, **kwargs)
        if len(trainable) != known_trainable:
            raise ValueError(
                "Trainable variable created when calling a template after the first time, perhaps you used tf.Variable when "
                f"you meant tf.get_variable: {trainable[known_trainable:]}"
            )
        if len(all_of_them) != known:
            logger().info(
                "New variables created when calling a template after the first time, perhaps you used tf.Variable when you "
                "meant tf.get_variable: %s",
                all_of_them[known:],
            )
        return result

    def _definition(self) -> str:
        """The stack where the template was created, without the frames that it shares with the current stack."""
        here = [_place(frame) for frame in reversed(_stack(sys._getframe()))]
        frames = list(reversed(self._defined))
        shared = 0
        while shared < min(len(frames) - 1, len(here)) and _place(frames[shared]) == here[shared]:
            shared += 1
        return "".join(traceback.format_list(frames[shared:]))

    @property
    def name(self) -> str:
        """The name that was given."""
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        """The wrapped function."""
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The VariableScope, or None before it is created."""
        return self._variable_scope

    var_scope = variable_scope

    @property
    def variable_scope_name(self) -> str | None:
        """The scope's name with a trailing slash, or None before it is created."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _collected(self, key: str) -> list[Any]:
        if self._store is not None:
            return self._kept(key)
        return get_default_graph().get_collection(key, self.variable_scope_name) if self._variables_created else []

    def _kept(self, key: str) -> list[Any]:
        """Like `_collected`, in eager mode, where other templates may have variables with the same names."""
        assert self._store is not None
        kept = sorted(self._store.variables.values(), key=lambda v: v.name)
        if key == GraphKeys.TRAINABLE_VARIABLES:
            return [v for v in kept if v.trainable]
        collected = set(get_default_graph().get_collection_ref(key))
        return [v for v in kept if v in collected]

    @property
    def global_variables(self) -> list[Any]:
        """The global variables that calls created."""
        return self._collected(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list[Any]:
        """The local variables that calls created."""
        return self._collected(GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self) -> list[Any]:
        """The global and local variables that calls created."""
        return self.global_variables + self.local_variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables that calls created."""
        return self._collected(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The global variables that are not trainable."""
        trainable = set(self.trainable_variables)
        return [v for v in self.global_variables if v not in trainable]

    weights = variables
    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables


def _stack(frame: Any) -> traceback.StackSummary:
    """The frame and its callers, innermost first; source lines are loaded on demand."""
    return traceback.StackSummary.extract(traceback.walk_stack(frame), lookup_lines=False)


def _place(frame: traceback.FrameSummary) -> tuple[str, int | None, str]:
    return frame.filename, frame.lineno, frame.name
