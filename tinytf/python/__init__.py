"""TensorFlow's module paths, for programs that import by them: `from tinytf.python.client import timeline`.

Everything is loaded when first used.
"""

import typing as _typing


def __getattr__(name: str) -> _typing.Any:
    if name == "client":
        import tinytf.python.client as part

        return part
    raise AttributeError(f"module 'tinytf.python' has no attribute {name!r}")
