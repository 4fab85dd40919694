"""Positions of iterators whose buffers hold datasets, such as windows, or errors that wait for their consumers."""

import threading

import numpy as np
import pytest

import tinytf as tf

_D = tf.data.Dataset
_x = tf.data.experimental


def _windows():
    return _D.range(14).window(3, shift=2)


def _itself(dataset):
    return dataset


def _pairs(first, second):
    return _D.zip((first, second))


def _batched():
    """Windows in batches, which are taken apart again."""
    windows = _windows()
    of = {"output_types": [tf.variant], "output_shapes": [[None]]}
    batch = tf.raw_ops.BatchDataset(input_dataset=windows._variant_tensor, batch_size=3, **of)
    of["output_shapes"] = [[]]
    return _Raw(windows, tf.raw_ops.UnbatchDataset(input_dataset=batch, **of)).flat_map(_itself)


class _Raw(tf.data.Dataset.__mro__[1]):
    """A dataset of a raw op, with the elements' structure of another one."""

    def __init__(self, like, variant):
        self._like = like
        super().__init__(variant)

    def _inputs(self):
        return []

    @property
    def element_spec(self):
        return self._like.element_spec


PROGRAMS = {
    "shuffled": lambda: _windows().shuffle(4, seed=1).flat_map(_itself),
    "shuffled with epochs": lambda: _windows().shuffle(4, seed=1).repeat(2).flat_map(_itself),
    "prefetched": lambda: _windows().prefetch(3).flat_map(_itself),
    "cached": lambda: _windows().cache().repeat(2).flat_map(_itself),
    "batched": _batched,
    "interleaved": lambda: _windows().interleave(lambda w: w.shuffle(3, seed=5), cycle_length=2, block_length=2),
    "interleaved in parallel": lambda: _windows().interleave(
        lambda w: w.shuffle(3, seed=5), cycle_length=2, num_parallel_calls=2
    ),
    "mapped in parallel": lambda: _windows().map(lambda w: w.batch(3), num_parallel_calls=2).flat_map(_itself),
    "of pairs": lambda: _D.zip((_D.range(9), _D.range(20, 29))).window(2).shuffle(3, seed=2).flat_map(_pairs),
    "of windows": lambda: _D.range(30).window(2).window(3).shuffle(3, seed=2).flat_map(lambda w: w.flat_map(_itself)),
    "of texts": lambda: _D.from_tensor_slices([b"a", b"bc", b"", b"d"]).window(2).shuffle(2, seed=1).flat_map(_itself),
    "filtered": lambda: (
        _windows().map(lambda w: w.filter(lambda x: tf.equal(x % 2, 0))).shuffle(3, seed=1).flat_map(_itself)
    ),
    "uneven": lambda: (
        _D.range(9).map(lambda x: tf.fill([x % 4], x)).window(3).shuffle(2, seed=3).flat_map(_itself).map(tf.reduce_sum)
    ),
    "groups": lambda: _D.range(20).apply(
        _x.group_by_window(lambda x: x % 3, lambda key, w: w.shuffle(4, seed=3).batch(4), 4)
    ),
    "groups of windows": lambda: (
        _D.range(24)
        .window(2)
        .flat_map(_itself)
        .apply(_x.group_by_window(lambda x: x % 2, lambda key, w: w.batch(3), 3))
    ),
    "made by a function": lambda: (
        _D.range(8).map(lambda x: _D.range(x).shuffle(3, seed=1)).shuffle(4, seed=2).flat_map(_itself)
    ),
    "with captured numbers": lambda: (
        _D.range(6).map(lambda x: _D.range(3).map(lambda y: x * 10 + y)).prefetch(2).flat_map(_itself)
    ),
    "made at random": lambda: (  # the seed is a part of the function
        _D.range(4)
        .map(lambda x: _D.range(2).map(lambda y: y + 0 * tf.random.uniform([], 0, 9, tf.int64)))
        .shuffle(2, seed=1)
        .flat_map(_itself)
    ),
}


def _outcomes(session, element, most=60):
    """What the next pulls yield: elements, errors with their texts, and the end."""
    found = []
    for _ in range(most):
        try:
            found.append(
                tf.contrib.framework.nest.map_structure(lambda value: np.asarray(value).tolist(), session.run(element))
            )
        except tf.errors.OutOfRangeError:
            return [*found, "end"]
        except tf.errors.OpError as error:
            found.append([type(error).__name__, str(error).split("\n")[0]])
    return found


class _Saved:
    """An iterator over a program's dataset, with a saver."""

    def __init__(self, program):
        self.iterator = tf.data.make_initializable_iterator(program())
        self.element = self.iterator.get_next()
        self.saver = tf.train.Saver({"input": _x.make_saveable_from_iterator(self.iterator)})


