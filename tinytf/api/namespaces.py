"""Which names stand in which public namespace."""

from __future__ import annotations

from typing import Any

from tinytf.api import namespace, pick


def build(tf: Any) -> None:
    """Gives the package `tf` its namespaces; wrappers that are the ops themselves come later."""
    from tinytf._gen import raw_ops
    from tinytf.api import config
    from tinytf.framework import dlpack, dtypes, errors
    from tinytf.ops import (
        check_ops,
        data_flow_ops,
        init_ops,
        math_ops,
        printing,
        random_ops,
        special_math_ops,
        stateless_random_ops,
    )

    tf.errors = errors
    tf.raw_ops = raw_ops
    tf.math = namespace("math", "Mathematical functions.", pick(math_ops, math_ops.__all__))
    tf.math.__dict__.update(bessel_i0=special_math_ops.bessel_i0, bessel_i1=special_math_ops.bessel_i1)
    tf.random = namespace("random", "Random tensors.", pick(random_ops, random_ops.__all__))
    tf.random.__dict__.update(
        normal=random_ops.random_normal,
        uniform=random_ops.random_uniform,
        shuffle=random_ops.random_shuffle,
        set_random_seed=tf.set_random_seed,
        get_seed=tf.get_seed,
        gamma=random_ops.random_gamma,
        poisson=random_ops.random_poisson,
    )
    for name in stateless_random_ops.__all__:
        setattr(tf.random, name.replace("stateless_random_", "stateless_"), getattr(stateless_random_ops, name))
    linalg_names = ("matmul", "eye", "norm", "tensordot", "trace", "einsum")
    tf.linalg = namespace("linalg", "Linear algebra.", pick(tf, [n for n in linalg_names if hasattr(tf, n)]))
    tf.linalg.__dict__.update(matrix_transpose=tf.matrix_transpose, transpose=tf.matrix_transpose)
    tf.linalg.__dict__.update(diag=tf.matrix_diag, diag_part=tf.matrix_diag_part, set_diag=tf.matrix_set_diag)
    tf.strings = namespace("strings", "String tensors.", {"format": printing.string_format})
    tf.print = printing.print_v2
    tf.dtypes = namespace(
        "dtypes", "Element types.", {"DType": dtypes.DType, "as_dtype": dtypes.as_dtype, "cast": tf.cast}
    )
    float8 = {t.name: t for t in map(dtypes.as_dtype, sorted(dtypes._FLOAT8))}
    tf.dtypes.__dict__.update({t.name: t for t in dtypes._INTERNED.values() if t.base_dtype.name not in float8})
    tf.dtypes.experimental = namespace("dtypes.experimental", "Element types that TensorFlow 1 lacks.", float8)
    tf.from_dlpack = dlpack.from_dlpack
    tf.experimental = namespace("experimental", "What TensorFlow 1.15 lacks.")
    tf.experimental.dlpack = namespace(
        "experimental.dlpack", "Memory shared with arrays of other libraries.", pick(dlpack, dlpack.__all__)
    )
    tf.initializers = namespace("initializers", "Initializers of variables.", _initializers(init_ops))
    tf.initializers.__dict__.update(
        variables=tf.variables_initializer,
        global_variables=tf.global_variables_initializer,
        local_variables=tf.local_variables_initializer,
    )
    tf.queue = namespace("queue", "Queues.", pick(data_flow_ops, data_flow_ops.__all__))
    io_queues = [name for name in data_flow_ops.__all__ if name != "FIFOQueue"]
    tf.io = namespace("io", "Input and output.", pick(data_flow_ops, io_queues))
    tf.config = namespace("config", "Settings of the process.", pick(config, config.__all__))
    tf.debugging = namespace("debugging", "Checks.", pick(check_ops, check_ops.__all__))
    tf.debugging.__dict__.update(Assert=tf.Assert, assert_all_finite=tf.verify_tensor_all_finite)


def _initializers(init_ops: Any) -> dict[str, Any]:
    """`zeros_initializer` is also `initializers.zeros`, and so on."""
    names = {}
    for name in init_ops.__all__:
        names[name.removesuffix("_initializer")] = getattr(init_ops, name)
    return names
