"""Programs whose stages make iterators of datasets that shuffle or cache: the place of each in the pipeline decides
about its seeds and its cache. They run in TensorFlow 1.15.5 too. Run by it, this prints `place_outcomes_of_1_15.json`.
"""

import json

from raw_datasets_transforms import (  # noqa: F401
    Raw,
    apply,
    defun,
    int64,
    mapped,
    moved,
    numbers,
    outcome,
    repeated,
    rows,
    spec,
    taken,
)


def _shuffled(tf, raw, size=5, seed=3):
    return apply(
        tf,
        "ShuffleDataset",
        raw,
        buffer_size=int64(tf, size),
        seed=int64(tf, seed),
        seed2=int64(tf, 4),
        reshuffle_each_iteration=True,
    )


def _epochs(tf, raw, count):
    return apply(
        tf,
        "ShuffleAndRepeatDataset",
        raw,
        buffer_size=int64(tf, 4),
        seed=int64(tf, 3),
        seed2=int64(tf, 4),
        count=int64(tf, count),
    )


def _cached(tf, raw):
    return apply(tf, "CacheDataset", raw, filename=tf.constant(""))


def _prefetched(tf, raw):
    return apply(tf, "PrefetchDataset", raw, buffer_size=int64(tf, 2))


def _dataset(tf, make, *types):
    """The function of an element, or of a dataset, whose result is the dataset that `make` makes."""

    @defun(tf, *types)
    def function(*arguments):
        return make(*arguments).variant

    return function


def _plus(tf, raw, x):
    """The elements plus 100 `x`, of which the dataset is made."""

    @defun(tf, tf.int64, tf.int64)
    def add(y, captured):
        return y + 100 * captured

    return apply(tf, "MapDataset", raw, f=add, other_arguments=[x])


def _inner(tf):
    """Datasets that are made of a number, by name."""
    return {
        "shuffle": lambda x: _plus(tf, _shuffled(tf, numbers(tf, 5)), x),
        "map, shuffle": lambda x: _shuffled(tf, _plus(tf, numbers(tf, 5), x)),
        "uneven": lambda x: _plus(tf, _shuffled(tf, apply(tf, "TakeDataset", numbers(tf, 9), count=x * 5 % 7)), x),
        "repeat": lambda x: repeated(tf, _shuffled(tf, _plus(tf, numbers(tf, 3), x)), 2),
        "epochs": lambda x: _epochs(tf, _shuffled(tf, _plus(tf, numbers(tf, 3), x)), 2),
        "prefetch": lambda x: _prefetched(tf, _shuffled(tf, _plus(tf, numbers(tf, 5), x))),
        "cache": lambda x: _cached(tf, _plus(tf, numbers(tf, 3), x)),
        "cached shuffle": lambda x: repeated(tf, _cached(tf, _shuffled(tf, _plus(tf, numbers(tf, 4), x))), 2),
        "twice": lambda x: _shuffled(tf, _shuffled(tf, _plus(tf, numbers(tf, 5), x)), 3),
    }


