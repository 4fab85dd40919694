"""Programs with transformations of datasets, for `test_transformations.py`. They run in TensorFlow 1.15.5 too."""

from raw_datasets_transforms import (  # noqa: F401
    Raw,
    apply,
    defun,
    failing_at,
    int64,
    mapped,
    numbers,
    of_shapes,
    outcome,
    repeated,
    rows,
    spec,
    taken,
)


def _padded(tf, raw, size, shapes, padding=None, drops=False, v1=False, output_shapes=None):
    options = {} if v1 else {"drop_remainder": tf.constant(drops)}
    made = raw._replace(shapes=output_shapes or [tf.TensorShape(None)] * len(raw.types))
    zeros = ["" if dtype == tf.string else 0 for dtype in raw.types]
    padding = [tf.constant(value, dtype) for value, dtype in zip(padding or zeros, raw.types)]
    variant = getattr(tf.raw_ops, "PaddedBatchDataset" if v1 else "PaddedBatchDatasetV2")(
        input_dataset=raw.variant,
        batch_size=int64(tf, size),
        padded_shapes=[int64(tf, shape) for shape in shapes],
        padding_values=padding,
        output_shapes=made.shapes,
        **options,
    )
    return made._replace(variant=variant)


def _padded_programs(tf):
    two = lambda: rows(tf, int64(tf, range(5)), tf.constant(["a", "b", "c", "d", "e"]))  # noqa: E731
    return {
        "padded": lambda: _padded(tf, of_shapes(tf, [1], [3], [0], [2], [5]), 2, [[-1]]),
        "padded to a length": lambda: _padded(tf, of_shapes(tf, [1], [3], [0], [2], [5]), 2, [[5]]),
        "padded by 7": lambda: _padded(tf, of_shapes(tf, [1], [3], [0]), 2, [[4]], [7]),
        "padded too short": lambda: _padded(tf, of_shapes(tf, [1], [3], [0], [2], [1]), 2, [[2]]),
        "padded, dropping": lambda: _padded(tf, of_shapes(tf, [1], [3], [0]), 2, [[-1]], None, True),
        "padded, dropping, even": lambda: _padded(tf, of_shapes(tf, [1], [3], [0], [2]), 2, [[-1]], None, True),
        "padded v1": lambda: _padded(tf, of_shapes(tf, [1], [3], [0]), 2, [[-1]], v1=True),
        "padded matrices": lambda: _padded(tf, of_shapes(tf, [1, 2], [3, 1], [0, 4], [2, 2]), 3, [[-1, 5]], [9]),
        "padded matrices, all unknown": lambda: _padded(tf, of_shapes(tf, [1, 2], [3, 1], [2, 2]), 3, [[-1, -1]]),
        "padded texts": lambda: _padded(tf, of_shapes(tf, [1], [3], [0], dtype=tf.string), 2, [[-1]], ["pad"]),
        "padded floats": lambda: _padded(tf, of_shapes(tf, [2], [1], dtype=tf.float32), 2, [[-1]], [0.5]),
        "padded bools": lambda: _padded(tf, of_shapes(tf, [2], [1], dtype=tf.bool), 2, [[-1]], [False]),
        "padded scalars": lambda: _padded(tf, two(), 2, [[], []]),
        "padded nothing": lambda: _padded(tf, numbers(tf, 0), 2, [[]]),
        "padded with errors": lambda: _padded(tf, failing_at(tf, numbers(tf, 7), 1, 4), 2, [[]]),
        "padded of another rank": lambda: _padded(tf, of_shapes(tf, [1], [3]), 2, [[-1, 2]]),
        "padded of several ranks": lambda: _padded(
            tf, mapped(tf, numbers(tf, 4), _of_rank(tf), [tf.int64], [tf.TensorShape(None)]), 2, [[-1]]
        ),
        "padded, size 0": lambda: _padded(tf, numbers(tf, 3), 0, [[]]),
        "padded, size not scalar": lambda: _padded(tf, numbers(tf, 3), [2], [[]]),
        "padded, drop not scalar": lambda: _padded(tf, numbers(tf, 3), 2, [[]], drops=[True]),
        "padded, shape below -1": lambda: _padded(tf, of_shapes(tf, [1], [3]), 2, [[-2]]),
        "padded, shape no vector": lambda: _padded(tf, of_shapes(tf, [1], [3]), 2, [2]),
        "padded, shapes too few": lambda: _padded(tf, two(), 2, [[]]),
        "padded, padding no scalar": lambda: _padded(tf, of_shapes(tf, [1], [3]), 2, [[-1]], [[0]]),
        "padded, padding of another type": lambda: _padded(tf, two()._replace(types=[tf.int64, tf.int64]), 2, [[], []]),
    }


def _of_rank(tf):
    @defun(tf, tf.int64)
    def of_rank(x):
        return tf.fill(tf.fill([x], int64(tf, 1)), x)

    return of_rank


