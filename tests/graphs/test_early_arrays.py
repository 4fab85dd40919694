"""Stacks and TensorArrays of early GraphDefs yield what they yield in TensorFlow 1.15.5, or fail with its words."""

import json
from pathlib import Path

import pytest
from early_array_programs import GENERATIONS, outcome, programs

import tinytf as tf

PROGRAMS = programs(tf)
# What 1.15.5 makes of them, printed by early_array_programs.py.
OF_1_15 = json.loads(Path(__file__).with_name("early_arrays_of_1_15.json").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_tensorflow(name):
    assert outcome(tf, PROGRAMS[name]) == OF_1_15[name]


def test_no_program_is_left_out():
    assert OF_1_15.keys() == PROGRAMS.keys()


@pytest.mark.oracle
def test_the_table_is_1_15s(oracle1):
    module = Path(__file__).with_name("early_array_programs.py").read_text()
    ask = "result = {name: outcome(tf, build) for name, build in programs(tf).items()}"
    assert oracle1(f"__name__ = 'programs'\n{module}\n{ask}") == OF_1_15


def test_handles_are_those_of_one_step():
    """A handle that is fed to another step leads to nothing there."""
    with tf.Graph().as_default(), tf.Session() as session:
        handle = tf.raw_ops.TensorArrayV2(size=1, dtype=tf.float32)
        fed = tf.placeholder(tf.string, [2])
        size = tf.raw_ops.TensorArraySizeV2(handle=fed, flow_in=0.0)
        text = session.run(handle)
        with pytest.raises(tf.errors.NotFoundError, match="Container __per_step_"):
            session.run(size, {fed: text})
        with pytest.raises(tf.errors.NotFoundError, match="Resource __per_step_"):
            session.run([size, handle], {fed: text})


@pytest.mark.parametrize("suffix", GENERATIONS)
def test_gradients_are_refused_as_in_tensorflow(suffix):
    """Its gradient functions make arrays of the third generation of handles that are none."""
    with tf.Graph().as_default():
        raw = tf.raw_ops
        x, zero = tf.placeholder(tf.float32, []), tf.constant(0)
        handle = getattr(raw, f"TensorArray{suffix}")(size=1, dtype=tf.float32)
        flow = getattr(raw, f"TensorArrayWrite{suffix}")(handle=handle, index=zero, value=x, flow_in=0.0)
        y = getattr(raw, f"TensorArrayRead{suffix}")(handle=handle, index=zero, flow_in=flow, dtype=tf.float32)
        kind = "string" if suffix else "string_ref"
        words = (
            f"Input 'handle' of 'TensorArrayGradV3' Op has type {kind} that does not match expected type of resource."
        )
        with pytest.raises(TypeError, match=words):
            tf.gradients(y, x)
