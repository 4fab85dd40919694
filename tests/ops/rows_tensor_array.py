"""Rows of ops on TensorArrays of the three generations and on stacks, whose programs write parts of an input and read
them again.
"""

import copy

import numpy as np
from op_table import Row, after, other_node, registered_types

TYPES = ("float32", "int32", "bool", "string")
_ROWS = (3, 2)
_VERSIONS = {"": 15, "V2": 25, "V3": None}  # GraphDef versions that have all ops of a generation


def _i(values, dtype=np.int32):
    return np.array(values, dtype)


class Array:
    """A TensorArray of a generation, "", "V2" or "V3", for values like `x`; `node` makes the nodes of one op."""

    def __init__(self, op, version, node, x, size=3, dynamic=True):
        self.op, self.version, self.node, self.x = op, version, node, x
        attrs = {"dtype": x.dtype, "dynamic_size": dynamic, "clear_after_read": False}
        made = self._call("", size, **attrs)
        self.handle, self.flow = made if version == "V3" else (made, np.float32(0))

    def _call(self, name, *inputs, **attrs):
        op = f"TensorArray{name}{self.version}".replace("WithShapeV3", "WithShape")
        return self.node(*inputs, **attrs) if op == self.op else other_node(op, *inputs, **attrs)

    def changed(self, name, *inputs):
        """The array after an op that writes."""
        self.flow = self._call(name, self.handle, *inputs, self.flow)
        return self

    def read(self, name, *inputs, **attrs):
        """The output of an op that reads."""
        return self._call(name, self.handle, *inputs, self.flow, **attrs)

    def close(self):
        return self._call("Close", self.handle)

    def filled(self):
        return self.changed("Scatter", _i([0, 1, 2]), self.x)

    def values(self, size=3):
        return self.read("Gather", np.arange(size, dtype=np.int32), dtype=self.x.dtype)

    def gradient(self, name="Grad", *inputs):
        """The gradient array, with the flow of this array."""
        made = self._call(name, self.handle, self.flow, *inputs, source="g")
        other = copy.copy(self)
        other.handle, other.flow = made if self.version == "V3" else (made, self.flow)
        return other


def _rows(name, ref, shapes, program, fixed=None, generations=("", "V2", "V3"), **more):
    for version in generations:
        op = f"TensorArray{name}{version}".replace("WithShapeV3", "WithShape")  # it has no generations

        def made(node, x, *rest, op=op, version=version):
            return program(lambda *size: Array(op, version, node, x, *size), x, *rest)

        options = {
            "version": _VERSIONS[version],
            "dtypes": registered_types(op) or TYPES,
            "dynamic": True,
            "has_loops": False,
            "grad": False,
            **more,
        }
        yield Row(op, ref, (shapes,), fixed=fixed or {}, program=made, **options)


ROWS = [
    *_rows("", lambda x, size: x, (_ROWS, ()), lambda array, x, size: array(size).filled().values(), {1: _i(3)}),
    *_rows(
        "Write",
        lambda x, i: np.stack([x, x]),
        ((2,), ()),
        lambda array, x, i: array(1).changed("Write", i, x).changed("Write", _i(0), x).values(2),
        {1: _i(1)},
    ),
    *_rows(
        "Read",
        lambda x, i: x[2],
        (_ROWS, ()),
        lambda array, x, i: array().filled().read("Read", i, dtype=x.dtype),
        {1: _i(2)},
    ),
    *_rows(
        "Scatter",
        lambda x, i: x[[2, 0, 1]],
        (_ROWS, ()),
        lambda array, x, i: array().changed("Scatter", i, x).values(),
        {1: _i([1, 2, 0])},
    ),
    *_rows(
        "Gather",
        lambda x, i: x[i],
        (_ROWS, ()),
        lambda array, x, i: array().filled().read("Gather", i, dtype=x.dtype),
        {1: _i([2, 0])},
    ),
    *_rows(
        "Concat",
        lambda x: (x.reshape(6, 1), _i([2, 2, 2], np.int64)),
        ((3, 2, 1),),
        lambda array, x: array().filled().read("Concat", dtype=x.dtype),
    ),
    *_rows(
        "Split",
        lambda x, lengths: x[1:],
        (_ROWS, ()),
        lambda array, x, lengths: array(2).changed("Split", x, lengths).read("Read", _i(1), dtype=x.dtype),
        {1: _i([1, 2], np.int64)},
    ),
    *_rows("Size", lambda x: _i(3), (_ROWS,), lambda array, x: array().filled().read("Size")),
    *_rows(
        "Pack", lambda x: x, (_ROWS,), lambda array, x: array().filled().read("Pack", dtype=x.dtype), generations=[""]
    ),
    *_rows("Unpack", lambda x: x, (_ROWS,), lambda array, x: array().changed("Unpack", x).values(), generations=[""]),
    *_rows(
        "Grad",
        lambda x: x,
        (_ROWS,),
        lambda array, x: array().filled().gradient().filled().values(),
        dtypes=("float32", "float64"),
    ),
    *_rows(
        "GradWithShape",
        lambda x, shape, y: y,
        (_ROWS, (), (3, 1, 2)),
        lambda array, x, shape, y: _written(array().filled().gradient("GradWithShape", shape), y),
        {1: _i([1])},
        generations=["V3"],
        dtypes=("float32", "float64"),
    ),
    *_rows("Close", lambda x: x, (_ROWS,), lambda array, x: _closed(array().filled(), x)),
]


def _written(array, y):
    return array.changed("Scatter", _i([0, 1, 2]), y).values()


def _closed(array, x):
    closed = after(array.flow, array.close)
    return after(closed, lambda: other_node("Identity", x))
