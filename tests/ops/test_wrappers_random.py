"""Random wrappers: seeds, ranges, errors. The values equal TensorFlow's on a CPU."""

import numpy as np
import pytest

import tinytf as tf


def run(fetches):
    with tf.Session() as sess:
        return sess.run(fetches)


def test_default_seeds_count_nodes():
    tf.set_random_seed(1)
    tf.constant(0)
    op = tf.random_uniform([2]).graph.get_operation_by_name("random_uniform/RandomUniform")
    # Earlier nodes: the constant, the shape, the bounds.
    assert (op.get_attr("seed"), op.get_attr("seed2")) == (1, 4)
    normal = tf.random_normal([2]).graph.get_operation_by_name("random_normal/RandomStandardNormal")
    assert normal.get_attr("seed2") == 11
    shuffle = tf.random_shuffle([1, 2])
    assert shuffle.op.get_attr("seed2") == 14


def test_own_seeds():
    op = tf.random_uniform([2], seed=7).graph.get_operation_by_name("random_uniform/RandomUniform")
    assert (op.get_attr("seed"), op.get_attr("seed2")) == (87654321, 7)
    free = tf.multinomial([[0.0, 0.0]], 3).op
    assert (free.get_attr("seed"), free.get_attr("seed2")) == (0, 0)


def test_ranges():
    uniform, integers = run(
        [tf.random_uniform([1000], 2, 5, seed=1), tf.random_uniform([1000], 2, 5, tf.int32, seed=1)]
    )
    assert uniform.min() >= 2 and uniform.max() < 5
    assert set(integers) == {2, 3, 4}
    normal, truncated = run([tf.random_normal([2000], 3.0, 2.0, seed=1), tf.truncated_normal([2000], 3.0, 2.0, seed=1)])
    assert abs(normal.mean() - 3) < 0.2 and abs(normal.std() - 2) < 0.2
    assert np.abs(truncated - 3).max() <= 4


def test_crops_and_shuffles():
    x = np.arange(20).reshape(4, 5)
    crop = run(tf.random_crop(x, [2, 3], seed=1))
    row, column = divmod(crop[0, 0], 5)
    np.testing.assert_array_equal(crop, x[row : row + 2, column : column + 3])
    np.testing.assert_array_equal(np.sort(run(tf.random_shuffle(x, seed=1)), 0), x)
    unknown = tf.placeholder(tf.int64)
    too_large = tf.random_crop(unknown, [5, 5])
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Need value.shape >= size"):
            sess.run(too_large, {unknown: x})


def test_samples():
    samples = run(tf.multinomial([[0.0, -1000.0, 0.0]], 50, seed=1))
    assert samples.shape == (1, 50) and samples.dtype == np.int64 and set(samples[0]) == {0, 2}
    assert tf.random.categorical([[0.0]], 2, dtype=tf.int32).dtype == tf.int32


def test_shapes_of_all_kinds():
    n = tf.placeholder(tf.int32, [])
    assert tf.random_normal([]).shape.as_list() == []
    assert tf.random_normal(tf.TensorShape([2, 3])).shape.as_list() == [2, 3]
    assert tf.random_normal([tf.Dimension(2), 3]).shape.as_list() == [2, 3]
    with tf.Session() as sess:
        assert sess.run(tf.random_uniform([n, 2]), {n: 3}).shape == (3, 2)


def test_errors():
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype tf.int32"):
        tf.random_uniform([2], dtype=tf.int32)
    with pytest.raises(ValueError, match="Invalid dtype tf.string"):
        tf.random_uniform([2], dtype=tf.string)
