"""Small valid files of each kind, the seeds of the reader fuzzers.

`python tests/readers/reader_corpus.py` rewrites `reader_corpus.tar.gz`, which is tracked, because cases depend on it.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import tempfile
import zlib
from pathlib import Path

import numpy as np
import reader_ops

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.context.execution import eager_mode

CORPUS = Path(__file__).with_name("reader_corpus.tar.gz")
Seed = dict[str, bytes]  # file contents by name


def corpus() -> dict[str, list[Seed]]:
    """Maps kinds of files to their seeds."""
    found: dict[str, dict[str, Seed]] = {}
    with tarfile.open(CORPUS) as tar:
        for member in tar:
            kind, seed, name = member.name.split("/", 2)
            file = tar.extractfile(member)
            assert file is not None
            found.setdefault(kind, {}).setdefault(seed, {})[name] = file.read()
    return {kind: list(seeds.values()) for kind, seeds in found.items()}


def _run(make) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(make())


def _list_of_tensors():
    return tf.raw_ops.TensorListFromTensor(tensor=tf.constant([[1.0, 2.0], [3.0, 4.0]]), element_shape=[2])


def _bundle(folder: Path) -> None:
    def save():
        return tf.raw_ops.SaveV2(
            prefix=f"{folder}/c",
            tensor_names=["a", "e", "p", "p", "s", "t"],
            shape_and_slices=["", "", "5 2 0,3:0,2", "5 2 3,2:0,2", "", ""],
            tensors=[
                tf.constant([1.0, 2.0, 3.0]),
                tf.zeros([0, 3], tf.int32),
                tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2)),
                tf.constant(np.arange(6, 10, dtype=np.float32).reshape(2, 2)),
                tf.constant(["ab", "", "c" * 200]),
                _list_of_tensors(),
            ],
        )

    _run(save)


def _early(folder: Path) -> None:
    def save():
        return tf.raw_ops.SaveSlices(
            filename=f"{folder}/c",
            tensor_names=["a", "p", "p", "s"],
            shapes_and_slices=["", "5 2 0,3:0,2", "5 2 3,2:0,2", ""],
            data=[tf.constant([1.0, 2.0, 3.0]), tf.ones([3, 2]), tf.zeros([2, 2]), tf.constant(["ab", "c"])],
        )

    _run(save)


def _objects(folder: Path) -> None:
    with eager_mode():
        v = tf.Variable([1.0, 2.0], name="v")
        optimizer = tf.train.AdamOptimizer(0.5)
        optimizer.minimize(lambda: v * v, var_list=[v])
        tf.train.Checkpoint(v=v, list=tf.contrib.checkpoint.List([tf.Variable(3)]), opt=optimizer).write(f"{folder}/c")


def _graph() -> None:
    """A graph with constants of several dtypes, a loop, a branch, a variable and a function."""

    @tf.function
    def doubled(x):
        return x + x

    x = tf.placeholder(tf.float32, [None, 2], name="x")
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    tf.constant([1, 2, 3], name="i")
    tf.constant(["a", "bc"], name="s")
    _, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.cond(i > 0, lambda: y * 2.0, lambda: y)), [0, x * v]
    )
    tf.identity(doubled(y), name="y")


def _model(folder: Path) -> None:
    _graph()
    names = tf.get_default_graph().get_tensor_by_name
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, f"{folder}/m", {"x": names("x:0")}, {"y": names("y:0")})
    for path in sorted((folder / "m").rglob("*")):
        if path.is_file():
            path.rename(folder / path.name)


def _meta(folder: Path) -> None:
    _graph()
    tf.train.Saver()
    tf.add_to_collection("losses", "some")
    (folder / "c.meta").write_bytes(tf.train.export_meta_graph().SerializeToString(deterministic=True))


_RECORDS = (b"", b"a" * 7, bytes(range(256)), b"line\nline\r\n", b"x" * 300)


def _snapshot(compression: str):
    def write(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as path:
            assert len(list(reader_ops.snapshot(compression)(path))) == 3
            [metadata] = Path(path).rglob("snapshot.metadata")
            [elements] = Path(path).rglob("*.snapshot")
            (folder / "folders").write_text(f"{metadata.parent.name}/{elements.parent.name}")
            for file in (metadata, elements):
                (folder / file.name).write_bytes(file.read_bytes())

    return write


def _records(compression: str):
    def write(folder: Path) -> None:
        options = tf.io.TFRecordOptions(compression) if compression else None
        with tf.io.TFRecordWriter(f"{folder}/r", options) as writer:
            for record in _RECORDS:
                writer.write(record)

    return write


def _events(folder: Path) -> None:
    summary = protos.Summary()
    summary.value.add(tag="loss", simple_value=0.5)
    summary.value.add(tag="h").histo.CopyFrom(protos.HistogramProto(min=0, max=1, bucket_limit=[1.0], bucket=[2.0]))
    summary.value.add(tag="t").tensor.CopyFrom(tf.make_tensor_proto([1.0, 2.0]))
    with tf.io.TFRecordWriter(f"{folder}/r") as writer:
        writer.write(protos.Event(wall_time=1.0, file_version="brain.Event:2").SerializeToString())
        writer.write(protos.Event(wall_time=2.0, step=7, summary=summary).SerializeToString())
        log = protos.SessionLog(status=protos.SessionLog.START, checkpoint_path="c")
        writer.write(protos.Event(wall_time=3.0, step=8, session_log=log).SerializeToString())


def _summary(folder: Path) -> None:
    summary = protos.Summary()
    summary.value.add(tag="loss", simple_value=0.5)
    summary.value.add(tag="i").image.CopyFrom(protos.Summary.Image(height=1, width=1, encoded_image_string=b"png"))
    summary.value.add(tag="h", metadata=protos.SummaryMetadata(display_name="H")).histo.CopyFrom(
        protos.HistogramProto(min=0, max=1, bucket_limit=[1.0], bucket=[2.0])
    )
    (folder / "value").write_bytes(summary.SerializeToString())


def _feature(value):
    if isinstance(value[0], bytes):
        return protos.Feature(bytes_list=protos.BytesList(value=value))
    if isinstance(value[0], float):
        return protos.Feature(float_list=protos.FloatList(value=value))
    return protos.Feature(int64_list=protos.Int64List(value=value))


_FEATURES = {"f": [1.0, 2.0], "i": [3, -1, 2**40], "b": [b"ab"], "v": [5.0], "o": [b"x", b""]}


def _example(folder: Path) -> None:
    features = protos.Features(feature={key: _feature(value) for key, value in _FEATURES.items()})
    (folder / "value").write_bytes(protos.Example(features=features).SerializeToString(deterministic=True))


def _sequence(folder: Path) -> None:
    context = protos.Features(feature={key: _feature(_FEATURES[key]) for key in "fib"})
    lists = {key: protos.FeatureList(feature=[_feature(_FEATURES[key])] * 3) for key in "fvo"}
    message = protos.SequenceExample(context=context, feature_lists=protos.FeatureLists(feature_list=lists))
    (folder / "value").write_bytes(message.SerializeToString(deterministic=True))


def _tensor(value, dtype):
    def write(folder: Path) -> None:
        (folder / "value").write_bytes(tf.make_tensor_proto(value, dtype).SerializeToString())

    return write


def _text(name: str, content: bytes):
    return lambda folder: (folder / name).write_bytes(content)


_STATE = b'model_checkpoint_path: "c"\nall_model_checkpoint_paths: "b"\nall_model_checkpoint_paths: "c"\n'
_STATE += b"all_model_checkpoint_timestamps: 1.5\nlast_preserved_timestamp: 2.5\n"
_READER = bytes.fromhex("0802100218052219") + b"/tmp/r\0\0\x08" + b"\0" * 16
_MAKERS = {
    "bundle": [_bundle],
    "early": [_early],
    "objects": [_objects],
    "graph": [lambda folder: (_graph(), (folder / "value").write_bytes(
        tf.get_default_graph().as_graph_def().SerializeToString(deterministic=True)))],
    "meta": [_meta],
    "model": [_model],
    "records": [_records("")],
    "zlib": [_records("ZLIB")],
    "gzip": [_records("GZIP")],
    "snapshot": [_snapshot("")],
    "compressed snapshot": [_snapshot("GZIP")],
    "events": [_events],
    "summary": [_summary],
    "state": [_text("checkpoint", _STATE)],
    "example": [_example],
    "sequence": [_sequence],
    "tensor": [
        _tensor([[1.0, 2.0], [3.0, 4.0]], tf.float32), _tensor([1, 2, 3], tf.int64), _tensor(["ab", "", "c"], tf.string),
        _tensor([1 + 2j, 3], tf.complex64), _tensor([1.0, 2.0], tf.float16), _tensor([True, False], tf.bool),
        _tensor([7, 7, 7, 7], tf.uint8),
    ],
    "csv": [_text("value", b'1,2.5,text,"a ""b"", c",9')],
    "raw": [_text("value", bytes(range(48))), _text("value", zlib.compress(b"abc" * 50)), _text("value", gzip.compress(
        b"abc" * 50, mtime=0))],
    "number": [_text("value", b"-12.5e3"), _text("value", b"0x1p-3"), _text("value", b"42")],
    "state_of_reader": [_text("value", _READER)],
}  # fmt: skip


def _write(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    tar.addfile(info, io.BytesIO(content))


def main() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for kind, makers in _MAKERS.items():
            for i, make in enumerate(makers):
                with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
                    make(Path(folder))
                    for path in sorted(Path(folder).iterdir()):
                        if path.is_file():
                            _write(tar, f"{kind}/{i}/{path.name}", path.read_bytes())
    CORPUS.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


if __name__ == "__main__":
    main()
