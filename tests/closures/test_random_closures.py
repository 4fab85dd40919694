"""Random programs of functions, branches and loops that close over what is around them and differentiate at each level: they
yield what the same programs yield on plain numbers, and on TensorFlow 1.15 where that runs them. `TINYTF_CLOSURES` says how
many of each kind, `TINYTF_CLOSURES_FROM` from which seed."""

import os
from pathlib import Path

import numpy as np
import pytest
import random_closures
from random_closures import OnTensorFlow, Reference, derives_on_tapes, execute, generated, has_defun

import tinytf as tf
from tinytf.framework.execution import eager_mode
from tinytf.python.framework.function import Defun

COUNT = int(os.environ.get("TINYTF_CLOSURES", "40"))
FIRST = int(os.environ.get("TINYTF_CLOSURES_FROM", "0"))
FOUND = (3421, 3480, 3628, 3649, 3720, 3721, 5002)  # failed once: gradients of Defuns, sums of bools
SEEDS = sorted({*range(FIRST, FIRST + COUNT), *FOUND})

# What loops of primitives cannot do, in TensorFlow either.
LIMITS = (
    "Cannot compute gradient inside while loop with respect to op",
    "Second-order gradient for while loops not supported.",
    "because they are in different while loops",
    "Incompatible types: <dtype: 'resource'> vs. int64.",
    "Incompatible types: <dtype: 'variant'> vs. int64.",
    "has inputs from different frames",  # there "Mismatched parent frames"
    "because it has already been read",  # an element's gradient, by another derivative through the same loop
    "Retval[0] does not have value",  # gradients and tapes around branches and loops, or in them: of what did not run
)

# What calls of functions of the first generation cannot do that are differentiated, in TensorFlow either.
LIMITS_OF_DEFUNS = (
    "Value passed to parameter 'inputs' has DataType bool not in list of allowed values",
    "Tensors in list passed to 'inputs' of 'AddN' Op have types [float32, float64",
)


def _is_limit(error, steps, version):
    limits = (LIMITS if version == 1 else ()) + (LIMITS_OF_DEFUNS if has_defun(steps) else ())
    return any(limit in str(error) for limit in limits)


def _expected(steps):
    on_numbers = Reference()
    return execute(on_numbers, steps, on_numbers.leaves()).value


def _check(value, steps):
    if not derives_on_tapes(steps):
        np.testing.assert_allclose(value, _expected(steps), 1e-9, 1e-12)
    assert np.isfinite(value)


@pytest.fixture
def either_version():
    before = tf.control_flow_v2_enabled()
    yield
    (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()


@pytest.mark.parametrize("seed", SEEDS)
def test_in_graphs(seed, either_version):
    steps, version = generated(seed)
    (tf.enable_control_flow_v2 if version == 2 else tf.disable_control_flow_v2)()
    try:
        api = OnTensorFlow(tf, Defun)
        y = execute(api, steps, api.leaves())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            value = session.run(y)
    except (TypeError, ValueError, tf.errors.InvalidArgumentError) as error:
        assert _is_limit(error, steps, version), error
        return
    _check(value, steps)


@pytest.mark.usefixtures("eager_session_of_the_process")
@pytest.mark.parametrize("seed", SEEDS)
def test_executed(seed):
    steps, _ = generated(seed)
    with eager_mode():
        api = OnTensorFlow(tf, Defun)
        leaves = api.leaves()
        try:
            value = tf.function(lambda: execute(api, steps, leaves), autograph=False)().numpy()
        except TypeError as error:
            assert _is_limit(error, steps, 2), error
            return
    _check(value, steps)


_ON_TENSORFLOW = """
import sys
from tensorflow.python.framework.function import Defun
exec(programs)
result = []
for seed in seeds:
    steps, version = generated(seed)
    with tf.Graph().as_default():
        (tf.enable_control_flow_v2 if version == 2 else tf.disable_control_flow_v2)()
        try:
            api = OnTensorFlow(tf, Defun)
            y = execute(api, steps, api.leaves())
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                result.append(float(session.run(y)))
        except Exception as error:
            result.append(str(error)[-300:])
tf.disable_control_flow_v2()
"""


@pytest.mark.oracle
def test_tensorflow_yields_the_same(oracle1):
    source = Path(random_closures.__file__).read_text()
    there = oracle1(_ON_TENSORFLOW, programs=source, seeds=list(SEEDS))
    values = [(seed, value) for seed, value in zip(SEEDS, there) if not isinstance(value, str)]
    assert len(values) > COUNT // 4  # it fails on many: tapes in functions, Defuns in branches
    for seed, value in values:
        if derives_on_tapes(generated(seed)[0]):
            continue
        np.testing.assert_allclose(value, _expected(generated(seed)[0]), 1e-5, 1e-6, err_msg=str(seed))
