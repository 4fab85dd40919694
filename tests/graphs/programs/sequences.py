"""Calls of `batch_sequences_with_states` and `SequenceQueueingStateSaver`."""

import numpy as _np


def _saver(tf, **options):
    given = {
        "batch_size": 2,
        "num_unroll": 3,
        "input_length": tf.placeholder(tf.int32, [], name="length"),
        "input_key": tf.placeholder(tf.string, [], name="key"),
        "input_sequences": {
            "b": tf.placeholder(tf.float32, [None, 4, 5], name="b"),
            "a": tf.placeholder(tf.string, [None], name="a"),
        },
        "input_context": {"d": tf.placeholder(tf.int64, [2], name="d"), "c": tf.placeholder(tf.float32, [], name="c")},
        "initial_states": {"f": tf.zeros([7]), "e": tf.constant(0, tf.int64)},
        **options,
    }
    return tf.contrib.training.SequenceQueueingStateSaver(**given)


def saver(tf):
    made = _saver(tf)
    batch = made.next_batch
    batch.save_state("f", batch.state("f") + 1)
    batch.save_state("e", tf.placeholder(tf.int64), name="named")
    made.close()
    made.close(True, "ended")
    tf.identity(batch.length + batch.total_length + batch.sequence + batch.sequence_count)
    tf.identity(batch.batch_size)


def saver_with_options(tf):
    with tf.name_scope("outer"), tf.device("/cpu:0"):
        made = _saver(tf, capacity=5, allow_small_batch=True, name="named", input_context={}, input_length=3)
    made.prefetch_op
    with tf.name_scope("elsewhere"):
        batch = made.next_batch
        batch.save_state("e", [1, 2])
    _saver(tf, input_sequences={"a": [[1.0], [2.0], [3.0]]}, input_key="key")


def saver_of_batches_of_a_tensor(tf):
    made = _saver(tf, batch_size=tf.placeholder(tf.int32, []), capacity=4)
    made.next_batch.save_state("f", tf.placeholder(tf.float32))


def _batches(tf, **options):
    given = {
        "input_key": tf.placeholder(tf.string, [], name="key"),
        "input_sequences": {
            "b": tf.placeholder(tf.float32, [None, 4], name="b"),
            "a": tf.placeholder(tf.string, [None], name="a"),
        },
        "input_context": {"c": tf.placeholder(tf.float32, [], name="c")},
        "input_length": None,
        "initial_states": {"s": tf.zeros([7])},
        "num_unroll": 3,
        "batch_size": 2,
        **options,
    }
    return tf.contrib.training.batch_sequences_with_states(**given)


def batches(tf):
    batch = _batches(tf)
    batch.save_state("s", batch.state("s"))


def batches_with_options(tf):
    with tf.name_scope("outer"):
        _batches(tf, num_threads=1, capacity=None, allow_small_batch=False, make_keys_unique=True, name="named")
    _batches(tf, make_keys_unique=True, make_keys_unique_seed=7, input_length=tf.placeholder(tf.int32, []), capacity=9)
    _batches(tf, input_sequences={"a": [1, 2, 3, 4]}, input_context={})


def batches_without_padding(tf):
    _batches(tf, pad=False, input_length=tf.placeholder(tf.int32, []))
    _batches(tf, pad=False, input_length=4, input_sequences={"a": [1, 2, 3]})


def _sparse(tf, name, rank):
    return tf.SparseTensor(
        tf.placeholder(tf.int64, [None, rank], name=f"{name}_indices"),
        tf.placeholder(tf.float32, [None], name=f"{name}_values"),
        tf.placeholder(tf.int64, [rank], name=f"{name}_shape"),
    )


def sparse_sequences(tf):
    dense = tf.placeholder(tf.float32, [None, 4], name="dense")
    _batches(tf, input_sequences={"z": _sparse(tf, "z", 2), "y": dense, "x": _sparse(tf, "x", 3)})
    _batches(tf, input_sequences={"z": _sparse(tf, "z", 2)}, batch_size=tf.placeholder(tf.int32, []))
    _batches(tf, input_sequences={"z": _sparse(tf, "z", 2), "y": dense}, pad=False, input_length=3)


def sparse_contexts(tf):
    _batches(tf, input_context={"d": tf.constant(1.0), "c": _sparse(tf, "c", 1), "b": _sparse(tf, "b", 2)})
    _batches(tf, input_sequences={"z": _sparse(tf, "z", 2)}, input_context={"c": _sparse(tf, "c", 1)})
    value = tf.SparseTensorValue(_np.array([[0, 1]]), _np.array([1.0], _np.float32), _np.array([3, 2]))
    _batches(tf, pad=False, input_length=3, input_sequences={"z": value}, input_context={"c": value})


def recurrent(tf):
    inputs = tf.placeholder(tf.float32, [None, 4], name="b")
    batch = _batches(tf, input_sequences={"x": inputs}, initial_states={"c": tf.zeros([5]), "h": tf.zeros([5])})
    cell = tf.nn.rnn_cell.BasicLSTMCell(5)
    steps = tf.unstack(batch.sequences["x"], axis=1)
    tf.nn.static_state_saving_rnn(cell, steps, batch, ("c", "h"), sequence_length=batch.length)
