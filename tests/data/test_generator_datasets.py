"""A dataset of a generator calls its three functions when TensorFlow does."""

import threading

import numpy as np
import pytest
from data.raw_datasets_sources import iterator

import tinytf as tf
from tinytf.python.framework import function


class Generator:
    """Yields 1, 2, … up to `limit` and logs its calls."""

    def __init__(self, limit=2, fails_at=0, broken_begins=0, finalize_error=None):
        self.limit, self.fails_at, self.broken_begins = limit, fails_at, broken_begins
        self.finalize_error = finalize_error
        self.at = 0
        self.log = []
        self.ended = threading.Event()

    def begin(self):
        self.log.append("begin")
        if self.broken_begins > 0:
            self.broken_begins -= 1
            raise ValueError("no begin")
        self.at = 0
        return np.int64(7)

    def following(self, state, captured):
        self.log.append("next")
        assert (state, captured) == (7, 5)
        self.at += 1
        if self.at == self.fails_at:
            raise ValueError("no element")
        if self.at > self.limit:
            raise StopIteration
        return np.int64(self.at)

    def finalize(self, state):
        assert state == 7
        self.log.append("end")
        self.ended.set()
        if self.finalize_error:
            raise self.finalize_error
        return np.int64(0)

    def dataset(self):
        @function.Defun()
        def begin():
            return tf.py_func(self.begin, [], tf.int64)

        @function.Defun(tf.int64, tf.int64)
        def following(state, captured):
            return tf.py_func(self.following, [state, captured], tf.int64)

        @function.Defun(tf.int64)
        def finalize(state):
            return tf.py_func(self.finalize, [state], tf.int64)

        return tf.raw_ops.GeneratorDataset(
            init_func_other_args=[],
            next_func_other_args=[tf.constant(5, tf.int64)],
            finalize_func_other_args=[],
            init_func=begin,
            next_func=following,
            finalize_func=finalize,
            output_types=[tf.int64],
            output_shapes=[[]],
        )


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def _iterator(generator):
    return iterator(tf, generator.dataset(), [tf.int64], [[]])


def _pulled(session, next_element, count):
    found = []
    for _ in range(count):
        try:
            found.append(int(session.run(next_element)[0]))
        except tf.errors.OpError as error:
            found.append(type(error).__name__)
    return found


def test_finalized_once_at_the_end(session):
    generator = Generator()
    _, begin, next_element = _iterator(generator)
    session.run(begin)
    assert _pulled(session, next_element, 4) == [1, 2, "OutOfRangeError", "OutOfRangeError"]
    assert generator.log == ["begin", "next", "next", "next", "end"]


def test_goes_on_behind_an_error(session):
    generator = Generator(limit=3, fails_at=2)
    _, begin, next_element = _iterator(generator)
    session.run(begin)
    assert _pulled(session, next_element, 4) == [1, "InvalidArgumentError", 3, "OutOfRangeError"]


def test_begins_again_after_an_error(session):
    generator = Generator(broken_begins=2)
    _, begin, next_element = _iterator(generator)
    session.run(begin)
    assert _pulled(session, next_element, 3) == ["InvalidArgumentError", "InvalidArgumentError", 1]
    assert generator.log == ["begin", "begin", "begin", "next"]


def test_not_begun_without_a_pull(session):
    generator = Generator()
    session.run(_iterator(generator)[1])
    session.run(_iterator(generator)[1])
    assert generator.log == []


@pytest.mark.parametrize(
    ("raised", "found"), [(lambda: ValueError("x"), "InvalidArgumentError"), (StopIteration, "InternalError")]
)
def test_error_of_the_end(session, raised, found):
    generator = Generator(finalize_error=raised())
    _, begin, next_element = _iterator(generator)
    session.run(begin)
    assert _pulled(session, next_element, 4) == [1, 2, found, found]


def test_finalized_if_the_iterator_goes_early(session):
    generator = Generator()
    _, begin, next_element = _iterator(generator)
    session.run(begin)
    assert _pulled(session, next_element, 1) == [1]
    session.run(begin)  # a new iterator takes the place of the old one
    assert generator.ended.wait(120)
    assert generator.log == ["begin", "next", "end"]
    assert _pulled(session, next_element, 3) == [1, 2, "OutOfRangeError"]


@pytest.mark.parametrize("count", range(4))
def test_restored_by_running_again(session, count):
    generator = Generator()
    made, begin, next_element = _iterator(generator)
    session.run(begin)
    before = _pulled(session, next_element, count)
    second, begin_second, next_of_second = _iterator(generator)
    session.run(begin_second)
    saved = tf.raw_ops.SerializeIterator(resource_handle=made)
    session.run(tf.raw_ops.DeserializeIterator(resource_handle=second, serialized=saved))
    assert before + _pulled(session, next_of_second, 4 - count) == [1, 2, "OutOfRangeError", "OutOfRangeError"]
