"""Names that are loaded when a program first asks for them: they cost nothing at import."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

from tinytf.api import namespace, pick
from tinytf.api.missing import no_such_name


def load_when_used(module: types.ModuleType, loaders: Mapping[str, Callable[[], Any]]) -> None:
    """Gives a namespace more names: what the loader of each returns, which is called when the name is first used."""

    def load(name: str) -> Any:
        if name not in loaders:
            raise no_such_name(module.__name__, name)
        return vars(module).setdefault(name, loaders[name]())

    vars(module)["__getattr__"] = load
    vars(module)["__dir__"] = lambda: sorted({*vars(module), *loaders} - {"__dir__", "__getattr__"})


def test() -> types.ModuleType:
    """`tf.test`."""
    from unittest import mock

    from tinytf import testing

    return namespace("test", testing.__doc__, {"mock": mock, **pick(testing, testing.__all__)})


def logging() -> types.ModuleType:
    """`tf.logging`."""
    from tinytf.framework import tf_logging

    return namespace("logging", tf_logging.__doc__, pick(tf_logging, tf_logging.__all__))


def flags() -> types.ModuleType:
    """`tf.flags`."""
    from tinytf.platform import flags

    return namespace("flags", flags.__doc__, pick(flags, flags.__all__))


def app() -> types.ModuleType:
    """`tf.app`."""
    import tinytf
    from tinytf.platform import app

    return namespace("app", app.__doc__, {"flags": tinytf.flags, "run": app.run})


ROOT = {loader.__name__: loader for loader in (app, flags, logging, test)}
