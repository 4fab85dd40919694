"""Reports on input pipelines tell what each stage has done, where the program made it, and what runs now."""

import threading
from pathlib import Path

import numpy as np
import pytest

import tinytf as tf

_FILE = Path(__file__).name


def _pipeline():
    dataset = tf.data.Dataset.range(100)
    dataset = dataset.map(lambda x: x * 2)
    dataset = dataset.shuffle(10, seed=1)
    dataset = dataset.batch(4)
    return dataset.prefetch(2)


_KINDS = ["PrefetchDataset", "BatchDatasetV2", "ShuffleDataset", "MapDataset", "RangeDataset"]


def _check_pipeline(report):
    first = _pipeline.__code__.co_firstlineno
    stages = report.stages
    assert [stage.kind for stage in stages] == _KINDS
    assert [Path(stage.line).name for stage in stages] == [f"{_FILE}:{first + 5 - i}" for i in range(5)]


def _check_counts(report, batches):
    prefetched, batched, shuffled, mapped, ranged = report.stages
    assert report.is_measured
    assert prefetched.elements == batches and 0 <= prefetched.held <= 2 == prefetched.most_held
    # Some were made ahead before measuring began, or are made while the report is.
    assert batches - 4 <= batched.elements <= batches + 3
    assert shuffled.elements >= 4 * (batches - 4)
    assert shuffled.held == 9 and shuffled.most_held == 10 and shuffled.held_bytes == 72
    assert 0 < mapped.elements <= ranged.elements
    assert all(stage.own_seconds > 0 for stage in report.stages)
    assert all(stage.waited_seconds > 0 for stage in report.stages)


def test_in_a_graph():
    iterator = tf.data.make_one_shot_iterator(_pipeline())
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(element)
        before = tf.experimental.data_report(iterator)
        assert not before.is_measured
        _check_pipeline(before)
        for _ in range(10):
            session.run(element)
        report = tf.experimental.data_report(iterator, session)
    _check_pipeline(report)
    _check_counts(report, 10)


def _repeated(make):
    dataset = tf.data.Dataset.range(10)
    dataset = dataset.shuffle(4)
    dataset = dataset.repeat()
    dataset = dataset.map(lambda x: x + 1)
    dataset = dataset.batch(2)
    return make(dataset.prefetch(1))


@pytest.mark.parametrize("is_eager", [False, True])
def test_stages_that_were_joined_show_the_line_of_the_first(is_eager):
    def options(dataset):
        options = tf.data.Options()
        options.experimental_optimization.shuffle_and_repeat_fusion = True
        options.experimental_optimization.map_and_batch_fusion = True
        return dataset.with_options(options)

    def check(take, iterator):
        tf.experimental.data_report(iterator)
        for _ in range(4):
            take()
        first = _repeated.__code__.co_firstlineno
        stages = [(stage.kind, Path(stage.line).name) for stage in tf.experimental.data_report(iterator).stages]
        assert stages == [
            ("PrefetchDataset", f"{_FILE}:{first + 6}"),
            ("MapAndBatchDataset", f"{_FILE}:{first + 4}"),
            ("ShuffleAndRepeatDataset", f"{_FILE}:{first + 2}"),
            ("RangeDataset", f"{_FILE}:{first + 1}"),
        ]

    if is_eager:
        with tf.EagerSession():
            iterator = iter(_repeated(options))
            check(lambda: next(iterator), iterator)
    else:
        iterator = tf.data.make_one_shot_iterator(_repeated(options))
        element = iterator.get_next()
        with tf.Session() as session:
            check(lambda: session.run(element), iterator)


def test_measuring_goes_on_when_the_iterator_starts_again():
    iterator = tf.data.make_initializable_iterator(_pipeline())
    element = iterator.get_next()
    with tf.Session() as session:
        empty = tf.experimental.data_report(iterator)
        assert empty.last == () and "not initialized" in str(empty)
        for _ in range(2):
            session.run(iterator.initializer)
            session.run(element)
            report = tf.experimental.data_report(iterator)
            _check_pipeline(report)
            assert report.is_measured and report.stages[0].elements == 1


def test_in_eager_execution():
    with tf.EagerSession():
        iterator = iter(_pipeline())
        _check_pipeline(tf.experimental.data_report(iterator))
        for _ in range(10):
            next(iterator)
        report = tf.experimental.data_report(iterator)
    _check_pipeline(report)
    _check_counts(report, 10)


def test_of_a_monitored_session():
    iterator = tf.data.make_one_shot_iterator(_pipeline())
    element = iterator.get_next()
    with tf.train.MonitoredSession() as session:
        tf.experimental.data_report(iterator, session)
        session.run(element)
        assert tf.experimental.data_report(iterator, session).stages[0].elements == 1


def _inner(x):
    return tf.data.Dataset.range(x).map(lambda y: y + 1)


