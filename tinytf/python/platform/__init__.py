"""TensorFlow's path to what programs use around their graphs: `tf_logging`, which is `tf.logging`, `app`, `flags` and so on."""

import typing as _typing

from tinytf.python.paths import adopt as _adopt

_adopt(__name__, {"tf_logging": "tinytf.framework.tf_logging", "gfile": "tinytf.platform.gfile"})
_LATER = frozenset(("app", "flags"))


def __getattr__(name: str) -> _typing.Any:
    if name in _LATER:
        _adopt(__name__, {name: f"tinytf.platform.{name}"})
        return globals()[name]
    raise AttributeError(f"module 'tinytf.python.platform' has no attribute {name!r}")
