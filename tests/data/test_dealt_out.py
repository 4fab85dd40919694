"""Iterators whose elements are dealt out to several devices."""

import itertools

import dealt_out
import pytest
import raw_datasets_parallel
from recorded import recorded

import tinytf as tf
from tinytf import _core

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    dealt_out, "dealt_out.json", helpers=(raw_datasets_parallel,)
)


def _all_of(session, shards, number):
    """The elements of both devices, which take in turn, and how many steps failed after their operation. Steps that
    lack memory take again."""
    found, more, failed_later = [], [0, 1], 0
    while more:
        for shard in list(more):
            try:
                found += [int(n) for n in session.run(shards.next[shard], {shards.number: number})]
            except tf.errors.OutOfRangeError:
                more.remove(shard)
            except tf.errors.ResourceExhaustedError as error:
                failed_later += error.op is None
            except MemoryError:
                failed_later += 1
    return found, failed_later


@pytest.mark.hooks
def test_no_element_is_lost_without_memory():
    shards = dealt_out.Shards(tf, raw_datasets_parallel.count_up(tf, 30), most=15)  # several blocks of a buffer
    with tf.Session() as session:
        for failing in itertools.count():
            number = int(session.run(shards.start))
            _core.testing.fail_allocation(failing)
            try:
                found, failed_later = _all_of(session, shards, number)
            finally:
                has_failed = _core.testing.allocation_has_failed()
                _core.testing.fail_allocation(-1)
            assert len(set(found)) == len(found) >= 30 - failed_later, f"request {failing} failed"
            if not has_failed:
                break
    assert failing > 0


def test_a_request_of_another_type_takes_no_element():
    iterator = tf.raw_ops.MultiDeviceIterator(
        devices=["/cpu:0"], shared_name="", container="", output_types=[tf.int64], output_shapes=[[]]
    )
    made = tf.data.Dataset.range(2)._variant_tensor
    start = tf.raw_ops.MultiDeviceIteratorInit(dataset=made, multi_device_iterator=iterator, max_buffer_size=1)
    number = tf.placeholder(tf.int64, [])
    get = {
        dtype: tf.raw_ops.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=iterator, shard_num=0, incarnation_id=number, output_types=[dtype], output_shapes=[[]]
        )[0]
        for dtype in (tf.int64, tf.float32)
    }
    with tf.Session() as session:
        feed = {number: session.run(start)}
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(get[tf.float32], feed)
        assert session.run(get[tf.int64], feed) == 0
