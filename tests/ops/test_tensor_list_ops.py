"""Tensor list ops give the values or errors of TensorFlow 1.15.5; no argument crashes the process."""

import numpy as np
import pytest
import tensor_list_gradients
import tensor_list_programs
from recorded import recorded

import tinytf as tf

HUGE = 2**31 - 1
SCALAR = np.zeros([0], np.int32)


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    tensor_list_programs, "tensor_lists_of_1_15.json"
)


def _reserve(size, shape=SCALAR, dtype=tf.float32):
    return tf.raw_ops.TensorListReserve(element_shape=shape, num_elements=size, element_dtype=dtype)


def _three():
    return tf.raw_ops.TensorListFromTensor(tensor=tf.constant([1.0, 2.0, 3.0]), element_shape=SCALAR)


def _push(handle, value):
    return tf.raw_ops.TensorListPushBack(input_handle=handle, tensor=value)


def _get(handle, index, dtype=tf.float32):
    return tf.raw_ops.TensorListGetItem(input_handle=handle, index=index, element_shape=-1, element_dtype=dtype)


def _stack(handle, dtype=tf.float32):
    return tf.raw_ops.TensorListStack(input_handle=handle, element_shape=-1, element_dtype=dtype, num_elements=-1)


def _length(handle):
    return tf.raw_ops.TensorListLength(input_handle=handle)


def _concat(handle, shape, leading):
    return tf.raw_ops.TensorListConcatV2(
        input_handle=handle, element_shape=shape, leading_dims=np.array(leading, np.int64), element_dtype=tf.float32
    )[0]


def _scatter_into(handle, values, places):
    return tf.raw_ops.TensorListScatterIntoExistingList(input_handle=handle, tensor=values, indices=places)


def _hidden(value):
    return tf.placeholder_with_default(value, None)


# Programs that crash TensorFlow or make it read outside of the list.
REFUSED = {
    "reserve_negative": (lambda: _length(_reserve(-1)), "num_elements must not be negative, but is -1"),
    "reserve_vector": (lambda: _length(_reserve([1, 2])), r"num_elements must be a scalar, but has shape \[2\]"),
    "shape_matrix": (
        lambda: _length(_reserve(1, _hidden([[1, 2]]))),
        "must be a vector of at most 254 sizes or the scalar -1",
    ),
    "shape_too_long": (
        lambda: _length(_reserve(1, _hidden([1] * 255))),
        "must be a vector of at most 254 sizes or the scalar -1",
    ),
    "zeros_too_large": (lambda: _get(_reserve(1, [HUGE] * 4), 0), "too many|overflow|more than|elements"),
    "stack_too_large": (lambda: _stack(_reserve(HUGE, [HUGE, HUGE, 9])), "too many|overflow|more than|elements"),
    "get_vector": (lambda: _get(_three(), _hidden([0, 1])), r"index must be a scalar, but has shape \[2\]"),
    "scatter_into_negative": (lambda: _length(_scatter_into(_three(), [1.0], [-1])), "must all be non-negative"),
    "scatter_beyond": (lambda: _length(_scatter_into(_three(), [1.0], [HUGE])), f"A list can have at most {HUGE}"),
    "push_beyond": (lambda: _length(_push(_reserve(HUGE), 1.0)), f"A list can have at most {HUGE}"),
    "concat_negative": (lambda: _concat(_reserve(2, [-1, 2]), -1, [1, -1]), "leading_dims must not be negative"),
    "concat_overflow": (lambda: _concat(_reserve(2, [-1, 2]), -1, [2**62, 2**62]), "negative|too many|elements"),
    "concat_of_scalars": (
        lambda: tf.raw_ops.TensorListConcat(
            input_handle=_hidden(_three()), element_dtype=tf.float32, element_shape=tf.TensorShape([])
        )[0],
        "found scalars instead",
    ),
    "split_overflow": (
        lambda: _length(
            tf.raw_ops.TensorListSplit(tensor=[1.0], element_shape=-1, lengths=np.array([1, 2**63 - 1], np.int64))
        ),
        r"Attempting to slice \[1, a number beyond",
    ),
    "elements_unlike_the_list": (
        lambda: _stack(_scatter_into(_three(), [[1.0, 2.0]], [1])),
        "PartialTensorShape: Incompatible ranks during merge: 0 vs. 1",
    ),
    "pieces_unlike_the_list": (
        lambda: _stack(
            tf.raw_ops.TensorListSplit(
                tensor=[1.0, 2.0, 3.0], element_shape=_hidden([1]), lengths=np.array([1, 2], np.int64)
            )
        ),
        r"PartialTensorShape: Incompatible shapes during merge: \[1\] vs. \[2\]",
    ),
    "no_list": (lambda: _length(_get(_reserve(1, dtype=tf.variant), 0, tf.variant)), "Input handle is not a list"),
    "no_list_in_a_vector": (
        lambda: tf.unstack(
            tf.raw_ops.TensorListPushBackBatch(
                input_handles=_stack(_reserve(2, dtype=tf.variant), tf.variant), tensor=[1.0, 2.0]
            ),
            2,
        )[0],
        "Input handle at index 0 is not a list",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_list_can_do(name):
    build, message = REFUSED[name]
    fetch = build()
    with (
        tf.Session() as session,
        pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError), match=message),
    ):
        session.run(fetch if fetch.dtype != tf.variant else fetch.op)


