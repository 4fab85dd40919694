"""Calls every op of one to three tensors of one floating type with all combinations of extreme numbers; prints the
ops that ran.
"""

import itertools

import numpy as np

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors import errors


def extremes(dtype):
    """Zeros, denormals, ones, large numbers, the largest number, infinities and NaN."""
    with np.errstate(over="ignore"):
        tiny, most = np.finfo(dtype).tiny, np.finfo(dtype).max
        ends = [0.0, tiny / 2, 1.0, 0.5, 1e9, 1e12 + 0.5, 1e20, most, np.inf]
        return np.array([sign * x for x in ends for sign in (1, -1)] + [np.nan, 2.0, 3.0], dtype)


def same_type_ops():
    """(op, number of inputs) of ops whose inputs all have the type attr T and whose other attrs have defaults."""
    for op in _core.op_names():
        spec = op_spec(op)
        plain = all(a.type_attr == "T" and not a.is_list and not a.is_ref for a in spec.inputs)
        if plain and 1 <= len(spec.inputs) <= 3 and all(a.has_default or a.name == "T" for a in spec.attrs):
            yield op, len(spec.inputs)


def main():
    with tf.EagerSession():
        for (op, count), dtype in itertools.product(same_type_ops(), (np.float32, np.float64)):
            grids = np.meshgrid(*[extremes(dtype)] * count) if count > 1 else [extremes(dtype)]
            inputs = tuple(tf.constant(g.ravel()) for g in grids)
            try:
                apply_op(op_spec(op), None, inputs, {})
            except (errors.OpError, TypeError, ValueError):
                continue  # another shape or dtype, or a check that fails as intended
            print(op, flush=True)


if __name__ == "__main__":
    main()