def _window(tf, raw, size, shift, stride, drops):
    """The elements of all windows, each window in one batch of each component."""
    count = len(raw.types)
    windows = apply(
        tf,
        "WindowDataset",
        raw,
        [tf.variant] * count,
        [tf.TensorShape([])] * count,
        size=int64(tf, size),
        shift=int64(tf, shift),
        stride=int64(tf, stride),
        drop_remainder=tf.constant(drops),
    )

    @defun(tf, *windows.types)
    def batches(*parts):
        made = [
            apply(tf, "BatchDataset", Raw(part, [dtype], [tf.TensorShape(None)]), batch_size=int64(tf, 99))
            for part, dtype in zip(parts, raw.types)
        ]
        every = Raw(None, raw.types, [tf.TensorShape(None)] * count)
        return tf.raw_ops.ZipDataset(input_datasets=[one.variant for one in made], **spec(every))

    every = Raw(None, raw.types, [tf.TensorShape(None)] * count)
    return apply(tf, "FlatMapDataset", windows, every.types, every.shapes, f=batches, other_arguments=[])


def _sliding(tf, raw, op, size, shift, stride):
    return apply(
        tf,
        op,
        raw,
        raw.types,
        [tf.TensorShape(None)] * len(raw.types),
        window_size=int64(tf, size),
        window_shift=int64(tf, shift),
        window_stride=int64(tf, stride),
    )


def _window_programs(tf):
    found = {}
    for n, size, shift, stride in [
        (7, 3, 3, 1),
        (7, 3, 1, 1),
        (10, 2, 1, 3),
        (9, 3, 5, 1),
        (10, 3, 4, 2),
        (11, 2, 3, 5),
        (3, 5, 1, 1),
        (6, 2, 7, 1),
        (0, 2, 1, 1),
        (8, 3, 2, 2),
        (5, 1, 1, 1),
    ]:
        for drops in (False, True):
            found[f"window {n} {size} {shift} {stride} {drops}"] = lambda n=n, s=size, f=shift, t=stride, d=drops: (
                _window(tf, numbers(tf, n), s, f, t, d)
            )
        found[f"sliding {n} {size} {shift} {stride}"] = lambda n=n, s=size, f=shift, t=stride: _sliding(
            tf, numbers(tf, n), "SlidingWindowDataset", s, f, t
        )
    one = lambda size=2, shift=2, stride=1, drops=False: _window(tf, numbers(tf, 5), size, shift, stride, drops)  # noqa: E731
    slide = lambda size=2, shift=2, stride=1, raw=None: _sliding(  # noqa: E731
        tf, raw or numbers(tf, 5), "ExperimentalSlidingWindowDataset", size, shift, stride
    )
    found.update(
        {
            "window of two": lambda: _window(
                tf, rows(tf, int64(tf, range(5)), tf.constant(["a", "b", "c", "d", "e"])), 2, 2, 1, False
            ),
            "window with errors": lambda: _window(tf, failing_at(tf, numbers(tf, 9), 1, 4, 5), 2, 2, 1, False),
            "window with errors, overlapping": lambda: _window(
                tf, failing_at(tf, numbers(tf, 9), 1, 6), 3, 1, 1, False
            ),
            "window with errors, gaps": lambda: _window(tf, failing_at(tf, numbers(tf, 9), 2, 6), 2, 4, 1, False),
            "window of size 0": lambda: one(0),
            "window of shift 0": lambda: one(2, 0),
            "window of stride 0": lambda: one(2, 1, 0),
            "window, size no scalar": lambda: one([2]),
            "window, shift no scalar": lambda: one(2, [2]),
            "window, stride no scalar": lambda: one(2, 2, [1]),
            "window, drop no scalar": lambda: one(2, 2, 1, [True]),
            "sliding of another name": lambda: slide(),
            "sliding of size 0": lambda: slide(0),
            "sliding of shift 0": lambda: slide(2, 0),
            "sliding of stride 0": lambda: slide(2, 1, 0),
            "sliding of shift = size": lambda: slide(2, 2, 1),
            "sliding, size no scalar": lambda: slide([2]),
            "sliding, shift no scalar": lambda: slide(2, [2]),
            "sliding, stride no scalar": lambda: slide(2, 2, [1]),
            "sliding of shapes": lambda: slide(2, 1, 1, of_shapes(tf, [1], [1], [2], [2])),
            "sliding with errors": lambda: slide(2, 1, 1, failing_at(tf, numbers(tf, 7), 1, 4)),
            "sliding texts": lambda: slide(2, 1, 1, of_shapes(tf, [1], [1], [1], dtype=tf.string)),
        }
    )
    return found


def _shard(tf, raw, shards, index, fails=False):
    return apply(tf, "ShardDataset", raw, num_shards=int64(tf, shards), index=int64(tf, index), require_non_empty=fails)


