"""Rows of ops that take datasets and iterators, and make none."""

import numpy as np
from op_table import Row, after, other_node

from tinytf._src.eager.defined.defun import Defun
from tinytf._src.framework.values import dtypes

_F32 = dtypes.float32
_SPEC = {"output_types": [_F32], "output_shapes": [None]}


def _row(op, ref, program, shapes=((3,),), **more):
    return Row(
        op,
        ref,
        (shapes,),
        ("float32",),
        program=program,
        **{"dynamic": True, "has_loops": False, "grad": False, **more},
    )


def _rows_of(x):
    """A dataset of the rows of x."""
    return other_node("TensorSliceDataset", [x], output_shapes=[None])


def _iterator(op, x, **attrs):
    """The handle of an iterator of the rows of x, and the node that starts it."""
    handle = other_node(op, **_SPEC, **attrs)
    return handle, other_node("MakeIterator", _rows_of(x), handle)


def _next(handle, made):
    return after(made, lambda: other_node("IteratorGetNext", handle, **_SPEC))


def _sum(x):
    add = Defun(_F32, _F32)(lambda state, row: state + row)
    add.add_to_graph(other_node("NoOp").graph)
    return add


def _reduce(node, x):
    return node(_rows_of(x), [np.float32(1)], [], f=_sum(x), Tstate=[_F32], **_SPEC)


def _single(node, x):
    return node(other_node("TensorDataset", [x], output_shapes=[None]), **_SPEC)


def _named(node, x):
    handle = node(shared_name="", container="", **_SPEC)
    return _next(handle, other_node("MakeIterator", _rows_of(x), handle))


def _one_shot(node):
    factory = Defun()(lambda: _rows_of(np.full(10000, 4, np.float32)))  # more than steps take
    factory.add_to_graph(other_node("NoOp").graph)
    return other_node("IteratorGetNext", node(dataset_factory=factory, **_SPEC), **_SPEC)


def _through_string(node, x, from_string="IteratorFromStringHandleV2", to_string="IteratorToStringHandle"):
    handle, made = _iterator("IteratorV2", x, shared_name="", container="")
    text = node(handle) if to_string is None else other_node(to_string, handle)
    again = node(text, **_SPEC) if from_string is None else other_node(from_string, text, **_SPEC)
    return _next(again, made)


def _device(node, x):
    handle, made = _iterator("IteratorV2", x, shared_name="", container="")
    return after(made, lambda: other_node("StringLength", node(handle)))


def _first(x):
    return x[0]


def _second(x):
    return x[1]


def _after_deletion(node, made, handle, *rest):
    """The second element of a dataset, between whose first one and this one something is deleted."""
    iterator, _ = other_node("AnonymousIteratorV2", **_SPEC)
    first = _next(iterator, other_node("MakeIterator", made, iterator))
    return _next(iterator, after(first, lambda: node(handle, *rest)))


def _without_cache(node, x):
    handle, deleter = other_node("AnonymousMemoryCache")
    return _after_deletion(node, other_node("CacheDatasetV2", _rows_of(x), b"", handle, **_SPEC), handle, deleter)


def _without_generator(node, x):
    handle, deleter = other_node("AnonymousRandomSeedGenerator", np.int64(1), np.int64(2))
    made = other_node("ShuffleDatasetV2", _rows_of(x), np.int64(1), handle, **_SPEC)
    return _after_deletion(node, made, handle, deleter)


_DEVICES = ["/cpu:0", "/cpu:0"]


def _second_shard(handle, x, through=lambda handle: handle):
    """The first element of the second device."""
    started = other_node("MultiDeviceIteratorInit", _rows_of(x), handle, np.int64(1))
    again = after(started, lambda: through(handle))
    return other_node("MultiDeviceIteratorGetNextFromShard", again, np.int32(1), started, **_SPEC)


def _anonymous_devices(node, x):
    handle, _ = node(devices=_DEVICES, **_SPEC)
    return _second_shard(handle, x)


def _without_devices(node, x):
    handle, deleter = other_node("AnonymousMultiDeviceIterator", devices=_DEVICES, **_SPEC)
    element = _second_shard(handle, x)
    return after(after(element, lambda: node(handle, [], deleter)), lambda: other_node("Identity", element[0]))


def _devices_through_string(node, x, to_string=None, from_string=None):
    handle = other_node("MultiDeviceIterator", devices=_DEVICES, shared_name="", container="", **_SPEC)

    def through(handle):
        text = (to_string or node)(handle)
        return (from_string or node)(text, **_SPEC)

    return _second_shard(handle, x, through)


def _to_string(handle):
    return other_node("MultiDeviceIteratorToStringHandle", handle)


def _from_string(text, **spec):
    return other_node("MultiDeviceIteratorFromStringHandle", text, **spec)


_LENGTH = len("/job:localhost/replica:0/task:0/device:CPU:0")

ROWS = [
    _row("ReduceDataset", lambda x: 1 + x.sum(), _reduce, eager=False),  # the function is one of the graph
    _row("DatasetToSingleElement", lambda x: x, _single),
    _row("Iterator", _first, _named, eager=False),  # its state lives as long as the session
    _row("OneShotIterator", lambda: np.float32(4), _one_shot, (), eager=False),
    _row("IteratorToStringHandle", _first, lambda node, x: _through_string(node, x, to_string=None), eager=False),
    _row("IteratorFromStringHandle", _first, lambda node, x: _through_string(node, x, from_string=None), eager=False),
    _row("IteratorFromStringHandleV2", _first, lambda node, x: _through_string(node, x, from_string=None), eager=False),
    _row("IteratorGetDevice", lambda x: np.int32(_LENGTH), _device, eager=False),
    _row("ExperimentalIteratorGetDevice", lambda x: np.int32(_LENGTH), _device, eager=False),
    _row("DeleteMemoryCache", _second, _without_cache),
    _row("DeleteRandomSeedGenerator", _second, _without_generator),
    _row("AnonymousMultiDeviceIterator", _second, _anonymous_devices),
    _row("DeleteMultiDeviceIterator", _second, _without_devices),
    _row(
        "MultiDeviceIteratorToStringHandle",
        _second,
        lambda node, x: _devices_through_string(node, x, from_string=_from_string),
        eager=False,
    ),
    _row(
        "MultiDeviceIteratorFromStringHandle",
        _second,
        lambda node, x: _devices_through_string(node, x, to_string=_to_string),
        eager=False,
    ),
]
