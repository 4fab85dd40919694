"""Tracks variables created by a function as checkpoint dependencies of an object."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.variables.creation import variable_creator_scope


@contextmanager
def capture_dependencies(template: Any) -> Iterator[None]:
    """Context manager: variables created in it, in the variable scope of the trackable `template`, become its
    dependencies, named relative to the scope.

    Variables of a nested template become dependencies of the nested one, which becomes a dependency of the outer one.
    """
    prefix = template.variable_scope.name

    def tracked(
        next_creator: Any, name: Any = None, initial_value: Any = None, trackable_parent: Any = None, **options: Any
    ) -> Any:
        def create(initializer: Any, **others: Any) -> Any:
            others.pop("name")
            return next_creator(initial_value=initializer, name=name, **others)

        inner = name[len(prefix) + 1 :] if name is not None and name.startswith(prefix) else None
        if inner is not None and not trackable_parent:
            return template._add_variable_with_custom_getter(
                inner,
                initializer=initial_value,
                getter=create,
                overwrite=True,
                trackable_parent=(template, prefix),
                **options,
            )
        if inner is not None:
            parent, scope = trackable_parent
            template._track_trackable(parent, scope[len(prefix) + 1 :], overwrite=True)
        return next_creator(name=name, initial_value=initial_value, trackable_parent=(template, prefix), **options)

    with variable_creator_scope(tracked):
        yield