def _outer(tf):
    """Stages that make datasets of numbers by a function, by name."""

    def flat_map(make, raw):
        return apply(tf, "FlatMapDataset", raw, f=_dataset(tf, make, tf.int64), other_arguments=[])

    def interleave(cycle, block):
        return lambda make, raw: apply(
            tf,
            "InterleaveDataset",
            raw,
            f=_dataset(tf, make, tf.int64),
            other_arguments=[],
            cycle_length=int64(tf, cycle),
            block_length=int64(tf, block),
        )

    def parallel(cycle, block, calls):
        return lambda make, raw: apply(
            tf,
            "ParallelInterleaveDatasetV2",
            raw,
            f=_dataset(tf, make, tf.int64),
            other_arguments=[],
            cycle_length=int64(tf, cycle),
            block_length=int64(tf, block),
            num_parallel_calls=int64(tf, calls),
        )

    def early(cycle, block, prefetched):
        return lambda make, raw: apply(
            tf,
            "ExperimentalParallelInterleaveDataset",
            raw,
            f=_dataset(tf, make, tf.int64),
            other_arguments=[],
            cycle_length=int64(tf, cycle),
            block_length=int64(tf, block),
            sloppy=tf.constant(False),
            buffer_output_elements=int64(tf, 2),
            prefetch_input_elements=int64(tf, prefetched),
        )

    def branch(make, raw):
        """One branch, which is chosen after two elements."""
        inner = _dataset(tf, make, tf.int64)

        def all_made(variant):
            given = Raw(variant, raw.types, raw.shapes)
            return apply(tf, "FlatMapDataset", given, f=inner, other_arguments=[])

        return apply(
            tf,
            "ChooseFastestBranchDataset",
            raw,
            ratio_numerator=int64(tf, 1),
            ratio_denominator=int64(tf, 1),
            other_arguments=[],
            num_elements_per_branch=2,
            branches=[_dataset(tf, all_made, tf.variant)],
            other_arguments_lengths=[0],
        )

    return {
        "flat_map": flat_map,
        "interleave 1 1": interleave(1, 1),
        "interleave 2 1": interleave(2, 1),
        "interleave 3 2": interleave(3, 2),
        "parallel 1 1 1": parallel(1, 1, 1),
        "parallel 2 1 2": parallel(2, 1, 2),
        "parallel 3 2 1": parallel(3, 2, 1),
        "early 1 1 0": early(1, 1, 0),
        "early 2 1 0": early(2, 1, 0),
        "early 3 2 1": early(3, 2, 1),
        "early 2 1 3": early(2, 1, 3),
        "branch": branch,
    }


def _several(tf):
    """Stages of several datasets, by name."""

    def zipped(*raws):
        of = {"output_types": [tf.int64] * len(raws), "output_shapes": [[]] * len(raws)}
        variant = tf.raw_ops.ZipDataset(input_datasets=[raw.variant for raw in raws], **of)
        return Raw(variant, of["output_types"], of["output_shapes"])

    def joined(first, second):
        return apply(tf, "ConcatenateDataset", first, another_dataset=second.variant)

    def directed(first, second):
        order = rows(tf, int64(tf, [0, 1, 1, 0, 0, 1, 0, 1, 0, 1]))
        variant = tf.raw_ops.ExperimentalDirectedInterleaveDataset(
            selector_input_dataset=order.variant, data_input_datasets=[first.variant, second.variant], **spec(first)
        )
        return first._replace(variant=variant)

    def fastest(first, second):
        variant = tf.raw_ops.ExperimentalChooseFastestDataset(
            input_datasets=[first.variant, second.variant], num_experiments=2, **spec(first)
        )
        return first._replace(variant=variant)

    one = lambda: _shuffled(tf, numbers(tf, 4))  # noqa: E731
    other = lambda: _shuffled(tf, numbers(tf, 10, 14), 4, 7)  # noqa: E731
    cached = lambda: _cached(tf, one())  # noqa: E731
    other_cached = lambda: _cached(tf, other())  # noqa: E731
    return {
        "zip of equal ones": lambda: zipped(one(), one()),
        "zip": lambda: zipped(one(), other()),
        "zip of prefetched ones": lambda: zipped(_prefetched(tf, repeated(tf, one(), 2)), _prefetched(tf, other())),
        "zip of caches": lambda: zipped(cached(), other_cached()),
        "zip of a cache twice": lambda: (lambda raw: zipped(raw, raw))(cached()),
        "concatenate": lambda: joined(one(), other()),
        "concatenate equal ones": lambda: joined(one(), one()),
        "concatenate caches": lambda: joined(cached(), other_cached()),
        "cache before others": lambda: joined(cached(), numbers(tf, 2)),
        "directed": lambda: directed(one(), other()),
        "directed caches": lambda: directed(cached(), other_cached()),
        "fastest of equal ones": lambda: fastest(one(), one()),
    }


