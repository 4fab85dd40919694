"""A step waiting for a barrier blocks no thread, and each element is taken once."""

import random
import threading

import pytest

import tinytf as tf
from tinytf.python.ops.data_flow_ops import Barrier

ONE_THREAD = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)


def _barrier(components=2):
    return Barrier([tf.int32] * components, shapes=[[]] * components)


def test_a_take_waits_for_elements():
    with tf.Session(config=ONE_THREAD) as session:
        barrier, taken = _barrier(), []
        take = barrier.take_many(2)
        threads = [threading.Thread(target=lambda: taken.append(session.run(take.keys).tolist())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for part in range(2):
            session.run(barrier.insert_many(part, ["a", "b", "c", "d"], [1, 2, 3, 4]))
        for thread in threads:
            thread.join()
        assert sorted(sum(taken, [])) == [b"a", b"b", b"c", b"d"]


@pytest.mark.parametrize("closes", ["close", "cancel", "complete"])
def test_what_waits_is_told_when_no_more_will_come(closes, later):
    """A waiting step ends when no more elements will come; with incomplete elements at close, TensorFlow lets it
    wait forever. A step that accepts a smaller batch gets the elements that are ready then, as does a later one.
    """
    with tf.Session() as session:
        barrier, errors = _barrier(), []
        few, many = barrier.take_many(5, allow_small_batch=True), barrier.take_many(3)
        session.run(barrier.insert_many(0, ["a", "b"], [1, 2]))
        session.run(barrier.insert_many(1, ["a"], [1]))
        future = later(session, few.keys)
        if closes == "complete":
            session.run(barrier.close())
            assert future.result().tolist() == [b"a"]
            session.run(barrier.insert_many(1, ["b"], [2]))
            assert session.run(few.keys).tolist() == [b"b"]
        else:
            session.run(barrier.insert_many(1, ["b"], [2]) if closes == "close" else barrier.ready_size())
            session.run(barrier.close(cancel_pending_enqueues=closes == "cancel"))
            assert len(future.result()) == (2 if closes == "close" else 1)
        with pytest.raises(tf.errors.OutOfRangeError) as caught:
            session.run(many)
        errors.append(str(caught.value))
        assert "is closed and has insufficient elements (requested 3, total size 0)" in errors[0]


def test_a_timeout_leaves_the_elements_there():
    with tf.Session() as session:
        barrier = _barrier(1)
        session.run(barrier.insert_many(0, ["a"], [1]))
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(barrier.take_many(2), options=tf.RunOptions(timeout_in_ms=20))
        assert session.run(barrier.take_many(1).keys).tolist() == [b"a"]


def test_closing_the_session_ends_what_waits(later):
    session = tf.Session()
    future = later(session, _barrier(1).take_many(1).keys)
    session.close()
    with pytest.raises(tf.errors.CancelledError):
        future.result()


def test_a_failed_insertion_changes_nothing():
    """In TensorFlow the values before the failing key stay, and elements they complete are lost."""
    with tf.Session() as session:
        barrier = _barrier()
        sizes = [barrier.ready_size(), barrier.incomplete_size()]
        session.run(barrier.insert_many(0, ["a"], [1]))
        session.run(barrier.insert_many(1, ["b"], [2]))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Key b already has a value for component 1"):
            session.run(barrier.insert_many(1, ["a", "c", "b"], [1, 3, 2]))
        assert session.run(sizes) == [0, 2]


def test_values_that_do_not_fit_are_refused_when_they_come():
    """TensorFlow notices only when the element is complete, which is then lost, and reads missing values."""
    with tf.Session() as session:
        barrier = _barrier()
        fed, keys = tf.placeholder(tf.int32), tf.placeholder(tf.string)
        insert = barrier.insert_many(0, keys, fed)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"component 2. Expected \[\], got \[1\]"):
            session.run(insert, {keys: ["a"], fed: [[1]]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Expected one value for each of the 2 keys"):
            session.run(insert, {keys: ["a", "b"], fed: [1]})
        count = tf.placeholder(tf.int32)
        with pytest.raises(tf.errors.InvalidArgumentError, match="num_elements must not be negative, but is -1"):
            session.run(barrier.take_many(count), {count: -1})
        negative = tf.raw_ops.BarrierInsertMany(handle=barrier.barrier_ref, keys=["a"], values=[1], component_index=-1)
        with pytest.raises(tf.errors.InvalidArgumentError, match="The component ID must not be negative"):
            session.run(negative)


def test_elements_come_in_the_order_of_their_first_components():
    """Elements inserted together come in the order of completion."""
    with tf.Session() as session:
        barrier = _barrier()
        for part, keys in [(0, ["a", "b"]), (0, ["c"]), (1, ["c", "b", "a"])]:
            session.run(barrier.insert_many(part, keys, list(range(len(keys)))))
        assert session.run(barrier.take_many(3).keys).tolist() == [b"b", b"a", b"c"]


@pytest.mark.parametrize("seed", range(3))
def test_many_threads_get_each_element_once(seed):
    components, keys, takers = 3, 60, 3
    with tf.Session() as session:
        barrier = _barrier(components)
        key, value = tf.placeholder(tf.string, [1]), tf.placeholder(tf.int32, [1])
        inserts = [barrier.insert_many(i, key, value) for i in range(components)]
        takes = [barrier.take_many(1 + i, allow_small_batch=True) for i in range(takers)]
        close, taken = barrier.close(), []

        def insert(component):
            order = list(range(keys))
            random.Random(seed * components + component).shuffle(order)
            for k in order:
                session.run(inserts[component], {key: [str(k)], value: [k * components + component]})

        def take(which):
            while True:
                try:
                    found = session.run(takes[which])
                except tf.errors.OutOfRangeError:
                    return
                taken.extend(zip(found.keys.tolist(), *(part.tolist() for part in found.values)))

        inserting = [threading.Thread(target=insert, args=[i]) for i in range(components)]
        taking = [threading.Thread(target=take, args=[i]) for i in range(takers)]
        for thread in inserting + taking:
            thread.start()
        for thread in inserting:
            thread.join()
        session.run(close)
        for thread in taking:
            thread.join()
        expected = [(str(k).encode(), *(k * components + i for i in range(components))) for k in range(keys)]
        assert sorted(taken) == sorted(expected)
        assert session.run([barrier.ready_size(), barrier.incomplete_size()]) == [0, 0]
