"""Batches of mapped elements, which iterators make in one stage: what comes after errors, and their messages."""

import numpy as np


def _not(tf, *bad):
    """A function that fails for some numbers."""

    def function(x):
        for number in bad:
            with tf.control_dependencies([tf.debugging.assert_none_equal(x, np.int64(number))]):
                x = x + 0
        return x

    return function


def _until(tf, end):
    """A function that ends the sequence at a number."""

    def function(x):
        def check(number):
            if number == end:
                raise StopIteration()
            return number

        return tf.py_func(check, [x], tf.int64)

    return function


def _skipping(tf, dataset):
    return dataset.apply(tf.data.experimental.ignore_errors())


def _not_fused(tf, dataset):
    options = tf.data.Options()
    options.experimental_optimization.map_and_batch_fusion = False
    return dataset.with_options(options)


def pairs(tf):
    return tf.data.Dataset.range(9).map(lambda x: (x, 2 * x)).batch(4)


def texts(tf):
    return tf.data.Dataset.range(5).map(lambda x: tf.as_string(x)).batch(2)


def texts_without_remainder(tf):
    return tf.data.Dataset.range(5).map(lambda x: tf.as_string(x)).batch(2, drop_remainder=True)


def sparse(tf):
    mapped = tf.data.Dataset.range(5).map(lambda x: tf.SparseTensor([[0]], [x], [2]))
    return mapped.batch(2).map(lambda batch: tf.sparse.to_dense(batch))


def failing(tf):
    return tf.data.Dataset.range(10).map(_not(tf, 1)).batch(4)


def behind_errors(tf):
    return _skipping(tf, tf.data.Dataset.range(14).map(_not(tf, 1, 6)).batch(4))


def behind_errors_not_fused(tf):
    return _not_fused(tf, behind_errors(tf))


def behind_errors_in_parallel(tf):
    return _skipping(tf, tf.data.Dataset.range(14).map(_not(tf, 1, 6), 2).batch(4))


def behind_errors_in_parallel_not_fused(tf):
    return _not_fused(tf, behind_errors_in_parallel(tf))


def behind_errors_without_remainder(tf):
    return _skipping(tf, tf.data.Dataset.range(14).map(_not(tf, 1, 6)).batch(4, drop_remainder=True))


def behind_several_errors_of_a_batch(tf):
    return _skipping(tf, tf.data.Dataset.range(14).map(_not(tf, 1, 2, 3)).batch(4))


def behind_errors_of_input(tf):
    failing_input = tf.data.Dataset.range(14).map(_not(tf, 1, 6)).filter(lambda x: True)
    return _skipping(tf, failing_input.map(lambda x: x + 0).batch(4))


def behind_errors_in_function(tf):
    return tf.data.Dataset.range(2).flat_map(lambda x: behind_errors(tf))


def error_in_last_batch(tf):
    return tf.data.Dataset.range(10).map(_not(tf, 9)).batch(4)


def earlier_batch(tf):
    return _skipping(tf, tf.data.Dataset.range(10).map(_not(tf, 1)).apply(tf.contrib.data.batch_and_drop_remainder(4)))


def divided_by_element(tf):
    return _skipping(tf, tf.data.Dataset.range(1, 13).map(lambda x: 12 // (x - 3)).batch(4))


def ended_by_function(tf):
    return tf.data.Dataset.range(10).map(_until(tf, 5)).batch(4)


def ended_by_function_at_start_of_batch(tf):
    return tf.data.Dataset.range(10).map(_until(tf, 4)).batch(4)


def ended_by_function_without_remainder(tf):
    return tf.data.Dataset.range(10).map(_until(tf, 5)).batch(4, drop_remainder=True)


def ended_by_function_not_fused(tf):
    return _not_fused(tf, ended_by_function(tf))


def other_numbers_of_elements(tf):
    return tf.data.Dataset.range(6).map(lambda x: tf.range(x // 2)).batch(3)


def other_shapes(tf):
    return (
        tf.data.Dataset.range(4)
        .map(lambda x: tf.reshape(tf.range(4), tf.stack([1 + x % 2, 4 // (1 + x % 2)])))
        .batch(2)
    )


def other_ranks(tf):
    return tf.data.Dataset.range(4).map(lambda x: tf.reshape(x, tf.ones([tf.cast(x, tf.int32)], tf.int32))).batch(2)


def of_no_size(tf):
    return tf.data.Dataset.range(6).map(lambda x: x).batch(tf.constant(0, tf.int64))


def negative_parallelism(tf):
    return tf.data.Dataset.range(6).map(lambda x: x, num_parallel_calls=tf.constant(-3)).batch(2)


def automatic_parallelism(tf):
    return tf.data.Dataset.range(6).map(lambda x: x + 1, num_parallel_calls=-1).batch(4)


def behind_captured_map(tf):
    mapped = tf.data.Dataset.range(14).map(_not(tf, 1))
    return tf.data.Dataset.range(1).flat_map(lambda x: _skipping(tf, mapped.batch(4)))
