"""Queues and readers of early graphs, whose handles are strings, behave as in TensorFlow 1.15.5."""

import early_queue_programs
from early_queue_programs import Graph
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    early_queue_programs, "early_queues_of_1_15.json"
)


def test_records_of_one_length(tmp_path):
    """TensorFlow's reader requires an attr that early nodes do not have; here it is optional."""
    tmp_path.joinpath("f").write_bytes(b"aabbc")
    with tf.Session() as session:
        graph = Graph(tf, session)
        queue = graph.node("FIFOQueue", component_types=[tf.string], shapes=[[]])
        reader = graph.node("FixedLengthRecordReader", record_bytes=2)
        session.run(graph.node("QueueEnqueue", queue, str(tmp_path / "f"), Tcomponents=[tf.string]))
        read = graph.node("ReaderRead", reader, queue)
        assert [session.run(read)[1] for _ in range(2)] == [b"aa", b"bb"]
