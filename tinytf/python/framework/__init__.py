"""TensorFlow's path to graphs and their parts: modules of `tinytf._src.framework`, and `function`, `meta_graph`,
`op_def_registry`, `ops` and `smart_cond`."""

import typing as _typing

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        name: f"tinytf._src.framework.{name}"
        for name in (
            "constant_op",
            "dtypes",
            "errors",
            "errors_impl",
            "graph_util",
            "importer",
            "random_seed",
            "sparse_tensor",
            "tensor_shape",
            "tensor_spec",
            "tensor_util",
            "type_spec",
        )
    }
    | {"graph_util_impl": "tinytf._src.framework.graph_util", "versions": "tinytf.version"},
)


def __getattr__(name: str) -> _typing.Any:
    if name in ("function", "meta_graph", "op_def_registry", "ops", "smart_cond"):
        from importlib import import_module

        return import_module(f"tinytf.python.framework.{name}")
    raise AttributeError(f"module 'tinytf.python.framework' has no attribute {name!r}")
