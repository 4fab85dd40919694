"""Rows of ops of optimizers: a step on references and on resources, with a dense gradient and with one of a single row
of the variable. The values after the step are TensorFlow 1.15.5's.
"""

from collections.abc import Iterator

import numpy as np
from state_table import StateRow
from variable_states import References, Resources, of

from tinytf import _core

F32 = np.float32
_START = [[1.0, 2.0], [-1.0, 0.5]]
_GRAD = F32([[0.5, -2.0], [1.0, 3.0]])
_STEP = np.int64(3)

# The start values of the slots, the inputs after the variables, and the values after the step.
_OPTIMIZERS = {
    "GradientDescent": ([], [0.1, _GRAD], [[[0.95, 2.2], [-1.1, 0.2]]]),
    "ProximalGradientDescent": ([], [0.1, 0.01, 0.02, _GRAD], [[[0.9471, 2.1946], [-1.0968, 0.1986]]]),
    "Momentum": ([0.5], [0.1, _GRAD, 0.9], [[[0.905, 2.155], [-1.145, 0.155]], [[0.95, -1.55], [1.45, 3.45]]]),
    "KerasMomentum": ([0.5], [0.1, _GRAD, 0.9], [[[1.4, 2.65], [-0.65, 0.65]], [[0.4, 0.65], [0.35, 0.15]]]),
    "Adagrad": ([0.1], [0.1, _GRAD], [[[0.9155, 2.0988], [-1.0953, 0.4006]], [[0.35, 4.1], [1.1, 9.1]]]),
    "AdagradV2": ([0.1], [0.1, 1e-3, _GRAD], [[[0.9156, 2.0987], [-1.0953, 0.4006]], [[0.35, 4.1], [1.1, 9.1]]]),
    "AdagradDA": (
        [0.1, 0.2],
        [_GRAD, 0.1, 0.01, 0.02, _STEP],
        [[[-0.0842, 0.091], [-0.0971, -0.101]], [[0.6, -1.9], [1.1, 3.1]], [[0.45, 4.2], [1.2, 9.2]]],
    ),
    "ProximalAdagrad": (
        [0.1],
        [0.1, 0.01, 0.02, _GRAD],
        [[[0.9107, 2.0962], [-1.0923, 0.4]], [[0.35, 4.1], [1.1, 9.1]]],
    ),
    "Adadelta": (
        [0.1, 0.2],
        [1.0, 0.9, 1e-3, _GRAD],
        [[[0.3418, 3.2796], [-2.0258, -0.8511]], [[0.115, 0.49], [0.19, 0.99]], [[0.2233, 0.3437], [0.2852, 0.3625]]],
    ),
    "Adam": (
        [0.1, 0.2],
        [0.9, 0.999, 0.01, 0.9, 0.999, 1e-8, _GRAD],
        [[[0.999, 2.0008], [-1.0013, 0.4973]], [[0.14, -0.11], [0.19, 0.39]], [[0.2, 0.2038], [0.2008, 0.2088]]],
    ),
    "AdaMax": (
        [0.1, 0.2],
        [0.9, 0.01, 0.9, 0.999, 1e-8, _GRAD],
        [[[0.972, 2.0055], [-1.019, 0.487]], [[0.14, -0.11], [0.19, 0.39]], [[0.5, 2.0], [1.0, 3.0]]],
    ),
    "RMSProp": (
        [1.0, 0.0],
        [0.01, 0.9, 0.8, 1e-3, _GRAD],
        [[[0.9948, 2.0175], [-1.01, 0.4776]], [[0.925, 1.3], [1.0, 1.8]], [[0.0052, -0.0175], [0.01, 0.0224]]],
    ),
    "CenteredRMSProp": (
        [0.0, 1.0, 0.0],
        [0.01, 0.9, 0.8, 1e-3, _GRAD],
        [
            [[0.9948, 2.0178], [-1.01, 0.4771]],
            [[0.05, -0.2], [0.1, 0.3]],
            [[0.925, 1.3], [1.0, 1.8]],
            [[0.0052, -0.0178], [0.01, 0.0229]],
        ],
    ),
    "Ftrl": (
        [0.1, 0.0],
        [_GRAD, 0.1, 0.01, 0.02, -0.5],
        [[[0.3767, 1.7824], [-0.7899, 0.3473]], [[0.35, 4.1], [1.1, 9.1]], [[-2.2538, -36.1724], [8.3258, -10.502]]],
    ),
    "FtrlV2": (
        [0.1, 0.0],
        [_GRAD, 0.1, 0.01, 0.02, 0.03, -0.5],
        [[[0.3667, 1.7765], [-0.7842, 0.3464]], [[0.35, 4.1], [1.1, 9.1]], [[-2.1938, -36.0524], [8.2658, -10.472]]],
    ),
    "AddSign": ([0.1], [0.1, 1.0, 0.9, 0.8, _GRAD], [[[0.905, 2.38], [-1.19, -0.07]], [[0.18, -0.32], [0.28, 0.68]]]),
    "PowerSign": (
        [0.1],
        [0.1, 1.0, 0.9, 0.8, _GRAD],
        [[[0.877, 2.4919], [-1.246, -0.2379]], [[0.18, -0.32], [0.28, 0.68]]],
    ),
}


def _sparse(value):
    """The inputs of an op for the second row's gradient; the row's number follows the gradient."""
    return [value[1:], np.array([1], np.int64)] if value is _GRAD else [value]


def _typed(value):
    return F32(value) if isinstance(value, float) else value


def _rows() -> Iterator[StateRow]:
    for name, (slots, inputs, left) in _OPTIMIZERS.items():
        starts = [F32(_START), *(np.full([2, 2], slot, F32) for slot in slots)]
        dense = [_typed(value) for value in inputs]
        sparse = [_typed(item) for value in inputs for item in _sparse(value)]
        in_second_row = [
            [np.round(old[0].astype(np.float64), 4).tolist(), new[1]] for old, new in zip(starts, left, strict=True)
        ]
        for prefix, kind in (("", References), ("Resource", Resources)):
            for middle, given, result in (("Apply", dense, left), ("SparseApply", sparse, in_second_row)):
                if f"{prefix}{middle}{name}" in _core.op_names():
                    yield StateRow(f"{prefix}{middle}{name}", of(kind, *starts), given, result, needs_memory=None)


ROWS = list(_rows())
