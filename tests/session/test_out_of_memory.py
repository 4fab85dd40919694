"""Steps that run out of memory fail with a clear message, and the session stays usable."""

import pytest

import tinytf as tf

_HINT = (
    "\nHint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to "
    "RunOptions for current allocation info.\n"
)


@pytest.fixture
def too_large():
    return tf.fill([1 << 30, tf.placeholder_with_default(1 << 20, [])], 1.0, name="too_large")


def test_the_message_says_what_was_asked_for_and_how_to_learn_more(too_large):
    with tf.Session() as sess:
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            sess.run(too_large)
        assert caught.value.message.startswith(
            "OOM when allocating tensor with shape[1073741824,1048576] and type float on "
            "/job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"
        )
        assert _HINT in caught.value.message
        assert caught.value.op is too_large.op
        assert sess.run(tf.constant(1)) == 1


def test_what_is_allocated_is_told_on_request(too_large):
    variable = tf.get_variable("v", [1000])
    with tf.Session() as sess:
        sess.run(variable.initializer)
        with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
            sess.run(too_large, options=tf.RunOptions(report_tensor_allocations_upon_oom=True))
    message = caught.value.message
    assert _HINT not in message
    assert "\nCurrent usage from device: /job:localhost/replica:0/task:0/device:CPU:0, allocator: cpu\n" in message
    assert "\n  4000 bytes for variable v:0\n" in message
