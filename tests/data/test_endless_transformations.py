"""Stages that look for an element without end are ended with their session."""

import threading

import pytest
from raw_datasets_transforms import (
    Raw,
    apply,
    defun,
    failing_at,
    int64,
    iterator_of,
    mapped,
    numbers,
    repeated,
    rows,
    spec,
)

import tinytf as tf

_MANY = 50  # elements that only a pull without end takes


class _Watch:
    """Notes that many elements were taken of the dataset that was made last."""

    def __init__(self):
        self.reset()

    def reset(self):
        self._count = 0
        self.many = threading.Event()

    def note(self, value):
        self._count += 1
        if self._count == _MANY:
            self.many.set()
        return value


_WATCH = _Watch()


def _watched(raw):
    """The same dataset; the watch sees the elements that are taken of it."""

    @defun(tf, *raw.types)
    def function(first, *others):
        seen = tf.py_func(_WATCH.note, [first], first.dtype)
        seen.set_shape(first.shape)
        return seen, *others

    return mapped(tf, raw, function)


def _endless():
    return repeated(tf, _watched(numbers(tf, 3)))


def _counted(op, **counts):
    return lambda: apply(
        tf, op, _endless(), None, [tf.TensorShape(None)], **{name: int64(tf, count) for name, count in counts.items()}
    )


def _padded():
    raw = _endless()
    variant = tf.raw_ops.PaddedBatchDataset(
        input_dataset=raw.variant,
        batch_size=int64(tf, 2**60),
        padded_shapes=[int64(tf, [])],
        padding_values=[int64(tf, 0)],
        output_shapes=raw.shapes,
    )
    return raw._replace(variant=variant)


def _sampled():
    return apply(tf, "SamplingDataset", _endless(), rate=tf.constant(0.0), seed=int64(tf, 1), seed2=int64(tf, 2))


def _shuffled():
    return apply(tf, "ShuffleDataset", _endless(), buffer_size=int64(tf, 2**60), seed=int64(tf, 1), seed2=int64(tf, 2))


def _window():
    return apply(
        tf,
        "WindowDataset",
        _endless(),
        [tf.variant],
        size=int64(tf, 2**62),
        shift=int64(tf, 1),
        stride=int64(tf, 2**62),
        drop_remainder=tf.constant(True),
    )


def _ignored():
    return apply(tf, "IgnoreErrorsDataset", repeated(tf, failing_at(tf, _watched(numbers(tf, 1)), 0)))


def _filtered():
    return apply(
        tf,
        "FilterByLastComponentDataset",
        repeated(tf, _watched(rows(tf, int64(tf, [1]), tf.constant([False])))),
        [tf.int64],
        [tf.TensorShape([])],
    )


def _directed():
    data, ended = numbers(tf, 3), numbers(tf, 0)
    selector = repeated(tf, _watched(rows(tf, int64(tf, [1]))))
    variant = tf.raw_ops.DirectedInterleaveDataset(
        selector_input_dataset=selector.variant, data_input_datasets=[data.variant, ended.variant], **spec(data)
    )
    return data._replace(variant=variant)


def _identity(*types):
    return defun(tf, *types)(lambda *x: tf.identity(x[0]))


def _reduced():
    functions = {"key_func": 1, "init_func": 1, "reduce_func": 2, "finalize_func": 1}
    captured = {f"{name}_other_arguments": [] for name in functions}
    made = {name: _identity(*[tf.int64] * count) for name, count in functions.items()}
    return apply(tf, "GroupByReducerDataset", _endless(), **made, **captured)


def _grouped():
    functions = {
        "key_func": _identity(tf.int64),
        "reduce_func": defun(tf, tf.int64, tf.variant)(lambda key, window: tf.identity(window)),
        "window_size_func": defun(tf, tf.int64)(lambda key: key * 0 + 2**60),
    }
    captured = {f"{name}_other_arguments": [] for name in functions}
    return apply(tf, "GroupByWindowDataset", _endless(), **functions, **captured)


def _unbatched():
    empty = mapped(tf, _endless(), defun(tf, tf.int64)(lambda x: tf.fill([0], x)), None, [tf.TensorShape([None])])
    return apply(tf, "UnbatchDataset", empty, None, [tf.TensorShape([])])


_DATASETS = {
    "shuffle": _shuffled,
    "padded_batch": _padded,
    "window": _window,
    "sliding_window": _counted("SlidingWindowDataset", window_size=2**60, window_shift=1, window_stride=1),
    "skipped_by_windows": _counted("SlidingWindowDataset", window_size=2, window_shift=2**60, window_stride=1),
    "shard": _counted("ShardDataset", num_shards=2**60, index=2**59),
    "sampling": _sampled,
    "ignore_errors": _ignored,
    "filter_by_last_component": _filtered,
    "directed_interleave": _directed,
    "unique": lambda: apply(tf, "UniqueDataset", _endless()),
    "group_by_reducer": _reduced,
    "group_by_window": _grouped,
    "unbatch": _unbatched,
}


@pytest.mark.parametrize("name", _DATASETS)
def test_closed_session_ends_a_pull(name):
    errors = []
    _WATCH.reset()

    def pull():
        try:
            for _ in range(5):
                sess.run(get[0].op)
        except tf.errors.OpError as error:
            errors.append(type(error))

    with tf.Graph().as_default():
        sess = tf.Session()
        _, start, get = iterator_of(tf, _DATASETS[name]())
        sess.run(start)
        thread = threading.Thread(target=pull)
        thread.start()
        assert _WATCH.many.wait(120)
        sess.close()
        thread.join(120)
        assert not thread.is_alive()
        assert errors == [tf.errors.CancelledError]


def test_filter_by_last_component():
    """TensorFlow 1.15.5 has the op, but no kernel."""
    with tf.Graph().as_default(), tf.Session() as sess:
        raw = rows(tf, int64(tf, range(5)), tf.constant([True, False, True, True, False]))
        kept = apply(tf, "FilterByLastComponentDataset", raw, [tf.int64], [tf.TensorShape([])])
        _, start, (get,) = iterator_of(tf, Raw(*kept))
        sess.run(start)
        assert [sess.run(get) for _ in range(3)] == [0, 2, 3]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(get)
