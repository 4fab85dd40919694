"""Graphs are written as text exactly as by protobuf's printer."""

import random
import struct

import numpy as np
import pytest
from google.protobuf import text_format

import tinytf as tf
from tinytf import _core
from tinytf._src.training.graph_text import graph_text

_TEXTS = ["", "a", "x/y:0", "^in", "quo'te\"s", "back\\slash", "t\ta\nb\r", "\x7f\x01", "é☃", "123"]


def _random_value(chance, value):
    kind = chance.randrange(12)
    numbers = [0, 1, -1, 7, 2**62, -(2**63)]
    if kind == 0:
        value.s = chance.choice([b"", b"abc", b"\xff\x00'\"\\\n", "é".encode()])
    elif kind == 1:
        value.i = chance.choice(numbers)
    elif kind == 2:
        value.f = _random_float(chance)
    elif kind == 3:
        value.b = chance.random() < 0.5
    elif kind == 4:
        value.type = chance.choice([0, 1, 9, 23, 101, 120, 24, 999])
    elif kind == 5:
        value.shape.SetInParent()
        value.shape.unknown_rank = chance.random() < 0.3
        for size in chance.choices([0, 1, -1, 28, 2**40], k=chance.randrange(4)):
            value.shape.dim.add(size=size, name=chance.choice(["", "", "", "n"]))
    elif kind == 6:
        value.list.SetInParent()
        value.list.i.extend(chance.choices(numbers, k=chance.randrange(4)))
        value.list.type.extend(chance.choices([1, 3, 7], k=chance.randrange(3)))
        for _ in range(chance.randrange(3)):
            value.list.shape.add().dim.add(size=chance.randrange(3))
    elif kind == 7:
        value.list.s.extend([b"a", b"\xff"])
        value.list.b.extend([True, False])
        if chance.random() < 0.5:
            value.list.f.extend(_random_float(chance) for _ in range(chance.randrange(1, 4)))
    elif kind == 8:
        _random_tensor(chance, value.tensor)
    elif kind == 9:
        value.placeholder = "p"
    elif kind == 10:
        value.func.name = "f"
        value.func.attr["T"].type = 1


def _random_float(chance):
    """A common float, one with random bits, or one with few digits."""
    kind = chance.randrange(3)
    if kind == 0:
        return chance.choice([0.0, -0.0, 1.5, float("nan"), float("inf"), -float("inf"), 1e-30, 3.4028235e38, 1e-45])
    if kind == 1:
        return struct.unpack("<f", struct.pack("<I", chance.randrange(2**32)))[0]
    return float(f"{chance.choice('-+')}{chance.randrange(10 ** chance.randrange(1, 9))}e{chance.randrange(-24, 24)}")


def _random_tensor(chance, tensor):
    kind = chance.randrange(8)
    if kind == 0:
        values = chance.choice(
            [[chance.random(), 2.0], -7, [[1, -2]], True, [True, False], b"", [b"a", b"\xff\n'"], 2**40]
        )
        tensor.CopyFrom(tf.make_tensor_proto(values))
    elif kind == 1:
        tensor.CopyFrom(tf.make_tensor_proto(np.array([[-5, 7]], np.int16)))
    elif kind == 2:
        tensor.int_val.extend([-(2**31), 2**31 - 1, 0])
        tensor.dtype = 103
    elif kind == 3:
        tensor.int64_val.extend([-(2**63), 2**63 - 1])
        tensor.bool_val.extend([True, False])
        tensor.tensor_shape.unknown_rank = True
    elif kind == 4:
        tensor.version_number = 3
        tensor.half_val.append(5)
    elif kind == 5:
        tensor.string_val.extend([b"", "é".encode()])
        tensor.tensor_content = b"\x00\xff"
    elif kind == 6:
        tensor.dtype = 1
        tensor.float_val.extend(_random_float(chance) for _ in range(chance.randrange(1, 5)))
    # otherwise an empty one


@pytest.mark.parametrize("seed", range(60))
def test_as_protobuf_writes_them(seed):
    chance = random.Random(seed)
    graph = tf.GraphDef()
    for _ in range(chance.randrange(12)):
        node = graph.node.add(name=chance.choice(_TEXTS), op=chance.choice(_TEXTS), device=chance.choice(_TEXTS))
        node.input.extend(chance.choices(_TEXTS, k=chance.randrange(4)))
        for _ in range(chance.randrange(6)):
            _random_value(chance, node.attr[chance.choice(_TEXTS)])
        if chance.random() < 0.2:
            node.experimental_debug_info.original_node_names.append(chance.choice(_TEXTS))
    if chance.random() < 0.5:
        graph.versions.producer = 134
        graph.versions.bad_consumers.append(3)
    if chance.random() < 0.3:
        graph.library.function.add().signature.name = "f"
    if chance.random() < 0.2:
        graph.version = 21
    assert graph_text(graph.SerializeToString()) == text_format.MessageToString(graph)


def test_bytes_that_are_no_graph():
    data = tf.GraphDef(node=[tf.NodeDef(name="a", attr={"x": tf.AttrValue(i=5)})]).SerializeToString()
    for cut in range(len(data) + 1):
        try:
            _core.graph_nodes_text(data[:cut], lambda field, message, indent: "")
        except tf.errors.InvalidArgumentError:
            assert 0 < cut < len(data)
    with pytest.raises(KeyError):
        _core.graph_nodes_text(
            tf.GraphDef(node=[tf.NodeDef(attr={"x": tf.AttrValue(placeholder="p")})]).SerializeToString(),
            lambda *_: {}["a"],
        )