def _every_position(program, folder):
    """The outcomes of one iterator, and by position those of one that was restored there in another session."""
    with tf.Graph().as_default():
        saved = _Saved(program)
        with tf.Session() as first:
            first.run(saved.iterator.initializer)
            whole = _outcomes(first, saved.element)
        assert whole[-1] == "end"
        restored = {}
        with tf.Session() as first:
            first.run(saved.iterator.initializer)
            for at in range(len(whole)):
                path = saved.saver.save(first, str(folder / "input"), global_step=at, write_meta_graph=False)
                with tf.Session() as second:
                    second.run(saved.iterator.initializer)
                    saved.saver.restore(second, path)
                    restored[at] = _outcomes(second, saved.element)
                _outcomes(first, saved.element, 1)
        return whole, restored


@pytest.mark.parametrize("name", PROGRAMS)
def test_restored_at_every_element(name, tmp_path):
    whole, restored = _every_position(PROGRAMS[name], tmp_path)
    for at, outcomes in restored.items():
        assert outcomes == whole[at:], at


def _failing(numbers):
    return numbers.map(
        lambda x: tf.cast(tf.debugging.check_numerics(3.0 / tf.cast(x % 3 - 1, tf.float32), "no"), tf.int64)
    )


@pytest.mark.parametrize(
    "stage",
    [
        lambda numbers: _failing(numbers).prefetch(3),
        lambda numbers: _failing(numbers).map(lambda x: x + 1, num_parallel_calls=3),
        lambda numbers: _failing(numbers).batch(2).prefetch(2),
        lambda numbers: _failing(numbers).apply(_x.map_and_batch(lambda x: x, 2)),
        lambda numbers: _failing(numbers).window(2).prefetch(2).flat_map(_itself),
        lambda numbers: numbers.interleave(
            lambda x: _failing(_D.range(x, x + 2)), cycle_length=2, num_parallel_calls=2
        ).prefetch(2),
    ],
    ids=["prefetch", "parallel map", "batches", "map and batch", "windows", "interleave"],
)
def test_errors_that_wait(stage, tmp_path):
    whole, restored = _every_position(lambda: stage(_D.range(7)), tmp_path)
    assert any(outcome[0] == "InvalidArgumentError" for outcome in whole if isinstance(outcome, list))
    for at, outcomes in restored.items():
        assert outcomes == whole[at:], at


def test_an_error_in_a_full_buffer(tmp_path):
    """The buffer of the saved iterator surely holds the error."""
    has_failed = threading.Event()

    def fail(x):
        if x == 2:
            has_failed.set()
            raise ValueError("never")
        return x

    def program():
        return _D.range(4).map(lambda x: tf.py_func(fail, [x], tf.int64)).prefetch(4)

    with tf.Graph().as_default():
        saved = _Saved(program)
        with tf.Session() as first, tf.Session() as second:
            first.run(saved.iterator.initializer)
            assert first.run(saved.element) == 0
            assert has_failed.wait(60)
            path = saved.saver.save(first, str(tmp_path / "input"), write_meta_graph=False)
            second.run(saved.iterator.initializer)
            saved.saver.restore(second, path)
            wanted, found = _outcomes(first, saved.element), _outcomes(second, saved.element)
    assert found == wanted
    assert [found[0], found[1][0], *found[2:]] == [1, "InvalidArgumentError", 3, "end"]


def _of_uneven_windows():
    vectors = _D.range(9).map(lambda x: tf.fill([x % 4], x))
    return vectors.window(3).map(lambda w: w.shuffle(3)).shuffle(2)


def _of_windows_of_windows():
    return _D.range(20).window(2).window(3).map(lambda w: w.shuffle(3)).shuffle(2)


@pytest.mark.parametrize(
    ("program", "text"),
    [(_of_uneven_windows, "window of several shapes"), (_of_windows_of_windows, "window of datasets")],
)
def test_datasets_made_of_windows_without_a_stored_form(program, text, tmp_path):
    with tf.Graph().as_default():
        iterator = tf.data.make_initializable_iterator(program().map(lambda w: 0))
        element = iterator.get_next()
        saver = tf.train.Saver({"input": _x.make_saveable_from_iterator(iterator)})
        with tf.Session() as session:
            session.run(iterator.initializer)
            session.run(element)
            with pytest.raises(tf.errors.UnimplementedError, match=text):
                saver.save(session, str(tmp_path / "input"))


def test_what_has_no_stored_form(tmp_path):
    def program():
        table = tf.Variable(3, use_resource=True, dtype=tf.int64)
        tf.add_to_collection("table", table)
        return _D.range(3).map(lambda x: _D.range(3).map(lambda y: y * table)).shuffle(3).flat_map(_itself)

    with tf.Graph().as_default():
        saved = _Saved(program)
        with tf.Session() as session:
            session.run([tf.get_collection("table")[0].initializer])
            session.run(saved.iterator.initializer)
            session.run(saved.element)
            with pytest.raises(tf.errors.UnimplementedError, match="made of a resource"):
                saved.saver.save(session, str(tmp_path / "input"))
