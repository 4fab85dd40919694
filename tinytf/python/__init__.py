"""TensorFlow's module paths, for programs that import by them: `from tinytf.python.client import timeline`.

Everything is loaded at first use. Paths without a file are listed in `names_by_path.txt` and `gen_names_by_path.txt`.
"""

import typing as _typing

from tinytf.python.paths import BY_PATH as _BY_PATH
from tinytf.python.paths import GENERATED as _GENERATED

_BY_PATH.install()
_GENERATED.install()


def __getattr__(name: str) -> _typing.Any:
    if name in (
        "client",
        "compiler",
        "data",
        "eager",
        "estimator",
        "framework",
        "layers",
        "lib",
        "ops",
        "platform",
        "pywrap_tensorflow",
        "saved_model",
        "summary",
        "tools",
        "training",
        "util",
    ):
        from importlib import import_module

        return import_module(f"tinytf.python.{name}")
    raise AttributeError(f"module 'tinytf.python' has no attribute {name!r}")
