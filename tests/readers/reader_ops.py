"""Ops that read external data, each built once and then fed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import tinytf as tf
from tinytf.python.data.experimental.ops import snapshot as snapshots

Run = Callable[..., Any]


def _callable(make: Callable[..., Any], inputs: int = 1, shape: Any = ()) -> Run:
    with tf.Graph().as_default() as graph:
        fed = [tf.placeholder(tf.string, list(shape)) for _ in range(inputs)]
        fetched = make(*fed)
        sess = tf.Session(graph=graph)
    return sess.make_callable(fetched, fed)


def _restored(name: str, part: str, dtype: Any) -> Callable[[Any], Any]:
    def make(prefix: Any) -> Any:
        [value] = tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=[name], shape_and_slices=[part], dtypes=[dtype])
        return tf.raw_ops.TensorListLength(input_handle=value) if dtype == tf.variant else value

    return make


def _restored_early(name: str, part: str, dtype: Any) -> Callable[[Any], Any]:
    return lambda pattern: tf.raw_ops.RestoreSlice(
        file_pattern=pattern, tensor_name=name, shape_and_slice=part, dt=dtype
    )


@cache
def restores() -> list[Run]:
    """Functions that take the prefix of a possibly damaged checkpoint."""
    wanted = (("a", "", tf.float32), ("p", "5 2 1,3:-", tf.float32), ("p", "", tf.float32), ("s", "3 1,2", tf.string))
    return [_callable(_restored(*what)) for what in (*wanted, ("t", "", tf.variant))] + [_callable(_remapped_matrix)]


def _remapped_matrix(prefix: Any) -> Any:
    return tf.raw_ops.LoadAndRemapMatrix(
        ckpt_path=prefix,
        old_tensor_name="p",
        row_remapping=[4, -1, 0],
        col_remapping=[1, -1],
        initializing_values=[1.0, 2.0, 3.0, 4.0],
        num_rows=3,
        num_cols=2,
        max_rows_in_memory=2,
    )


@cache
def vocabularies() -> Run:
    """A function that takes two vocabulary files and returns the lines of words of the first in the second."""
    return _callable(
        lambda new, old: tf.raw_ops.GenerateVocabRemapping(
            new_vocab_file=new, old_vocab_file=old, new_vocab_offset=1, num_new_vocab=2
        )[0],
        inputs=2,
    )


@cache
def early_restores() -> list[Run]:
    wanted = (("a", "", tf.float32), ("p", "5 2 1,3:-", tf.float32), ("s", "", tf.string))
    return [_callable(_restored_early(*what)) for what in wanted] + [_callable(_restored("p", "", tf.float32))]


@cache
def merge() -> Run:
    """A function that takes the prefixes of the parts and of the merged checkpoint."""
    with tf.Graph().as_default() as graph:
        parts, whole = tf.placeholder(tf.string, [None]), tf.placeholder(tf.string, [])
        op = tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=whole, delete_old_dirs=False)
        return tf.Session(graph=graph).make_callable(op, [parts, whole])


@cache
def save() -> Run:
    """A function that overwrites a checkpoint with one tensor."""
    return _callable(
        lambda prefix: tf.raw_ops.SaveV2(prefix=prefix, tensor_names=["a"], shape_and_slices=[""], tensors=[1.0])
    )


_READERS = {
    "records": lambda: tf.TFRecordReader(),
    "zlib": lambda: tf.TFRecordReader(options=tf.io.TFRecordOptions("ZLIB")),
    "gzip": lambda: tf.TFRecordReader(options=tf.io.TFRecordOptions("GZIP")),
    "lines": lambda: tf.TextLineReader(skip_header_lines=1),
    "fixed": lambda: tf.FixedLengthRecordReader(record_bytes=7, header_bytes=3, footer_bytes=2, hop_bytes=5),
    "fixed zlib": lambda: tf.FixedLengthRecordReader(record_bytes=7, encoding="ZLIB"),
    "whole": lambda: tf.WholeFileReader(),
}


@cache
def reader(kind: str) -> Run:
    """A function that takes two file names and returns the values of the first records, from the second file if the
    first has none, because the reader would wait for another name otherwise.
    """
    with tf.Graph().as_default() as graph:
        made, names = _READERS[kind](), tf.placeholder(tf.string, [2])
        queue = tf.FIFOQueue(2, [tf.string], [[]])
        with tf.control_dependencies([made.reset(), queue.dequeue_many(queue.size())]):
            enqueued = queue.enqueue_many(names)
        with tf.control_dependencies([enqueued]):
            _, values = made.read_up_to(queue, 1000)
        return tf.Session(graph=graph).make_callable(values, [names])


@cache
def snapshot(compression: str) -> Callable[[str], Iterator[Any]]:
    """A function that takes the folder of a snapshot and yields the elements of the dataset that has it."""
    with tf.Graph().as_default() as graph:
        path = tf.placeholder(tf.string, [])
        dataset = tf.data.Dataset.from_tensor_slices(([1, 2, 3], ["a", "", "bc" * 40]))
        dataset = dataset.apply(snapshots.snapshot(path, compression=compression or None))
        iterator = tf.data.make_initializable_iterator(dataset)
        sess = tf.Session(graph=graph)
        start, pull = sess.make_callable(iterator.initializer, [path]), sess.make_callable(iterator.get_next())

    def elements(folder: str) -> Iterator[Any]:
        start(folder)
        while True:
            try:
                element = pull()
            except tf.errors.OutOfRangeError:
                return
            yield element

    return elements


@cache
def restore_reader(kind: str) -> Run:
    """A function that restores the state of a reader and returns its serialized state."""
    with tf.Graph().as_default() as graph:
        made, state = _READERS[kind](), tf.placeholder(tf.string, [])
        with tf.control_dependencies([made.restore_state(state)]):
            now = made.serialize_state()
        return tf.Session(graph=graph).make_callable(now, [state])


_DENSE = {
    "f": tf.FixedLenFeature([2], tf.float32),
    "i": tf.FixedLenFeature([3], tf.int64, [7, 8, 9]),
    "v": tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True),
    "o": tf.FixedLenSequenceFeature([2], tf.string, allow_missing=True),
    "b": tf.VarLenFeature(tf.string),
}
_ANY = {"f": tf.VarLenFeature(tf.float32), "i": tf.VarLenFeature(tf.int64), "b": tf.VarLenFeature(tf.string)}
_LISTS = {
    "f": tf.FixedLenSequenceFeature([2], tf.float32),
    "v": tf.VarLenFeature(tf.float32),
    "o": tf.VarLenFeature(tf.string),
}


@cache
def examples() -> list[Run]:
    """Functions that take an Example."""

    def batch(x: Any) -> Any:
        return tf.io.parse_example(tf.stack([x, x, x]), _DENSE)

    single = {key: feature for key, feature in _DENSE.items() if key != "o"}
    return [
        _callable(batch),
        _callable(lambda x: tf.io.parse_example(tf.stack([x, x]), _ANY)),
        _callable(lambda x: tf.io.parse_single_example(x, single)),
        _callable(lambda x: tf.io.parse_single_example(x, _ANY)),
    ]


@cache
def sequences() -> list[Run]:
    """Functions that take a SequenceExample."""
    return [
        _callable(lambda x: tf.io.parse_single_sequence_example(x, _ANY, _LISTS)),
        _callable(lambda x: tf.io.parse_sequence_example(tf.stack([x, x]), _ANY, _LISTS)[:2]),
    ]


@cache
def summaries() -> list[Run]:
    """Functions that take a Summary."""
    return [_callable(lambda x: tf.raw_ops.MergeSummary(inputs=[x]))]


_TENSOR_TYPES = (tf.float32, tf.int64, tf.string, tf.complex64, tf.float16, tf.bool, tf.uint8)


@cache
def tensors() -> list[Run]:
    """Functions that take a TensorProto."""
    return [_callable(lambda x, t=t: tf.io.parse_tensor(x, t)) for t in _TENSOR_TYPES]


@cache
def numbers() -> list[Run]:
    types = (tf.float32, tf.float64, tf.int32, tf.int64)
    return [_callable(lambda x, t=t: tf.strings.to_number(x, t)) for t in types]


@cache
def lines() -> list[Run]:
    """Functions that take a CSV line."""

    def split(x: Any) -> Any:
        return tf.io.decode_csv(x, [[0], [0.0], ["-"], [""], tf.constant([], tf.int64)])

    return [
        _callable(split),
        _callable(lambda x: tf.io.decode_csv(x, [[""], [0]], select_cols=[2, 4])),
        _callable(lambda x: tf.io.decode_csv(x, [[""]] * 5, use_quote_delim=False, na_value="9")),
    ]


@cache
def raw() -> list[Run]:
    """Functions that take arbitrary bytes."""
    made: list[Callable[[Any], Any]] = [
        lambda x, t=t: tf.io.decode_raw(x, t, little_endian=t is not tf.int32)  # type: ignore[misc]
        for t in (tf.uint8, tf.float16, tf.int32, tf.complex128, tf.bool)
    ]
    made.append(lambda x: tf.raw_ops.DecodePaddedRaw(input_bytes=x, fixed_length=12, out_type=tf.int32))
    made += [lambda x, k=k: tf.io.decode_compressed(x, k) for k in ("ZLIB", "GZIP")]  # type: ignore[misc]
    return [_callable(make) for make in made]
