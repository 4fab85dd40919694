"""Parallel stages that are ended early, that take results as they come, and that work at the same time."""

import threading

import interleaved
import mapped_in_parallel
import pytest
from raw_datasets_parallel import (
    Pull,
    all_pulls,
    count_up,
    defun,
    int64,
    map_dataset,
    numbers,
    repeated,
    slices,
)

import tinytf as tf

END = "OutOfRangeError: End of sequence"


def _in_python(call):
    """A function of an element that calls a Python function without arguments and returns the element."""

    @defun(tf, tf.int64)
    def function(x):
        def python(value):
            call()
            return value

        result = tf.py_func(python, [x], tf.int64)
        result.set_shape([])
        return result

    return function


class _Pulling:
    """A pull on a thread of its own."""

    def __init__(self, pull, session):
        self._found = []
        self._thread = threading.Thread(target=lambda: self._found.append(pull.outcome(session)))
        self._thread.start()

    def outcome(self):
        self._thread.join(120)
        assert not self._thread.is_alive()
        return self._found[0]


def _endless():
    return repeated(tf, count_up(tf, 3), -1, numbers(tf))


def _inner_endless(tf):
    @defun(tf, tf.int64)
    def make(i):
        inner = tf.raw_ops.RangeDataset(start=i, stop=i + 1, step=int64(tf, 1), **numbers(tf))
        return repeated(tf, inner, -1, numbers(tf))

    return make


ENDLESS = {
    "map": lambda: mapped_in_parallel.parallel_map(tf, _endless(), mapped_in_parallel.increment(tf), 4),
    **{
        op: lambda op=op: interleaved.interleave(
            tf, op, _endless(), _inner_endless(tf), 3, 2, **interleaved.ways(3)[op]
        )
        for op in interleaved.ways(3)
    },
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_session_can_be_closed_while_the_stage_works(name):
    for pulls in (0, 1, 5):
        with tf.Graph().as_default():
            pull = Pull(tf, ENDLESS[name](), numbers(tf))
            with tf.Session() as session:
                session.run(pull.start)
                assert all(isinstance(value, int) for value in pull.outcomes(session, pulls))


def test_a_close_ends_a_waiting_pull():
    began = threading.Event()
    with tf.Graph().as_default():
        first = map_dataset(tf, count_up(tf, 9), _in_python(began.set), numbers(tf))
        sleeping = tf.raw_ops.SleepDataset(
            input_dataset=count_up(tf, 9), sleep_microseconds=int64(tf, 3600 * 10**6), **numbers(tf)
        )
        both = {"output_types": [tf.int64] * 2, "output_shapes": [[]] * 2}
        pull = Pull(tf, tf.raw_ops.ZipDataset(input_datasets=[first, sleeping], **both), both)
        session = tf.Session()
        session.run(pull.start)
        pulling = _Pulling(pull, session)
        assert began.wait(120)
        session.close()
        assert pulling.outcome().startswith("CancelledError")


def test_a_close_waits_for_calls_of_python():
    began, may_end, ended = threading.Event(), threading.Event(), []

    def call():
        began.set()
        may_end.wait(120)
        ended.append(True)

    with tf.Graph().as_default():
        pull = Pull(tf, mapped_in_parallel.parallel_map(tf, count_up(tf, 9), _in_python(call)), numbers(tf))
        session = tf.Session()
        session.run(pull.start)
        pulling = _Pulling(pull, session)
        assert began.wait(120)
        ended_at_close = []

        def close():
            session.close()
            ended_at_close.extend(ended)

        closing = threading.Thread(target=close)
        closing.start()
        while not session._engine.closed():
            pass
        assert not ended
        may_end.set()
        closing.join(120)
        assert ended_at_close and ended_at_close == ended
        pulling.outcome()


def test_sloppy_maps_yield_all_results():
    with tf.Graph().as_default():
        dataset = mapped_in_parallel.parallel_map(
            tf, count_up(tf, 40), mapped_in_parallel.increment(tf), 4, sloppy=True
        )
        found = all_pulls(tf, dataset, numbers(tf))
    assert sorted(found[:-2]) == list(range(1, 41))
    assert found[-2:] == [END, END]


@pytest.mark.parametrize("op", ["ParallelInterleaveDatasetV2", "ParallelInterleaveDataset"])
def test_sloppy_interleaving_yields_all_elements(op):
    options = dict(interleaved.ways(3)[op], sloppy=True)
    lengths = [3, 0, 5, 1, 0, 0, 7, 2]
    with tf.Graph().as_default():
        dataset = interleaved.interleave(
            tf, op, count_up(tf, len(lengths)), interleaved.tens(tf, lengths), 3, 2, **options
        )
        found = all_pulls(tf, dataset, numbers(tf))
    assert sorted(found[:-2]) == [10 * i + j for i, n in enumerate(lengths) for j in range(n)]
    assert found[-2:] == [END, END]


def test_hostile_numbers_do_not_exhaust_memory():
    huge = 2**62
    with tf.Graph().as_default():
        tens = interleaved.tens(tf)
        for op, options in {
            "InterleaveDataset": {},
            "ParallelInterleaveDatasetV2": {"num_parallel_calls": huge},
            "ParallelInterleaveDataset": {
                "sloppy": False,
                "buffer_output_elements": huge,
                "prefetch_input_elements": huge,
            },
        }.items():
            dataset = interleaved.interleave(tf, op, count_up(tf, 3), tens, huge, huge, **options)
            assert len(all_pulls(tf, dataset, numbers(tf))) == 14
        dataset = mapped_in_parallel.map_and_batch(tf, count_up(tf, 3), mapped_in_parallel.increment(tf), huge, huge)
        assert all_pulls(tf, dataset, {**numbers(tf), "output_shapes": [[None]]}) == [[1, 2, 3], END, END]


def test_elements_may_differ_from_their_declared_types():
    with tf.Graph().as_default():
        dataset = mapped_in_parallel.parallel_map(
            tf, slices(tf, ["a", "b"], "string"), mapped_in_parallel.increment(tf), 2
        )
        assert all_pulls(tf, dataset, numbers(tf), most=2)[0].startswith("InvalidArgumentError")


def test_calls_run_at_the_same_time():
    barrier = threading.Barrier(2)

    @defun(tf, tf.int64)
    def meet(x):
        def python(value):
            barrier.wait(120)
            return value

        result = tf.py_func(python, [x], tf.int64)
        result.set_shape([])
        return result

    with tf.Graph().as_default():
        dataset = mapped_in_parallel.parallel_map(tf, count_up(tf, 6), meet, 2)
        assert all_pulls(tf, dataset, numbers(tf)) == [0, 1, 2, 3, 4, 5, END, END]
