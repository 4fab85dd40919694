"""Tensors from other libraries' memory: shared in eager execution, copied into graphs, refused if inconsistent."""

import ctypes
import gc
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest

import tinytf as tf

_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_GetName.restype = ctypes.c_char_p
_api.PyCapsule_GetName.argtypes = [ctypes.py_object]
_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_I64P = ctypes.POINTER(ctypes.c_int64)


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", _I64P),
        ("strides", _I64P),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", _DELETER),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


class Producer:
    """A DLPack capsule of a [2, 3] float tensor, optionally with wrong fields; counts the calls of its deleter."""

    def __init__(self, versioned=False, name=None, major=1, flags=0, **wrong):
        self.memory = np.arange(12, dtype=np.float32)
        self.deleted = []
        deleter = wrong.pop("deleter", _DELETER(lambda _: self.deleted.append(threading.get_ident())))
        shape, strides = wrong.pop("shape", [2, 3]), wrong.pop("strides", None)
        self.shape = None if shape is None else (ctypes.c_int64 * len(shape))(*shape)
        self.strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        told = {"data": self.memory.ctypes.data, "device_type": 1, "ndim": 2 if shape is None else len(shape)}
        told |= {"code": 2, "bits": 32, "lanes": 1, **wrong}
        tensor = _Tensor(
            shape=None if shape is None else ctypes.cast(self.shape, _I64P),
            strides=None if strides is None else ctypes.cast(self.strides, _I64P),
            **told,
        )
        if versioned:
            self.managed = _Versioned(major=major, flags=flags, deleter=deleter, tensor=tensor)
        else:
            self.managed = _Managed(tensor=tensor, deleter=deleter)
        self.name = name or (b"dltensor_versioned" if versioned else b"dltensor")
        self.capsule = _api.PyCapsule_New(ctypes.addressof(self.managed), self.name, None)


@pytest.mark.parametrize("versioned", [False, True])
def test_memory_is_shared_and_its_owner_stays(eager, versioned):
    producer = Producer(versioned)
    x = tf.from_dlpack(producer.capsule)
    assert (x.dtype, x.shape) == (tf.float32, (2, 3))
    assert x.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.numpy().ctypes.data == producer.memory.ctypes.data
    assert _api.PyCapsule_GetName(producer.capsule) == b"used_" + producer.name
    y = tf.reshape(x, [6])
    view = y.numpy()
    del x, y
    gc.collect()
    assert not producer.deleted
    assert view.tolist() == [0, 1, 2, 3, 4, 5]
    del view
    eager.flush()
    tf.zeros([1])  # a safe point
    assert len(producer.deleted) == 1


def test_capsules_are_taken_once(eager):
    producer = Producer()
    x = tf.from_dlpack(producer.capsule)
    with pytest.raises(tf.errors.InvalidArgumentError, match='got "used_dltensor".*at most once'):
        tf.from_dlpack(producer.capsule)
    assert not producer.deleted
    del x


def _bools_that_numpy_lends():
    """An array of bools in a list; none with old releases of NumPy, which refuse to export bools."""
    bools = np.array([True, False])
    try:
        bools.__dlpack__()
    except TypeError:
        return []
    return [bools]


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.arange(6, dtype=np.int64),
        np.array(3.5),
        np.zeros([0, 3], np.int16),
        *_bools_that_numpy_lends(),
        np.array([1 + 2j]),
        np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1),
        np.arange(10.0)[::-2],
        np.arange(12, dtype=np.uint8).reshape(3, 4)[:, 1:3],
    ],
    ids=lambda a: f"{a.dtype}{list(a.shape)}{list(a.strides)}",
)
def test_arrays_of_numpy(eager, array):
    x = tf.from_dlpack(array)
    assert x.dtype == array.dtype
    np.testing.assert_array_equal(x.numpy(), array)
    if array.flags.c_contiguous and array.ndim and array.size:
        assert np.shares_memory(x.numpy(), array)
    np.testing.assert_array_equal(
        (x * x if array.dtype != bool else tf.logical_not(tf.logical_not(x))).numpy(), array * array
    )


def test_own_tensors_and_to_dlpack(eager):
    for dtype in (tf.bfloat16, tf.float16, tf.dtypes.experimental.float8_e5m2):
        x = tf.cast(tf.constant([1.0, 2.0]), dtype)
        assert tf.from_dlpack(x).numpy().astype(float).tolist() == [1, 2]
        again = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(x))
        assert again.dtype is dtype
        assert again.numpy().astype(float).tolist() == [1, 2]
    capsule = tf.experimental.dlpack.to_dlpack(x)
    assert _api.PyCapsule_GetName(capsule) == b"dltensor"
    with pytest.raises(BufferError):
        tf.experimental.dlpack.to_dlpack(tf.constant("text"))
    with pytest.raises(TypeError, match="must be a TF tensor"):
        tf.experimental.dlpack.to_dlpack([1.0])


