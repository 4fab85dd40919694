"""Queues and variables in eager execution: each creating operation makes its own, which ends with its session."""

import tinytf as tf


def queue(session):
    builder = (
        session.op_builder("FIFOQueueV2", "queue").set_attr("component_types", [tf.float32]).set_attr("capacity", 3)
    )
    return builder.build().output(0)


def size(session, handle):
    return session.op_builder("QueueSizeV2", "size").add_input(handle).build().tensor(0).numpy()


def test_each_operation_makes_a_queue_of_its_own(session):
    first, second = queue(session), queue(session)
    with session:
        one = tf.constant(1.0)
        session.op_builder("QueueEnqueueV2", "put").add_input(first).add_input_list([one]).build()
        assert (size(session, first), size(session, second)) == (1, 0)


def test_sessions_do_not_share_queues(options):
    for _ in range(2):
        with tf.EagerSession(**options) as session:
            handle = queue(session)
            assert size(session, handle) == 0
            session.op_builder("QueueEnqueueV2", "put").add_input(handle).add_input_list([tf.constant(1.0)]).build()
            assert size(session, handle) == 1