def _auto_shard(tf, raw, workers, index, op="AutoShardDataset"):
    return apply(tf, op, raw, num_workers=int64(tf, workers), index=int64(tf, index))


def _sampled(tf, raw, rate, seed, seed2):
    return apply(
        tf, "SamplingDataset", raw, rate=tf.constant(rate, tf.float32), seed=int64(tf, seed), seed2=int64(tf, seed2)
    )


def _subset_programs(tf):
    ignored = lambda raw, op="IgnoreErrorsDataset": apply(tf, op, raw)  # noqa: E731

    def until(raw, predicate, op="TakeWhileDataset", arguments=()):
        return apply(tf, op, raw, predicate=predicate, other_arguments=list(arguments))

    def below(bound, *dtypes):
        @defun(tf, *(dtypes or [tf.int64]))
        def predicate(x):
            return tf.less(x, bound)

        return predicate

    def testing(body, *dtypes):
        return defun(tf, *(dtypes or [tf.int64]))(body)

    below_argument = lambda: testing(lambda x, y: tf.less(x, y), tf.int64, tf.int64)  # noqa: E731
    vector = lambda: testing(lambda x: tf.less([x, x], 2))  # noqa: E731
    vector_of_one = lambda: testing(lambda x: tf.less([x], 2))  # noqa: E731
    number = lambda: testing(lambda x: x)  # noqa: E731
    checked = lambda: testing(  # noqa: E731
        lambda x: tf.greater(tf.debugging.check_numerics(tf.where(tf.equal(x, 2), float("nan"), 1.0), "bad"), 0)
    )
    unique = lambda values, op="UniqueDataset", raw=None: apply(tf, op, raw or rows(tf, values))  # noqa: E731
    found = {}
    for n, shards, index in [(10, 3, 0), (10, 3, 2), (3, 5, 1), (3, 5, 4), (0, 2, 0), (4, 1, 0)]:
        for fails in (False, True):
            found[f"shard {n} {shards} {index} {fails}"] = lambda n=n, s=shards, i=index, f=fails: _shard(
                tf, numbers(tf, n), s, i, f
            )
    for rate, seeds in [(rate, (42, 7)) for rate in (0.0, 0.2, 0.5, 1.0, -0.5, float("nan"))] + [
        (0.5, (0, 1)),
        (0.2, (2**40 + 7, -9)),
    ]:
        found[f"sampled {rate} {seeds}"] = lambda r=rate, s=seeds: [_sampled(tf, numbers(tf, 40), r, *s), 2, None]
    found.update(
        {
            "shard with errors": lambda: _shard(tf, failing_at(tf, numbers(tf, 9), 1, 3, 4), 3, 1),
            "shard with errors, not empty": lambda: _shard(tf, failing_at(tf, numbers(tf, 9), 1, 3, 4), 3, 1, True),
            "shard of 0": lambda: _shard(tf, numbers(tf, 9), 0, 0),
            "shard below 0": lambda: _shard(tf, numbers(tf, 9), -2, 0),
            "shard, index too large": lambda: _shard(tf, numbers(tf, 9), 3, 3),
            "shard, index below 0": lambda: _shard(tf, numbers(tf, 9), 3, -1),
            "shard, count no scalar": lambda: _shard(tf, numbers(tf, 9), [3], 0),
            "shard, index no scalar": lambda: _shard(tf, numbers(tf, 9), 3, [0]),
            "shard repeated": lambda: repeated(tf, _shard(tf, numbers(tf, 7), 3, 1), 2),
            "sampled repeated": lambda: repeated(tf, _sampled(tf, numbers(tf, 9), 0.5, 3, 4), 3),
            "sampled with errors": lambda: _sampled(tf, failing_at(tf, numbers(tf, 9), 1, 3, 4), 0.5, 3, 4),
            "sampled, rate no scalar": lambda: _sampled(tf, numbers(tf, 9), [0.5], 3, 4),
            "sampled, seed no scalar": lambda: _sampled(tf, numbers(tf, 9), 0.5, [3], 4),
            "sampled, seed2 no scalar": lambda: _sampled(tf, numbers(tf, 9), 0.5, 3, [4]),
            "ignored": lambda: ignored(failing_at(tf, numbers(tf, 9), 1, 3, 4, 8)),
            "ignored of another name": lambda: ignored(
                failing_at(tf, numbers(tf, 9), 0), "ExperimentalIgnoreErrorsDataset"
            ),
            "ignored, all": lambda: ignored(failing_at(tf, numbers(tf, 3), 0, 1, 2)),
            "ignored, none": lambda: ignored(numbers(tf, 3)),
            "ignored batches": lambda: ignored(
                apply(
                    tf,
                    "BatchDataset",
                    failing_at(tf, numbers(tf, 7), 1, 4),
                    None,
                    [tf.TensorShape([None])],
                    batch_size=int64(tf, 2),
                ),
            ),
            "until": lambda: until(numbers(tf, 9), below(4)),
            "until at once": lambda: until(numbers(tf, 9), below(0)),
            "until, never": lambda: until(numbers(tf, 3), below(9)),
            "until of another name": lambda: until(numbers(tf, 9), below(4), "ExperimentalTakeWhileDataset"),
            "until an argument": lambda: until(numbers(tf, 9), below_argument(), arguments=[int64(tf, 3)]),
            "until, with errors": lambda: until(failing_at(tf, numbers(tf, 9), 1, 4, 6), below(5.0, tf.float32)),
            "until, failing": lambda: until(numbers(tf, 4), checked()),
            "until, vector": lambda: until(numbers(tf, 9), vector()),
            "until, vector of one": lambda: until(numbers(tf, 9), vector_of_one()),
            "until, number": lambda: until(numbers(tf, 9), number()),
            "filtered by vectors": lambda: until(numbers(tf, 9), vector(), "FilterDataset"),
            "filtered by numbers": lambda: until(numbers(tf, 9), number(), "FilterDataset"),
            "until, repeated": lambda: repeated(tf, until(numbers(tf, 9), below(3)), 2),
            "unique": lambda: unique(int64(tf, [1, 2, 1, 3, 3, 2, 9, 1])),
            "unique of int32": lambda: unique(tf.constant([1, 2, 1, 3])),
            "unique of another name": lambda: unique(int64(tf, [1, 2, 1]), "ExperimentalUniqueDataset"),
            "unique texts": lambda: unique(tf.constant(["a", "b", "a", "", "ab", ""])),
            "unique floats": lambda: unique(tf.constant([1.0, 1.0])),
            "unique of vectors": lambda: unique(int64(tf, [[1, 2], [1, 2]])),
            "unique of two": lambda: unique(None, raw=rows(tf, int64(tf, [1, 1]), int64(tf, [1, 1]))),
            "unique with errors": lambda: unique(
                None,
                raw=mapped(tf, failing_at(tf, numbers(tf, 6), 2, 3), _halved(tf), [tf.int64]),
            ),
            "auto shard": lambda: _auto_shard(tf, numbers(tf, 9), 3, 1),
            "auto shard of another name": lambda: _auto_shard(tf, numbers(tf, 9), 3, 1, "ExperimentalAutoShardDataset"),
            "auto shard of 1": lambda: _auto_shard(tf, numbers(tf, 4), 1, 0),
            "auto shard of 0": lambda: _auto_shard(tf, numbers(tf, 4), 0, 0),
            "auto shard, index too large": lambda: _auto_shard(tf, numbers(tf, 4), 2, 2),
            "auto shard, index below 0": lambda: _auto_shard(tf, numbers(tf, 4), 2, -1),
            "auto shard, count no scalar": lambda: _auto_shard(tf, numbers(tf, 4), [2], 1),
            "auto shard, index no scalar": lambda: _auto_shard(tf, numbers(tf, 4), 2, [1]),
        }
    )
    return found


