"""Queues and readers of early graphs, whose handles are strings, behave as in TensorFlow 1.15.5."""

import json
from pathlib import Path

import pytest
from early_queue_programs import Graph, outcome, programs

import tinytf as tf

PROGRAMS = programs(tf)
# Outcomes of TensorFlow 1.15.5, printed by early_queue_programs.py.
OF_1_15 = json.loads(Path(__file__).with_name("early_queues_of_1_15.json").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_tensorflow(name):
    assert outcome(tf, PROGRAMS[name]) == OF_1_15[name]


def test_no_program_is_left_out():
    assert OF_1_15.keys() == PROGRAMS.keys()


@pytest.mark.oracle
def test_the_table_is_1_15s(oracle1):
    module = Path(__file__).with_name("early_queue_programs.py").read_text()
    ask = "result = {name: outcome(tf, each) for name, each in programs(tf).items()}"
    assert oracle1(f"__name__ = 'programs'\n{module}\n{ask}") == OF_1_15


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
