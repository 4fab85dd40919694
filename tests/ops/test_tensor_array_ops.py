"""TensorArray and stack ops give the values or errors of TensorFlow 1.15.5; no argument crashes the process."""

import random

import numpy as np
import pytest
import tensor_array_programs
from recorded import recorded

import tinytf as tf

HUGE = 2**31 - 1


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    tensor_array_programs, "tensor_arrays_of_1_15.json"
)


def _array(size, shape=None, **attrs):
    attrs = {"dynamic_size": False, "clear_after_read": True, "identical_element_shapes": False, **attrs}
    return tf.raw_ops.TensorArrayV3(
        size=size, dtype=tf.float32, element_shape=tf.TensorShape(shape), tensor_array_name="", **attrs
    )


def test_sizes_take_no_memory_of_themselves():
    handle, flow = _array(HUGE, [2])
    written = tf.raw_ops.TensorArrayWriteV3(handle=handle, index=HUGE - 1, value=[1.0, 2.0], flow_in=flow)
    size = tf.raw_ops.TensorArraySizeV3(handle=handle, flow_in=written)
    gathered = tf.raw_ops.TensorArrayGatherV3(
        handle=handle, indices=[0, HUGE - 1], flow_in=written, dtype=tf.float32, element_shape=tf.TensorShape(None)
    )
    with tf.Session() as session:
        values = session.run([size, gathered])
    assert values[0] == HUGE
    assert values[1].tolist() == [[0.0, 0.0], [1.0, 2.0]]


def test_nothing_grows_beyond_what_is_a_size():
    handle, flow = _array(0, dynamic_size=True)
    written = tf.raw_ops.TensorArrayWriteV3(handle=handle, index=HUGE, value=1.0, flow_in=flow)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="but the maximum size is"):
        session.run(written)


@pytest.mark.parametrize("lengths", [[-1, 4], [2**63 - 1, 2**63 - 1], [2**62, 3 - 2**62], [-(2**63), 3]])
def test_lengths_that_are_none(lengths):
    """Invalid lengths are errors, whereas TensorFlow crashes."""
    handle, flow = _array(2)
    lengths = tf.constant(lengths, tf.int64)
    split = tf.raw_ops.TensorArraySplitV3(handle=handle, value=[1.0, 2.0, 3.0], lengths=lengths, flow_in=flow)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="lengths"):
        session.run(split)


@pytest.mark.parametrize("op", ["TensorArraySizeV3", "StackPopV2"])
@pytest.mark.parametrize("shape", [[0], [0, 2], [2, 0]])
def test_handles_of_nothing(op, shape):
    variable = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], container="", shared_name="")
    none = tf.placeholder_with_default(tf.reshape(tf.stack([variable, variable])[:0], shape), None)
    attrs = {"flow_in": 0.0} if op == "TensorArraySizeV3" else {"elem_type": tf.float32}
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="missing"):
        session.run(getattr(tf.raw_ops, op)(handle=none, **attrs))


def _random_array(chosen):
    value = np.zeros(chosen.choice([(), (2,), (0,), (2, 3), (1, 0, 2)]), np.float32)
    numbers = [-(2**31), -1, 0, 1, 2, 3, 7]
    return chosen.choice(
        [
            ("TensorArrayWriteV3", {"index": chosen.choice(numbers), "value": value}),
            ("TensorArrayReadV3", {"index": chosen.choice(numbers), "dtype": chosen.choice([tf.float32, tf.int32])}),
            ("TensorArrayGatherV3", {"indices": [chosen.choice(numbers) for _ in range(chosen.randrange(3))]}),
            ("TensorArrayScatterV3", {"indices": [chosen.choice(numbers) for _ in range(chosen.randrange(4))]}),
            (
                "TensorArraySplitV3",
                {"lengths": [chosen.choice([-1, 0, 1, 2, 2**62]) for _ in range(chosen.randrange(4))]},
            ),
            ("TensorArrayConcatV3", {}),
            ("TensorArraySizeV3", {}),
            ("TensorArrayGradV3", {"source": chosen.choice("ab")}),
            ("TensorArrayCloseV3", {}),
        ]
    ), value


@pytest.mark.parametrize("seed", range(60))
def test_chains_of_anything(seed):
    """Random sequences of uses give values or errors, with handles of unknown static shapes."""
    chosen = random.Random(seed)
    unknown = lambda value, dtype=None: tf.placeholder_with_default(tf.constant(value, dtype), None)  # noqa: E731
    handle, flow = _array(
        unknown(chosen.choice([0, 1, 3])),
        chosen.choice([None, [2], [None]]),
        dynamic_size=chosen.random() < 0.5,
        clear_after_read=chosen.random() < 0.5,
        identical_element_shapes=chosen.random() < 0.3,
    )
    handles, last = [tf.placeholder_with_default(handle, None)], [flow]
    fetches = []
    for _ in range(12):
        (op, inputs), value = _random_array(chosen)
        inputs = {name: unknown(given) if name in ("index", "value") else given for name, given in inputs.items()}
        for name, dtype in (("indices", tf.int32), ("lengths", tf.int64)):
            if name in inputs:
                inputs[name] = unknown(np.array(inputs[name]), dtype)
        if op in ("TensorArrayScatterV3", "TensorArraySplitV3"):
            inputs["value"] = unknown(value)
        if op == "TensorArrayGatherV3":
            inputs |= {"dtype": tf.float32, "element_shape": tf.TensorShape(None)}
        if op == "TensorArrayConcatV3":
            inputs |= {"dtype": tf.float32, "element_shape_except0": tf.TensorShape(None)}
        if op != "TensorArrayCloseV3":
            inputs["flow_in"] = flow
        with tf.control_dependencies(last):
            made = getattr(tf.raw_ops, op)(handle=chosen.choice(handles), **inputs)
        if op == "TensorArrayGradV3":
            handles.append(tf.placeholder_with_default(made[0], None))
        last = [made.op if isinstance(made, tf.Tensor) else made[0].op if isinstance(made, tuple) else made]
        fetches.append(last[0])
    with tf.Session() as session:
        for fetch in fetches:
            try:
                session.run(list(fetch.outputs)[-1:] or fetch)
            except (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError):
                pass


def test_elements_share_memory_and_stay_what_they_are():
    """Written elements are not copied, and an op that reads one computes out of place while another reader holds it."""
    handle, flow = _array(2, clear_after_read=False)
    x = tf.placeholder(tf.float32, [4])
    flow = tf.raw_ops.TensorArrayWriteV3(handle=handle, index=0, value=x * 1.0, flow_in=flow)
    read = lambda: tf.raw_ops.TensorArrayReadV3(handle=handle, index=0, flow_in=flow, dtype=tf.float32)  # noqa: E731
    first, second = read() + 1.0, read() * 10.0
    with tf.control_dependencies([first, second]):
        third = read()
    with tf.Session() as session:
        values = session.run([first, second, third], {x: [1.0, 2.0, 3.0, 4.0]})
    np.testing.assert_array_equal(values, [[2, 3, 4, 5], [10, 20, 30, 40], [1, 2, 3, 4]])


def test_steps_have_arrays_of_their_own():
    handle, flow = _array(1)
    x = tf.placeholder(tf.float32, [])
    flow = tf.raw_ops.TensorArrayWriteV3(handle=handle, index=0, value=x, flow_in=flow)
    read = tf.raw_ops.TensorArrayReadV3(handle=handle, index=0, flow_in=flow, dtype=tf.float32)
    with tf.Session() as session:
        assert [session.run(read, {x: value}) for value in range(5)] == [0, 1, 2, 3, 4]
