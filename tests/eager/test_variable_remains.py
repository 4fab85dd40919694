"""What variables and queues of eager execution leave with a session that goes on: nothing."""

import pytest
from process_memory import resident_bytes

import tinytf as tf

COUNT = 100_000
BYTES = 32  # of each, at most; a name, an entry in a table or an object that is forgotten is more


def grown_by(make):
    """Bytes that the process has more after COUNT calls, when as many were made and dropped before as its pools need."""
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
    # What other tests left free may go to other sizes first.
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
