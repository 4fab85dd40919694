"""Errors in functions of datasets name the lines of the program: of the operation, and of the call that made the stage."""

from pathlib import Path

import pytest

import tinytf as tf

_FILE = Path(__file__).name


def _bad(x):
    return tf.debugging.check_numerics(tf.cast(x, tf.float32) / 0.0, "no number")


_BAD_LINE = _bad.__code__.co_firstlineno + 1


def _ended(x):
    return tf.py_func(_stop, [x], tf.int64, name="ends_here")


_ENDED_LINE = _ended.__code__.co_firstlineno + 1


def _stop(_):
    raise StopIteration


def _dataset(x):
    return tf.data.Dataset.from_tensors(_bad(x))


def _line(function):
    return f"{_FILE}:{function.__code__.co_firstlineno}"


_STAGES = {
    "Dataset.map()": lambda d: d.map(_bad),
    "Dataset.filter()": lambda d: d.filter(lambda x: _bad(x) > 0),
    "Dataset.flat_map()": lambda d: d.flat_map(_dataset),
    "Dataset.interleave()": lambda d: d.interleave(_dataset, cycle_length=2),
    "tf.data.experimental.scan()": lambda d: d.apply(tf.data.experimental.scan(0.0, lambda s, x: (s, _bad(x)))),
    "tf.data.experimental.take_while()": lambda d: d.apply(tf.data.experimental.take_while(lambda x: _bad(x) > 0)),
    "tf.data.experimental.map_and_batch()": lambda d: d.apply(tf.data.experimental.map_and_batch(_bad, 2)),
}
_MORE_STAGES = {
    "parallel map": ("Dataset.map()", lambda d: d.map(_bad, num_parallel_calls=2)),
    "legacy map": ("Dataset.map()", lambda d: d.map_with_legacy_function(_bad)),
    "parallel interleave": (
        "Dataset.interleave()",
        lambda d: d.interleave(_dataset, cycle_length=2, num_parallel_calls=2),
    ),
    "inner map": ("Dataset.map()", lambda d: d.flat_map(lambda x: tf.data.Dataset.from_tensors(x).map(_bad))),
    "batched map": ("Dataset.map()", lambda d: d.map(_bad).batch(2)),
    "behind other stages": ("Dataset.map()", lambda d: d.shuffle(2).map(_bad).repeat(2).prefetch(1)),
}
_ALL = {**{name: (name, make) for name, make in _STAGES.items()}, **_MORE_STAGES}


def _check(error, stage, make):
    message = error.message
    assert f"{_FILE}:{_BAD_LINE})" in message.partition("\n\n")[0]
    assert f"The error is in the function of {stage} at " in message
    assert message.rpartition("The error is in the function of ")[2].endswith(f"{_line(make)}.")
    assert error.op.type == "CheckNumerics"


@pytest.mark.parametrize("name", _ALL)
@pytest.mark.parametrize("is_one_shot", [False, True])
def test_in_a_graph(name, is_one_shot):
    stage, make = _ALL[name]
    tf.debugging.check_numerics(tf.constant(1.0), "another node of this name")
    dataset = make(tf.data.Dataset.range(3))
    if is_one_shot:
        iterator = tf.data.make_one_shot_iterator(dataset)
    else:
        iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    with tf.Session() as session:
        if not is_one_shot:
            session.run(iterator.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="no number") as raised:
            session.run(element)
    _check(raised.value, stage, make)
    assert f"in {_bad.__name__}" in str(raised.value)  # the traceback has the frame of the function


@pytest.mark.parametrize("name", _ALL)
def test_in_eager_execution(name):
    stage, make = _ALL[name]
    with tf.EagerSession():
        iterator = iter(make(tf.data.Dataset.range(3)))
        with pytest.raises(tf.errors.InvalidArgumentError, match="no number") as raised:
            next(iterator)
    _check(raised.value, stage, make)


def _sum(dataset):
    return dataset.reduce(tf.constant(0.0), lambda s, x: s + _bad(x))


