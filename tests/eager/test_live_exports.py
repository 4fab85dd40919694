"""Memory of a session that is still referenced from outside: the list of exports, and the strict close that raises
it.
"""

import ctypes
import gc
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tinytf as tf
from tinytf import _core


def kinds(session):
    return [(export.kind, export.shape, export.dtype, export.bytes) for export in session.live_exports()]


def test_each_kind_is_listed_until_it_goes(options):
    with tf.EagerSession(**options) as session:
        x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) + 0.0
        array, view, taken = x.numpy(), memoryview(x), np.from_dlpack(x)
        capsule = x.__dlpack__(max_version=(1, 0))
        expected = [("DLPack", (2, 3), tf.float32, 24)] * 2 + [
            ("buffer", (2, 3), tf.float32, 24),
            ("array", (2, 3), tf.float32, 24),
        ]
        assert kinds(session) == expected
        assert session.stats().exported_bytes == 96
        del capsule
        assert kinds(session) == expected[1:]
        del array
        assert kinds(session) == expected[1:3]
        view.release()
        assert kinds(session) == expected[1:2]
    assert kinds(session) == expected[1:2]  # also after the session is closed
    assert taken.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    del taken
    assert kinds(session) == []
    assert session.stats().exported_bytes == 0


def test_what_holds_no_memory_is_not_listed(eager):
    scalar, text, empty = tf.constant(1.0).numpy(), tf.constant(["a", "b"]).numpy(), tf.zeros([0, 3]).numpy()
    copy = tf.constant([1.0, 2.0]).numpy(copy=True)
    assert (scalar, text.tolist(), empty.shape, copy.tolist()) == (1.0, [b"a", b"b"], (0, 3), [1.0, 2.0])
    assert eager.live_exports() == []
    eager.close(strict=True)


def test_sessions_list_their_own():
    with tf.EagerSession() as one:
        ours = (tf.constant([1, 2, 3]) + 0).numpy()
        with tf.EagerSession() as other:
            theirs = (tf.constant([1.0, 2.0], tf.float64) + 0.0).numpy()
            assert kinds(other) == [("array", (2,), tf.float64, 16)]
            assert kinds(one) == [("array", (3,), tf.int32, 12)]
    assert (ours.sum(), theirs.sum()) == (6, 3.0)


def test_strict_close_lists_what_is_held(options):
    session = tf.EagerSession(**options)
    with session:
        x = tf.constant([1.0, 2.0]) + 0.0
        held = x.numpy(), memoryview(tf.constant([[1], [2]], tf.int64) + tf.constant(0, tf.int64))
        with pytest.raises(RuntimeError) as caught:
            session.close(strict=True)
        assert str(caught.value) == (
            "24 bytes of the closed session's values are still held outside it:\n"
            "  buffer of 16 bytes: int64, shape (2, 1)\n"
            "  array of 8 bytes: float32, shape (2,)"
        )
        assert session.closed
        assert held[0].tolist() == [1.0, 2.0]
        del held
        session.close(strict=True)


def test_long_lists_are_cut():
    with tf.EagerSession() as session:
        held = [tf.ones([i]).numpy() for i in range(1, 13)]
        with pytest.raises(RuntimeError) as caught:
            session.close(strict=True)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"{4 * 78} bytes")
    assert lines[1] == "  array of 48 bytes: float32, shape (12,)"
    assert lines[10:] == ["  array of 12 bytes: float32, shape (3,)", "  and 2 more"]
    assert len(held) == 12


def test_the_op_and_the_line_that_made_the_value_are_told_if_they_are_tracked():
    with tf.EagerSession(track_sites=True) as session:
        held = [(tf.constant([1.0, 2.0]) * 2.0).numpy()]
        held.append(memoryview(tf.constant([1, 2, 3])))
        exports = session.live_exports()
        assert [export.op for export in exports] == ["Const", "Mul"]
        assert all(re.search(r"test_live_exports\.py:\d+$", export.site) for export in exports)
        with pytest.raises(RuntimeError, match=r"array of 8 bytes: .* made by Mul at .*test_live_exports\.py:\d+"):
            session.close(strict=True)
    del held


def test_exports_outlive_the_site_of_a_closed_session():
    with tf.EagerSession(track_sites=True) as session:
        array = (tf.constant([1.0, 2.0]) * 2.0).numpy()
    assert [export.op for export in session.live_exports()] == ["Mul"]
    assert array.tolist() == [2.0, 4.0]


USED = b"used_dltensor_versioned"


def end_without_the_lock(capsule):
    """Consumes the tensor of a DLPack capsule and calls its deleter without the GIL, as a consumer without Python
    would; ctypes releases the GIL around the call.
    """
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    managed = pointer(capsule, b"dltensor_versioned")
    rename(capsule, USED)
    deleter = ctypes.c_void_p.from_address(managed + 16).value
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(managed)


def test_dlpack_deleters_run_without_the_interpreters_lock(eager):
    before = _core.live_buffers()
    for _ in range(20):
        capsules = [(tf.constant([1.0, float(i)]) + 0.0).__dlpack__(max_version=(1, 0)) for i in range(8)]
        kept = (tf.constant([0.0, 1.0]) + 0.0).numpy()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(end_without_the_lock, capsules))
        assert kinds(eager) == [("array", (2,), tf.float32, 8)]
        assert eager.stats().exported_bytes == 8
    assert kept.tolist() == [0.0, 1.0]
    del kept, capsules
    eager.flush(10.0)
    assert _core.live_buffers() <= before


def test_the_list_is_read_while_others_make_and_drop_exports(eager):
    x = tf.constant([1.0, 2.0]) + 0.0
    go_on = True

    def churn():
        held = []
        while go_on:
            held.append(x.numpy())
            held.append(memoryview(x))
            if len(held) > 20:
                del held[:15]

    threads = [threading.Thread(target=churn) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(300):
        for export in eager.live_exports():
            assert (export.shape, export.dtype, export.bytes) == ((2,), tf.float32, 8)
    go_on = False
    for thread in threads:
        thread.join()
    gc.collect()
    assert eager.live_exports() == []
    assert eager.stats().exported_bytes == 0
