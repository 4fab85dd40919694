"""Stacks and TensorArrays of early GraphDefs give the values or errors of TensorFlow 1.15.5."""

import early_array_programs
import pytest
from early_array_programs import GENERATIONS
from early_graphs import make_early
from recorded import recorded

import tinytf as tf
from tinytf.python.framework.function import Defun

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    early_array_programs, "early_arrays_of_1_15.json"
)


def test_handles_are_those_of_one_step():
    """A string handle is valid only within its step."""
    with tf.Graph().as_default(), tf.Session() as session:
        make_early(25)
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
    """TensorFlow's gradient functions would create arrays of the third generation from these handles, which fails."""
    with tf.Graph().as_default():
        make_early(15)
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


def test_calls_of_a_function_have_arrays_and_stacks_of_their_own():
    @Defun(tf.float32)
    def through_array(x):
        make_early(25)
        handle = tf.raw_ops.TensorArrayV2(size=1, dtype=tf.float32)
        flow = tf.raw_ops.TensorArrayWriteV2(handle=handle, index=0, value=x, flow_in=0.0)
        return tf.raw_ops.TensorArrayReadV2(handle=handle, index=0, flow_in=flow, dtype=tf.float32)

    @Defun(tf.float32)
    def through_stack(x):
        handle = tf.raw_ops.Stack(elem_type=tf.float32)
        with tf.control_dependencies([tf.raw_ops.StackPush(handle=handle, elem=x)]):
            return tf.raw_ops.StackPop(handle=handle, elem_type=tf.float32)

    with tf.Graph().as_default(), tf.Session() as session:
        make_early(25)
        values = [function(x) for function in (through_array, through_stack) for x in (3.0, 4.0)]
        assert session.run(values) == [3.0, 4.0, 3.0, 4.0]


def test_functions_of_a_loop_write_to_an_array_outside():
    @Defun(tf.int32, tf.string, tf.float32)
    def is_in_array(i, handle, flow):
        make_early(25)
        return i < tf.raw_ops.TensorArraySizeV2(handle=handle, flow_in=flow)

    @Defun(tf.int32, tf.string, tf.float32)
    def doubled(i, handle, flow):
        make_early(25)
        value = 2.0 * tf.cast(i, tf.float32)
        return i + 1, handle, tf.raw_ops.TensorArrayWriteV2(handle=handle, index=i, value=value, flow_in=flow)

    with tf.Graph().as_default() as graph, tf.Session() as session:
        make_early(25)
        for function in (is_in_array, doubled):
            function.add_to_graph(graph)
        array = tf.raw_ops.TensorArrayV2(size=3, dtype=tf.float32)
        start = [tf.constant(0), array, tf.constant(0.0)]
        *_, flow = tf.raw_ops.While(input=start, cond=is_in_array, body=doubled, output_shapes=[[], [2], []])
        values = tf.raw_ops.TensorArrayGatherV2(handle=array, indices=[2, 1, 0], flow_in=flow, dtype=tf.float32)
        assert session.run(values).tolist() == [4.0, 2.0, 0.0]


def test_stack_lives_through_the_parts_of_a_step():
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        stack = tf.raw_ops.Stack(elem_type=tf.float32)
        pushed = tf.raw_ops.StackPush(handle=stack, elem=x)
        with tf.control_dependencies([pushed]):
            popped = tf.raw_ops.StackPop(handle=stack, elem_type=tf.float32) + y
        step = session.partial_run_setup([pushed, popped], [x, y])
        assert session.partial_run(step, pushed, {x: 3.0}) == 3.0
        assert session.partial_run(step, popped, {y: 4.0}) == 7.0
