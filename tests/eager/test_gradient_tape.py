"""`tf.GradientTape`: watching, gradients, and errors."""

import collections
import threading
import weakref

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.logs import tf_logging

pytestmark = pytest.mark.usefixtures("eager")


def _cubed(x, **options):
    tape = tf.GradientTape(**options)
    with tape:
        tape.watch(x)
        y = x * x * x
    return tape, y


def test_derivative_of_a_watched_tensor():
    x = tf.constant([1.0, 2.0])
    tape, y = _cubed(x)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [3.0, 12.0])


def test_a_tape_gives_gradients_once():
    x = tf.constant(2.0)
    tape, y = _cubed(x)
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="^GradientTape.gradient can only be called once on non-persistent tapes.$"):
        tape.gradient(y, x)


def test_a_persistent_tape_gives_gradients_again():
    x = tf.constant(2.0)
    tape, y = _cubed(x, persistent=True)
    assert [tape.gradient(y, x).numpy() for _ in range(3)] == [12.0] * 3


def test_sources_keep_their_structure():
    x, z = tf.constant(2.0), tf.constant(5.0)
    tape, y = _cubed(x)
    found = tape.gradient(y, {"a": x, "b": (z, [x])})
    assert found["a"].numpy() == 12.0
    assert found["b"][0] is None
    assert found["b"][1][0].numpy() == 12.0


def test_unwatched_tensors_have_no_derivative():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None


def test_unconnected_sources_can_have_zeros():
    x, z = tf.constant(2.0), tf.constant([1.0, 2.0])
    tape, y = _cubed(x)
    found = tape.gradient(y, z, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    np.testing.assert_array_equal(found.numpy(), [0.0, 0.0])


def test_other_words_for_unconnected_sources():
    x = tf.constant(2.0)
    tape, y = _cubed(x)
    with pytest.raises(ValueError, match="^Unknown value for unconnected_gradients: 'nonsense'$"):
        tape.gradient(y, x, unconnected_gradients="nonsense")


def test_output_gradients_are_where_the_walk_begins():
    x = tf.constant([1.0, 2.0])
    tape, y = _cubed(x)
    np.testing.assert_array_equal(tape.gradient(y, x, output_gradients=tf.constant([10.0, 1.0])).numpy(), [30.0, 12.0])


def test_as_many_output_gradients_as_targets():
    x = tf.constant(2.0)
    tape, y = _cubed(x)
    with pytest.raises(ValueError, match="Passed 1 output_gradients for 2 targets"):
        tape.gradient([y, y], x, output_gradients=[None])


def test_several_targets_add_up():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, z = x * x, 3.0 * x
    assert tape.gradient([y, z, y], x).numpy() == 11.0


def test_many_paths_add_up():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + x + x + x
    assert tape.gradient(y, x).numpy() == 4.0


def test_a_target_is_its_own_source():
    x = tf.constant([2.0, 3.0])
    with tf.GradientTape() as tape:
        pass
    np.testing.assert_array_equal(tape.gradient(x, x).numpy(), [1.0, 1.0])


def test_a_source_on_the_way():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert [g.numpy() for g in tape.gradient(z, [x, y])] == [108.0, 18.0]


def test_nested_tapes_give_second_derivatives():
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        first = inner.gradient(y, x)
    assert (first.numpy(), outer.gradient(first, x).numpy()) == (27.0, 18.0)


def test_a_persistent_tape_records_its_own_gradients():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        first = tape.gradient(y, x)
    assert tape.gradient(first, x).numpy() == 18.0


def test_a_tape_ends_when_it_gives_gradients_in_its_block():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        assert tape.gradient(x * x, x).numpy() == 6.0


def test_recording_can_pause():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * x
    assert tape.gradient(z, x) is None


def test_a_tape_that_does_not_record_cannot_pause():
    tape = tf.GradientTape()
    with pytest.raises(RuntimeError, match="^Trying to stop recording a tape which is not recording.$"):
        with tape.stop_recording():
            pass
    with tape:
        pass
    with pytest.raises(ValueError, match="^Tape is not recording.$"):
        with tape.stop_recording():
            pass


def test_reset_forgets():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        z = y * x
    assert tape.gradient(z, x) is None


def test_a_block_cannot_be_entered_twice():
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match="^Tape is already recording.$"):
            tape.__enter__()


