"""Which names stand in which public namespace."""

from __future__ import annotations

import functools
from typing import Any

from tinytf.api.building import attach, namespace, pick

# Where the lists of wrappers (`__all__`) say more than TensorFlow 1.15's namespaces have.
_NOT_IN_MATH = frozenset(
    (
        "arg_max arg_min argsort cast complex div div_no_nan einsum floor_div lin_space linspace matmul matvec norm range "
        "saturate_cast sort sparse_segment_mean sparse_segment_sqrt_n sparse_segment_sum tensordot to_bfloat16 "
        "to_complex128 to_complex64 to_double to_float to_int32 to_int64 trace"
    ).split()
)
_NOT_IN_RANDOM = frozenset(
    "random_crop random_gamma random_normal random_poisson random_shuffle random_uniform".split()
)
_NOT_IN_ROOT = (
    "categorical he_normal_initializer he_uniform_initializer identity_initializer lecun_normal_initializer "
    "lecun_uniform_initializer matvec multiply_no_nan polyval reduce_euclidean_norm reduce_std reduce_variance "
    "with_dependencies"
).split()


# Names of TensorFlow 1.15 for what stands under another name, too.
_ALSO = {
    "dtypes.complex": "complex",
    "dtypes.double": "double",
    "dtypes.half": "half",
    "dtypes.saturate_cast": "saturate_cast",
    "linalg.global_norm": "global_norm",
    "linalg.l2_normalize": "nn.l2_normalize",
    "manip.gather_nd": "gather_nd",
    "math.divide_no_nan": "div_no_nan",
    "math.in_top_k": "nn.in_top_k",
    "math.is_non_decreasing": "is_non_decreasing",
    "math.is_strictly_increasing": "is_strictly_increasing",
    "math.l2_normalize": "nn.l2_normalize",
    "math.log_softmax": "nn.log_softmax",
    "math.softmax": "nn.softmax",
    "math.top_k": "nn.top_k",
    "math.zero_fraction": "nn.zero_fraction",
    "nn.depth_to_space": "depth_to_space",
    "nn.space_to_batch": "space_to_batch",
    "nn.space_to_depth": "space_to_depth",
}


def add_other_names(tf: Any) -> None:
    """What has several public names gets them all; to be called when everything else is there."""
    for name, other in _ALSO.items():
        attach(tf, name, functools.reduce(getattr, other.split("."), tf))


def build(tf: Any) -> None:
    """Gives the package `tf` its namespaces; wrappers that are the ops themselves come later."""
    from tinytf._gen import raw_ops
    from tinytf.api import config
    from tinytf.framework import dlpack, dtypes, errors, placement_log
    from tinytf.ops import math_ops
    from tinytf.ops.checks import check_ops
    from tinytf.ops.checks.shape_checks import assert_shapes
    from tinytf.ops.data_flow import data_flow_ops
    from tinytf.ops.logging import printing
    from tinytf.ops.math import special_math_ops
    from tinytf.ops.nn import dilated_convolution, loss_ops
    from tinytf.ops.nn import namespace as nn
    from tinytf.ops.random import random_ops, stateless_random_ops
    from tinytf.training import train
    from tinytf.variables import initializers

    tf.errors = namespace("errors", errors.__doc__, pick(errors, errors.__all__))
    tf.required_space_to_batch_paddings = dilated_convolution.required_space_to_batch_paddings
    tf.nn = namespace("nn", nn.__doc__, pick(nn, set(nn.__all__) - {"log_sigmoid", "required_space_to_batch_paddings"}))
    tf.losses = namespace("losses", loss_ops.__doc__, pick(loss_ops, loss_ops.__all__))
    tf.train = namespace("train", train.__doc__, pick(train, train.__all__))
    tf.raw_ops = raw_ops
    tf.math = namespace("math", "Mathematical functions.", pick(math_ops, set(math_ops.__all__) - _NOT_IN_MATH))
    tf.math.__dict__.update(bessel_i0=special_math_ops.bessel_i0, bessel_i1=special_math_ops.bessel_i1)
    tf.random = namespace("random", "Random tensors.", pick(random_ops, set(random_ops.__all__) - _NOT_IN_RANDOM))
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
    linalg_names = ("matmul", "matvec", "eye", "norm", "tensordot", "trace", "einsum")
    tf.linalg = namespace("linalg", "Linear algebra.", pick(tf, [n for n in linalg_names if hasattr(tf, n)]))
    tf.linalg.__dict__.update(matrix_transpose=tf.matrix_transpose, transpose=tf.matrix_transpose)
    tf.linalg.__dict__.update(diag=tf.matrix_diag, diag_part=tf.matrix_diag_part, set_diag=tf.matrix_set_diag)
    tf.strings = namespace("strings", "String tensors.", {"format": printing.string_format})
    tf.print = printing.print_v2
    tf.dtypes = namespace(
        "dtypes", "Element types.", {"DType": dtypes.DType, "as_dtype": dtypes.as_dtype, "cast": tf.cast}
    )
    float8 = {t.name: t for t in map(dtypes.as_dtype, sorted(dtypes._FLOAT8))}
    plain = [t for t in dtypes._INTERNED.values() if not t._is_ref_dtype and t.name not in float8]
    tf.dtypes.__dict__.update({t.name: t for t in plain})
    tf.QUANTIZED_DTYPES = tf.dtypes.QUANTIZED_DTYPES = dtypes.QUANTIZED_DTYPES
    tf.dtypes.experimental = namespace("dtypes.experimental", "Element types that TensorFlow 1 lacks.", float8)
    tf.from_dlpack = dlpack.from_dlpack
    tf.experimental = namespace("experimental", "What TensorFlow 1.15 lacks.")
    tf.experimental.dlpack = namespace(
        "experimental.dlpack", "Memory shared with arrays of other libraries.", pick(dlpack, dlpack.__all__)
    )
    for name in _NOT_IN_ROOT:
        delattr(tf, name)
    tf.initializers = namespace("initializers", "Initializers of variables.", _initializers(initializers))
    tf.initializers.__dict__.update(
        variables=tf.variables_initializer,
        global_variables=tf.global_variables_initializer,
        local_variables=tf.local_variables_initializer,
    )
    tf.queue = namespace("queue", "Queues.", pick(data_flow_ops, data_flow_ops.__all__))
    io_queues = [name for name in data_flow_ops.__all__ if name != "FIFOQueue"]
    tf.io = namespace("io", "Input and output.", pick(data_flow_ops, io_queues))
    tf.config = namespace("config", "Settings of the process.", pick(config, config.__all__))
    tf.debugging = namespace("debugging", "Checks.", pick(check_ops, set(check_ops.__all__) - {"ensure_shape"}))
    tf.debugging.__dict__.update(Assert=tf.Assert, assert_all_finite=tf.verify_tensor_all_finite)
    tf.debugging.__dict__.update(assert_shapes=assert_shapes, **pick(placement_log, placement_log.__all__))


def _initializers(initializers: Any) -> dict[str, Any]:
    """`zeros_initializer` is also `initializers.zeros`, and so on."""
    names = {}
    for name in initializers.__all__:
        names[name.removesuffix("_initializer")] = getattr(initializers, name)
    return names
