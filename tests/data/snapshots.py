"""Programs that write and read snapshots of datasets. Run by an interpreter with TensorFlow 1.15, it prints
`snapshots.json`.
"""

import gzip
import importlib
import os
import re
import shutil
import tempfile

import numpy as np
from raw_datasets_parallel import (
    Pull,
    all_pulls,
    count_up,
    defun,
    int64,
    main,
    map_dataset,
    numbers,
    outcome,
    pulled,
    repeated,
    slices,
    spec,
    vectors,
)

__all__ = ["outcome", "programs"]

_RUN = re.compile("(?<=/[0-9a-f]{16}/)[0-9a-f]{4,16}")  # in the folder of a graph


def snapshot(tf, dataset, path, of=None, **options):
    of = of or numbers(tf)
    return tf.raw_ops.SnapshotDataset(input_dataset=dataset, path=tf.constant(path), **{**of, **options})


def function_of_module(tf):
    name = "tinytf" if tf.__name__ == "tinytf" else "tensorflow"
    return importlib.import_module(name + ".python.data.experimental.ops.snapshot").snapshot


def files(path, gzipped=False):
    """The files below a folder and their contents as text; names of runs are cut. Of metadata, whether they are final."""
    found = []
    for folder, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            below = os.path.relpath(os.path.join(folder, name), path).split("/")
            if name == "snapshot.metadata":
                assert content[8:].startswith(b"\n\x10" + below[0].encode())
                content = b"final" if content.endswith(b"\xc0>\x01") else b"begun"
            elif gzipped:
                content = gzip.decompress(content)
            below = below[:1] + ["RUN"] * (len(below) > 2) + below[-1:]
            found.append("/".join(below) + ": " + content.decode("latin-1"))
    return sorted(found)


def begins(tf, dataset, most, of=None):
    """The outcomes of the first pulls of a new session."""
    pull = Pull(tf, dataset, of or numbers(tf))
    with tf.Session() as session:
        session.run(pull.start)
        return pull.outcomes(session, most)


def failing(tf):
    """A dataset that fails at its first element."""

    @defun(tf, tf.int64)
    def fails(x):
        with tf.control_dependencies([tf.Assert(tf.less(x, 0), ["not read"])]):
            return tf.identity(x)

    return map_dataset(tf, count_up(tf, 3), fails, numbers(tf))


def moved(path, dataset_of, tf):
    """Makes the snapshot below `path` the one of the dataset that this function makes of a path."""
    other = path + "_other"
    try:
        begins(tf, dataset_of(other), 1)
        (name,) = os.listdir(other)
        (old,) = os.listdir(path)
        os.rename(os.path.join(path, old), os.path.join(path, name))
    finally:
        shutil.rmtree(other)