def test_of_a_reduction():
    total = _sum(tf.data.Dataset.range(3))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(total)
    _check(raised.value, "reduce()", _reduction_line)


def _reduction_line():
    """Has the line of the call in `_sum`."""


_reduction_line.__code__ = _reduction_line.__code__.replace(co_firstlineno=_sum.__code__.co_firstlineno + 1)


def test_of_an_eager_reduction():
    with tf.EagerSession(), pytest.raises(tf.errors.InvalidArgumentError) as raised:
        _sum(tf.data.Dataset.range(3))
    _check(raised.value, "reduce()", _reduction_line)


def test_of_a_dataset_that_is_used_in_a_function():
    with tf.EagerSession():

        @tf.function
        def total():
            return _sum(tf.data.Dataset.range(3))

        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            total()
    assert f"{_FILE}:{_BAD_LINE})" in raised.value.message


def test_a_function_inside_a_function_is_named_with_those_around_it():
    def inner(x):
        return tf.data.Dataset.range(2).reduce(tf.cast(x, tf.float32), lambda s, y: s + _bad(y))

    element = tf.data.make_one_shot_iterator(tf.data.Dataset.range(2).map(inner)).get_next()
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(element)
    said = [line for line in raised.value.message.splitlines() if line.startswith("The error is")]
    assert [line.split(" at ")[0].rpartition(" ")[2] for line in said] == ["reduce()", "Dataset.map()"]
    assert f"{_FILE}:{_BAD_LINE})" in raised.value.message


def test_errors_elsewhere_name_no_function():
    batched = tf.data.Dataset.range(3).map(lambda x: tf.range(x)).batch(3)
    element = tf.data.make_one_shot_iterator(batched).get_next()
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(element)
    assert "The error is" not in raised.value.message


# -- OutOfRange --------------------------------------------------------------------------------------------------------


def _end_of(dataset):
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session, pytest.raises(tf.errors.OpError) as raised:
        session.run(element)
    return raised.value


@pytest.mark.parametrize("parallel", [None, 2])
def test_a_map_that_ends_its_sequence_is_named_at_the_end(parallel):
    error = _end_of(tf.data.Dataset.range(3).map(_ended, num_parallel_calls=parallel))
    assert type(error) is tf.errors.OutOfRangeError
    assert error.message.startswith("End of sequence\n\t [[node IteratorGetNext")
    assert error.op.type == "IteratorGetNext"
    assert "[[node ends_here (defined at " in error.message and f"{_FILE}:{_ENDED_LINE})" in error.message
    assert "The error is in the function of Dataset.map() at " in error.message


def test_the_end_of_other_sequences_is_plain():
    error = _end_of(tf.data.Dataset.range(0).map(lambda x: x + 1))
    assert error.message.partition("\n")[0] == "End of sequence"
    assert "\n\n" not in error.message


@pytest.mark.parametrize(
    "stage, make",
    [
        ("Filter", lambda d: d.filter(lambda x: _ended(x) > 0)),
        ("FlatMap", lambda d: d.flat_map(lambda x: tf.data.Dataset.from_tensors(_ended(x)))),
        ("Interleave", lambda d: d.interleave(lambda x: tf.data.Dataset.from_tensors(_ended(x)), cycle_length=2)),
        ("TakeWhile", lambda d: d.apply(tf.data.experimental.take_while(lambda x: _ended(x) > 0))),
    ],
)
def test_other_functions_end_no_sequence(stage, make):
    error = _end_of(make(tf.data.Dataset.range(3)))
    assert type(error) is tf.errors.InternalError
    assert f'::{stage}" returned `OutOfRange`' in error.message
    assert f"{_FILE}:{_ENDED_LINE})" in error.message


def test_a_reduction_fails_with_the_function():
    total = tf.data.Dataset.range(3).reduce(tf.constant(0, tf.int64), lambda s, x: _ended(x))
    with tf.Session() as session, pytest.raises(tf.errors.OutOfRangeError) as raised:
        session.run(total)
    assert f"{_FILE}:{_ENDED_LINE})" in raised.value.message