@pytest.mark.parametrize("is_eager", [False, True])
def test_datasets_of_functions_are_stages(is_eager):
    def report_on(take, iterator):
        tf.experimental.data_report(iterator)
        for _ in range(6):
            take()
        flat, *others = tf.experimental.data_report(iterator).stages
        assert flat.kind == "FlatMapDataset" and flat.elements == 6
        kinds = {stage.kind: stage for stage in others if stage.line.endswith(f":{_inner.__code__.co_firstlineno + 1}")}
        assert {"MapDataset", "RangeDataset"} <= set(kinds)
        assert kinds["MapDataset"].elements == 6

    if is_eager:
        with tf.EagerSession():
            iterator = iter(tf.data.Dataset.range(10).flat_map(_inner))
            report_on(lambda: next(iterator), iterator)
    else:
        iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.range(10).flat_map(_inner))
        element = iterator.get_next()
        with tf.Session() as session:
            report_on(lambda: session.run(element), iterator)


@pytest.mark.parametrize(
    "make, kind, parallelism",
    [
        (lambda d: d.map(lambda x: x + 1, num_parallel_calls=2), "ParallelMapDataset", 2),
        (
            lambda d: d.interleave(lambda x: tf.data.Dataset.range(3), cycle_length=2, num_parallel_calls=2),
            "ParallelInterleaveDatasetV2",
            2,
        ),
        (
            lambda d: d.apply(tf.data.experimental.map_and_batch(lambda x: x + 1, 3, num_parallel_calls=2)),
            "MapAndBatchDataset",
            2,
        ),
    ],
)
def test_parallel_stages(make, kind, parallelism):
    iterator = tf.data.make_one_shot_iterator(make(tf.data.Dataset.range(30)))
    element = iterator.get_next()
    with tf.Session() as session:
        tf.experimental.data_report(iterator)
        for _ in range(5):
            session.run(element)
        last = tf.experimental.data_report(iterator).stages[0]
    assert (last.kind, last.elements, last.parallelism) == (kind, 5, parallelism)
    assert last.most_held > 0 and last.own_seconds > 0


def test_elements_and_their_order_do_not_change():
    def elements(reports):
        with tf.Graph().as_default(), tf.Session() as session:
            iterator = tf.data.make_one_shot_iterator(_pipeline())
            element = iterator.get_next()
            if reports:
                tf.experimental.data_report(iterator)
            return np.concatenate([session.run(element) for _ in range(25)]).tolist()

    assert elements(reports=True) == elements(reports=False)


def test_functions_that_run_are_named():
    entered, leave = threading.Event(), threading.Event()

    def stuck(x):
        entered.set()
        leave.wait()
        return x

    mapped = tf.data.Dataset.range(3).map(lambda x: tf.py_func(stuck, [x], tf.int64))
    iterator = tf.data.make_one_shot_iterator(mapped.prefetch(1))
    element = iterator.get_next()
    with tf.Session() as session:
        tf.experimental.data_report(iterator)
        thread = threading.Thread(target=session.run, args=(element,))
        thread.start()
        try:
            entered.wait()
            report = tf.experimental.data_report(iterator)
        finally:
            leave.set()
            thread.join()
    (call,) = report.python_calls
    assert call.function == "stuck"
    assert Path(call.line).name == f"{_FILE}:{stuck.__code__.co_firstlineno + 2}"
    stage = next(stage for stage in report.stages if stage.kind == "MapDataset")
    assert stage.calls == 1 and stage.calls_seconds > 0
    assert f"running: stuck at {call.line}, on thread " in str(report)


def test_generators_that_run_are_named():
    entered, leave = threading.Event(), threading.Event()

    def numbers():
        entered.set()
        leave.wait()
        yield 1

    iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.from_generator(numbers, tf.int64))
    element = iterator.get_next()
    with tf.Session() as session:
        tf.experimental.data_report(iterator)
        thread = threading.Thread(target=session.run, args=(element,))
        thread.start()
        try:
            entered.wait()
            calls = tf.experimental.data_report(iterator).python_calls
        finally:
            leave.set()
            thread.join()
    assert [call.function for call in calls] == ["numbers"]


def test_text_and_picture():
    iterator = tf.data.make_one_shot_iterator(_pipeline())
    element = iterator.get_next()
    with tf.Session() as session:
        first = tf.experimental.data_report(iterator)
        session.run(element)
        report = tf.experimental.data_report(iterator)
    assert "No element was requested" in str(first)
    heads, *lines = str(report).splitlines()
    assert heads.split() == ["stage", "line", "elements", "own", "time", "waited", "held", "memory", "parallel"]
    assert [line.split()[0] for line in lines] == _KINDS
    assert [len(line) - len(line.lstrip()) for line in lines] == [0, 2, 4, 6, 8]
    picture = report._repr_html_()
    assert picture.count("<tr>") == 6 and 'class="tinytf-bar"' in picture
    assert all(kind in picture for kind in _KINDS)


def test_bad_arguments():
    iterator = tf.data.make_one_shot_iterator(_pipeline())
    with pytest.raises(TypeError, match="must be an iterator"):
        tf.experimental.data_report(_pipeline())
    with pytest.raises(ValueError, match="pass the session"):
        tf.experimental.data_report(iterator)
    with tf.Session(graph=tf.Graph()) as other, pytest.raises((ValueError, RuntimeError)):
        tf.experimental.data_report(iterator, other)