def in_files(tf):
    of = numbers(tf)
    found = {}

    def add(program):
        def run():
            with tempfile.TemporaryDirectory() as folder:
                return eval(_RUN.sub("RUN", repr(program(folder + "/s")).replace(folder, "FOLDER")))

        found[program.__name__.replace("_", " ")] = run

    def written_and_read(path):
        dataset = snapshot(tf, count_up(tf, 3), path)
        return [all_pulls(tf, dataset, of), files(path), all_pulls(tf, dataset, of), files(path)]

    def compressed(path):
        dataset = snapshot(tf, count_up(tf, 40), path, compression="GZIP")
        return [all_pulls(tf, dataset, of)[-3:], files(path, True), all_pulls(tf, dataset, of) == [
            *range(40), *["OutOfRangeError: End of sequence"] * 2,
        ]]  # fmt: skip

    def empty(path):
        dataset = snapshot(tf, count_up(tf, 0), path)
        return [all_pulls(tf, dataset, of), files(path), all_pulls(tf, dataset, of)]

    def empty_compressed(path):
        dataset = snapshot(tf, count_up(tf, 0), path, compression="GZIP")
        return [all_pulls(tf, dataset, of), files(path, True), all_pulls(tf, dataset, of)]

    def of_many_types(path):
        columns = [
            tf.constant([[3, 1, 4]], tf.int32), tf.constant(["", "bc\0"]), tf.constant(1.5), tf.constant([True, False]),
            tf.constant(2 + 3j, tf.complex64), tf.constant([], tf.float16), tf.constant([[7]], tf.uint8),
            tf.constant([0.5, 1.5], tf.bfloat16), tf.constant("", tf.string), tf.constant(9, tf.uint64),
        ]  # fmt: skip
        each = spec(tf, *((column.dtype, column.shape) for column in columns))
        dataset = snapshot(
            tf, tf.raw_ops.TensorDataset(components=columns, output_shapes=each["output_shapes"]), path, each
        )
        texts = []
        for _ in range(2):
            pull = Pull(tf, dataset, each)
            with tf.Session() as session:
                session.run(pull.start)
                values = map(np.asarray, session.run(pull.next))
                values = [value.astype(float) if value.dtype.name == "bfloat16" else value for value in values]
                texts.append([f"{value.dtype} {value.tolist()}" for value in values])
                texts.append(pulled(tf, lambda: session.run(pull.next)))  # noqa: B023
        return [texts, files(path)]

    def of_sparse_rows(path):
        made = tf.data.Dataset.range(2).map(lambda x: tf.SparseTensor([[x]], [x + 5], [3]))
        dataset = made.apply(function_of_module(tf)(path))
        rows = []
        for _ in range(2):
            iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
            following = iterator.get_next()
            with tf.Session() as session:
                session.run(iterator.initializer)
                rows += [[np.asarray(part).tolist() for part in session.run(following)] for _ in range(2)]
        return [rows, [re.sub("^[0-9a-f]+", "GRAPH", text) for text in files(path)]]

    def final_with_the_last_element(path):
        dataset = snapshot(tf, count_up(tf, 3), path)
        return [begins(tf, dataset, 3), files(path)]

    def of_the_first_elements(path):
        dataset = snapshot(tf, count_up(tf, 3), path)
        first = begins(tf, dataset, 1)
        return [first, [text for text in files(path) if "metadata" in text], all_pulls(tf, dataset, of),
                [text for text in files(path) if "metadata" in text]]  # fmt: skip

    def expired(path):
        dataset = snapshot(tf, count_up(tf, 3), path, pending_snapshot_expiry_seconds=1000)
        begins(tf, dataset, 1)
        (graph,) = os.listdir(path)
        metadata = os.path.join(path, graph, "snapshot.metadata")
        with open(metadata, "rb") as file:
            content = file.read()
        message = content[8:44] + b"\x18\x01"  # created long ago
        with open(metadata, "wb") as file:
            file.write(bytes([len(message)]) + bytes(7) + message)
        outcomes = all_pulls(tf, dataset, of)
        return [
            outcomes,
            [text for text in files(path) if "metadata" in text],
            len(os.listdir(os.path.join(path, graph))),
        ]

    def by_two_at_a_time(path):
        dataset = snapshot(tf, count_up(tf, 3), path)
        first, second = Pull(tf, dataset, of, "first"), Pull(tf, dataset, of, "second")
        with tf.Session() as session:
            session.run([first.start, second.start])
            outcomes = [pull.outcome(session) for pull in (first, second, second, first, second, second, first, first)]
        return [outcomes, files(path)]

    def input_is_not_run(path):
        begins(tf, snapshot(tf, count_up(tf, 3), path), 4)
        again = lambda path: snapshot(tf, failing(tf), path)  # noqa: E731
        moved(path, again, tf)
        return all_pulls(tf, again(path), of)

    def repeated_twice(path):
        dataset = repeated(tf, snapshot(tf, count_up(tf, 3), path), 2, of)
        return [all_pulls(tf, dataset, of), files(path)]

    def in_several_files(path):
        each = spec(tf, ("int64", [80000]))
        rows = tf.constant(np.arange(5)[:, None] * np.ones([1, 80000], np.int64))
        sliced = tf.raw_ops.TensorSliceDataset(components=[rows], output_shapes=[[80000]])
        dataset = snapshot(tf, sliced, path, each, shard_size_bytes=1 << 20)
        outcomes = []
        for _ in range(2):
            outcomes.append([row[-1] if isinstance(row, list) else row for row in all_pulls(tf, dataset, each)])
        return [outcomes, [text[:60].partition(":")[0] + f": {len(text)}" for text in files(path)]]

    def by_several_threads(path):
        several = {"num_writer_threads": 3, "writer_buffer_size": 4, "num_reader_threads": 3, "reader_buffer_size": 6}
        dataset = snapshot(tf, count_up(tf, 20), path, compression="GZIP", **several)
        written = all_pulls(tf, dataset, of)
        names = [text.partition(":")[0] for text in files(path, True)]
        return [written, names, sorted(map(str, all_pulls(tf, dataset, of)))]

    def with_prefixes(path):
        prefix = path + "_w"
        dataset = snapshot(tf, count_up(tf, 2), path, writer_path_prefix=prefix)
        return [all_pulls(tf, dataset, of), files(path), files(prefix + path), begins(tf, dataset, 1)]

    def read_with_a_prefix(path):
        begins(tf, snapshot(tf, count_up(tf, 2), path), 3)
        prefix = path + "_r"
        shutil.copytree(path, prefix + path)
        for folder, _, names in os.walk(path):
            for name in names:
                if name.endswith(".snapshot"):
                    open(os.path.join(folder, name), "w").close()
        return all_pulls(tf, snapshot(tf, count_up(tf, 2), path, reader_path_prefix=prefix), of)

    def without_files(path):
        dataset = snapshot(tf, count_up(tf, 2), path)
        begins(tf, dataset, 3)
        for folder, _, names in os.walk(path):
            for name in names:
                if name.endswith(".snapshot"):
                    os.remove(os.path.join(folder, name))
        return begins(tf, dataset, 1)

    def of_equal_graphs(path):
        for count in (2, 3, 2):
            begins(tf, snapshot(tf, repeated(tf, count_up(tf, 1), count, of), path), 4)
        return files(path)

    def of_batches(path):
        batches = tf.raw_ops.BatchDatasetV2(
            input_dataset=count_up(tf, 5), batch_size=int64(tf, 2), drop_remainder=tf.constant(False), **vectors(tf)
        )
        dataset = snapshot(tf, batches, path, vectors(tf))
        return [all_pulls(tf, dataset, vectors(tf)), files(path), all_pulls(tf, dataset, vectors(tf))]

    def inside_functions(path):
        @defun(tf, tf.int64)
        def function(x):
            return snapshot(tf, count_up(tf, 2), path)

        flat = tf.raw_ops.FlatMapDataset(input_dataset=count_up(tf, 2), other_arguments=[], f=function, **of)
        return [all_pulls(tf, flat, of), [text for text in files(path) if "metadata" in text]]

    def cardinality(path):
        dataset = snapshot(tf, slices(tf, [1, 2, 3]), path)
        with tf.Session() as session:
            return int(session.run(tf.raw_ops.ExperimentalDatasetCardinality(input_dataset=dataset)))

    for program in (
        written_and_read,
        compressed,
        empty,
        empty_compressed,
        of_many_types,
        of_sparse_rows,
        final_with_the_last_element,
        of_the_first_elements,
        expired,
        by_two_at_a_time,
        input_is_not_run,
        repeated_twice,
        in_several_files,
        by_several_threads,
        with_prefixes,
        read_with_a_prefix,
        without_files,
        of_equal_graphs,
        of_batches,
        inside_functions,
        cardinality,
    ):
        add(program)
    return found


