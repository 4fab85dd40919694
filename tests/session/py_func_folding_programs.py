"""When stateless `tf.py_func` functions with constant inputs are called, on both sides. `python
tests/session/py_func_folding_programs.py`, run by an interpreter with TensorFlow 1.15, prints the contents of
`py_func_folding_of_1_15.json`.
"""

import json

import numpy as np

KINDS = ["run", "callable", "partial"]


def programs(tf):
    """Pairs by name: a function that takes a counting Python function and returns the fetch and the feeds of three
    steps, and whether it uses control flow v2.
    """
    made = {}

    def program(function):
        made[function.__name__] = function, False
        return function

    def in_both_versions(function):
        program(function)
        made[function.__name__ + "_v2"] = function, True
        return function

    def call(function, inputs):
        y = tf.py_func(function, inputs, tf.float32, stateful=False)
        y.set_shape([])
        return y

    def branch(true, taken=(True, False, True)):
        p = tf.placeholder(tf.bool, [])
        return tf.cond(p, true, lambda: tf.constant(-1.0)), [(p, taken)]

    def loop(body, times=3, goes_on=None):
        goes_on = goes_on or (lambda i, _: i < times)
        return tf.while_loop(goes_on, lambda i, x: (i + 1, x + body(x)), [0, 0.0])[1]

    def fed_loop(body, times):
        p = tf.placeholder(tf.int32, [])
        return loop(body, p), [(p, times)]

    # -- Behind control dependencies -----------------------------------------------------------------------------------

    @program
    def alone(counted):
        return call(counted, []), []

    @program
    def of_a_default(counted):
        return call(counted, [tf.placeholder_with_default(3.0, [])]), []

    @program
    def of_a_placeholder(counted):
        p = tf.placeholder(tf.float32, [])
        return call(counted, [p]), [(p, [1.0, 2.0, 3.0])]

    @program
    def of_what_changes(counted):
        return call(counted, [tf.random_uniform([])]), []

    @program
    def waits_without_inputs(counted):
        with tf.control_dependencies([tf.random_uniform([])]):
            return call(counted, []), []

    @program
    def waits_with_its_constant(counted):
        with tf.control_dependencies([tf.random_uniform([])]):
            return call(counted, [1.0]), []

    @program
    def waits_for_a_feed(counted):
        x, p = tf.constant(1.0), tf.placeholder(tf.float32, [])
        with tf.control_dependencies([p]):
            return call(counted, [x]), [(p, [1.0, 2.0, 3.0])]

    @program
    def waits_for_another_function(counted):
        with tf.control_dependencies([tf.py_func(lambda: np.float32(1), [], tf.float32)]):
            return call(counted, [1.0]), []

    @program
    def waits_as_a_target(counted):
        with tf.control_dependencies([tf.random_uniform([])]):
            y = call(counted, [])
        with tf.control_dependencies([y]):
            return tf.constant(4.0), []

    @program
    def of_another_that_waits(counted):
        p = tf.placeholder(tf.float32, [])
        with tf.control_dependencies([tf.Print(p, [p])]):
            y = call(counted, [])
        return call(counted, [y * 2.0]) + p, [(p, [1.0, 2.0, 3.0])]

    @program
    def of_a_shape_that_waits(counted):
        p = tf.placeholder(tf.float32, [3])
        with tf.control_dependencies([p]):
            return call(counted, [tf.shape(p)[0]]), [(p, [[1.0, 1.0, 1.0]] * 3)]

    @program
    def predicate_that_waits(counted):
        with tf.control_dependencies([tf.random_uniform([])]):
            p = call(counted, []) > 0.5
        return tf.cond(p, lambda: tf.constant(5.0), lambda: tf.constant(6.0)), []

    @program
    def without_outputs(counted):
        tf.py_func(lambda: (counted(), [])[1], [], [], stateful=False)
        op = [op for op in tf.get_default_graph().get_operations() if op.type == "PyFuncStateless"][-1]
        with tf.control_dependencies([op]):
            return tf.constant(2.0), []

    # -- In branches ---------------------------------------------------------------------------------------------------

    @in_both_versions
    def branch_without_inputs(counted):
        return branch(lambda: call(counted, []))

    @in_both_versions
    def branch_not_taken_without_inputs(counted):
        return branch(lambda: call(counted, []), [False] * 3)

    @in_both_versions
    def branch_of_a_constant(counted):
        return branch(lambda: call(counted, [1.0]))

    @in_both_versions
    def branch_not_taken_of_a_constant(counted):
        return branch(lambda: call(counted, [1.0]), [False] * 3)

    @in_both_versions
    def branch_of_an_outer_constant(counted):
        x = tf.constant(1.0)
        return branch(lambda: call(counted, [x]))

    @program
    def branch_of_outer_and_inner_constants(counted):
        x = tf.constant(1.0)
        return branch(lambda: call(counted, [x, 2.0]))

    @program
    def branch_of_a_placeholder(counted):
        y = tf.placeholder(tf.float32, [])
        fetch, fed = branch(lambda: call(counted, [y]))
        return fetch, [*fed, (y, [1.0, 2.0, 3.0])]

    @program
    def branch_with_a_chain(counted):
        return branch(lambda: call(counted, [call(counted, [tf.identity(2.0)]) * 3.0]))

    @program
    def branch_that_reads_on(counted):
        y = tf.placeholder(tf.float32, [])
        fetch, fed = branch(lambda: call(counted, [1.0]) * y)
        return fetch, [*fed, (y, [1.0, 2.0, 3.0])]

    @program
    def branch_that_reads_what_goes_in(counted):
        def true():
            x = tf.negative(2.0)
            return call(counted, [x]) + x

        return branch(true)

    @program
    def branch_that_only_waits(counted):
        def true():
            with tf.control_dependencies([call(counted, [1.0])]):
                return tf.constant(2.0)

        return branch(true)

    @program
    def branch_in_a_branch(counted):
        q = tf.placeholder(tf.bool, [])
        fetch, fed = branch(lambda: tf.cond(q, lambda: call(counted, [1.0]), lambda: tf.constant(7.0)))
        return fetch, [*fed, (q, [True, True, False])]

    @program
    def branch_with_several_outputs(counted):
        def true():
            return tf.add(*tf.py_func(lambda: (counted(), np.float32(7)), [], [tf.float32] * 2, stateful=False))

        return branch(true)

    @program
    def branch_with_strings(counted):
        def true():
            text = tf.py_func(lambda: (counted(), "abc")[1], [], tf.string, stateful=False)
            return tf.cast(tf.strings.length(text), tf.float32)

        return branch(true)

    @program
    def branch_with_a_stateful_function(counted):
        return branch(lambda: tf.py_func(counted, [], tf.float32))

    @program
    def branch_with_an_eager_function(counted):
        return branch(lambda: tf.py_function(counted, [], tf.float32))

    @program
    def branch_of_a_predicate_that_is_called(counted):
        p = call(counted, []) > 0.5
        return tf.cond(p, lambda: tf.constant(5.0), lambda: call(counted, [1.0])), []

    # -- In loops ------------------------------------------------------------------------------------------------------

    @in_both_versions
    def loop_without_inputs(counted):
        return loop(lambda _: call(counted, [])), []

    @in_both_versions
    def loop_of_a_constant(counted):
        return fed_loop(lambda _: call(counted, [1.0]), [0, 2, 3])

    @in_both_versions
    def loop_of_an_outer_constant(counted):
        c = tf.constant(1.0)
        return loop(lambda _: call(counted, [c])), []

    @in_both_versions
    def loop_of_its_variable(counted):
        return loop(lambda x: call(counted, [x])), []

    @program
    def loop_of_an_outer_feed(counted):
        p = tf.placeholder(tf.float32, [])
        return loop(lambda _: call(counted, [p])), [(p, [1.0, 2.0, 3.0])]

    @program
    def loop_that_asks_a_function(counted):
        return loop(lambda _: 1.0, goes_on=lambda i, _: tf.cast(i, tf.float32) < call(counted, []) + 1.0), []

    @program
    def branch_in_a_loop(counted):
        def body(x):
            return tf.cond(x > 5.0, lambda: call(counted, [1.0]), lambda: tf.constant(4.0))

        return loop(body, 4), []

    @program
    def loop_in_a_branch(counted):
        c = tf.constant(1.0)
        return branch(lambda: loop(lambda _: call(counted, [1.0])) + loop(lambda x: x * c))

    @program
    def loop_in_a_branch_of_an_outer_constant(counted):
        c = tf.constant(1.0)
        return branch(lambda: loop(lambda _: call(counted, [c])))

    @program
    def loop_in_a_loop(counted):
        c = tf.constant(1.0)
        return loop(lambda _: loop(lambda _: call(counted, []))) + loop(
            lambda _: loop(lambda _: call(counted, [c]))
        ), []

    @program
    def loop_of_a_map(counted):
        return tf.reduce_sum(tf.map_fn(lambda x: x + call(counted, []), tf.constant([1.0, 2.0]))), []

    # -- In functions --------------------------------------------------------------------------------------------------

    @program
    def function_body(counted):
        return tf.function(lambda: call(counted, [1.0]))(), []

    @program
    def function_of_a_constant(counted):
        return tf.function(lambda x: call(counted, [x]))(tf.constant(1.0)), []

    @program
    def function_in_a_branch(counted):
        function = tf.function(lambda: call(counted, [1.0]))
        return branch(lambda: function())

    # -- Errors --------------------------------------------------------------------------------------------------------

    def failing(counted):
        def fails(*_):
            counted()
            raise ValueError("no number")

        return fails

    @program
    def error(counted):
        return call(failing(counted), [1.0]), []

    @program
    def error_of_what_waits(counted):
        with tf.control_dependencies([tf.random_uniform([])]):
            return call(failing(counted), []), []

    @in_both_versions
    def error_in_a_branch(counted):
        return branch(lambda: call(failing(counted), [1.0]), [False, True, False])

    @in_both_versions
    def error_in_a_branch_that_is_not_taken(counted):
        return branch(lambda: call(failing(counted), [1.0]), [False] * 3)

    @program
    def error_of_a_type_in_a_branch(counted):
        return branch(lambda: call(lambda: (counted(), np.int32(3))[1], []), [False, True, False])

    @program
    def error_in_a_loop(counted):
        return fed_loop(lambda _: call(failing(counted), [1.0]), [0, 0, 1])

    return made