def _halved(tf):
    @defun(tf, tf.float32)
    def halved(x):
        return tf.cast(x, tf.int64) // 2

    return halved


def _rebatched(tf, raw, replicas, op="RebatchDataset", **more):
    return apply(tf, op, raw, None, [tf.TensorShape(None)] * len(raw.types), num_replicas=int64(tf, replicas), **more)


def _sparse(tf, raw, size, shape, op="DenseToSparseBatchDataset"):
    """Batches as sparse tensors, and of each the parts."""
    made = apply(tf, op, raw, raw.types, [tf.TensorShape([3])], batch_size=int64(tf, size), row_shape=int64(tf, shape))
    (dtype,) = raw.types

    @defun(tf, tf.variant)
    def parts(x):
        return tf.raw_ops.DeserializeSparse(serialized_sparse=x, dtype=dtype)

    made = made._replace(types=[tf.variant], shapes=[tf.TensorShape([3])])
    unknown = tf.TensorShape(None)
    return mapped(tf, made, parts, [tf.int64, dtype, tf.int64], [unknown, unknown, unknown])


def _batch_programs(tf):
    def batches(n, size, drops=False):
        return apply(
            tf,
            "BatchDatasetV2",
            numbers(tf, n),
            None,
            [tf.TensorShape([size if drops else None])],
            batch_size=int64(tf, size),
            drop_remainder=tf.constant(drops),
        )

    unbatched = lambda raw, op="UnbatchDataset", shape=(): apply(  # noqa: E731
        tf, op, raw, None, [tf.TensorShape(shape)] * len(raw.types)
    )
    found = {}
    for n, size, drops, replicas in [
        (8, 4, False, 2),
        (10, 4, True, 2),
        (9, 4, False, 2),
        (8, 4, True, 1),
        (8, 3, True, 2),
    ]:
        found[f"rebatch {n} {size} {drops} {replicas}"] = lambda n=n, s=size, d=drops, r=replicas: _rebatched(
            tf, batches(n, s, d), r
        )
    found.update(
        {
            "rebatch of another name": lambda: _rebatched(tf, batches(8, 4), 2, "ExperimentalRebatchDataset"),
            "rebatch by fallback": lambda: _rebatched(tf, batches(8, 4), 2, use_fallback=True),
            "rebatch without fallback": lambda: _rebatched(tf, batches(8, 4), 2, use_fallback=False),
            "rebatch without batches": lambda: _rebatched(tf, numbers(tf, 5), 2, use_fallback=False),
            "rebatch without batches by fallback": lambda: _rebatched(tf, numbers(tf, 5), 2),
            "rebatch mapped": lambda: _rebatched(
                tf,
                mapped(tf, batches(8, 4), _twice(tf, tf.int64), None, [tf.TensorShape([None])]),
                2,
                use_fallback=False,
            ),
            "rebatch rows": lambda: _rebatched(tf, rows(tf, int64(tf, [[1, 2, 3, 4], [5, 6, 7, 8]])), 2),
            "rebatch rows of two": lambda: _rebatched(
                tf, rows(tf, int64(tf, [[1, 2, 3]]), tf.constant([["a", "b", "c"]])), 2
            ),
            "rebatch rows of several lengths": lambda: _rebatched(
                tf, rows(tf, int64(tf, [[1, 2]]), int64(tf, [[1, 2, 3]])), 2
            ),
            "rebatch with empty": lambda: _rebatched(tf, of_shapes(tf, [2], [0], [1], [3]), 2),
            "rebatch to 3": lambda: _rebatched(tf, of_shapes(tf, [1], [2], [3], [4], [5], [7], [8]), 3),
            "rebatch to 4": lambda: _rebatched(tf, of_shapes(tf, [1], [5], [6], [7], [9]), 4),
            "rebatch with errors": lambda: _rebatched(
                tf,
                apply(
                    tf,
                    "BatchDataset",
                    failing_at(tf, numbers(tf, 9), 3, 6),
                    None,
                    [tf.TensorShape([None])],
                    batch_size=int64(tf, 2),
                ),
                2,
            ),
            "rebatch matrices": lambda: _rebatched(tf, of_shapes(tf, [3, 2], [2, 1]), 2),
            "rebatch of 0": lambda: _rebatched(tf, batches(8, 4), 0),
            "rebatch, count no scalar": lambda: _rebatched(tf, batches(8, 4), [2]),
            "sparse": lambda: _sparse(tf, of_shapes(tf, [1], [3], [0], [2]), 3, [4]),
            "sparse of another name": lambda: _sparse(
                tf, of_shapes(tf, [1], [3]), 2, [4], "ExperimentalDenseToSparseBatchDataset"
            ),
            "sparse of any length": lambda: _sparse(tf, of_shapes(tf, [1], [3], [0], [2]), 3, [-1]),
            "sparse matrices": lambda: _sparse(tf, of_shapes(tf, [1, 2], [2, 2], [0, 4]), 2, [2, -1]),
            "sparse texts": lambda: _sparse(tf, of_shapes(tf, [1], [3], dtype=tf.string), 2, [4]),
            "sparse of scalars": lambda: _sparse(tf, numbers(tf, 3), 2, []),
            "sparse too long": lambda: _sparse(tf, of_shapes(tf, [1], [3], [2], [1]), 2, [2]),
            "sparse of another rank": lambda: _sparse(tf, of_shapes(tf, [1], [3], [2], [1]), 2, [2, 2]),
            "sparse with errors": lambda: _sparse(tf, failing_at(tf, numbers(tf, 7), 1, 4), 2, []),
            "sparse of two": lambda: apply(
                tf,
                "DenseToSparseBatchDataset",
                rows(tf, int64(tf, [1]), int64(tf, [1])),
                [tf.variant],
                [tf.TensorShape([3])],
                batch_size=int64(tf, 2),
                row_shape=int64(tf, []),
            ),
            "sparse, size 0": lambda: _sparse(tf, numbers(tf, 3), 0, []),
            "sparse, size no scalar": lambda: _sparse(tf, numbers(tf, 3), [1], []),
            "sparse, shape no vector": lambda: _sparse(tf, of_shapes(tf, [1]), 2, 4),
            "sparse, shape below -1": lambda: _sparse(tf, of_shapes(tf, [1]), 2, [-2]),
            "sparse nothing": lambda: _sparse(tf, numbers(tf, 0), 2, []),
            "unbatched": lambda: unbatched(batches(7, 3)),
            "unbatched of another name": lambda: unbatched(batches(7, 3), "ExperimentalUnbatchDataset"),
            "unbatched of two": lambda: unbatched(
                rows(tf, int64(tf, [[1, 2], [3, 4]]), tf.constant([["a", "b"], ["c", "d"]]))
            ),
            "unbatched matrices": lambda: unbatched(rows(tf, int64(tf, [[[1, 2], [3, 4]]])), "UnbatchDataset", [2]),
            "unbatched with empty": lambda: unbatched(of_shapes(tf, [2], [0], [1], [0])),
            "unbatched nothing": lambda: unbatched(of_shapes(tf, [0], [0])),
            "unbatched scalars": lambda: unbatched(numbers(tf, 3)),
            "unbatched of several lengths": lambda: unbatched(
                rows(tf, int64(tf, [[1, 2], [3, 4]]), int64(tf, [[1, 2, 3], [3, 4, 5]]))
            ),
            "unbatched with errors": lambda: unbatched(
                apply(
                    tf,
                    "BatchDataset",
                    failing_at(tf, numbers(tf, 9), 3, 6),
                    None,
                    [tf.TensorShape([None])],
                    batch_size=int64(tf, 2),
                )
            ),
            "asserted nothing": lambda: _asserted(tf, numbers(tf, 2), tf.constant([], tf.string)),
            "asserted a scalar": lambda: _asserted(tf, numbers(tf, 2), "Range"),
            "asserted a matrix": lambda: _asserted(tf, numbers(tf, 2), [["Range"]]),
            "asserted zip": lambda: numbers(tf, 2)._replace(
                variant=tf.raw_ops.ZipDataset(
                    input_datasets=[_asserted(tf, numbers(tf, 2), ["Zip[0]"]).variant], **spec(numbers(tf, 2))
                )
            ),
        }
    )
    return found


