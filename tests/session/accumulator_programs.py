"""Conditional accumulators on both sides. `python tests/session/accumulator_programs.py`, run by an interpreter
with TensorFlow 1.15, prints the contents of `accumulators_of_1_15.json`.
"""

import json
import re


def programs(tf):
    """Functions by name; each takes a session and `show`, which records a value, or the result or error of a
    callable.
    """
    made = {}

    def program(function):
        made[function.__name__] = function

    for reduction in ["MEAN", "SUM"]:

        def takes(session, show, reduction=reduction):
            sums = tf.ConditionalAccumulator(tf.float32, shape=[2], name="acc", reduction_type=reduction)
            count = sums.num_accumulated()
            show([sums.accumulator_ref.shape.as_list(), count.shape.as_list(), sums.take_grad(1).shape.as_list()])
            show([sums.name, count.name, sums.dtype.name, sums.accumulator_ref.name])
            fed = tf.placeholder(tf.float32)
            apply = sums.apply_grad(fed, 0)
            show(lambda: int(session.run(count)))
            show(lambda: session.run(apply, {fed: [1, 2]}))
            show(lambda: session.run(apply, {fed: [3, 5]}))
            show(lambda: session.run(apply, {fed: [3, 5, 6]}))
            show(lambda: int(session.run(count)))
            show(lambda: session.run(sums.take_grad(2)).tolist())
            show(lambda: int(session.run(count)))
            show(lambda: session.run(apply, {fed: [1, 1]}))  # a stale gradient
            show(lambda: int(session.run(count)))
            show(lambda: session.run(sums.apply_grad([1.0, 7.0], 1)))
            show(lambda: session.run(sums.take_grad(1)).tolist())
            show(lambda: session.run(sums.set_global_step(5)))
            show(lambda: session.run(sums.apply_grad([1.0, 7.0], 4)))
            show(lambda: int(session.run(count)))
            show(lambda: session.run(sums.set_global_step(3)))
            show(lambda: session.run(sums.apply_grad([1.0, 7.0], 4)))
            show(lambda: int(session.run(count)))
            for number in [0, -1]:
                show(lambda number=number: session.run(sums.take_grad(number)))

        made["takes_" + reduction] = takes

    @program
    def any_shape(session, show):
        sums = tf.ConditionalAccumulator(tf.float64)
        show(lambda: session.run(sums.apply_grad([3.0])))
        show(lambda: session.run(sums.apply_grad([3.0, 4.0])))
        show(lambda: session.run(sums.take_grad(1)).tolist())
        show(lambda: session.run(sums.apply_grad([3.0, 4.0], 1)))
        show(lambda: session.run(sums.take_grad(1)).tolist())

    @program
    def partial_shape(session, show):
        sums, fed = tf.ConditionalAccumulator(tf.float32, shape=[None, 2]), tf.placeholder(tf.float32)
        show(lambda: session.run(sums.apply_grad(fed), {fed: [[3, 4, 5]]}))
        show(lambda: session.run(sums.apply_grad(fed), {fed: [[3, 4]]}))
        show(lambda: session.run(sums.apply_grad(fed), {fed: [[3, 4], [5, 6]]}))
        show(lambda: session.run(sums.apply_grad(fed), {fed: [3]}))
        show(lambda: sums.apply_grad([1.0]))

    @program
    def halves(session, show):
        sums = tf.ConditionalAccumulator(tf.float16)
        for number in [0.1, 2.0, 3.3]:
            session.run(sums.apply_grad([number]))
        show(lambda: session.run(sums.take_grad(3)).tolist())

    @program
    def shapes(session, show):
        for make, prefix in [
            (lambda shape: tf.placeholder(tf.resource, shape), "Resource"),
            (lambda shape: tf.Variable(tf.fill(shape, "a"), use_resource=False)._ref(), ""),
        ]:
            for shape in [[], [3]]:
                handle = make(shape)

                def op(name, handle=handle, prefix=prefix, **inputs):
                    return getattr(tf.raw_ops, prefix + "Accumulator" + name)(handle=handle, **inputs)

                show(lambda op=op: op("NumAccumulated").shape.as_list())
                show(lambda op=op: op("SetGlobalStep", new_global_step=1).type)
                show(lambda op=op: op("SetGlobalStep", new_global_step=[1]))
                show(lambda op=op: op("ApplyGradient", local_step=[1], gradient=[1.0]))
                show(lambda op=op: op("TakeGradient", num_required=[1], dtype=tf.float32))

    @program
    def early(session, show):
        sums = tf.raw_ops.ConditionalAccumulator(dtype=tf.float32, shape=[2], shared_name="early")
        show([sums.shape.as_list(), sums.dtype.name])
        show(lambda: session.run(sums).tolist())
        apply = tf.raw_ops.AccumulatorApplyGradient(handle=sums, local_step=0, gradient=[1.0, 2.0])
        show(lambda: session.run(apply))
        show(lambda: int(session.run(tf.raw_ops.AccumulatorNumAccumulated(handle=sums))))
        later = tf.raw_ops.ResourceConditionalAccumulator(dtype=tf.float32, shape=[2], shared_name="early")
        take = tf.raw_ops.ResourceAccumulatorTakeGradient(handle=later, num_required=1, dtype=tf.float32)
        show(lambda: session.run(take).tolist())
        show(lambda: session.run(tf.raw_ops.AccumulatorSetGlobalStep(handle=sums, new_global_step=4)))

    return made


def outcome(tf, program):
    """The text that a program shows."""
    shown = []

    def show(value):
        try:
            text = repr(value() if callable(value) else value)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        shown.append(re.split(r"\s*\[\[|\n|\t", text)[0] if text[0] != "[" else text)

    with tf.Graph().as_default(), tf.Session() as session:
        program(session, show)
    return shown


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, each) for name, each in programs(tensorflow).items()}
    print(json.dumps(table, indent=0, sort_keys=True))
