"""`tf.contrib.eager.metrics` gives the same results in eager execution and in graphs."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import graph_mode
from tinytf.contrib.eager import metrics

CASES = {
    "Mean": (lambda: metrics.Mean(), [([1.0, 3.0, 5.0, 7.0],), ([10.0],)], 5.2),
    "Mean, weighted": (lambda: metrics.Mean(), [([1.0, 3.0, 5.0, 7.0], [1.0, 1.0, 0.0, 0.0]), ([8.0], [2.0])], 5.0),
    "Mean of integers": (lambda: metrics.Mean(dtype=tf.float32), [([1, 2],)], 1.5),
    "Accuracy": (lambda: metrics.Accuracy(), [([1, 2, 3, 4], [0, 2, 3, 4])], 0.75),
    "Accuracy, weighted": (lambda: metrics.Accuracy(), [([1, 2, 3, 4], [0, 2, 3, 4], [1, 1, 0, 0])], 0.5),
    "CategoricalAccuracy": (
        lambda: metrics.CategoricalAccuracy(),
        [([[0, 1], [1, 0]], [[0.1, 0.9], [0.3, 0.7]])],
        0.5,
    ),
    "BinaryAccuracy": (lambda: metrics.BinaryAccuracy(0.5), [([1, 1, 0, 0], [0.6, 0.2, 0.1, 0.9])], 0.5),
    "SparseAccuracy": (lambda: metrics.SparseAccuracy(), [([1, 0], [[0.1, 0.9], [0.3, 0.7]])], 0.5),
}


@pytest.mark.parametrize("case", CASES)
def test_executed(case, eager):
    make, calls, expected = CASES[case]
    metric = make()
    for arguments in calls:
        metric(*arguments)
    np.testing.assert_allclose(metric.result(), expected)
    assert metric.value()().dtype == metric.dtype
    metric.init_variables()
    metric(*calls[0])
    again = make()
    again(*calls[0])
    np.testing.assert_allclose(metric.result(), again.result())


@pytest.mark.parametrize("case", CASES)
def test_in_graphs(case):
    make, calls, expected = CASES[case]
    with tf.Session() as session:
        metric = make()
        updates = [metric(*map(tf.constant, arguments)) for arguments in calls]
        session.run(metric.init_variables())
        for update in updates:
            session.run(update)
        np.testing.assert_allclose(session.run(metric.value()), expected)
        assert tf.local_variables() == tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) == metric.variables


def test_calls_give_back_what_they_got(eager):
    assert metrics.Mean()([1.0]) == [1.0]
    assert metrics.Accuracy()([1], [2], [3]) == ([1], [2], [3])


def test_names(eager):
    first, second = metrics.Mean("my mean"), metrics.Mean("my mean")
    first(1.0)
    second(1.0)
    assert (first.name, second.name) == ("my mean", "my mean")
    assert [v.name for v in second.variables] == ["my_mean/numer:0", "my_mean/denom:0"]
    assert second.variables[0] is not first.variables[0]


def test_global_variables():
    with graph_mode():
        metric = metrics.Mean(use_global_variables=True)
        metric(tf.constant(1.0))
        assert tf.global_variables() == metric.variables


def test_sums_of_metrics(eager):
    parts = [metrics.Mean() for _ in range(3)]
    for part, values in zip(parts, ([1.0], [2.0, 3.0], [6.0]), strict=True):
        part(values)
    parts[0].aggregate(parts[1:])
    assert float(parts[0].result()) == 3.0
    with pytest.raises(TypeError, match="All metrics must be the same type"):
        parts[0].aggregate([metrics.Accuracy()])


def test_what_subclasses_define(eager):
    metric = metrics.Metric("unfinished")
    with pytest.raises(NotImplementedError, match="build"):
        metric()

    class Last(metrics.Metric):
        def build(self, value):
            self.last = self.add_variable("last", initializer=tf.zeros_initializer(), shape=[])

        def call(self, value):
            self.last.assign(value)

        def result(self):
            return self.last.read_value()

    last = Last()
    for value in (1.0, 4.0):
        last(value)
    assert float(last.result()) == 4.0
    with pytest.raises(RuntimeError, match="except in build"):
        last.add_variable("more")
    last.init_variables()
    assert float(last.result()) == 0.0
