"""pandas inputs behave as in TensorFlow 1.15."""

import numpy as np
import pandas as pd
import pytest

import tinytf as tf

fn = tf.estimator.inputs.pandas_input_fn
X = pd.DataFrame({"a": [1, 2, 3], "b": [1.5, 2.5, 3.5], "c": ["x", "y", "z"]}, index=[5, 6, 7])
Y = pd.Series([10.0, 20.0, 30.0], index=[5, 6, 7])


def _batches(input_fn, limit=10):
    """The batches of the input function, as lists."""
    found = []
    with tf.Graph().as_default():
        given = input_fn()
        with tf.train.MonitoredSession() as sess:
            while not sess.should_stop() and len(found) < limit:
                found.append(sess.run(given))
    return [_lists(batch) for batch in found]


def _lists(value):
    if isinstance(value, dict):
        return {key: _lists(each) for key, each in value.items()}
    return tuple(map(_lists, value)) if isinstance(value, tuple) else value.tolist()


def test_columns_are_features():
    assert _batches(fn(X, batch_size=2, shuffle=False)) == [
        {"a": [1, 2], "b": [1.5, 2.5], "c": [b"x", b"y"]},
        {"a": [3], "b": [3.5], "c": [b"z"]},
    ]


def test_labels_of_a_series():
    batches = _batches(fn(X[["a"]], Y, batch_size=2, shuffle=False, num_epochs=2))
    assert batches == [({"a": [1, 2]}, [10, 20]), ({"a": [3, 1]}, [30, 10]), ({"a": [2, 3]}, [20, 30])]


def test_labels_of_a_frame_keep_their_names():
    labels = pd.DataFrame({"a": [7, 8, 9], "q": [1, 2, 3]}, index=X.index)
    batches = _batches(fn(X[["a"]], labels, batch_size=2, shuffle=False))
    assert batches == [({"a": [1, 2]}, {"a": [7, 8], "q": [1, 2]}), ({"a": [3]}, {"a": [9], "q": [3]})]


def test_without_end():
    batches = _batches(fn(X[["a"]], batch_size=2, shuffle=False, num_epochs=None, queue_capacity=None), 4)
    assert batches == [{"a": [1, 2]}, {"a": [3, 1]}, {"a": [2, 3]}, {"a": [1, 2]}]


def test_shuffled_rows_are_all_rows():
    batches = _batches(fn(X[["a"]], batch_size=1, shuffle=True, queue_capacity=None))
    assert sorted(batch["a"] for batch in batches) == [[1], [2], [3]]


def test_the_frame_stays_as_it_is():
    before = X.copy()
    fn(X, Y, shuffle=False)
    pd.testing.assert_frame_equal(X, before)


@pytest.mark.parametrize(
    ("kind", "text", "call"),
    [
        (ValueError, "shuffle must be provided .* got None", lambda: fn(X)),
        (ValueError, "Cannot use name a for target column: ", lambda: fn(X, Y, shuffle=False, target_column="a")),
        (TypeError, "target_column must be a string type", lambda: fn(X, Y, shuffle=False, target_column=5)),
        (ValueError, "Index for x and y are mismatched", lambda: fn(X, pd.Series(np.arange(3)), shuffle=False)),
        (ValueError, "The input and a batch must have at least one row", lambda: fn(X[:0], shuffle=False)()),
    ],
)
def test_what_does_not_fit(kind, text, call):
    with pytest.raises(kind, match=text):
        call()


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(TypeError, match="pandas_input_fn should not be called without pandas installed"):
        fn(X, shuffle=False)
