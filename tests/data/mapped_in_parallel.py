"""Programs with parallel calls of functions. Run by an interpreter with TensorFlow 1.15, it prints
`mapped_in_parallel.json`.
"""

from raw_datasets_parallel import (
    all_pulls,
    count_up,
    defun,
    failing_at,
    int64,
    main,
    numbers,
    outcome,
    spec,
    stops_at,
    vectors,
)

__all__ = ["outcome", "programs"]


def parallel_map(tf, dataset, function, calls=2, of=None, **attrs):
    return tf.raw_ops.ParallelMapDataset(
        input_dataset=dataset,
        other_arguments=[],
        f=function,
        num_parallel_calls=tf.constant(calls, tf.int32),
        **dict(of or numbers(tf), **attrs),
    )


def map_and_batch(tf, dataset, function, size=3, calls=2, drop=False, keep=False, of=None, op="MapAndBatchDataset"):
    return getattr(tf.raw_ops, op)(
        input_dataset=dataset,
        other_arguments=[],
        f=function,
        batch_size=int64(tf, size),
        num_parallel_calls=int64(tf, calls),
        drop_remainder=tf.constant(drop),
        preserve_cardinality=keep,
        **(of or vectors(tf)),
    )


def increment(tf):
    @defun(tf, tf.int64)
    def function(x):
        return x + 1

    return function


def failing(tf, bad):
    @defun(tf, tf.int64)
    def function(x):
        good = tf.reduce_all(tf.not_equal(x, tf.constant(bad, tf.int64)))
        with tf.control_dependencies([tf.Assert(good, ["at", x])]):
            return x * 10

    return function


def ragged(tf):
    """A function whose results for 2 and 3 have one element more."""

    @defun(tf, tf.int64)
    def function(x):
        return tf.fill([tf.constant(2, tf.int64) + tf.cast(tf.equal(x // 2, 1), tf.int64) * (x - 1)], x)

    return function


def reshaped(tf):
    """A function whose result for 1 has another shape of as many elements."""

    @defun(tf, tf.int64)
    def function(x):
        shape = tf.where(tf.equal(x, 1), tf.constant([4, 1]), tf.constant([2, 2]))
        return tf.reshape(tf.fill([4], x), shape)

    return function


def texts(tf):
    """A function with a text and a number as results."""

    @defun(tf, tf.int64)
    def function(x):
        return tf.as_string(x), x

    return function


def programs(tf):
    found = {}

    def add(name, dataset, of=None, after_end=2):
        found[name] = lambda: all_pulls(tf, dataset(), of or numbers(tf), after_end=after_end)

    for calls in (1, 2, 7, -1, 0, -2):
        add(f"map, {calls} calls", lambda calls=calls: parallel_map(tf, count_up(tf, 9), increment(tf), calls))
    for keep in (False, True):
        add(
            f"map, function stops, {keep}",
            lambda keep=keep: parallel_map(tf, count_up(tf, 6), stops_at(tf, [2, 4]), preserve_cardinality=keep),
        )
    add("map, function fails", lambda: parallel_map(tf, count_up(tf, 6), failing(tf, [0, 3, 5])))
    add("map, input fails", lambda: parallel_map(tf, failing_at(tf, count_up(tf, 6), [2]), increment(tf)))
    add("map, input is empty", lambda: parallel_map(tf, count_up(tf, 0), increment(tf)))
    both = spec(tf, ("string", []), ("int64", []))
    add("map, two components", lambda: parallel_map(tf, count_up(tf, 3), texts(tf), of=both), both)
    columns = spec(tf, ("string", [None]), ("int64", [None]))
    add("batch, two components", lambda: map_and_batch(tf, count_up(tf, 4), texts(tf), of=columns), columns)
    rows = vectors(tf)
    for size, calls in ((0, 1), (-1, 1), (2, 0), (2, -1), (2, -2), (3, 5), (20, 2)):
        add(
            f"batch of {size}, {calls} calls",
            lambda size=size, calls=calls: map_and_batch(tf, count_up(tf, 11), increment(tf), size, calls),
            rows,
        )
    for drop in (False, True):
        for keep in (False, True):
            for bad in ([2], [3], [4], [1, 4], [0, 1], [5], [2, 3], [10]):
                # TensorFlow may count rows after the first one, which it has not set.
                if bad in ([3], [2, 3]) and not drop and not keep:
                    continue
                add(
                    f"batch, function stops at {bad}, {drop} {keep}",
                    lambda drop=drop, keep=keep, bad=bad: map_and_batch(
                        tf, count_up(tf, 11), stops_at(tf, bad), drop=drop, keep=keep
                    ),
                    rows,
                )
        for bad in ([4], [3, 4], [5], [0], [10]):
            add(
                f"batch, function fails at {bad}, {drop}",
                lambda bad=bad, drop=drop: map_and_batch(tf, count_up(tf, 11), failing(tf, bad), drop=drop),
                rows,
            )
            add(
                f"batch, input fails at {bad}, {drop}",
                lambda bad=bad, drop=drop: map_and_batch(
                    tf, failing_at(tf, count_up(tf, 11), bad), increment(tf), drop=drop
                ),
                rows,
            )
    matrices, cubes = spec(tf, ("int64", [None, None])), spec(tf, ("int64", [None, None, None]))
    # With one call at a time, the first row decides about the shape.
    add("batch, ragged", lambda: map_and_batch(tf, count_up(tf, 8), ragged(tf), 2, 1, of=matrices), matrices)
    add("batch, reshaped", lambda: map_and_batch(tf, count_up(tf, 4), reshaped(tf), 2, 1, of=cubes), cubes)
    early = "ExperimentalMapAndBatchDataset"
    add("batch, early name", lambda: map_and_batch(tf, count_up(tf, 5), increment(tf), op=early), rows)
    return found


if __name__ == "__main__":
    main(programs)
