"""Programs with functional branches and loops, and the graphs TensorFlow 1.15 builds from them. `python
v2_control_flow_programs.py`, run by an interpreter with TensorFlow 1.15, records graphs and values.
"""

import base64
import gzip
import json
from pathlib import Path

RECORDED = Path(__file__).with_name("v2_control_flow_of_1_15.json.gz")


def programs(tf):
    """Functions by name that build a graph and return (feeds, inputs, fetches)."""
    found = {}

    def program(function):
        found[function.__name__] = function
        return function

    def scalar(value, dtype=None):
        return tf.placeholder_with_default(tf.constant(value, dtype), [])

    @program
    def a_condition():
        x, p = scalar(2.0), scalar(True)
        y = tf.cond(p, lambda: x * x, lambda: x + 1.0)
        return [{}, {p: False}], [x, p], [y, tf.gradients(y, x)[0]]

    @program
    def conditions_in_conditions():
        x, p, q = scalar(2.0), scalar(True), scalar(False)
        y = tf.cond(p, lambda: tf.cond(q, lambda: tf.exp(x), lambda: x * 3.0), lambda: tf.sin(x))
        return [{}, {p: False}, {q: True}], [x, p, q], [y, tf.gradients(y, x)[0]]

    @program
    def a_loop():
        x, w, n = scalar(0.5), scalar(1.5), scalar(3)
        y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y * w)), [0, x])[1]
        return [{}, {n: 0}, {n: 30}], [x, w, n], [y, *tf.gradients(y, [x, w])]

    @program
    def a_loop_of_at_most():
        x, n = scalar(0.5), scalar(3)
        y = tf.while_loop(lambda i, y: i < 100, lambda i, y: (i + 1, y * y), (0, x), maximum_iterations=n)[1]
        return [{}, {n: 0}], [x, n], [y, tf.gradients(y, x)[0]]

    @program
    def second_derivatives_of_a_loop():
        x, w, n = scalar(0.5), scalar(1.5), scalar(3)
        y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * y * w), [0, x])[1]
        [first] = tf.gradients(y, x)
        return [{}, {n: 0}], [x, w, n], [y, first, *tf.gradients(first, [x, w])]

    @program
    def loops_in_loops():
        x, n = scalar(0.5), scalar(2)

        def body(i, y):
            return i + 1, tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, tf.sin(z * y)), [0, y])[1]

        y = tf.while_loop(lambda i, y: i < n, body, [0, x])[1]
        return [{}, {n: 5}], [x, n], [y, tf.gradients(y, x)[0]]

    @program
    def conditions_in_a_loop():
        x, n = scalar(0.5), scalar(4)

        def body(i, y):
            return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: tf.exp(y))

        y = tf.while_loop(lambda i, y: i < n, body, [0, x])[1]
        return [{}, {n: 1}], [x, n], [y, tf.gradients(y, x)[0]]

    @program
    def a_loop_in_a_condition():
        x, p = scalar(0.5), scalar(True)
        y = tf.cond(
            p, lambda: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1], lambda: tf.exp(x)
        )
        return [{}, {p: False}], [x, p], [y, tf.gradients(y, x)[0]]

    @program
    def a_switch():
        x, i = scalar(2.0), scalar(1)
        y = tf.switch_case(i, [lambda: x * x, lambda: tf.sin(x), lambda: tf.zeros([])])
        return [{}, {i: 0}, {i: 2}, {i: 7}, {i: -1}], [x, i], [y, tf.gradients(y, x)[0]]

    @program
    def effects_in_branches_and_loops():
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
        p = scalar(True)
        with tf.control_dependencies([v.initializer]):
            once = tf.cond(p, lambda: v.assign_add(1.0), lambda: v.assign_add(10.0))
        with tf.control_dependencies([once]):
            many = tf.while_loop(lambda i: i < 3, lambda i: i + tf.cast(v.assign_add(100.0), tf.int32) * 0 + 1, [0])
        with tf.control_dependencies([many]):
            total = v.read_value()
        return [{}, {p: False}], [p], [total]

    @program
    def cases():
        x = scalar(2.0)
        pairs = [(x > 1.0, lambda: x * x), (x < -1.0, lambda: tf.exp(x))]
        y = tf.case(pairs, default=lambda: x * 3.0, exclusive=True) + tf.case([(x > -9.0, lambda: x)])
        return [{}, {x: -2.0}, {x: 0.5}], [x], [y, tf.gradients(y, x)[0]]

    @program
    def third_derivatives_of_conditions():
        x, p, q = scalar(0.5), scalar(True), scalar(True)
        y = tf.cond(p, lambda: tf.cond(q, lambda: tf.tanh(x) * x, lambda: x * x), lambda: tf.sin(x))
        found = [y]
        for _ in range(3):
            found += tf.gradients(found[-1], x)
        return [{}, {p: False}, {q: False}], [x, p, q], found

    @program
    def arrays_in_branches():
        x, p = scalar(2.0), scalar(True)
        array = tf.TensorArray(tf.float32, 3, element_shape=[], clear_after_read=False).write(0, x)

        def loop():
            step = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, a.read(i - 1) * x)), [1, array])
            return step[1]

        array = tf.cond(p, loop, lambda: array.write(1, x * 5.0).write(2, 1.0))
        y = array.stack()
        return [{}, {p: False}], [x, p], [y, tf.gradients(y, x)[0]]

    @program
    def operations_and_assertions_in_branches():
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
        x, p = scalar(2.0), scalar(True)

        def change():
            with tf.control_dependencies([tf.Assert(x > 0.0, [x])]):
                return tf.group(v.assign_add(x))

        with tf.control_dependencies([v.initializer]):
            done = tf.cond(p, change, tf.no_op)
        with tf.control_dependencies([done]):
            total = v.read_value()
        return [{}, {p: False}], [x, p], [tf.cast(done, tf.float32), total]

    @program
    def functions():
        x, p = scalar(0.5), scalar(True)

        @tf.function(autograph=False)
        def inner(y):
            return tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, tf.sin(z * y)), [0, y])[1]

        @tf.function(autograph=False)
        def outer(p, y):
            return tf.cond(p, lambda: inner(y) * inner(y + 1.0), lambda: tf.exp(y))

        y = tf.cond(p, lambda: outer(p, x) + inner(x), lambda: outer(p, x))
        [first] = tf.gradients(y, x)
        return [{}, {p: False}], [x, p], [y, first, *tf.gradients(first, x)]

    @program
    def maps():
        x = tf.placeholder_with_default(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [None, 2])
        y = tf.map_fn(lambda row: tf.reduce_sum(row) * row, x)
        return [{}], [x], [y, tf.gradients(y, x)[0]]

    return found


def built(tf, program):
    """(GraphDef, input names, fetch names, feeds by name, values) of a program."""
    with tf.Graph().as_default() as graph:
        feeds, inputs, fetches = program()
        with tf.Session() as session:
            values = [[float(v.sum()) for v in session.run(fetches, feed)] for feed in feeds]
        named = [{tensor.name: value for tensor, value in feed.items()} for feed in feeds]
        return graph.as_graph_def(), [t.name for t in inputs], [t.name for t in fetches], named, values


def _record():
    import tensorflow as tf

    tf.enable_control_flow_v2()
    record = {}
    for name, program in programs(tf).items():
        graph, inputs, fetches, feeds, values = built(tf, program)
        text = base64.b64encode(graph.SerializeToString()).decode()
        record[name] = {"graph": text, "inputs": inputs, "fetches": fetches, "feeds": feeds, "values": values}
    with RECORDED.open("wb") as written, gzip.GzipFile("", "wb", 9, written, mtime=0) as zipped:
        zipped.write(json.dumps(record, indent=0, sort_keys=True).encode())


if __name__ == "__main__":
    _record()
