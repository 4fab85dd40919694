"""Helpers for tests of traced functions."""

from tinytf import _core
from tinytf._gen import gen_ops


class Recording:
    """Records on a tape; returns gradients of the last recorded result by the tensors passed to the constructor."""

    def __init__(self, *watched):
        self._watched = watched
        self._tape = _core.Tape()

    def __enter__(self):
        self._tape.push()
        for tensor in self._watched:
            self._tape.watch(tensor)
        return self

    def __exit__(self, *exc):
        self._tape.pop()

    def names(self):
        return [record[0] for record in self._tape.records()]

    def last_gradient(self, *by):
        _, inputs, outputs, _, backward = self._tape.records()[-1]
        found = backward(*[gen_ops.ones_like(y) for y in outputs])
        return [found[[x is t for x in inputs].index(True)] for t in by]


def variable_handle(value, name):
    """A handle of an initialized resource variable."""
    handle = gen_ops.var_handle_op(dtype=value.dtype, shape=value.shape, shared_name=name)
    gen_ops.assign_variable_op(handle, value)
    return handle
