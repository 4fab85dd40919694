"""Datasets as parts of graphs: growth, places of errors, sizes of constants, loaded modules."""

import subprocess
import sys

import numpy as np
import pytest

import tinytf as tf


def test_datasets_in_a_loop_are_reported(caplog):
    with tf.Session() as session:
        for _ in range(60):
            element = tf.data.make_one_shot_iterator(tf.data.Dataset.range(1)).get_next()
            session.run(element)
    assert any("grow" in record.getMessage() for record in caplog.records)


def test_an_error_while_tracing_has_the_users_frames():
    def broken(x):
        raise KeyError("broken")

    with pytest.raises(KeyError) as caught:
        tf.data.Dataset.range(2).map(broken)
    frames = [frame.name for frame in caught.traceback]
    assert frames[0] == "test_an_error_while_tracing_has_the_users_frames"
    assert frames[-1] == "broken"


@pytest.mark.parametrize("one_shot", [False, True])
def test_slices_of_an_array_are_one_compact_constant(one_shot):
    array = np.arange(100_000, dtype=np.float32).reshape(1000, 100)
    dataset = tf.data.Dataset.from_tensor_slices(array)
    if one_shot:
        iterator = tf.data.make_one_shot_iterator(dataset)
    else:
        iterator = tf.data.make_initializable_iterator(dataset)
    definition = tf.get_default_graph().as_graph_def()
    assert array.nbytes <= definition.ByteSize() < array.nbytes * (1 + one_shot) + 10_000
    element = iterator.get_next()
    with tf.Session() as session:
        if not one_shot:
            session.run(iterator.initializer)
        for row in array[:3]:
            np.testing.assert_array_equal(session.run(element), row)


def test_the_import_loads_no_datasets(tmp_path):
    program = "import sys, tinytf; print([name for name in sys.modules if name.startswith('tinytf._src.data')])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert found.stdout == "[]\n"


def test_a_dataset_of_another_graph_is_reported(caplog):
    with tf.Graph().as_default():
        dataset = tf.data.Dataset.range(3)
    with pytest.raises(ValueError), tf.Graph().as_default():
        tf.data.make_initializable_iterator(dataset)
    assert any("of the iterator is different from the graph" in record.getMessage() for record in caplog.records)


def test_captured_tensors_with_many_uses_do_not_multiply():
    dataset = tf.data.Dataset.range(1)
    for _ in range(24):
        dataset = tf.data.Dataset.zip((dataset, dataset)).map(lambda a, b: a + b)
    tf.data.make_one_shot_iterator(dataset)
    factories = [
        f for f in tf.get_default_graph().as_graph_def().library.function if "_make_dataset" in f.signature.name
    ]
    assert sum(len(f.node_def) for f in factories) < 2_000