def test_a_second_block_records_more():
    x = tf.constant(3.0)
    tape, y = _cubed(x)
    with tape:
        z = y * 2.0
    assert tape.gradient(z, x).numpy() == 54.0


def test_only_tensors_can_be_watched():
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match="^Passed in object of type <class 'int'>, expected tf.Tensor$"):
            tape.watch([3])


def test_watching_integers_warns(caplog, monkeypatch):
    monkeypatch.setattr(tf_logging, "_counts", collections.Counter())  # resets the counts of earlier tests
    with tf.GradientTape() as tape:
        tape.watch(tf.constant(3))
    assert "The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.int32" in caplog.text


def test_integers_stop_gradients():
    x = tf.constant(3.7)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.int32), tf.float32)
    assert tape.gradient(y, x) is None


def test_ops_without_a_gradient_function_are_named():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.raw_ops.Mod(x=x, y=tf.constant(2.0))
    with pytest.raises(LookupError, match="gradient registry has no entry for: Mod$"):
        tape.gradient(y, x)


def test_a_failure_leaves_the_next_tape_alone():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        with tf.GradientTape() as tape:
            tape.watch(x)
            tf.matmul(x, x)
    tape, y = _cubed(x)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [3.0, 12.0])


def test_every_thread_has_tapes_of_its_own():
    found = []

    def work():
        with eager_mode(), tf.EagerSession():
            x = tf.constant(2.0)
            tape, y = _cubed(x)
            found.append(tape.gradient(y, x).numpy())

    x = tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        y = x * x
    assert found == [12.0]
    assert tape.gradient(y, x).numpy() == 10.0


def test_rows_read_by_a_gather_have_sliced_gradients():
    x = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [2, 0, 2])
    found = tape.gradient(y, x)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_array_equal(found.indices.numpy(), [2, 0, 2])
    np.testing.assert_array_equal(tf.convert_to_tensor(found).numpy(), [[1.0], [0.0], [2.0]])


def test_sliced_gradients_flow_on():
    x = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x * x, [2, 0, 2]) * 2.0
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [[4.0], [0.0], [24.0]])


def test_sliced_and_dense_gradients_add_up():
    x = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.gather(x, [2])) + tf.reduce_sum(x)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [[1.0], [1.0], [2.0]])


def test_missing_gradients_of_outputs_are_zeros():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        first, _, third = tf.unstack(x)
        y = first * third
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [3.0, 0.0, 1.0])


def test_what_was_walked_is_freed_on_the_way():
    later, freed = [], []

    @tf.custom_gradient
    def first(x):
        def grad(dy):
            freed.append(later[0]() is None)
            return dy

        return x * 1.0, grad

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.exp(tf.sin(first(x)))
        later.append(weakref.ref(z))
        y = tf.sin(z)
        del z
    tape.gradient(y, x)
    assert freed == [True]


def test_calling_inside_the_block_of_a_persistent_tape_warns_once(caplog, monkeypatch):
    monkeypatch.setattr(tf_logging, "_counts", collections.Counter())
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        for _ in range(2):
            tape.gradient(x * x, x)
    assert caplog.text.count("Calling GradientTape.gradient on a persistent tape inside its context") == 1


def test_what_is_not_watched_has_no_derivative():
    x, w = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(w)
        y = x * w
        z = y * x
    assert tape.gradient(y, x) is None
    by_x, by_y, by_w = tape.gradient(z, [x, y, w])
    assert (by_x, float(by_y), float(by_w)) == (None, 2.0, 4.0)
    assert float(tape.gradient(x, x)) == 1.0
