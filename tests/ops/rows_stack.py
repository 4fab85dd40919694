"""Rows of ops on stacks of a step, whose programs push two values and pop one."""

import numpy as np
from op_table import Row, after, other_node, registered_types

TYPES = ("float32", "int32", "bool", "string")


class Stack:
    """A stack with handles of a generation, "" or "V2", for values like `x`; `node` makes the nodes of one op."""

    def __init__(self, op, generation, node, x, limit):
        self.op, self.generation, self.node, self.x = op, generation, node, x
        self.handle = self._call("", *([limit] if generation else []), elem_type=x.dtype)

    def _call(self, part, *inputs, **attrs):
        op = f"Stack{part}{self.generation}"
        return self.node(*inputs, **attrs) if op == self.op else other_node(op, *inputs, **attrs)

    def push(self, value):
        return self._call("Push", self.handle, value)

    def pop(self):
        return self._call("Pop", self.handle, elem_type=self.x.dtype)

    def close(self):
        return self._call("Close", self.handle)


def _last(op, generation):
    """A program that pushes two values, pops one and closes the stack."""

    def program(node, x, y, limit):
        stack = Stack(op, generation, node, x, limit)
        first = stack.push(x)
        second = after(first, lambda: stack.push(y))
        popped = after(second, stack.pop)
        closed = after(popped, stack.close)
        return [first, second, popped, after(closed, lambda: other_node("Identity", x))]

    return program


ROWS = [
    Row(
        f"Stack{part}{generation}",
        lambda x, y, limit: (x, y, y, x),
        (((3, 2), (2,), ()),),
        registered_types(f"Stack{part}{generation}") or TYPES,
        fixed={2: np.array(2, np.int32)},
        dynamic=True,
        grad=False,
        has_loops=False,
        program=_last(f"Stack{part}{generation}", generation),
    )
    for part in ("", "Push", "Pop", "Close")
    for generation in ("", "V2")
]
