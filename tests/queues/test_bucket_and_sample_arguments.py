"""Bucketing and sampling accept arguments on which 1.15.5 fails, and refuse arguments with which it runs forever."""

import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

T = tf.contrib.training
NAN, INF = float("nan"), float("inf")


def _numbers(count, epochs=1):
    return tf.train.range_input_producer(count, num_epochs=epochs, shuffle=False).dequeue()


def _first(fetch):
    with tf.train.MonitoredSession() as session:
        return session.run(fetch)


@pytest.mark.parametrize("rates", [[1, NAN, 1], [INF, 1, 1], [1e30, 1, 1], [3e9, 1, 1]])
def test_rates_that_no_number_of_rows_has_are_errors(rates):
    with tf.Graph().as_default(), tf.Session() as session:
        chosen = T.resample_at_rate([tf.constant([0, 1, 2])], tf.constant(rates, tf.float32), seed=7)
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be >= 0"):
            session.run(chosen)


@pytest.mark.parametrize("weights", [[1, NAN, 1], [0, 0, 0], [1, INF, 1]])
def test_weights_without_a_mean_are_errors(weights):
    with tf.Graph().as_default():
        fed = tf.placeholder(tf.float32, [3])
        chosen = T.weighted_resample([tf.constant([0, 1, 2])], fed, 1.0, seed=7)
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            with pytest.raises(tf.errors.InvalidArgumentError, match="must be >= 0"):
                session.run(chosen, {fed: weights})


def test_proportions_that_are_no_numbers_are_errors():
    with tf.Graph().as_default():
        target = tf.Variable([NAN, 1.0])
        (data,), _ = T.stratified_sample([_numbers(4)], 1, target, 2, [0.5, 0.5])
        with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold"):
            _first(data)


def test_tuples_do_as_lists():
    with tf.Graph().as_default():
        n = _numbers(4)
        sizes = (2, 3)
        number, batch = T.bucket((n, n * n), n // 2, sizes, 2, bucket_capacities=(4, 5), shapes=([], []))
        number, (ns, squares) = _first([number, batch])
        assert (number, ns.tolist(), squares.tolist()) == (0, [0, 1], [0, 1])
    with tf.Graph().as_default():
        n = _numbers(4)
        lengths, (ns,) = _first(T.bucket_by_sequence_length(n, (n,), sizes, (2,), shapes=([],)))
        assert lengths.tolist() == ns.tolist() == [0, 1]
    with tf.Graph().as_default():
        weights = tf.constant([1.0, 2.0])
        chosen, _ = T.weighted_resample((weights,), weights, 1.0)
        assert len(chosen) == 1


def test_a_list_of_sizes_stays_as_it_is():
    with tf.Graph().as_default():
        sizes = [1, 2]
        T.bucket([tf.constant(1)], 0, sizes, 2)
        assert sizes == [1, 2] and all(type(size) is int for size in sizes)


def test_one_tensor_of_many_examples_can_be_let_in():
    with tf.Graph().as_default():
        n = _numbers(4)
        chosen = T.rejection_sample([tf.stack([n, 10 * n])], lambda example: 1.0, 3, enqueue_many=True)
        assert [each.tolist() for each in _first(chosen)] == [[0, 0, 1]]


def test_labels_alone_can_be_sampled():
    with tf.Graph().as_default():
        data, labels = T.stratified_sample([], _numbers(4) % 2, [1.0, 0.0], 2, [0.5, 0.5])
        assert data == []
        assert _first(labels).tolist() == [0, 0]


def test_classes_can_be_counted_in_a_resource():
    with tf.Graph().as_default(), tf.variable_scope("outer", use_resource=True):
        _, labels = T.stratified_sample([tf.constant(1)], _numbers(2, None) % 2, [0.0, 1.0], 3)
        assert _first(labels).tolist() == [1, 1, 1]


def test_there_is_at_least_one_bucket():
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"num_buckets must be positive, but is 0\."):
        T.bucket([tf.constant(1)], 0, 2, 0)


def test_a_queue_of_no_batches_is_refused():
    with tf.Graph().as_default(), pytest.raises(ZeroDivisionError):
        T.bucket([tf.constant(1)], 0, 2, 1, capacity=0)


def test_none_is_no_tensor():
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"None values not supported\."):
        T.bucket([None], 0, 2, 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: T.bucket([tf.constant(1)], 0, 2, 2),
        lambda: T.bucket_by_sequence_length(1, [tf.constant(1)], 2, [2]),
        lambda: T.rejection_sample([tf.constant(1)], lambda example: 0.5, 2),
        lambda: T.stratified_sample([tf.constant(1)], 1, [0.5, 0.5], 2, [0.5, 0.5]),
    ],
    ids=["bucket", "length", "rejection", "stratified"],
)
def test_eager_execution_has_no_queues(make):
    with eager_mode(), tf.EagerSession():
        with pytest.raises(ValueError, match="Input pipelines based on Queues are not supported"):
            make()