def wrong_attrs(tf):
    """Attrs that no snapshot can have."""
    return {
        f"with {name} {value}": lambda name=name, value=value: pulled(
            tf, lambda: begins(tf, snapshot(tf, count_up(tf, 1), "/nowhere", **{name: value}), 1)
        )
        for name, value in (
            ("compression", "ZLIB"),
            ("shard_size_bytes", 1000),
            ("shard_size_bytes", -2),
            ("pending_snapshot_expiry_seconds", 0),
        )
    }


def _hashed(tf):
    """Datasets without functions, which TensorFlow hashes as its optimizations leave them."""
    data = tf.data.Dataset
    numbers = data.range
    return {
        "a range": lambda: numbers(8),
        "a tensor": lambda: data.from_tensors(1.5),
        "tensors": lambda: data.from_tensors((["a", "bc"], 1.5, [True], [1, 2, 3], [[0.5, 0.25]])),
        "equal numbers": lambda: data.from_tensors(tf.zeros([3, 2])),
        "slices": lambda: data.from_tensor_slices({"x": [1, 2], "y": ["one", "two"]}),
        "batches": lambda: numbers(8).batch(3, drop_remainder=True),
        "parts": lambda: numbers(8).skip(2).take(3).repeat(2),
        "zipped": lambda: data.zip((numbers(3), numbers(4).concatenate(numbers(2)))),
        "shuffled": lambda: numbers(8).shuffle(5, seed=3),
        "padded": lambda: data.from_tensors([1, 2]).padded_batch(2, [3]),
        "prefetched": lambda: numbers(3).prefetch(2),
        "cached": lambda: numbers(3).cache(),
        "sharded": lambda: numbers(8).shard(2, 1),
    }


def hashes(tf):
    """The names of the folders of snapshots."""

    def program(make):
        def run():
            with tempfile.TemporaryDirectory() as folder:
                dataset = make().apply(function_of_module(tf)(folder, compression="GZIP"))
                iterator = tf.compat.v1.data.make_initializable_iterator(dataset)
                following = iterator.get_next()
                with tf.Session() as session:
                    session.run(iterator.initializer)
                    session.run(following)
                return os.listdir(folder)

        return run

    return {f"hash of {name}": program(make) for name, make in _hashed(tf).items()}


def programs(tf):
    return {**in_files(tf), **wrong_attrs(tf), **hashes(tf)}


if __name__ == "__main__":
    main(programs)