def _asserted(tf, raw, names, op="AssertNextDataset"):
    return apply(tf, op, raw, transformations=tf.convert_to_tensor(names))


def _twice(tf, dtype):
    @defun(tf, dtype)
    def twice(x):
        return x * 2

    return twice


def _directed(tf, selector, inputs, op="DirectedInterleaveDataset"):
    raw = inputs[0]
    return raw._replace(
        variant=getattr(tf.raw_ops, op)(
            selector_input_dataset=selector.variant, data_input_datasets=[one.variant for one in inputs], **spec(raw)
        )
    )


def _reduced(tf, raw, key, init, reduce, finalize, types=None, op="GroupByReducerDataset", arguments=()):
    return apply(
        tf,
        op,
        raw,
        types,
        [tf.TensorShape(None)] * len(types or raw.types),
        key_func=key,
        init_func=init,
        reduce_func=reduce,
        finalize_func=finalize,
        key_func_other_arguments=list(arguments),
        init_func_other_arguments=[],
        reduce_func_other_arguments=[],
        finalize_func_other_arguments=[],
    )


def _grouped(tf, raw, key, reduce, size, op="GroupByWindowDataset", types=None):
    return apply(
        tf,
        op,
        raw,
        types,
        [tf.TensorShape(None)] * len(types or raw.types),
        key_func=key,
        reduce_func=reduce,
        window_size_func=size,
        key_func_other_arguments=[],
        reduce_func_other_arguments=[],
        window_size_func_other_arguments=[],
    )