def test_sizes_take_no_memory_of_themselves():
    far = tf.raw_ops.TensorListSetItem(input_handle=_reserve(HUGE, [2]), index=HUGE - 1, item=[1.0, 2.0])
    gathered = tf.raw_ops.TensorListGather(
        input_handle=far, indices=[0, HUGE - 1], element_shape=-1, element_dtype=tf.float32
    )
    with tf.Session() as session:
        size, values = session.run([_length(far), gathered])
    assert size == HUGE
    assert values.tolist() == [[0.0, 0.0], [1.0, 2.0]]


def test_what_a_list_grew_by_reads_as_zeros():
    """Elements added by growing a list are zeros, whereas TensorFlow reads uninitialized memory."""
    with tf.Session() as session:
        assert session.run(_stack(_scatter_into(_three(), [7.0], [5]))).tolist() == [1, 2, 3, 0, 0, 7]


def test_lists_of_bools_have_a_sum_if_all_are_false():
    """Lists of False add up, as gradients of bools do; TensorFlow adds no bools."""
    given = [tf.placeholder(tf.bool, [2]) for _ in range(2)]
    lists = [tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=-1) for x in given]
    total = tf.raw_ops.TensorListStack(input_handle=tf.add_n(lists), element_shape=-1, element_dtype=tf.bool)
    with tf.Session() as session:
        assert session.run(total, dict.fromkeys(given, [False, False])).tolist() == [False, False]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Trying to add unsupported dtype 10"):
            session.run(total, {given[0]: [False, True], given[1]: [False, False]})


def test_lists_within_lists_have_a_limit():
    def body(i, handle):
        empty = tf.raw_ops.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=tf.variant)
        return i + 1, _push(empty, handle)

    n = tf.placeholder(tf.int32, [])
    length = _length(tf.while_loop(lambda i, _: i < n, body, [0, _reserve(3)])[1])
    with tf.Session() as session:
        assert session.run(length, {n: 99}) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="Variants are nested too deeply: the limit is 100"):
            session.run(length, {n: 100_000})


def test_lists_within_lists_have_gradients():
    """Nested lists have gradients even if a part is unused and its gradient is not a list, which TensorFlow cannot
    add to.
    """
    x, y = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([5.0, 6.0])
    rows = tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=[2])
    outer = tf.raw_ops.EmptyTensorList(element_shape=SCALAR, max_num_elements=-1, element_dtype=tf.variant)
    outer = _push(_push(outer, rows), _push(rows, y))
    stacked = _stack(
        tf.raw_ops.TensorListPopBack(input_handle=outer, element_shape=SCALAR, element_dtype=tf.variant)[1]
    )
    gradients = tf.gradients(tf.reduce_sum(stacked * stacked), [x, y])
    with tf.Session() as session:
        of_x, of_y = session.run(gradients)
    assert of_x.tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert of_y.tolist() == [10.0, 12.0]


test_gradients_like_tensorflow, test_no_gradient_is_left_out, test_the_gradients_are_1_15s = recorded(
    tensor_list_gradients, "tensor_list_gradients_of_1_15.json"
)
