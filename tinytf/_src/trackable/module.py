"""`tf.Module`: an object with variables and a name scope for the operations of its methods."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tinytf._src.exports import tf_export
from tinytf._src.framework.nest.paths import flatten_with_tuple_paths
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.trackable.auto_trackable import AutoTrackable
from tinytf._src.variables.variable import Variable

_WORD = re.compile("((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")
_IDENTIFIER = re.compile("[a-zA-Z_][a-zA-Z0-9_]*")
_Method = TypeVar("_Method", bound=Callable[..., Any])


@tf_export("Module")
class Module(AutoTrackable):
    """Base class of objects that own variables and other modules, directly or in nested lists, tuples and dicts.

    Args:
      name: string, a Python identifier; by default the name of the class in snake case.

    Raises:
      ValueError: if `name` is not an identifier.

    Example:
        class Scale(tf.Module):
          def __init__(self, name=None):
            super().__init__(name)
            self.factor = tf.Variable(2.0)
        Scale().trainable_variables
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()  # attributes that are not searched

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _WORD.sub(r"_\1", type(self).__name__).lower()
        elif not _IDENTIFIER.fullmatch(name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid class name)."
            )
        self._name = name
        with name_scope(name) as scope:
            self._scope_name = scope

    @property
    def name(self) -> str:
        """The name of the module, a string."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """A context manager that enters the name scope of the module."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """A tuple of the variables of the module, sorted by attribute name, followed by the variables of its
        submodules."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Variable)))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """A tuple of the trainable variables, in the order of `variables`."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def submodules(self) -> tuple[Any, ...]:
        """A tuple of all modules below this one: direct submodules, sorted by attribute name, before nested ones."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """Yields the leaves of the attributes, including elements of nested lists, tuples and dicts.

        Args:
          recursive: whether to descend into submodules.
          predicate: callable that selects leaves; all are yielded if None.
          attribute_traversal_key: sort key for attribute names.
          with_path: whether to yield pairs (path, leaf), one for each path to the leaf; otherwise a leaf is yielded
            once.
        """
        seen = {id(self)}
        pending: list[tuple[tuple[Any, ...], Module]] = [((), self)]
        while pending:
            path, module = pending.pop(0)
            inner = []
            for place, leaf in module._leaves(attribute_traversal_key):
                if not with_path:
                    if id(leaf) in seen:
                        continue
                    seen.add(id(leaf))
                if predicate is None or predicate(leaf):
                    yield ((*path, *place), leaf) if with_path else leaf
                if recursive and isinstance(leaf, Module):
                    inner.append(((*path, *place), leaf))
            pending[:0] = inner

    def _leaves(self, key: Callable[[str], Any] | None) -> Iterator[tuple[tuple[Any, ...], Any]]:
        attributes = vars(self)
        for name in sorted(attributes, key=key):
            if name not in self._TF_MODULE_IGNORED_PROPERTIES and not name.startswith("_self_"):
                for place, leaf in flatten_with_tuple_paths(attributes[name]):
                    yield (name, *place), leaf

    @classmethod
    def with_name_scope(cls, method: _Method) -> _Method:
        """Decorator that makes a method run in the name scope of its module.

        Args:
          method: a method of a `Module`.

        Returns:
          The wrapped method.
        """

        @functools.wraps(method)
        def method_with_name_scope(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return method_with_name_scope  # type: ignore[return-value]
