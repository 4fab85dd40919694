"""Errors of estimators for missing features, and program state that they must not change."""

import subprocess
import sys

import numpy as np
import pytest

import tinytf as tf

E = tf.estimator


def _model(features, labels, mode):
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    step = tf.train.get_global_step()
    return E.EstimatorSpec(mode, predictions=features * w, loss=tf.square(w), train_op=step.assign_add(1))


def _features():
    return tf.constant([1.0, 2.0, 3.0])


@pytest.fixture
def estimator(tmp_path):
    yield E.Estimator(_model, str(tmp_path))
    tf.summary.FileWriterCache.clear()


class DatasetV2:
    """Has the name of TensorFlow's class."""


class Dataset(DatasetV2):
    """A data set class of a program."""


@pytest.mark.parametrize("call", ["train", "evaluate", "predict"])
def test_datasets(estimator, call):
    with pytest.raises(NotImplementedError, match="input_fn returned a dataset of another library"):
        result = getattr(estimator, call)(Dataset)
        next(result)


@pytest.mark.parametrize("name", ["train_distribute", "eval_distribute", "experimental_distribute"])
def test_strategies(name):
    with pytest.raises(NotImplementedError, match=f"{name}: tinytf has no distribution strategies"):
        E.RunConfig(**{name: object()})
    with pytest.raises(NotImplementedError, match=f"{name}: tinytf has no distribution strategies"):
        E.RunConfig().replace(**{name: object()})


def test_clusters(monkeypatch, tmp_path):
    monkeypatch.setenv(
        "TF_CONFIG", '{"cluster": {"chief": ["a:1"], "worker": ["b:1"]}, "task": {"type": "worker", "index": 0}}'
    )
    estimator = E.Estimator(_model, str(tmp_path))
    with pytest.raises(NotImplementedError, match="in tinytf an estimator trains in one process"):
        E.train_and_evaluate(estimator, E.TrainSpec(_features), E.EvalSpec(_features))


def test_a_bad_tf_config(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", "{")
    with pytest.raises(ValueError):
        E.RunConfig()


def test_predictions_leave_the_default_graph_alone(estimator):
    mine = tf.get_default_graph()
    found = []
    for value in estimator.predict(_features):
        assert tf.get_default_graph() is mine
        found.append(value)
        if len(found) == 4:
            break
    assert found == [1, 2, 3, 1] and not mine.get_operations()


def test_hooks_of_predictions_end_in_their_graph(estimator):
    graphs = []

    class Hook(tf.train.SessionRunHook):
        def begin(self):
            graphs.append(tf.get_default_graph())

        def after_run(self, run_context, run_values):
            graphs.append(tf.get_default_graph())
            run_context.request_stop()

        def end(self, session):
            graphs.append(tf.get_default_graph())

    assert list(estimator.predict(_features, hooks=[Hook()])) == [1, 2, 3]
    assert len(graphs) == 3 and len(set(map(id, graphs))) == 1 and graphs[0] is not tf.get_default_graph()


def test_predictions_of_no_examples(estimator):
    def scalar(features, mode):
        return E.EstimatorSpec(mode, predictions={"a": tf.constant(1.0)})

    with pytest.raises(IndexError, match="Prediction a is a scalar"):
        next(E.Estimator(scalar, estimator.model_dir).predict(_features))


def test_shuffled_rows_begin_where_the_seed_says():
    def first(seed):
        with tf.Graph().as_default():
            tf.set_random_seed(seed)
            E.inputs.numpy_input_fn(np.arange(1000), shuffle=True)()
            [runner] = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
            [feeder] = runner._feed_fns
            return int(feeder.next_batch()[0][0])

    assert first(1) == first(1) and len({first(seed) for seed in range(5)}) > 1
    assert len({first(None) for _ in range(9)}) > 1


@pytest.mark.parametrize(("rows", "batch"), [(0, 2), (3, 0), (3, -1)])
def test_no_rows(rows, batch):
    with pytest.raises(ValueError, match=f"at least one row, but have {rows} and {batch}"):
        E.inputs.numpy_input_fn({"a": np.arange(rows)}, shuffle=False, batch_size=batch)()


def test_errors_of_feeds_are_the_trainings(estimator):
    """An exception in a feeding thread ends the training with that exception."""

    class Broken(np.ndarray):
        def __getitem__(self, index):
            raise OSError("gone")

    broken = np.arange(4, dtype=np.float32).view(Broken)
    with pytest.raises(OSError, match="gone"):
        estimator.train(E.inputs.numpy_input_fn(broken, batch_size=2, shuffle=False))


_EAGER = """
import sys
import tinytf as tf
tf.enable_eager_execution()
E = tf.estimator
def model(features, labels, mode):
    assert not tf.executing_eagerly()
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    loss = tf.square(w - 3.0)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, tf.train.get_global_step())
    return E.EstimatorSpec(mode, predictions=features * w, loss=loss, train_op=train)
def inputs():
    assert not tf.executing_eagerly()
    return tf.constant([1.0, 2.0])
estimator = E.Estimator(model, sys.argv[1])
estimator.train(inputs, steps=2)
print(estimator.evaluate(inputs, steps=1)["loss"])
for value in estimator.predict(inputs):
    assert tf.executing_eagerly()
    print(value)
    break
receive = E.export.build_raw_serving_input_receiver_fn({"x": tf.constant([1.0])})
def served(features, labels, mode):
    return model(features["x"], labels, mode)
print(type(E.Estimator(served, sys.argv[1]).export_saved_model(sys.argv[1] + "/out", receive)).__name__)
"""


def test_eager_programs(tmp_path):
    command = [sys.executable, "-W", "ignore", "-c", _EAGER, str(tmp_path)]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert shown.stdout.split() == ["0.0", "3.0", "bytes"], shown.stderr


@pytest.mark.parametrize("name", ["_train_model_default", "_call_model_fn", "evaluate", "train"])
def test_members_of_tensorflow_s_estimator_are_not_overridden(name):
    """This includes private members that exist in TensorFlow only: an override would have no effect."""
    own = type("Own", (E.Estimator,), {name: lambda self: None})
    with pytest.raises(ValueError, match=rf"cannot override members of Estimator.*Own.*\['{name}'\]"):
        own(_model)


def test_the_global_step_may_be_of_a_subclass(tmp_path):
    class Own(E.Estimator):
        def _create_and_assert_global_step(self, graph):
            graphs.append(graph)
            return super()._create_and_assert_global_step(graph)

    graphs = []
    own = Own(_model, str(tmp_path))
    own.train(_features, steps=1)
    assert own.get_variable_value("global_step") == 1
    assert len(graphs) == 1
    tf.summary.FileWriterCache.clear()
