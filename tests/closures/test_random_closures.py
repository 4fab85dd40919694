"""Random programs of functions, branches and loops with captured tensors and gradients at each level return the
same as on plain numbers, and as on TensorFlow 1.15 if that runs them. `TINYTF_CLOSURES` is the number of programs
of each kind, `TINYTF_CLOSURES_FROM` the first seed.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import random_closures
from random_closures import OnTensorFlow, Reference, derives_on_tapes, execute, generated, has_defun

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode
from tinytf.python.framework.function import Defun

COUNT = int(os.environ.get("TINYTF_CLOSURES", "40"))
FIRST = int(os.environ.get("TINYTF_CLOSURES_FROM", "0"))
FOUND = (3421, 3480, 3628, 3649, 3720, 3721, 5002, 30096)  # regressions: Defuns' gradients, sums of bools, loops
SEEDS = sorted({*range(FIRST, FIRST + COUNT), *FOUND})
KEPT_IN = Path(__file__).with_name("random_values_of_1_15.json")
KEPT = json.loads(KEPT_IN.read_text())

# Errors of while loops, in TensorFlow either.
LIMITS = (
    "Cannot compute gradient inside while loop with respect to op",
    "Second-order gradient for while loops not supported.",
    "because they are in different while loops",
    "Incompatible types: <dtype: 'resource'> vs. int64.",
    "Incompatible types: <dtype: 'variant'> vs. int64.",
    "has inputs from different frames",  # "Mismatched parent frames" in TensorFlow
    "because it has already been read",  # the gradient of an element, read by a second derivative through the same loop
    "Retval[0] does not have value",  # gradients around or in branches and loops, of a branch that did not run
)

# Errors of differentiated calls of Defuns, in TensorFlow either.
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


def _in_graph(seed):
    """The value of the program in a graph; None if it is refused as in TensorFlow."""
    steps, version = generated(seed)
    (tf.enable_control_flow_v2 if version == 2 else tf.disable_control_flow_v2)()
    try:
        api = OnTensorFlow(tf, Defun)
        y = execute(api, steps, api.leaves())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return session.run(y)
    except (TypeError, ValueError, tf.errors.InvalidArgumentError) as error:
        assert _is_limit(error, steps, version), error
        return None


def _as_function(seed):
    """The value of the program as one traced function in eager mode."""
    steps, _ = generated(seed)
    with eager_mode():
        api = OnTensorFlow(tf, Defun)
        leaves = api.leaves()
        try:
            return tf.function(lambda: execute(api, steps, leaves), autograph=False)().numpy()
        except TypeError as error:
            assert _is_limit(error, steps, 2), error
            return None


def _check(value, seed, kind):
    """Compares with the program on plain numbers, or, where a tape does not record the differentiated operations,
    with the value of TensorFlow 1.15.5 recorded for the seeds of every run.
    """
    steps, _ = generated(seed)
    expected = KEPT[kind].get(str(seed)) if derives_on_tapes(steps) else _expected(steps)
    if expected is not None and value is not None:
        np.testing.assert_allclose(value, expected, 1e-9, 1e-12)
    assert value is None or np.isfinite(value)


@pytest.fixture
def either_version():
    before = tf.control_flow_v2_enabled()
    yield
    (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()


@pytest.mark.usefixtures("either_version")
@pytest.mark.parametrize("seed", SEEDS)
def test_in_graphs(seed):
    _check(_in_graph(seed), seed, "graph")


@pytest.mark.usefixtures("eager_session_of_the_process")
@pytest.mark.parametrize("seed", SEEDS)
def test_executed(seed):
    _check(_as_function(seed), seed, "executed")


_ON_TENSORFLOW = """
from tensorflow.python.eager import context
from tensorflow.python.framework.function import Defun
exec(programs)
result = []
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
with context.eager_mode():
    try:
        api = OnTensorFlow(tf, Defun)
        leaves = api.leaves()
        result.append(float(tf.function(lambda: execute(api, steps, leaves), autograph=False)()))
    except Exception as error:
        result.append(str(error)[-300:])
"""


@pytest.mark.oracle
@pytest.mark.usefixtures("either_version", "eager_session_of_the_process")
def test_tensorflow_yields_the_same(oracle1):
    source = Path(random_closures.__file__).read_text()
    there = {"graph": {}, "executed": {}}
    different = []
    for seed in SEEDS:
        for kind, value in zip(there, oracle1(_ON_TENSORFLOW, programs=source, seed=seed), strict=True):
            if isinstance(value, str):
                continue  # TensorFlow fails on many programs: tapes in functions, Defuns in branches
            there[kind][str(seed)] = value
            here = (_in_graph if kind == "graph" else _as_function)(seed)
            if here is None or np.allclose(here, value, 1e-9, 1e-12):
                continue
            # There gradients in nested functions by eager variables do not see reads in the functions around them.
            if not np.allclose(here, _expected(generated(seed)[0]), 1e-9, 1e-12):
                different.append((kind, seed, float(here), value))
    assert not different, different
    assert all(len(values) > COUNT // 4 for values in there.values())
    if os.environ.get("TINYTF_RECORD"):
        KEPT_IN.write_text(json.dumps(there, indent=1) + "\n")