def _group_programs(tf):
    choose = lambda *which: rows(tf, int64(tf, which))  # noqa: E731
    three = lambda: [numbers(tf, 0, 2), numbers(tf, 10, 14), numbers(tf, 20, 21)]  # noqa: E731

    def function(*types):
        return lambda body: defun(tf, *types)(body)

    i64 = tf.int64
    mod3 = lambda: function(i64)(lambda x: x % 3)  # noqa: E731
    bad_key = lambda: function(i64)(  # noqa: E731
        lambda x: (
            tf.cast(tf.debugging.check_numerics(tf.where(tf.equal(x, 4), float("nan"), 1.0), "bad"), i64) * (x % 3)
        )
    )
    zero = lambda: function(i64)(lambda key: int64(tf, 100) * key)  # noqa: E731
    add = lambda: function(i64, i64)(lambda state, x: state + x)  # noqa: E731
    same = lambda *types: function(*(types or [i64]))(lambda x: tf.identity(x))  # noqa: E731

    def two_states():
        return _reduced(
            tf,
            numbers(tf, 8),
            mod3(),
            function(i64)(lambda key: (key, tf.strings.as_string(key))),
            function(i64, tf.string, i64)(lambda a, b, x: (a + x, b + tf.strings.as_string(x))),
            function(i64, tf.string)(lambda a, b: (b, a)),
            [tf.string, i64],
        )

    def batch_of(size=99):
        def body(key, window):
            raw = Raw(window, [i64], [tf.TensorShape([])])
            return apply(tf, "BatchDataset", raw, batch_size=int64(tf, size)).variant

        return function(i64, tf.variant)(body)

    def of_size(value):
        return function(i64)(lambda key: int64(tf, value) + 0 * key)

    by_key = lambda: function(i64)(lambda key: key + 1)  # noqa: E731
    scan = lambda raw, state, f, types=None, op="ScanDataset", arguments=(), **more: apply(  # noqa: E731
        tf,
        op,
        raw,
        types,
        [tf.TensorShape(None)] * len(types or raw.types),
        initial_state=state,
        f=f,
        other_arguments=list(arguments),
        **more,
    )
    sums = lambda: function(i64, i64)(lambda s, x: (s + x, s * x))  # noqa: E731
    end_at_3 = lambda: function(i64, i64)(  # noqa: E731
        lambda s, x: (s + x, tf.gather(int64(tf, [5, 6, 7]), tf.cast(x, tf.int32)))
    )

    def ends(keeps):
        def body(s, x):
            handle = tf.raw_ops.FIFOQueueV2(component_types=[i64], shared_name=f"empty{keeps}")
            close = tf.raw_ops.QueueCloseV2(handle=handle)
            with tf.control_dependencies([close]):
                (value,) = tf.raw_ops.QueueDequeueV2(handle=handle, component_types=[i64])
            return s, value

        return scan(numbers(tf, 1), [int64(tf, 1)], function(i64, i64)(body), preserve_cardinality=keeps)

    return {
        "directed": lambda: _directed(tf, choose(1, 0, 1, 2, 1, 0), three()),
        "directed of another name": lambda: _directed(
            tf, choose(1, 0), three(), "ExperimentalDirectedInterleaveDataset"
        ),
        "directed to ended": lambda: _directed(tf, choose(2, 2, 2, 0, 0, 0, 1, 1), three()),
        "directed until all ended": lambda: _directed(
            tf, repeated(tf, choose(0, 1, 2)), [numbers(tf, 0, 2), numbers(tf, 10, 13), numbers(tf, 20, 21)]
        ),
        "directed too far": lambda: _directed(tf, choose(1, 3, 0), three()),
        "directed below 0": lambda: _directed(tf, choose(1, -1, 0), three()),
        "directed by int32": lambda: _directed(tf, rows(tf, tf.constant([0, 1])), three()),
        "directed by vectors": lambda: _directed(tf, rows(tf, int64(tf, [[0], [1]])), three()),
        "directed by two": lambda: _directed(tf, rows(tf, int64(tf, [0]), int64(tf, [0])), three()),
        "directed with errors": lambda: _directed(
            tf, choose(0, 1, 0, 1, 0), [failing_at(tf, numbers(tf, 3), 1), failing_at(tf, numbers(tf, 3), 1)]
        ),
        "directed by errors": lambda: _directed(
            tf,
            mapped(tf, failing_at(tf, numbers(tf, 3), 1), function(tf.float32)(lambda x: tf.cast(x, i64)), [i64]),
            three(),
        ),
        "directed to other types": lambda: _directed(tf, choose(0, 1), [numbers(tf, 2), rows(tf, tf.constant([1]))]),
        "directed nothing": lambda: _directed(tf, numbers(tf, 0), three()),
        "reduced": lambda: _reduced(tf, numbers(tf, 10), mod3(), zero(), add(), same()),
        "reduced of another name": lambda: _reduced(
            tf, numbers(tf, 4), mod3(), zero(), add(), same(), op="ExperimentalGroupByReducerDataset"
        ),
        "reduced with an argument": lambda: _reduced(
            tf,
            numbers(tf, 5),
            function(i64, i64)(lambda x, y: x % y),
            zero(),
            add(),
            same(),
            arguments=[int64(tf, 2)],
        ),
        "reduced descending": lambda: _reduced(tf, numbers(tf, 9, -4, -2), mod3(), zero(), add(), same()),
        "reduced two states": two_states,
        "reduced nothing": lambda: _reduced(tf, numbers(tf, 0), mod3(), zero(), add(), same()),
        "reduced with errors": lambda: _reduced(
            tf,
            failing_at(tf, numbers(tf, 5), 2),
            function(tf.float32)(lambda x: tf.cast(x, i64) % 3),
            function(i64)(lambda key: 0.0),
            function(tf.float32, tf.float32)(lambda s, x: s + x),
            same(tf.float32),
        ),
        "reduced, failing key": lambda: _reduced(tf, numbers(tf, 7), bad_key(), zero(), add(), same()),
        "reduced, key of int32": lambda: _reduced(
            tf, numbers(tf, 5), function(i64)(lambda x: tf.cast(x, tf.int32)), zero(), add(), same()
        ),
        "reduced, key no scalar": lambda: _reduced(
            tf, numbers(tf, 5), function(i64)(lambda x: [x]), zero(), add(), same()
        ),
        "reduced, failing finalize": lambda: _reduced(
            tf,
            numbers(tf, 8),
            mod3(),
            function(i64)(lambda key: key),
            function(i64, i64)(lambda s, x: tf.identity(s)),
            function(i64)(
                lambda x: tf.cast(
                    tf.debugging.check_numerics(tf.where(tf.equal(x, 1), float("nan"), tf.cast(x, tf.float32)), "bad"),
                    i64,
                )
            ),
        ),
        "grouped": lambda: _grouped(tf, numbers(tf, 11), mod3(), batch_of(), of_size(2)),
        "grouped of another name": lambda: _grouped(
            tf, numbers(tf, 5), mod3(), batch_of(), of_size(2), "ExperimentalGroupByWindowDataset"
        ),
        "grouped by size of key": lambda: _grouped(tf, numbers(tf, 14), mod3(), batch_of(), by_key()),
        "grouped in parts": lambda: _grouped(tf, numbers(tf, 14), mod3(), batch_of(2), of_size(5)),
        "grouped descending": lambda: _grouped(
            tf, numbers(tf, 20, 0, -1), function(i64)(lambda x: -x % 4), batch_of(), of_size(3)
        ),
        "grouped nothing": lambda: _grouped(tf, numbers(tf, 0), mod3(), batch_of(), of_size(2)),
        "grouped, size 0": lambda: _grouped(tf, numbers(tf, 5), mod3(), batch_of(), of_size(0)),
        "grouped, size of int32": lambda: _grouped(
            tf, numbers(tf, 5), mod3(), batch_of(), function(i64)(lambda key: tf.constant(2))
        ),
        "grouped, size no scalar": lambda: _grouped(
            tf, numbers(tf, 5), mod3(), batch_of(), function(i64)(lambda key: [key])
        ),
        "grouped, key of int32": lambda: _grouped(
            tf, numbers(tf, 5), function(i64)(lambda x: tf.cast(x, tf.int32)), batch_of(), of_size(2)
        ),
        "grouped, key no scalar": lambda: _grouped(
            tf, numbers(tf, 5), function(i64)(lambda x: [x]), batch_of(), of_size(2)
        ),
        "grouped, failing key": lambda: _grouped(tf, numbers(tf, 9), bad_key(), batch_of(), of_size(2)),
        "grouped with errors": lambda: _grouped(
            tf,
            mapped(tf, failing_at(tf, numbers(tf, 9), 1, 7), function(tf.float32)(lambda x: tf.cast(x, i64)), [i64]),
            mod3(),
            batch_of(),
            of_size(2),
        ),
        "grouped, to no dataset": lambda: _grouped(
            tf, numbers(tf, 5), mod3(), function(i64, tf.variant)(lambda key, window: key), of_size(2)
        ),
        "grouped, to nothing": lambda: _grouped(
            tf,
            numbers(tf, 5),
            mod3(),
            function(i64, tf.variant)(
                lambda key, window: taken(tf, Raw(window, [i64], [tf.TensorShape([])]), 0).variant
            ),
            of_size(2),
        ),
        "grouped repeated": lambda: repeated(tf, _grouped(tf, numbers(tf, 7), mod3(), batch_of(), of_size(2)), 2),
        "scanned": lambda: scan(numbers(tf, 6), [int64(tf, 1)], sums()),
        "scanned of another name": lambda: scan(numbers(tf, 3), [int64(tf, 1)], sums(), op="ExperimentalScanDataset"),
        "scanned with an argument": lambda: scan(
            numbers(tf, 4),
            [int64(tf, 1)],
            function(i64, i64, i64)(lambda s, x, y: (s + y, x * s)),
            arguments=[int64(tf, 5)],
        ),
        "scanned two": lambda: scan(
            rows(tf, int64(tf, range(4)), tf.constant(["a", "b", "c", "d"])),
            [tf.constant(""), int64(tf, 0)],
            function(tf.string, i64, i64, tf.string)(lambda s, n, x, t: (s + t, n + x, s + t, n)),
            [tf.string, i64],
        ),
        "scanned with errors": lambda: scan(
            failing_at(tf, numbers(tf, 5), 1, 3),
            [tf.constant(1.0)],
            function(tf.float32, tf.float32)(lambda s, x: (s + x, s)),
        ),
        "scanned, failing": lambda: scan(
            numbers(tf, 5),
            [tf.constant(1.0)],
            function(tf.float32, i64)(
                lambda s, x: (s + 1, tf.debugging.check_numerics(tf.where(tf.equal(x, 2), float("nan"), s), "bad"))
            ),
            [tf.float32],
        ),
        "scanned, growing state": lambda: scan(
            numbers(tf, 4),
            [int64(tf, [])],
            function(i64, i64)(lambda s, x: (tf.concat([s, [x]], 0), tf.reduce_sum(s))),
        ),
        "scanned, gather": lambda: scan(numbers(tf, 5), [int64(tf, 1)], end_at_3()),
        "scanned to its end": lambda: ends(False),
        "scanned to its end, keeping": lambda: ends(True),
        "scanned repeated": lambda: repeated(tf, scan(numbers(tf, 3), [int64(tf, 1)], sums()), 2),
    }


def programs(tf):
    """Functions that make datasets, by name."""
    found = {}
    for part in (_padded_programs, _window_programs, _subset_programs, _batch_programs, _group_programs):
        found.update(part(tf))
    return found
