"""Graphs of TensorFlow's control-flow primitives, by name; each is built in the default graph and returns the
fetches. `python dead_tensor_programs.py` prints the outcomes on TensorFlow 1.15.
"""

import json
import re


def programs(tf):
    """The programs by name; `tf` is tinytf or TensorFlow."""
    raw, found = tf.raw_ops, {}

    def program(function):
        found[function.__name__] = function
        return function

    def constant(value):
        return tf.constant(value)

    def switch(value, predicate):
        return raw.Switch(data=constant(value), pred=constant(predicate))

    def dead():
        return tf.identity(switch(5.0, False).output_true)

    def after(op, value):
        with tf.control_dependencies([op]):
            return constant(value)

    def enter(value, frame, is_constant=False, at_once=10, name=None):
        return raw.Enter(data=value, frame_name=frame, is_constant=is_constant, parallel_iterations=at_once, name=name)

    class Loop:
        """`while i < limit: i = i + 1`; `i` is the value in the body."""

        def __init__(self, start, limit, frame="loop", at_once=10):
            self.enter = enter(start, frame, at_once=at_once)
            merged = raw.Merge(inputs=[self.enter, self.enter]).output
            self.condition = raw.LoopCond(input=tf.less(merged, enter(limit, frame, True, at_once)))
            self.switch = raw.Switch(data=merged, pred=self.condition)
            self.i = tf.identity(self.switch.output_true)
            self.next = tf.add(self.i, enter(constant(1), frame, True, at_once))
            merged.op._update_input(1, raw.NextIteration(data=self.next))
            self.exit = raw.Exit(data=self.switch.output_false)

    @program
    def waits_for_a_switch_itself():
        return after(switch(5.0, True).output_true.op, 1.0)

    @program
    def waits_for_a_dead_node():
        return after(dead(), 1.0)

    @program
    def dead_target():
        return after(dead(), 1.0).op

    @program
    def second_fetch_is_dead():
        return [constant(2.0), dead()]

    @program
    def merge_counts_dead_control_inputs():
        data = constant(5.0)
        with tf.control_dependencies([dead()]):
            return list(raw.Merge(inputs=[data]))

    @program
    def merge_of_all_dead():
        return list(raw.Merge(inputs=[dead(), dead()]))

    @program
    def merge_of_two_live():
        return list(raw.Merge(inputs=[constant(1.0), constant(2.0)]))

    @program
    def trigger_behind_dead_inputs():
        with tf.control_dependencies([dead()]):
            trigger = raw.ControlTrigger()
        return after(trigger, 2.0)

    def branches(predicate):
        one = raw.Switch(data=constant(3.0), pred=constant(predicate))
        return list(raw.Merge(inputs=[one.output_false * 2.0, one.output_true + 10.0]))

    @program
    def branch_if_true():
        return branches(True)

    @program
    def branch_if_false():
        return branches(False)

    @program
    def ten_iterations():
        return Loop(constant(0), constant(10)).exit

    @program
    def no_iteration():
        return Loop(constant(7), constant(3)).exit

    @program
    def one_iteration_at_a_time():
        return Loop(constant(0), constant(1000), at_once=1).exit

    @program
    def loop_in_an_untaken_branch():
        one = switch(0, False)
        return list(raw.Merge(inputs=[Loop(one.output_true, constant(10)).exit, one.output_false]))

    @program
    def branch_in_a_loop():
        loop = Loop(constant(0), constant(5), "outer")
        odd = raw.Switch(data=loop.i, pred=tf.equal(loop.i, enter(constant(3), "outer", True)))
        merged = raw.Merge(inputs=[odd.output_false, tf.negative(odd.output_true)]).output
        total = enter(constant(0), "outer")
        sums = raw.Merge(inputs=[total, total]).output
        kept = raw.Switch(data=sums, pred=loop.condition)
        sums.op._update_input(1, raw.NextIteration(data=tf.add(kept.output_true, merged)))
        return [loop.exit, raw.Exit(data=kept.output_false)]  # 0 + 1 + 2 - 3 + 4

    @program
    def exit_from_the_middle():
        loop = Loop(constant(0), constant(3))
        second = raw.Switch(data=loop.next, pred=tf.equal(loop.next, enter(constant(2), "loop", True)))
        return [raw.Exit(data=second.output_true), loop.exit]

    @program
    def second_exit_dead_at_the_end():
        loop = Loop(constant(0), constant(3))
        never = raw.Switch(data=loop.next, pred=tf.less(loop.next, enter(constant(0), "loop", True)))
        return list(raw.Merge(inputs=[raw.Exit(data=never.output_true), loop.exit]))

    def nested(outer, inner):
        loop = Loop(constant(0), constant(outer), "outer")
        limit = enter(constant(inner), "outer", True)
        total = enter(constant(0), "outer")
        sums = raw.Merge(inputs=[total, total]).output
        kept = raw.Switch(data=sums, pred=loop.condition)
        begin = tf.identity(kept.output_true)
        inside = Loop.__new__(Loop)
        inside.enter = enter(begin, "inner")
        merged = raw.Merge(inputs=[inside.enter, inside.enter]).output
        bound = enter(tf.add(begin, limit), "inner", True)
        step = enter(enter(constant(1), "outer", True), "inner", True)
        branch = raw.Switch(data=merged, pred=raw.LoopCond(input=tf.less(merged, bound)))
        merged.op._update_input(1, raw.NextIteration(data=tf.add(branch.output_true, step)))
        sums.op._update_input(1, raw.NextIteration(data=raw.Exit(data=branch.output_false)))
        return [loop.exit, raw.Exit(data=kept.output_false)]

    for outer, inner in ((3, 4), (0, 4), (3, 0), (30, 40)):
        found[f"nested_{outer}_{inner}"] = lambda outer=outer, inner=inner: nested(outer, inner)

    def summed(loop, value, wait_for=()):
        """The sum of `value` over all iterations of the loop."""
        total = enter(constant(0), "loop")
        sums = raw.Merge(inputs=[total, total]).output
        kept = raw.Switch(data=sums, pred=loop.condition)
        back = raw.NextIteration(data=tf.add(kept.output_true, value))
        back.op._add_control_inputs(list(wait_for))
        sums.op._update_input(1, back)
        return raw.Exit(data=kept.output_false)

    def trigger(*waits_for):
        with tf.control_dependencies(None):
            op = raw.ControlTrigger()
        op._add_control_inputs([one.op for one in waits_for])
        return op

    @program
    def trigger_before_the_next_iteration():
        loop = Loop(constant(0), constant(5))
        odd = raw.Switch(data=loop.i, pred=tf.equal(loop.i, enter(constant(3), "loop", True)))
        sync = trigger(tf.negative(odd.output_true), tf.negative(odd.output_false))
        return [summed(loop, loop.i, [sync]), loop.exit]

    @program
    def trigger_in_the_body():
        loop = Loop(constant(0), constant(5))
        odd = raw.Switch(data=loop.i, pred=tf.equal(loop.i, enter(constant(3), "loop", True)))
        doubled = tf.add(loop.i, loop.i)
        doubled.op._add_control_input(trigger(tf.negative(odd.output_true)))
        return [summed(loop, doubled), loop.exit]

    @program
    def trigger_behind_a_trigger():
        loop = Loop(constant(0), constant(5))
        second = trigger()
        second._add_control_input(trigger(tf.negative(loop.i)))
        second._add_control_input(trigger(loop.condition))
        return [summed(loop, loop.i, [second]), loop.exit]

    @program
    def trigger_on_the_way_out():
        loop = Loop(constant(0), constant(5))
        last = tf.negative(loop.switch.output_false.op.inputs[0])
        last.op._add_control_input(trigger(tf.negative(loop.i)))
        return [raw.Exit(data=raw.Switch(data=last, pred=loop.condition).output_false), loop.exit]

    def differentiated(body, condition=lambda i, y: i < 3):
        x = constant(0.5)
        y = tf.while_loop(condition, lambda i, y: (i + 1, body(i, y, x)), [0, x])[1]
        return [y, tf.gradients(y, x)[0]]

    @program
    def gradients_of_a_loop():
        return differentiated(lambda i, y, x: y * y + x)

    @program
    def gradients_of_a_branch_in_a_loop():
        return differentiated(lambda i, y, x: tf.cond(i < 1, lambda: y * x, lambda: tf.exp(y)))

    @program
    def gradients_of_no_iteration():
        return differentiated(lambda i, y, x: y * y, lambda i, y: i < 0)

    @program
    def gradients_of_loops_in_loops():
        def body(i, y, x):
            return tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, z * y), [0, x])[1]

        return differentiated(body)

    @program
    def gradients_of_a_loop_in_a_branch_in_a_loop():
        def inner(y):
            return tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * y), [0, y])[1]

        return differentiated(lambda i, y, x: tf.cond(i < 1, lambda: inner(y), lambda: y * x))

    @program
    def fetch_of_an_enter():
        return Loop(constant(4), constant(10)).enter

    @program
    def fetch_of_the_body():
        return Loop(constant(4), constant(10)).next

    @program
    def enter_and_exit_alone():
        return raw.Exit(data=enter(constant(4.0), "alone"))

    @program
    def condition_without_a_loop():
        return raw.LoopCond(input=constant(True))

    @program
    def two_frames():
        return tf.add(enter(constant(1.0), "f", name="E1"), enter(constant(1.0), "g", name="E2"), name="add")

    @program
    def frame_and_outside():
        return tf.add(enter(constant(1.0), "f", name="E1"), tf.placeholder_with_default(1.0, [], name="p"), name="add")

    def unfinished(limit, frame="loop"):
        """A loop without a back edge: its Merge, Switch and Exit."""
        first = enter(constant(0), frame, name=f"E_{frame}")
        merged = raw.Merge(inputs=[first], name=f"M_{frame}").output
        less = tf.less(merged, enter(constant(limit), frame, True))
        branch = raw.Switch(data=merged, pred=raw.LoopCond(input=less), name=f"S_{frame}")
        return merged, branch, raw.Exit(data=branch.output_false, name=f"X_{frame}")

    @program
    def no_next_iteration_and_none_needed():
        return unfinished(0)[-1]

    @program
    def no_next_iteration():
        return unfinished(3)[-1]

    @program
    def what_a_loop_without_next_iteration_brings_out():
        return raw.Exit(data=tf.identity(unfinished(3)[1].output_true))

    @program
    def merge_of_two_frames():
        return raw.Merge(
            inputs=[enter(constant(1.0), "f", name="E1"), enter(constant(2.0), "g", name="E2")], name="M"
        ).output

    @program
    def merge_of_a_frame_and_outside():
        outside = tf.placeholder_with_default(1.0, [], name="p")
        return raw.Merge(inputs=[enter(constant(1.0), "f", name="E1"), outside], name="M").output

    def rewired(frame, back):
        """A loop whose back edge starts at `back(switch)`."""
        first = enter(constant(0), frame, name=f"E_{frame}")
        merged = raw.Merge(inputs=[first, first], name=f"M_{frame}").output
        less = tf.less(merged, enter(constant(3), frame, True))
        branch = raw.Switch(data=merged, pred=raw.LoopCond(input=less), name=f"S_{frame}")
        merged.op._update_input(1, back(branch))
        return raw.Exit(data=branch.output_false, name=f"X_{frame}")

    @program
    def a_way_back_from_another_frame():
        other = enter(constant(5), "other", name="E_o")
        return rewired("loop", lambda _: raw.NextIteration(data=other, name="N"))

    @program
    def a_way_back_from_outside():
        outside = tf.placeholder_with_default(5, [], name="p")
        return rewired("loop", lambda _: raw.NextIteration(data=outside, name="N"))

    @program
    def a_way_back_through_the_exit():
        return rewired("loop", lambda branch: raw.NextIteration(data=raw.Exit(data=branch.output_true), name="N"))

    @program
    def two_conditions_of_a_loop():
        first, second = (enter(constant(0), "loop", name=f"E{i}") for i in (1, 2))
        one, other = (raw.Merge(inputs=[e, e], name=f"M{i}").output for i, e in enumerate((first, second), 1))
        step, found = enter(constant(1), "loop", True), []
        for merged, limit in ((one, 3), (other, 5)):
            less = tf.less(merged, enter(constant(limit), "loop", True))
            branch = raw.Switch(data=merged, pred=raw.LoopCond(input=less))
            merged.op._update_input(1, raw.NextIteration(data=tf.add(branch.output_true, step)))
            found.append(raw.Exit(data=branch.output_false))
        return found

    @program
    def two_conditions_one_after_the_other():
        first = enter(constant(0), "loop", name="E")
        merged = raw.Merge(inputs=[first, first], name="M").output
        step, value, found = enter(constant(1), "loop", True), merged, []
        for limit in (5, 3):
            less = tf.less(merged, enter(constant(limit), "loop", True))
            branch = raw.Switch(data=value, pred=raw.LoopCond(input=less))
            value, left = branch.output_true, branch.output_false
            found.append(raw.Exit(data=left))
        merged.op._update_input(1, raw.NextIteration(data=tf.add(value, step)))
        return found[1]

    @program
    def no_condition_of_a_loop():
        first = enter(constant(0), "loop", name="E")
        merged = raw.Merge(inputs=[first, first], name="M").output
        less = tf.less(merged, enter(constant(3), "loop", True))
        branch = raw.Switch(data=merged, pred=less)
        merged.op._update_input(1, raw.NextIteration(data=tf.add(branch.output_true, enter(constant(1), "loop", True))))
        return raw.Exit(data=branch.output_false)

    @program
    def control_edge_from_outside():
        inside = tf.identity(enter(constant(1.0), "f", name="E1"), name="inside")
        inside.op._add_control_input(tf.placeholder_with_default(1.0, [], name="p").op)
        return raw.Exit(data=inside)

    @program
    def predicate_is_no_scalar():
        return list(raw.Switch(data=constant(1.0), pred=tf.placeholder_with_default([True, False], None)))

    @program
    def cycle_without_next_iteration():
        a = tf.identity(constant(1.0), name="a")
        b = tf.identity(a, name="b")
        c = tf.identity(b, name="c")
        b.op._update_input(0, c)
        return c

    @program
    def next_iteration_of_another_type():
        first = enter(constant(0), "w", name="E")
        merged = raw.Merge(inputs=[first, first], name="M").output
        less = tf.less(merged, enter(constant(3), "w", True))
        branch = raw.Switch(data=merged, pred=raw.LoopCond(input=less))
        back = raw.NextIteration(data=tf.cast(branch.output_true, tf.float32), name="NI")
        merged.op._update_input(1, back)
        return raw.Exit(data=branch.output_false)

    @program
    def reference_in_the_branch_that_is_taken():
        v = tf.Variable(3.0, use_resource=False, name="v")
        with tf.control_dependencies([v.initializer]):
            predicate = constant(True)
        one = raw.RefSwitch(data=v._ref(), pred=predicate)
        changed = raw.Assign(ref=one.output_true, value=constant(8.0))
        return list(raw.RefMerge(inputs=[one.output_false, changed]))

    @program
    def reference_that_is_not_taken():
        v = tf.Variable(3.0, use_resource=False, name="v")
        with tf.control_dependencies([v.initializer]):
            one = raw.RefSwitch(data=v._ref(), pred=constant(False))
        with tf.control_dependencies([raw.Assign(ref=one.output_true, value=constant(8.0)).op]):
            never = constant(1.0)
        return list(raw.Merge(inputs=[never, tf.identity(one.output_false)]))

    @program
    def uninitialized_in_the_branch_that_is_taken():
        v = tf.Variable(3.0, use_resource=False, name="v")
        return tf.identity(raw.RefSwitch(data=v._ref(), pred=constant(True)).output_true)

    @program
    def chosen_reference():
        a = tf.Variable(1.0, use_resource=False, name="a")
        b = tf.Variable(2.0, use_resource=False, name="b")
        with tf.control_dependencies([a.initializer, b.initializer]):
            index = constant(1)
        return raw.RefSelect(index=index, inputs=[a._ref(), b._ref()])

    @program
    def chosen_reference_that_is_not_there():
        a = tf.Variable(1.0, use_resource=False, name="a")
        return raw.RefSelect(index=constant(2), inputs=[a._ref()])

    return found


def outcome(tf, build, config, timeout_ms=10_000, runner=None):
    """The outcome of the graph in a session as text: the values, or the error's class and TensorFlow's message.
    `runner(session)` returns an object with a method `run`.
    """
    with tf.Graph().as_default():
        try:
            with tf.Session(config=config) as session:
                values = (runner or (lambda session: session))(session).run(
                    build(), options=tf.RunOptions(timeout_in_ms=timeout_ms)
                )
        except tf.errors.OpError as error:
            line = error.message.split("\n")[0]
            return f"{type(error).__name__}: " + re.sub(r" \(defined at [^)]*\) |(?<=f_acc)_\d+", "", line)
    flat = values if isinstance(values, list) else [values]
    return " ".join("None" if value is None else f"{value:g}" for value in flat)


def without_rewrites(tf):
    """A config with which TensorFlow runs graphs without rewriting them."""
    config = tf.ConfigProto(inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def main():
    """Prints the outcomes of TensorFlow in the format of `test_dead_tensors.py`."""
    import tensorflow as tf

    found = {name: outcome(tf, build, without_rewrites(tf)) for name, build in programs(tf).items()}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