def outcome(tf, program, kind):
    """The value or error of each of three steps, and how often it calls the function. The first step of a failing
    program is omitted, because TensorFlow retries folding it.
    """
    make, is_v2 = program
    calls = []

    def counted(*_):
        calls.append(1)
        return np.float32(len(calls))

    shown = []
    fails = make.__name__.startswith("error")
    (tf.enable_control_flow_v2 if is_v2 else tf.disable_control_flow_v2)()
    with tf.Graph().as_default(), tf.Session() as session:
        fetch, feeds = make(counted)
        call = session.make_callable(fetch, [tensor for tensor, _ in feeds]) if kind == "callable" else None
        for step in range(3):
            before = len(calls) if step else 0
            fed = {tensor: values[step] for tensor, values in feeds}
            try:
                if kind == "run":
                    value = session.run(fetch, fed)
                elif kind == "callable":
                    value = call(*fed.values())
                else:
                    value = session.partial_run(session.partial_run_setup([fetch], list(fed)), fetch, fed)
                text = float(value)
            except tf.errors.OpError as error:
                text = type(error).__name__
            shown.append([text, len(calls) - before if step or not fails else None])
    tf.disable_control_flow_v2()
    return shown


if __name__ == "__main__":
    import tensorflow

    table = {
        name: {kind: outcome(tensorflow, each, kind) for kind in KINDS} for name, each in programs(tensorflow).items()
    }
    lines = [f"{json.dumps(name)}: {json.dumps(table[name], sort_keys=True)}" for name in sorted(table)]
    print("{\n" + ",\n".join(lines) + "\n}")
