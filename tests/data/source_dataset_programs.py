"""Programs of the datasets of sparse tensors, random numbers and names of files, and of wrapped datasets."""

import os

from data.raw_datasets_sources import i64, outcome, text, write

__all__ = ["outcome", "programs"]


def programs(tf):
    """The programs by name."""
    raw = tf.raw_ops
    int64s = [tf.int64], [[]]

    def sparse(indices, values, shape, is_fed=False):
        def program(tf, folder):
            parts = [i64(tf, indices), values(tf), i64(tf, shape)]
            if is_fed:
                parts = [tf.placeholder_with_default(part, None) for part in parts]
            dataset = raw.SparseTensorSliceDataset(indices=parts[0], values=parts[1], dense_shape=parts[2])
            return dataset, [tf.int64, parts[1].dtype, tf.int64], [[None, None], [None], [None]]

        return program

    def numbers(*values):
        return lambda tf: tf.constant(values, tf.float32)

    def random(seed, seed2, op="RandomDataset"):
        return lambda tf, folder: (
            (getattr(raw, op)(seed=seed(tf), seed2=seed2(tf), output_types=int64s[0], output_shapes=int64s[1]),)
            + int64s
        )

    def matching(*patterns, op="MatchingFilesDataset", is_scalar=False):
        def program(tf, folder):
            for name in ("b.txt", "a.txt", "c.csv"):
                write(folder, name, b"")
            for inner in ("sub", "sub/deep", "other"):
                os.mkdir(os.path.join(folder, inner))
            for name in ("sub/z.txt", "sub/y.txt", "sub/deep/x.txt", "other/a.txt"):
                write(folder, name, b"")
            found = [os.path.join(folder, pattern) if pattern else pattern for pattern in patterns]
            dataset = getattr(raw, op)(patterns=text(tf, found[0] if is_scalar else found))
            return dataset, [tf.string], [[]]

        return program

    def count(tf, n=4):
        return raw.RangeDataset(
            start=i64(tf, 0), stop=i64(tf, n), step=i64(tf, 1), output_types=int64s[0], output_shapes=int64s[1]
        )

    def non_serializable(op):
        return lambda tf, folder: (
            (getattr(raw, op)(input_dataset=count(tf), output_types=int64s[0], output_shapes=int64s[1]),) + int64s
        )

    return {
        "sparse": sparse([[0, 0], [0, 2], [2, 1]], numbers(1, 2, 3), [4, 3]),
        "sparse of strings": sparse([[0, 0], [1, 1]], lambda tf: tf.constant(["a", "bc"]), [2, 2]),
        "sparse of rank 3": sparse([[0, 0, 1], [0, 1, 0], [3, 1, 1]], numbers(1, 2, 3), [5, 2, 2]),
        "sparse of rank 1": sparse([[0], [2]], numbers(1, 2), [4]),
        "sparse with an empty batch": lambda tf, folder: (
            raw.SparseTensorSliceDataset(
                indices=tf.zeros([0, 2], tf.int64), values=tf.zeros([0]), dense_shape=i64(tf, [2, 2])
            ),
            [tf.int64, tf.float32, tf.int64],
            [[None, None], [None], [None]],
        ),
        "sparse of no rows": lambda tf, folder: (
            raw.SparseTensorSliceDataset(
                indices=tf.zeros([0, 2], tf.int64), values=tf.zeros([0]), dense_shape=i64(tf, [0, 2])
            ),
            [tf.int64, tf.float32, tf.int64],
            [[None, None], [None], [None]],
        ),
        "sparse with unordered rows": sparse([[2, 0], [0, 2]], numbers(1, 2), [4, 3]),
        "sparse with unordered columns": sparse([[0, 2], [0, 1], [1, 0]], numbers(1, 2, 3), [2, 3]),
        "sparse with rows out of range": sparse([[0, 0], [7, 2]], numbers(1, 2), [4, 3]),
        "sparse with columns out of range": sparse([[0, 0], [1, 9]], numbers(1, 2), [4, 3]),
        "sparse with negative rows": sparse([[-1, 0], [1, 1]], numbers(1, 2), [4, 3]),
        "sparse with other counts": sparse([[0, 0], [1, 1]], numbers(1, 2, 3), [4, 3]),
        "sparse with other counts, fed": sparse([[0, 0], [1, 1]], numbers(1, 2, 3), [4, 3], is_fed=True),
        "sparse with other ranks": sparse([[0, 0], [1, 1]], numbers(1, 2), [4, 3, 2]),
        "sparse with other ranks, fed": sparse([[0, 0], [1, 1]], numbers(1, 2), [4, 3, 2], is_fed=True),
        "sparse with a vector of indices": sparse([0, 1], numbers(1, 2), [4], is_fed=True),
        "sparse with a matrix of values": sparse(
            [[0, 0], [1, 1]], lambda tf: tf.constant([[1.0], [2.0]]), [4, 3], is_fed=True
        ),
        "sparse with a matrix of values, static": sparse(
            [[0, 0], [1, 1]], lambda tf: tf.constant([[1.0], [2.0]]), [4, 3]
        ),
        "sparse with a vector of indices, static": sparse([0, 1], numbers(1, 2), [4]),
        "sparse with a matrix as shape": sparse([[0, 0], [1, 1]], numbers(1, 2), [[4, 3]], is_fed=True),
        "sparse with a matrix as shape, static": sparse([[0, 0], [1, 1]], numbers(1, 2), [[4, 3]]),
        "random": random(lambda tf: i64(tf, 1), lambda tf: i64(tf, 2)),
        "random, early": random(lambda tf: i64(tf, 7), lambda tf: i64(tf, 0), op="ExperimentalRandomDataset"),
        "random of large seeds": random(lambda tf: i64(tf, -(2**63)), lambda tf: i64(tf, 2**63 - 1)),
        "random of vectors": random(lambda tf: i64(tf, [1]), lambda tf: i64(tf, 2)),
        "random of fed vectors": random(
            lambda tf: i64(tf, 1), lambda tf: tf.placeholder_with_default(i64(tf, [2]), None)
        ),
        "matching": matching("*.txt"),
        "matching, early": matching("*.txt", op="ExperimentalMatchingFilesDataset"),
        "matching one": matching("*.csv", is_scalar=True),
        "matching several": matching("sub/*", "*.txt", "absent*"),
        "matching a plain name": matching("a.txt", "absent"),
        "matching nothing": matching("none*"),
        "matching nothing among several": matching("none*", "*.csv"),
        "matching folders": matching("*"),
        "matching through folders": matching("*/*.txt"),
        "matching deeper": matching("*/*/*"),
        "matching in an absent folder": matching("absent/*"),
        "matching classes": matching("[ab].txt"),
        "matching question marks": matching("?.txt"),
        "matching escaped": matching("sub\\z.txt", "sub\\y*", "[*].txt", "[a].txt"),
        "matching an empty pattern": matching(""),
        "matching twice": matching("*.txt", "a*"),
        "matching of a matrix": lambda tf, folder: (
            raw.MatchingFilesDataset(patterns=tf.placeholder_with_default([["a"]], None)),
            [tf.string],
            [[]],
        ),
        "matching of a static matrix": lambda tf, folder: (
            raw.MatchingFilesDataset(patterns=tf.constant([["a"]])),
            [tf.string],
            [[]],
        ),
        "non-serializable": non_serializable("NonSerializableDataset"),
        "non-serializable, early": non_serializable("ExperimentalNonSerializableDataset"),
        "unwrapped": lambda tf, folder: (
            (raw.UnwrapDatasetVariant(input_handle=raw.WrapDatasetVariant(input_handle=count(tf))),) + int64s
        ),
        "wrapped twice": lambda tf, folder: (
            (
                raw.UnwrapDatasetVariant(
                    input_handle=raw.WrapDatasetVariant(input_handle=raw.WrapDatasetVariant(input_handle=count(tf)))
                ),
            )
            + int64s
        ),
        "not wrapped": lambda tf, folder: (raw.UnwrapDatasetVariant(input_handle=count(tf)),) + int64s,
        "wrapped no dataset": lambda tf, folder: (
            (raw.WrapDatasetVariant(input_handle=raw.OptionalFromValue(components=[i64(tf, 1)])),) + int64s
        ),
        "unwrapped optional": lambda tf, folder: (
            (raw.UnwrapDatasetVariant(input_handle=raw.OptionalFromValue(components=[i64(tf, 1)])),) + int64s
        ),
    }
