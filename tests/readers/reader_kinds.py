"""The kinds of files and messages to fuzz: their seeds, their mutations, and how to read them."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
import reader_ops
from byte_mutations import mutated_bytes, number
from checkpoint_mutations import DATA, INDEX, flipped_files, mutated_bundle, mutated_early, mutated_objects
from google.protobuf.message import DecodeError
from reader_corpus import Seed, corpus
from table_files import masked_crc
from wire_mutations import mutated_message

import tinytf as tf
from tinytf._core import CheckpointReader, RecordReader
from tinytf._src import protos
from tinytf._src.framework.context.execution import eager_mode

REFUSED = "refused"
_ERRORS = (tf.errors.OpError, ValueError, TypeError)
_MODEL_ERRORS = (*_ERRORS, KeyError, OSError, RuntimeError)  # as in TensorFlow, which reads these with Python code
_MOST_READ = 20
_OF_NOTHING = re.compile(r"tensor with shape\[(\d+,)*0[,\]]")  # no memory request, but too large dimensions


class TooMuch(Exception):
    """A small file made the engine request more memory than there is."""


class Kind(NamedTuple):
    """A kind of files; `read` takes a folder and returns the list of results, with REFUSED for errors."""

    mutate: Callable[[Random, Seed], Seed]
    read: Callable[[str], list[Any]]
    guarded: bool = False  # whether checksums detect changes of a few bytes
    every: int = 1  # relative cost: other kinds run this many cases for each of this one


def _attempt(read: Callable[[], Any], errors: Any = _ERRORS) -> Any:
    try:
        return read()
    except (MemoryError, tf.errors.ResourceExhaustedError) as error:
        if _OF_NOTHING.search(str(error)):
            return REFUSED
        raise TooMuch(str(error)) from error
    except errors:
        return REFUSED


def _plain(value: Any) -> Any:
    """The value in a form that can be compared."""
    if isinstance(value, np.ndarray):
        content = value.tolist() if value.dtype == object else value.tobytes()
        return (str(value.dtype), value.shape, content)
    if isinstance(value, (list, tuple)):
        return tuple(map(_plain, value))
    if isinstance(value, dict):
        return tuple((key, _plain(value[key])) for key in sorted(value))
    return value


def _read_tensors(prefix: str) -> list[Any]:
    def open_and_list() -> Any:
        reader = CheckpointReader(prefix)
        return reader, reader.tensors(), reader.debug_string()

    opened = _attempt(open_and_list)
    if opened is REFUSED:
        return [REFUSED]
    reader, names, text = opened
    found: list[Any] = [sorted(names), text]
    for name in sorted(names)[:_MOST_READ]:
        found.append(_attempt(lambda name=name: _plain(reader.read(name))))  # type: ignore[misc]
    return found


def _run_all(ops: list[Callable[..., Any]], *arguments: Any) -> list[Any]:
    return [_attempt(lambda op=op: _plain(op(*arguments))) for op in ops]  # type: ignore[misc]


def _read_bundle(folder: str) -> list[Any]:
    return _read_tensors(f"{folder}/c") + _run_all(reader_ops.restores(), f"{folder}/c")


def _read_early(folder: str) -> list[Any]:
    return _read_tensors(f"{folder}/c") + _run_all(reader_ops.early_restores(), f"{folder}/c")


def _merge(folder: str) -> list[Any]:
    """Reads the index by overwriting the checkpoint with another one, and by merging it, also with itself."""
    for name in (INDEX, DATA):
        os.link(f"{folder}/{name}", f"{folder}/d{name[1:]}")
    found = [_attempt(lambda: reader_ops.save()(f"{folder}/d"))]
    for prefixes in ([f"{folder}/c"] * 2, [f"{folder}/c"]):
        found.append(_attempt(lambda prefixes=prefixes: reader_ops.merge()(prefixes, f"{folder}/m")))  # type: ignore[misc]
    return found


def _read_by_op(reader: str, folder: str) -> Any:
    """The result of a reader op on the file and, if it has no record, on a valid one."""
    sound = f"{folder}/sound"
    with open(sound, "wb") as file:
        file.write(seeds_of("zlib" if "zlib" in reader else "gzip" if reader == "gzip" else "records")[0]["r"])
    return _attempt(lambda: _plain(reader_ops.reader(reader)([f"{folder}/r", sound])))


def _read_records(compression: str) -> Callable[[str], list[Any]]:
    def read(folder: str) -> list[Any]:
        found: list[Any] = []

        def read_all() -> None:
            reader = RecordReader(f"{folder}/r", compression)
            while records := reader.read():
                found.extend(records)

        if _attempt(read_all) is REFUSED:
            found.append(REFUSED)
        _read_by_op(compression.lower() or "records", folder)
        return found

    return read


def _read_other_files(folder: str) -> list[Any]:
    found = [_read_by_op(reader, folder) for reader in ("lines", "fixed", "fixed zlib", "whole")]
    return found + _run_all([reader_ops.vocabularies()], f"{folder}/r", f"{folder}/r")


def _read_snapshot(compression: str) -> Callable[[str], list[Any]]:
    def read(folder: str) -> list[Any]:
        with open(f"{folder}/folders") as file:
            graph, run = file.read().split("/")
        os.makedirs(f"{folder}/s/{graph}/{run}")
        for name, to in (("snapshot.metadata", ""), ("00000000.snapshot", f"{run}/")):
            os.rename(f"{folder}/{name}", f"{folder}/s/{graph}/{to}{name}")
        found: list[Any] = []

        def read_all() -> None:
            for element in reader_ops.snapshot(compression)(f"{folder}/s"):
                found.append(_plain(element))
                assert len(found) < 1000, "the snapshot has no end"

        if _attempt(read_all) is REFUSED:
            found.append(REFUSED)
        return found

    return read


def _mutated_snapshot(rng: Random, seed: Seed) -> Seed:
    """Changes the metadata or the elements: messages, each after its length."""
    name = rng.choice(("snapshot.metadata", "00000000.snapshot"))
    content = seed[name]
    packed = content[:2] == b"\x1f\x8b"
    if packed and rng.random() < 0.3:
        return {**seed, name: mutated_bytes(rng, content)}
    data, messages = gzip.decompress(content) if packed else content, []
    while data:
        size = int.from_bytes(data[:8], "little")
        messages.append(data[8 : 8 + size])
        data = data[8 + size :]
    i, lies = rng.randrange(len(messages)), rng.random() < 0.3
    if not lies:
        messages[i] = mutated_message(rng, messages[i])
    sizes = [number(rng, 64) if lies and k == i else len(message) for k, message in enumerate(messages)]
    out = b"".join(size.to_bytes(8, "little") + message for size, message in zip(sizes, messages, strict=True))
    out = mutated_bytes(rng, out) if rng.random() < 0.1 else out
    return {**seed, name: _gzip(out) if packed else out}


def _read_events(folder: str) -> list[Any]:
    found: list[Any] = []

    def read_all() -> None:
        found.extend(event.SerializeToString() for event in tf.train.summary_iterator(f"{folder}/r"))

    if _attempt(read_all, (*_ERRORS, DecodeError)) is REFUSED:
        found.append(REFUSED)
    return found


def _records_of(data: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 8], "little")
        found.append(data[at + 12 : at + 12 + size])
        at += size + 16
    return found


def _mutated_records(pack: Callable[[bytes], bytes], unpack: Callable[[bytes], bytes], inner: Any) -> Any:
    """A mutation that changes contents, lengths or the number of records and keeps checksums valid."""

    def mutate(rng: Random, seed: Seed) -> Seed:
        if rng.random() < 0.2:
            return {"r": mutated_bytes(rng, seed["r"])}
        records, out = _records_of(unpack(seed["r"])), b""
        i, lies = rng.randrange(len(records)), rng.random() < 0.4
        if not lies:
            records[i] = inner(rng, records[i])
        for k, record in enumerate(records):
            length = (number(rng, 64) if lies and k == i else len(record)).to_bytes(8, "little")
            out += length + masked_crc(length) + record + masked_crc(record)
        out = mutated_bytes(rng, out) if rng.random() < 0.1 else out
        return {"r": pack(out)}

    return mutate


def _same(data: bytes) -> bytes:
    return data


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)


def _value(folder: str) -> bytes:
    with open(f"{folder}/value", "rb") as file:
        return file.read()


def _by_ops(ops: Callable[[], list[Callable[..., Any]]]) -> Callable[[str], list[Any]]:
    return lambda folder: _run_all(ops(), _value(folder))


def _read_reader_state(folder: str) -> list[Any]:
    return _run_all([reader_ops.restore_reader(kind) for kind in ("records", "lines", "whole")], _value(folder))


def _read_tensor(folder: str) -> list[Any]:
    data = _value(folder)
    small = 1 << 16

    def array() -> Any:
        proto = protos.TensorProto.FromString(data)
        size = np.prod([float(dim.size) for dim in proto.tensor_shape.dim], dtype=float)
        return _plain(tf.make_ndarray(proto)) if abs(size) < small else None  # a number may stand for many

    try:
        found = _run_all(reader_ops.tensors(), data)
    except TooMuch:
        found = []  # see above
    return [*found, _attempt(array, (*_ERRORS, DecodeError))]


def _import(read: Callable[[], Any]) -> list[Any]:
    with tf.Graph().as_default() as graph:
        found = _attempt(read, (*_MODEL_ERRORS, DecodeError))
        return [REFUSED if found is REFUSED else len(graph.get_operations())]


def _read_graph(folder: str) -> list[Any]:
    data = _value(folder)
    return _import(lambda: tf.import_graph_def(protos.GraphDef.FromString(data), name=""))


def _read_meta(folder: str) -> list[Any]:
    return _import(lambda: tf.train.import_meta_graph(f"{folder}/c.meta"))


def _read_model(folder: str) -> list[Any]:
    os.mkdir(f"{folder}/variables")
    for name in os.listdir(folder):
        if name.startswith("variables."):
            os.rename(f"{folder}/{name}", f"{folder}/variables/{name}")

    def load() -> None:
        with tf.Session() as sess:
            tf.saved_model.load(sess, ["serve"], folder)

    return _import(load)


def _read_state(folder: str) -> list[Any]:
    for name in ("b.index", "c.index"):
        open(f"{folder}/{name}", "wb").close()
    state = _attempt(lambda: tf.train.get_checkpoint_state(folder))
    latest = _attempt(lambda: tf.train.latest_checkpoint(folder))
    manager = _attempt(lambda: tf.train.CheckpointManager(_objects(), folder, 3).checkpoints)
    return [REFUSED if REFUSED in (state, latest, manager) else latest]


@cache
def _objects() -> Any:
    with eager_mode():
        v = tf.Variable([0.0, 0.0], name="v")
        return tf.train.Checkpoint(
            v=v, list=tf.contrib.checkpoint.List([tf.Variable(0)]), opt=tf.train.AdamOptimizer(0.5)
        )


def _read_objects(folder: str) -> list[Any]:
    def restore() -> None:
        with eager_mode():
            _objects().restore(f"{folder}/c").expect_partial()

    metadata = _attempt(lambda: len(tf.contrib.checkpoint.object_metadata(f"{folder}/c").nodes))
    return [metadata, _attempt(restore, (*_ERRORS, AssertionError))]


def _by_name(name: str, mutate: Callable[[Random, bytes], bytes]) -> Callable[[Random, Seed], Seed]:
    return lambda rng, seed: {**seed, name: mutate(rng, seed[name])}


def _message_or_bytes(rng: Random, data: bytes) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = mutated_message(rng, data)
    return mutated_bytes(rng, data) if rng.random() < 0.15 else data


_VALUE, _BYTES = _by_name("value", _message_or_bytes), _by_name("value", mutated_bytes)
_PLAIN_RECORDS = _mutated_records(_same, _same, mutated_bytes)
KINDS: dict[str, Kind] = {
    "bundle": Kind(mutated_bundle, _read_bundle, guarded=True),
    "merge": Kind(mutated_bundle, _merge, every=4),
    "early": Kind(mutated_early, _read_early, guarded=True),
    "objects": Kind(mutated_objects, _read_objects, every=10),
    "records": Kind(_PLAIN_RECORDS, _read_records(""), guarded=True),
    "zlib": Kind(_mutated_records(zlib.compress, zlib.decompress, mutated_bytes), _read_records("ZLIB"), guarded=True),
    "gzip": Kind(_mutated_records(_gzip, gzip.decompress, mutated_bytes), _read_records("GZIP"), guarded=True),
    "other files": Kind(_PLAIN_RECORDS, _read_other_files),
    "snapshot": Kind(_mutated_snapshot, _read_snapshot(""), every=4),
    "compressed snapshot": Kind(_mutated_snapshot, _read_snapshot("GZIP"), every=4),
    "events": Kind(_mutated_records(_same, _same, mutated_message), _read_events, guarded=True),
    "example": Kind(_VALUE, _by_ops(reader_ops.examples)),
    "sequence": Kind(_VALUE, _by_ops(reader_ops.sequences)),
    "tensor": Kind(_VALUE, _read_tensor),
    "summary": Kind(_VALUE, _by_ops(reader_ops.summaries)),
    "csv": Kind(_BYTES, _by_ops(reader_ops.lines)),
    "number": Kind(_BYTES, _by_ops(reader_ops.numbers)),
    "raw": Kind(_BYTES, _by_ops(reader_ops.raw)),
    "state of a reader": Kind(_VALUE, _read_reader_state),
    "graph": Kind(_VALUE, _read_graph, every=20),
    "meta": Kind(_by_name("c.meta", _message_or_bytes), _read_meta, every=40),
    "model": Kind(_by_name("saved_model.pb", _message_or_bytes), _read_model, every=100),
    "state": Kind(_by_name("checkpoint", mutated_bytes), _read_state, every=5),
}
_SEEDS_OF = {"merge": "bundle", "other files": "records", "state of a reader": "state_of_reader"}


@cache
def seeds_of(kind: str) -> list[Seed]:
    return corpus()[_SEEDS_OF.get(kind, kind)]


__all__ = ["KINDS", "REFUSED", "Kind", "TooMuch", "flipped_files", "seeds_of"]