def _windows(tf):
    """Stages that make datasets of windows, by name."""

    def reduced(make):
        def of_window(_, variant):
            return make(Raw(variant, [tf.int64], [[]]))

        key = defun(tf, tf.int64)(lambda x: x % 2)
        size = defun(tf, tf.int64)(lambda key: key * 0 + 4)
        return apply(
            tf,
            "ExperimentalGroupByWindowDataset",
            numbers(tf, 13),
            key_func=key,
            reduce_func=_dataset(tf, of_window, tf.int64, tf.variant),
            window_size_func=size,
            key_func_other_arguments=[],
            reduce_func_other_arguments=[],
            window_size_func_other_arguments=[],
        )

    def windows():
        raw = numbers(tf, 11)
        variant = tf.raw_ops.WindowDataset(
            input_dataset=raw.variant,
            size=int64(tf, 4),
            shift=int64(tf, 3),
            stride=int64(tf, 1),
            drop_remainder=tf.constant(False),
            output_types=[tf.variant],
            output_shapes=[[]],
        )
        return Raw(variant, [tf.variant], [[]])

    def flat(make):
        function = _dataset(tf, lambda variant: make(Raw(variant, [tf.int64], [[]])), tf.variant)
        return apply(tf, "FlatMapDataset", windows(), [tf.int64], [[]], f=function, other_arguments=[])

    def interleaved(make):
        function = _dataset(tf, lambda variant: make(Raw(variant, [tf.int64], [[]])), tf.variant)
        return apply(
            tf,
            "InterleaveDataset",
            windows(),
            [tf.int64],
            [[]],
            f=function,
            other_arguments=[],
            cycle_length=int64(tf, 2),
            block_length=int64(tf, 1),
        )

    makers = {
        "shuffle": lambda raw: _shuffled(tf, raw, 4),
        "repeat": lambda raw: repeated(tf, _shuffled(tf, raw, 4), 2),
        "cache": lambda raw: _cached(tf, raw),
    }
    return {
        name + ", " + inner: lambda stage=stage, make=make: stage(make)
        for name, stage in {"groups": reduced, "flat windows": flat, "interleaved windows": interleaved}.items()
        for inner, make in makers.items()
    }


def _around(tf):
    """Stages around a shuffle that make its iterator, or pass its elements on, by name."""
    one = lambda: _shuffled(tf, numbers(tf, 5))  # noqa: E731
    increment = lambda: defun(tf, tf.int64)(lambda x: x + 1)  # noqa: E731
    odd = lambda: defun(tf, tf.int64)(lambda x: tf.equal(x % 2, 1))  # noqa: E731
    return {
        "repeat": lambda: one(),
        "repeat twice": lambda: repeated(tf, one(), 2),
        "epochs": lambda: _epochs(tf, one(), 2),
        "shuffle": lambda: _shuffled(tf, one(), 3),
        "cache": lambda: _cached(tf, one()),
        "cache of repeat": lambda: _cached(tf, repeated(tf, one(), 2)),
        "shuffle of cache": lambda: _shuffled(tf, _cached(tf, one())),
        "take": lambda: taken(tf, one(), 3),
        "skip": lambda: apply(tf, "SkipDataset", one(), count=int64(tf, 2)),
        "prefetch": lambda: _prefetched(tf, one()),
        "map": lambda: mapped(tf, one(), increment()),
        "filter": lambda: apply(tf, "FilterDataset", one(), predicate=odd(), other_arguments=[]),
        "parallel map": lambda: apply(
            tf, "ParallelMapDataset", one(), f=increment(), other_arguments=[], num_parallel_calls=tf.constant(2)
        ),
        "shard": lambda: apply(tf, "ShardDataset", one(), num_shards=int64(tf, 2), index=int64(tf, 1)),
    }


def programs(tf):
    """Functions that make datasets, by name."""
    found = {}
    for name, stage in _outer(tf).items():
        for inner, make in _inner(tf).items():
            found[f"{name} of {inner}"] = lambda stage=stage, make=make: repeated(tf, stage(make, numbers(tf, 5)), 2)
    outer, inner = _outer(tf), _inner(tf)["shuffle"]
    for name in ("flat_map", "interleave 2 1", "parallel 2 1 2", "early 2 1 0"):
        for around in ("flat_map", "interleave 1 1", "parallel 1 1 1", "early 1 1 0"):
            found[f"{name} in {around}"] = lambda name=name, around=around: repeated(
                tf,
                outer[around](lambda x: repeated(tf, outer[name](inner, numbers(tf, 2)), 2), numbers(tf, 2)),
                2,
            )
    for group in (_several, _windows, _around):
        for name, make in group(tf).items():
            found[name] = lambda make=make: repeated(tf, make(), 3)
    return found


if __name__ == "__main__":
    import tensorflow

    outcomes = {name: json.dumps(outcome(tensorflow, program)) for name, program in programs(tensorflow).items()}
    print("{\n" + ",\n".join(f'"{name}": {outcome}' for name, outcome in outcomes.items()) + "\n}")