def test_graphs_get_a_copy():
    array = np.arange(6, dtype=np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.from_dlpack(array)
        assert (x.op.type, x.dtype, x.shape) == ("Const", tf.float32, [6])
        array[:] = 7
        assert session.run(x).tolist() == [0, 1, 2, 3, 4, 5]
        producer = Producer()
        tf.from_dlpack(producer.capsule)
        assert len(producer.deleted) == 1
        with pytest.raises(TypeError, match="must be a TF tensor"):
            tf.experimental.dlpack.to_dlpack(x)


def test_the_deleter_is_called_whoever_drops_the_tensor(eager):
    producers = [Producer() for _ in range(8)]
    tensors = [tf.from_dlpack(p.capsule) for p in producers]
    thread = threading.Thread(target=tensors.clear)
    thread.start()
    thread.join()
    eager.flush()
    eager.close()
    gc.collect()
    assert [len(p.deleted) for p in producers] == [1] * 8


def test_closed_sessions_let_go(eager):
    array = np.arange(4.0)
    gone = weakref.ref(array)
    with tf.EagerSession():
        x = tf.from_dlpack(array)
        del array
        gc.collect()
        assert gone() is not None
        assert float(x[1]) == 1.0
    del x
    gc.collect()
    assert gone() is None


STRIDED = {
    "rows swapped": ([2, 3], [-3, 1], 12, [[3, 4, 5], [0, 1, 2]]),
    "one row twice": ([2, 3], [0, 1], 0, [[0, 1, 2], [0, 1, 2]]),
    "columns": ([3, 2], [1, 3], 0, [[0, 3], [1, 4], [2, 5]]),
    "a size of one": ([1, 3], [2**62, 1], 0, [[0, 1, 2]]),
    "nothing": ([0, 3], [2**62, 2**62], 0, []),
    "not aligned": ([1], None, 1, None),
}


@pytest.mark.parametrize("kind", STRIDED)
def test_strides(eager, kind):
    shape, strides, offset, wanted = STRIDED[kind]
    producer = Producer(shape=shape, strides=strides, byte_offset=offset)
    x = tf.from_dlpack(producer.capsule)
    assert x.shape == shape
    if wanted is not None:
        assert x.numpy().tolist() == wanted


HUGE = 2**62
LIES = {
    "another device": {"device_type": 2},
    "no device": {"device_type": 0},
    "a type code that is none": {"code": 77},
    "opaque handles": {"code": 3, "bits": 64},
    "strange bits": {"bits": 24},
    "vectors": {"lanes": 4},
    "no lanes": {"lanes": 0},
    "negative rank": {"ndim": -1},
    "huge rank": {"ndim": 2**31 - 1},
    "a rank without a shape": {"shape": None},
    "negative size": {"shape": [2, -3]},
    "lowest size": {"shape": [-(2**63)]},
    "too many elements": {"shape": [HUGE, HUGE]},
    "too many elements beside none": {"shape": [HUGE, HUGE, 0]},
    "too many bytes": {"shape": [HUGE]},
    "no memory": {"data": None},
    "no memory, but an offset": {"data": None, "byte_offset": 64},
    "an offset around the end": {"byte_offset": 2**64 - 1},
    "a stride around the end": {"strides": [HUGE, 1]},
    "the lowest stride": {"strides": [-(2**63), 1]},
    "a stride below zero": {"strides": [-(2**60), 1]},
}


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("kind", LIES)
def test_lies_are_refused_and_the_capsule_stays_its_producers(eager, kind, versioned):
    producer = Producer(versioned, **LIES[kind])
    with pytest.raises(tf.errors.InvalidArgumentError, match="DLPack tensor|Dimension|Shape"):
        tf.from_dlpack(producer.capsule)
    assert _api.PyCapsule_GetName(producer.capsule) == producer.name
    assert not producer.deleted


@pytest.mark.parametrize("major", [0, 2, 2**32 - 1])
def test_unknown_versions_are_refused(eager, major):
    producer = Producer(versioned=True, major=major, data=None, ndim=-5)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"has version {major}.0"):
        tf.from_dlpack(producer.capsule)
    assert not producer.deleted


def test_flags_and_deleters_that_are_not_there(eager):
    for producer in (Producer(versioned=True, flags=2**64 - 1), Producer(deleter=_DELETER())):
        assert tf.from_dlpack(producer.capsule).numpy()[1, 2] == 5


def test_other_objects(eager):
    for value in (3, "x", [1.0], None, object()):
        with pytest.raises(TypeError, match="takes a DLPack capsule or an object with __dlpack__"):
            tf.from_dlpack(value)
    producer = Producer(name=b"other")
    with pytest.raises(tf.errors.InvalidArgumentError, match='got "other"'):
        tf.from_dlpack(producer.capsule)

    class Old:  # a producer that predates version 1
        def __dlpack__(self, stream=None):
            return np.arange(3.0).__dlpack__()

    assert tf.from_dlpack(Old()).numpy().tolist() == [0, 1, 2]

    class Elsewhere(Old):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(tf.errors.InvalidArgumentError, match="on a device of type 2"):
        tf.from_dlpack(Elsewhere())

    class Broken:
        def __dlpack__(self, **_):
            raise BufferError("no capsule today")

    with pytest.raises(BufferError, match="no capsule today"):
        tf.from_dlpack(Broken())


def test_feeds_of_such_arrays_count_what_was_copied():
    class Shared:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array if dtype is None or dtype == self.array.dtype else self.array.astype(dtype)

    class Copied(Shared):
        def __array__(self, dtype=None, copy=None):
            return np.array(self.array, dtype)

    array = np.zeros([1000], np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(x)
        for value, copied in (
            (array, 0),
            (Shared(array), 0),
            (Copied(array), 4000),
            (array.astype(np.float64), 4000),
            (array[::2], 2000),
            (memoryview(array), 0),
            (array.astype(ml_dtypes.bfloat16), 4000),
        ):
            before = session.stats().feed_bytes_copied
            session.run(y, {x: value})
            assert session.stats().feed_bytes_copied - before == copied, type(value)
