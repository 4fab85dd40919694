"""Programs that shuffle, for `test_shuffle.py`. They run in TensorFlow 1.15.5 too."""

from raw_datasets_transforms import (  # noqa: F401
    Raw,
    apply,
    defun,
    failing_at,
    int64,
    numbers,
    outcome,
    repeated,
    rows,
    spec,
    taken,
)


def _shuffled(tf, raw, size, seed, seed2, reshuffles=True):
    return apply(
        tf,
        "ShuffleDataset",
        raw,
        buffer_size=int64(tf, size),
        seed=int64(tf, seed),
        seed2=int64(tf, seed2),
        reshuffle_each_iteration=reshuffles,
    )


def _shuffled_and_repeated(tf, raw, size, seed, seed2, count):
    return apply(
        tf,
        "ShuffleAndRepeatDataset",
        raw,
        buffer_size=int64(tf, size),
        seed=int64(tf, seed),
        seed2=int64(tf, seed2),
        count=int64(tf, count),
    )


def _generator(tf, seed, seed2):
    return tf.raw_ops.AnonymousRandomSeedGenerator(seed=int64(tf, seed), seed2=int64(tf, seed2))


def _shuffled_by(tf, raw, size, generator):
    return apply(tf, "ShuffleDatasetV2", raw, buffer_size=int64(tf, size), seed_generator=generator)


def _zipped(tf, *raws):
    made = Raw(None, sum((raw.types for raw in raws), []), sum((raw.shapes for raw in raws), []))
    return made._replace(variant=tf.raw_ops.ZipDataset(input_datasets=[raw.variant for raw in raws], **spec(made)))


def _joined(tf, first, second):
    return apply(tf, "ConcatenateDataset", first, another_dataset=second.variant)


def _inside(tf, raw, make):
    """The elements of `make(number)` for each number of the dataset."""

    @defun(tf, tf.int64)
    def inner(x):
        return make(x).variant

    return apply(tf, "FlatMapDataset", raw, f=inner, other_arguments=[])


