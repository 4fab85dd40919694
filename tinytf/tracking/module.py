"""`tf.Module`: an object that has variables, and a name scope for what its methods make."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tinytf.exports import tf_export
from tinytf.framework.name_scope import name_scope
from tinytf.framework.nest_paths import flatten_with_tuple_paths
from tinytf.tracking.auto_trackable import AutoTrackable
from tinytf.variables.variable import Variable

_WORD = re.compile("((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")
_IDENTIFIER = re.compile("[a-zA-Z_][a-zA-Z0-9_]*")
_Method = TypeVar("_Method", bound=Callable[..., Any])


@tf_export("Module")
class Module(AutoTrackable):
    """A base of classes whose attributes are variables and other modules, alone or in lists, tuples and dicts.

    Args:
      name: a Python identifier, by default the class's name in small letters. ValueError for others.
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()  # attributes of which nothing is found

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
        """The module's name."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """The module's name scope, to be entered."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the module, by attribute, then those of its submodules."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Variable)))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those that optimizers change by default."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The modules of the module, by attribute, then theirs."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """What is in the attributes, also deep in lists, tuples and dicts; with `recursive` also in those of submodules.

        Args:
          predicate: says what to give; all when None.
          attribute_traversal_key: puts attributes in order by their names.
          with_path: gives pairs of a path and what is there, as often as it is there; else things are given once.
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
        """Makes a method one that enters the module's name scope."""

        @functools.wraps(method)
        def method_with_name_scope(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return method_with_name_scope  # type: ignore[return-value]
