"""Graphs of TensorFlow's control-flow primitives run the same nodes equally often as in TensorFlow 1.15.5."""

import dead_tensor_programs
import numpy as np
import pytest
from dead_tensor_programs import outcome, programs
from recorded import outcomes_of_1_15, recorded

import tinytf as tf
from tinytf._src import protos

_FILE = "dead_tensors_of_1_15.json"
PROGRAMS = programs(tf)
OF_1_15 = outcomes_of_1_15(dead_tensor_programs, _FILE)

# Compiled plans, and plans run by the dataflow machine without rewrites.
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
WAYS = {"compiled": tf.ConfigProto(), "by tokens": BY_TOKENS}


# A branch known to be taken is removed, so that errors name the variable itself.
_NAMED_ITSELF = {"uninitialized_in_the_branch_that_is_taken": ("RefSwitch:1", "v")}


def _compiled(name):
    return OF_1_15[name].replace(*_NAMED_ITSELF.get(name, ("", "")))


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    dead_tensor_programs,
    _FILE,
    ways={way: [config] for way, config in WAYS.items()},
    wanted=lambda outcome, name, way: _compiled(name) if way == "compiled" else outcome,
    there="outcome(tf, program, without_rewrites(tf))",
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_by_way_of_a_graph_def(name):
    """Loops survive export and import."""
    with tf.Graph().as_default() as graph:
        fetches = PROGRAMS[name]()
        names = [fetch.name for fetch in (fetches if isinstance(fetches, list) else [fetches])]
    definition = graph.as_graph_def()
    if name in ("cycle_without_next_iteration", "next_iteration_of_another_type"):
        with pytest.raises(ValueError), tf.Graph().as_default():
            tf.import_graph_def(definition, name="")
        return

    def build():
        tf.import_graph_def(definition, name="")
        found = [tf.get_default_graph().as_graph_element(one) for one in names]
        return found if isinstance(fetches, list) else found[0]

    assert outcome(tf, build, None) == _compiled(name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_watched(name, tmp_path):
    """Traces, the NaN watch and records handle dead values and iterations."""
    expected = OF_1_15[name]
    with tf.Graph().as_default():
        fetches = PROGRAMS[name]()
        with tf.Session() as session:

            def run():
                try:
                    session.run(fetches)
                except tf.errors.OpError as error:
                    assert expected.startswith(type(error).__name__)
                else:
                    assert "Error" not in expected

            session.watch_nan()
            run()
            with session.record(tmp_path / "steps"):
                run()
            metadata = tf.RunMetadata()
            try:
                session.run(fetches, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
            except tf.errors.OpError as error:
                assert expected.startswith(type(error).__name__)


@pytest.mark.parametrize("way", WAYS)
def test_time_limits_end_loops(way):
    enter = tf.raw_ops.Enter(data=tf.constant(0), frame_name="for_ever")
    merged = tf.raw_ops.Merge(inputs=[enter, enter]).output
    true = tf.raw_ops.Enter(data=tf.constant(True), frame_name="for_ever", is_constant=True)
    branch = tf.raw_ops.Switch(data=merged, pred=tf.raw_ops.LoopCond(input=true))
    merged.op._update_input(1, tf.raw_ops.NextIteration(data=branch.output_true))
    left = tf.raw_ops.Exit(data=branch.output_false)
    with tf.Session(config=WAYS[way]) as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(left, options=tf.RunOptions(timeout_in_ms=50))


@pytest.mark.parametrize("way", WAYS)
def test_values_of_iterations_are_given_back(way):
    """A long loop needs only the memory of a few iterations."""
    value = tf.raw_ops.Enter(data=tf.zeros([1 << 18]), frame_name="loop")
    count = tf.raw_ops.Enter(data=tf.constant(0), frame_name="loop")
    merged = tf.raw_ops.Merge(inputs=[value, value]).output
    counted = tf.raw_ops.Merge(inputs=[count, count]).output
    enter = lambda x: tf.raw_ops.Enter(data=x, frame_name="loop", is_constant=True)  # noqa: E731
    predicate = tf.raw_ops.LoopCond(input=tf.less(counted, enter(tf.constant(400))))
    branch = tf.raw_ops.Switch(data=merged, pred=predicate)
    again = tf.raw_ops.Switch(data=counted, pred=predicate)
    merged.op._update_input(1, tf.raw_ops.NextIteration(data=branch.output_true + enter(tf.constant(1.0))))
    counted.op._update_input(1, tf.raw_ops.NextIteration(data=again.output_true + enter(tf.constant(1))))
    left = tf.raw_ops.Exit(data=branch.output_false)
    with tf.Session(config=WAYS[way]) as session:
        np.testing.assert_array_equal(session.run(left)[:2], [400, 400])
        assert session.stats().memory.peak_bytes < 40 << 20  # the loop produces 400 MiB in total


@pytest.mark.parametrize("way", WAYS)
def test_a_value_leaves_a_loop_once(way):
    """A second value would be counted as another input that the consumer waits for."""
    raw = tf.raw_ops
    enter = raw.Enter(data=tf.constant(0), frame_name="loop")
    merged = raw.Merge(inputs=[enter, enter]).output
    three, x = (raw.Enter(data=tf.constant(v), frame_name="loop", is_constant=True) for v in (3, 2.0))
    branch = raw.Switch(data=merged, pred=raw.LoopCond(input=tf.less(merged, three)))
    one = raw.Enter(data=tf.constant(1), frame_name="loop", is_constant=True)
    merged.op._update_input(1, raw.NextIteration(data=branch.output_true + one))
    left = raw.Exit(data=branch.output_false)
    fetch = tf.add_n([tf.cast(left, tf.float32), raw.Exit(data=x, name="often")])
    with tf.Session(config=WAYS[way]) as session:
        with pytest.raises(tf.errors.InternalError, match="The loop passes a second value to its Exit often."):
            session.run(fetch)


_NO_ENTER = "Invalid Exit op: Cannot find a corresponding Enter op."
_NO_LOOP = "node N is a NextIteration outside of a loop."
_OUTSIDE = {  # uses outside of loops, which crash 1.15.5
    "an exit": (lambda raw, x: raw.Exit(data=tf.constant(1.0)), _NO_ENTER),
    "an exit of what is fed": (lambda raw, x: raw.Exit(data=x), _NO_ENTER),
    "a second exit": (lambda raw, x: raw.Exit(data=raw.Exit(data=raw.Enter(data=x, frame_name="f"))), _NO_ENTER),
    "a next iteration": (lambda raw, x: raw.NextIteration(data=x, name="N"), _NO_LOOP),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("build", "text"), _OUTSIDE.values(), ids=_OUTSIDE)
def test_ends_of_loops_outside_of_loops(build, text, way):
    found = outcome(tf, lambda: build(tf.raw_ops, tf.placeholder_with_default(1.0, [])), WAYS[way])
    assert found == f"InvalidArgumentError: {text}"
