"""TensorFlow's path to graphs and their parts: modules of `tinytf._src.framework`, and `function`, `meta_graph`,
`op_def_registry`, `ops` and `smart_cond`."""

import typing as _typing

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        place.rpartition(".")[2]: f"tinytf._src.framework.{place}"
        for place in (
            "apply.random_seed",
            "composites.sparse_tensor",
            "composites.tensor_spec",
            "composites.type_spec",
            "errors.errors",
            "errors.errors_impl",
            "graph_defs.graph_util",
            "graph_defs.importer",
            "registries.registry",
            "tensors.constant_op",
            "values.dtypes",
            "values.tensor_shape",
            "values.tensor_util",
        )
    }
    | {"graph_util_impl": "tinytf._src.framework.graph_defs.graph_util", "versions": "tinytf.version"},
)


def __getattr__(name: str) -> _typing.Any:
    if name in ("function", "meta_graph", "op_def_registry", "ops", "smart_cond"):
        from importlib import import_module

        return import_module(f"tinytf.python.framework.{name}")
    raise AttributeError(f"module 'tinytf.python.framework' has no attribute {name!r}")