def programs(tf):
    """Functions that make datasets, by name."""
    found = {}
    for seeds in [(0, 1), (42, 2**31 - 1), (2**40 + 7, -9)]:
        for n, size in [(10, 1), (10, 10), (20, 100), (40, 7)]:
            found[f"once {seeds} {n} {size}"] = lambda seeds=seeds, n=n, size=size: [
                _shuffled(tf, numbers(tf, n), size, *seeds, False),
                2,
                None,
            ]
        for n, size in [(10, 3), (7, 7), (9, 100)]:
            found[f"again {seeds} {n} {size}"] = lambda seeds=seeds, n=n, size=size: [
                repeated(tf, _shuffled(tf, numbers(tf, n), size, *seeds), 4),
                2,
                None,
            ]
            found[f"the same again {seeds} {n} {size}"] = lambda seeds=seeds, n=n, size=size: [
                repeated(tf, _shuffled(tf, numbers(tf, n), size, *seeds, False), 3),
                1,
                None,
            ]
        for n, size, count in [(5, 3, 4), (3, 100, 8), (3, 100, -1), (4, 4, 3), (1, 2, -1), (2, 7, 20), (6, 5, 1)]:
            found[f"with epochs {seeds} {n} {size} {count}"] = lambda seeds=seeds, n=n, size=size, count=count: taken(
                tf, _shuffled_and_repeated(tf, numbers(tf, n), size, *seeds, count), 40
            )
    one = lambda n=6, size=3, seed=3, seed2=4: _shuffled(tf, numbers(tf, n), size, seed, seed2)  # noqa: E731
    fixed = lambda n=6: _shuffled(tf, numbers(tf, n), 3, 3, 4, False)  # noqa: E731
    epochs = lambda count, n=5, size=3: _shuffled_and_repeated(tf, numbers(tf, n), size, 3, 4, count)  # noqa: E731

    def of_generator(program):
        def made():
            handle, deleter = _generator(tf, 3, 4)
            return [program(handle), 2, lambda: tf.raw_ops.DeleteRandomSeedGenerator(handle=handle, deleter=deleter)]

        return made

    found.update(
        {
            "nothing": lambda: one(0),
            "nothing repeated": lambda: repeated(tf, one(0)),
            "nothing with epochs, counted": lambda: epochs(3, 0),
            "count 0": lambda: epochs(0),
            "count -2": lambda: epochs(-2),
            "buffer of 0": lambda: one(6, 0),
            "buffer below 0": lambda: one(6, -1),
            "buffer of 0 with epochs": lambda: epochs(1, 5, 0),
            "huge buffer": lambda: one(6, 2**20),
            "size not scalar": lambda: one(6, [3]),
            "seed not scalar": lambda: one(6, 3, [3]),
            "seed2 not scalar": lambda: one(6, 3, 3, [3]),
            "count not scalar": lambda: epochs([2]),
            "zip of two": lambda: repeated(tf, _zipped(tf, one(), one()), 3),
            "zip of one twice": lambda: (lambda x: repeated(tf, _zipped(tf, x, x), 3))(one()),
            "joined": lambda: (lambda x: repeated(tf, _joined(tf, x, x), 3))(one()),
            "repeated and joined": lambda: _joined(tf, repeated(tf, one(), 2), repeated(tf, one(), 2)),
            "shuffled twice": lambda: repeated(tf, _shuffled(tf, one(), 4, 3, 4), 3),
            "shuffled twice, fixed outside": lambda: repeated(tf, _shuffled(tf, one(), 4, 3, 4, False), 3),
            "shuffled twice, fixed inside": lambda: repeated(tf, _shuffled(tf, fixed(), 4, 3, 4), 3),
            "epochs of shuffled": lambda: _shuffled_and_repeated(tf, one(), 4, 3, 4, 3),
            "shuffled epochs": lambda: repeated(tf, _shuffled(tf, epochs(2), 4, 3, 4), 2),
            "inside": lambda: repeated(tf, _inside(tf, numbers(tf, 3), lambda x: one()), 3),
            "seeded by elements": lambda: repeated(
                tf,
                _inside(
                    tf,
                    numbers(tf, 1, 4),
                    lambda x: apply(tf, "ShuffleDataset", numbers(tf, 5), buffer_size=int64(tf, 3), seed=x, seed2=x),
                ),
                2,
            ),
            "inside repeated": lambda: _inside(tf, numbers(tf, 3), lambda x: repeated(tf, one(), 2)),
            "inside inside": lambda: _inside(
                tf, numbers(tf, 2), lambda x: repeated(tf, _inside(tf, numbers(tf, 2), lambda y: one()), 2)
            ),
            "batches": lambda: repeated(tf, _shuffled(tf, rows(tf, int64(tf, [[1, 2], [3, 4], [5, 6]])), 2, 3, 4), 2),
            "texts": lambda: _shuffled(tf, rows(tf, tf.constant(["a", "bc", "", "def"]), int64(tf, range(4))), 3, 3, 4),
            "errors": lambda: _shuffled(tf, failing_at(tf, numbers(tf, 9), 1, 5), 3, 3, 4),
            "errors behind": lambda: _shuffled(tf, failing_at(tf, numbers(tf, 9), 6), 3, 3, 4),
            "errors, repeated": lambda: repeated(tf, _shuffled(tf, failing_at(tf, numbers(tf, 5), 3), 3, 3, 4), 2),
            "errors with epochs": lambda: _shuffled_and_repeated(tf, failing_at(tf, numbers(tf, 5), 3), 3, 3, 4, 2),
            "only errors": lambda: _shuffled(tf, failing_at(tf, numbers(tf, 3), 0, 1, 2), 3, 3, 4),
            "generator": of_generator(lambda g: _shuffled_by(tf, numbers(tf, 6), 3, g)),
            "generator, repeated": of_generator(lambda g: repeated(tf, _shuffled_by(tf, numbers(tf, 6), 3, g), 3)),
            "generator of two": of_generator(
                lambda g: repeated(
                    tf, _zipped(tf, _shuffled_by(tf, numbers(tf, 6), 3, g), _shuffled_by(tf, numbers(tf, 6), 4, g)), 2
                )
            ),
            "generator, buffer of 0": of_generator(lambda g: _shuffled_by(tf, numbers(tf, 6), 0, g)),
            "generator, size not scalar": of_generator(lambda g: _shuffled_by(tf, numbers(tf, 6), [4], g)),
            "generator, seed not scalar": lambda: _shuffled_by(tf, numbers(tf, 6), 3, _generator(tf, [3], 4)[0]),
            "generator, seed2 not scalar": lambda: _shuffled_by(tf, numbers(tf, 6), 3, _generator(tf, 3, [4])[0]),
        }
    )
    return found
