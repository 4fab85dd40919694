"""Eager variables and queues leave nothing in a session that goes on."""

import pytest
from process_memory import resident_bytes

import tinytf as tf

COUNT = 100_000
BYTES = 32  # per object at most; a leaked name, table entry or object takes more


def grown_by(make):
    """Bytes by which COUNT calls grow the process, after enough calls to fill the pools."""
    for _ in range(COUNT // 10):
        make()
    before = resident_bytes()
    for _ in range(COUNT):
        make()
    return resident_bytes() - before


@pytest.mark.usefixtures("eager")
def test_variables_leave_nothing():
    assert grown_by(lambda: tf.Variable(1.0)) < COUNT * BYTES


@pytest.mark.usefixtures("eager")
def test_queues_leave_nothing():
    # Memory freed by other tests may first be used for other sizes, so the minimum counts.
    assert min(grown_by(lambda: tf.FIFOQueue(1, tf.float32)) for _ in range(3)) < COUNT * BYTES


@pytest.mark.usefixtures("eager")
def test_anonymous_names_tell_variables_apart():
    first, second = tf.Variable([1.0]), tf.Variable([2.0])
    handles = [v.handle for v in (first, second)]
    assert (first.numpy(), second.numpy()) == (1.0, 2.0)
    del first, second
    names = []
    for handle in handles:
        with pytest.raises(tf.errors.FailedPreconditionError) as caught:
            tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)
        names.append(str(caught.value).split("resource variable ")[1].split()[0])
    assert names[0] != names[1]
    assert all(name.startswith("_AnonymousVar") for name in names)
