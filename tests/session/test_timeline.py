"""`Timeline` writes step stats as a trace in Chrome's format, with the same events as TensorFlow."""

import json
import random

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf.python.client import timeline

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def _node(stats, name, op, inputs, start, duration, outputs=(), allocator="cpu"):
    node = stats.node_stats.add(
        node_name=name,
        all_start_micros=start,
        all_end_rel_micros=duration,
        thread_id=4711,
        timeline_label=f"{name} = {op}({', '.join(inputs)})",
    )
    for slot, size in enumerate(outputs):
        described = node.output.add(slot=slot).tensor_description
        described.dtype = tf.float32.as_datatype_enum
        described.shape.dim.add(size=size // 4)
        described.allocation_description.requested_bytes = size
        described.allocation_description.allocator_name = allocator


def _events(step_stats, **options):
    return json.loads(timeline.Timeline(step_stats).generate_chrome_trace_format(**options))["traceEvents"]


def _diamond():
    """Step stats of one producer, two concurrent consumers, and a node that joins them."""
    stats = protos.StepStats()
    device = stats.dev_stats.add(device=CPU)
    _node(device, "x", "Split", [], 100, 10, [8, 16])
    _node(device, "left", "Neg", ["x"], 111, 20, [8])
    _node(device, "right", "Abs", ["x:1"], 112, 10, [16])
    _node(device, "join", "AddN", ["left", "right", "^x"], 140, 5, [16])
    return stats


def test_nodes_that_overlap_get_lanes_of_their_own():
    stats = _diamond()
    events = _events(stats, show_dataflow=False)
    names = [(e["pid"], e["args"]["name"]) for e in events if e["ph"] == "M"]
    assert names == [(0, "Allocators"), (1, f"{CPU} Compute"), (2, f"{CPU} Tensors")]
    regions = {e["args"]["name"]: e for e in events if e["ph"] == "X"}
    assert {name: (e["tid"], e["ts"], e["dur"]) for name, e in regions.items()} == {
        "x": (0, 100, 10),
        "left": (0, 111, 20),
        "right": (1, 112, 10),
        "join": (0, 140, 5),
    }
    assert regions["join"]["name"] == "AddN" and regions["join"]["cat"] == "Op" and regions["join"]["pid"] == 1
    args = {"name": "join", "op": "AddN", "input0": "left", "input1": "right", "input2": "^x"}
    assert regions["join"]["args"] == args
    assert [node.thread_id for node in stats.dev_stats[0].node_stats] == [0, 0, 1, 0]  # set by the timeline


def test_dataflow_between_lanes_is_drawn():
    events = [e for e in _events(_diamond()) if e["ph"] in "st"]
    assert [(e["ph"], e["name"], e["tid"], e["ts"], e["id"]) for e in events] == [
        ("s", "x:1", 0, 110, 0),
        ("t", "x:1", 1, 112, 0),
        ("s", "right", 1, 122, 1),
        ("t", "right", 0, 140, 1),
    ]
    assert {e["cat"] for e in events} == {"DataFlow"}


def test_memory_is_drawn_on_demand():
    assert not [e for e in _events(_diamond()) if e["ph"] in "NODC"]
    events = _events(_diamond(), show_memory=True)
    births = {e["name"]: e["id"] for e in events if e["ph"] == "N"}
    assert births == {"x": 0, "x:1": 1, "left": 2, "right": 3, "join": 4}
    ends = {e["name"]: e["ts"] for e in events if e["ph"] == "D"}
    assert ends == {"x": 130, "x:1": 121, "left": 144, "right": 144, "join": 145}
    snapshot = next(e for e in events if e["ph"] == "O" and e["name"] == "right")
    assert "requested_bytes: 16" in snapshot["args"]["snapshot"]["tensor_description"]
    assert snapshot["ts"] == 121 and snapshot["pid"] == 2
    counts = [(e["ts"], e["args"]["cpu"]) for e in events if e["ph"] == "C"]
    assert counts[:4] == [(100, 8), (100, 24), (111, 32), (112, 48)]
    assert counts[4:] == [(121, 32), (130, 24), (140, 40), (144, 24), (144, 16), (145, 0)]


def test_allocators_maximum_is_returned():
    maximum = timeline.Timeline(_diamond()).analyze_step_stats().allocator_maximums["cpu"]
    assert maximum == timeline.AllocationMaximum(timestamp=112, num_bytes=48, tensors={"x", "x:1", "left", "right"})


def test_a_real_step():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    total = tf.reduce_sum(tf.matmul(x, tf.transpose(x), name="product"), name="total")
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(total, {x: np.ones([3, 4])}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
    trace = tf.python.client.timeline.Timeline(metadata.step_stats, graph=tf.get_default_graph())
    text = trace.generate_chrome_trace_format(show_memory=True)
    regions = [e["args"] for e in json.loads(text)["traceEvents"] if e["ph"] == "X"]
    assert regions[1] == {"name": "product", "op": "MatMul", "input0": "x", "input1": "transpose"}
    assert text.startswith('{\n    "traceEvents": [\n        {\n            "')
    drawn = timeline.Timeline(metadata.step_stats).analyze_step_stats(show_memory=True).chrome_trace
    assert drawn.format_to_string(pretty=True) == text
    assert drawn.format_to_string() == json.dumps(json.loads(text), separators=(",", ":"))


def _random_stats(seed):
    """Random step stats of several devices with chains, overlaps, receives, repetitions, kernels and malformed
    labels.
    """
    pick = random.Random(seed)
    stats = protos.StepStats()
    made = []
    for device_name in pick.sample([CPU, f"{CPU}1", "/gpu:0/stream:7", "/gpu:0/memcpy"], pick.randint(1, 4)):
        device = stats.dev_stats.add(device=device_name)
        time = 1000
        for i in range(pick.randint(0, 30)):
            time += pick.randint(0, 8)
            name = pick.choice([f"scope/n{i}", f"n{i}", "loop/n", "RecvTensor"])
            inputs = pick.sample(made, min(len(made), pick.randint(0, 3))) + pick.choice([[], ["^gone"], ["n1/_5"]])
            outputs = [4 * pick.randint(0, 50) for _ in range(pick.randint(0, 3))]
            _node(
                device,
                name,
                pick.choice(["MatMul", "Add"]),
                inputs,
                time,
                pick.randint(0, 20),
                outputs,
                pick.choice("ab"),
            )
            made += [f"{name}:{slot}" if slot else name for slot in range(len(outputs))]
            node = device.node_stats[-1]
            other = [
                f"[cpu 1.5MB 1.5MB] {node.timeline_label}",
                "no label",
                "",
                f"k@@{name}:MatMul#id=1#",
                "a#@@b:c#",
                "@@x#",
            ]
            node.timeline_label = pick.choice([node.timeline_label] * 6 + other)
    return stats


@pytest.mark.oracle
@pytest.mark.parametrize("options", [{}, {"show_memory": True}, {"show_dataflow": False, "show_memory": True}], ids=str)
def test_events_are_tensorflows(oracle, options):
    program = """
from tensorflow.python.client import timeline
result = []
for each in inputs:
    stats = tf.RunMetadata.FromString(each).step_stats
    drawn = timeline.Timeline(stats)
    text = drawn.generate_chrome_trace_format(**options)
    result.append((text, stats.SerializeToString(deterministic=True)))
"""
    drawn = [protos.RunMetadata(step_stats=_random_stats(seed)) for seed in range(40)]
    expected = oracle(program, inputs=[metadata.SerializeToString() for metadata in drawn], options=options)
    for metadata, (text, after) in zip(drawn, expected, strict=True):
        assert timeline.Timeline(metadata.step_stats).generate_chrome_trace_format(**options) == text
        assert metadata.step_stats.SerializeToString(deterministic=True) == after
