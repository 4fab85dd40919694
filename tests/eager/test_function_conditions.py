"""Conditions in traced functions are nodes with the outputs, names, shapes and errors of TensorFlow 1.15."""

import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def _built(function, *args):
    """The graph of the function's trace."""
    return tf.function(function).get_concrete_function(*args).graph


def _merged(on, off):
    """The result of a condition inside a function, and the function's graph."""
    found = []

    def f(p, x):
        found.append(tf.cond(p, lambda: on(x), lambda: off(x)))
        return p

    graph = _built(f, tf.constant(True), tf.constant(2.0))
    return found[0], graph


def test_structures_stay():
    single, _ = _merged(lambda x: [x], lambda x: [x + 1.0])
    assert isinstance(single, list) and len(single) == 1
    pair, _ = _merged(lambda x: {"a": (x, [x])}, lambda x: {"a": (-x, [x])})
    assert set(pair) == {"a"} and isinstance(pair["a"], tuple) and isinstance(pair["a"][1], list)


def test_operations_become_the_predicate():
    done, graph = _merged(lambda x: tf.no_op(), lambda x: tf.group(tf.no_op()))
    assert done.dtype == tf.bool and done.shape == []
    assert done.op.type == "Identity" and done.op.inputs[0].op.type == "StatelessIf"
    both, _ = _merged(lambda x: tf.no_op(), lambda x: tf.constant(True))
    assert both.dtype == tf.bool


def test_operations_run():
    v = tf.Variable(1.0)

    @tf.function
    def f(p):
        return tf.cond(p, lambda: tf.group(v.assign(5.0)), lambda: tf.no_op()), v.read_value()

    assert [t.numpy() for t in f(tf.constant(False))] == [False, 1.0]
    assert [t.numpy() for t in f(tf.constant(True))] == [True, 5.0]


def test_kinds():
    v = tf.Variable(1.0)
    x = tf.constant(1.0)
    for on, kind in (
        (lambda: x, "StatelessIf"),
        (lambda: x + v, "If"),
        (lambda: v.assign_add(1.0), "If"),
        (lambda: x + tf.random_uniform([]), "If"),
        (lambda: tf.py_function(lambda: 1.0, [], tf.float32), "If"),
    ):
        graph = _built(lambda p, on=on: tf.cond(p, on, lambda: x), tf.constant(True))
        assert [op.type for op in graph.get_operations() if op.type.endswith("If")] == [kind]


def test_names():
    found = []

    def f(p):
        def one():
            with tf.name_scope("a"):
                z = tf.constant(1.0)
            found.append(z.name)
            return z

        with tf.name_scope("out"):
            i = tf.cast(p, tf.int32)
            for result in (
                tf.cond(p, one, one),
                tf.cond(p, one, one, name="mine"),
                tf.switch_case(i, [one, one]),
                tf.switch_case(i, [one, one], name="sw"),
                tf.case([(p, one)], default=one),
                tf.case([(p, one)], default=one, exclusive=True, name="cs"),
                tf.cond(tf.fill([i], True), one, one),
            ):
                found.append(result.name)
        return p

    graph = _built(f, tf.constant(True))
    names = ["cond", "mine", "switch_case/indexed_case", "sw/indexed_case", "case/cond", "cs/cond", "cond_1"]
    assert found == [*(2 * len(names) * ["a/Const:0"]), *(f"out/{name}/Identity:0" for name in names)]
    assert {"out/cs/Assert/AssertGuard", "out/cs/Assert/AssertGuard/Identity", "out/cond_1/Squeeze"} <= {
        op.name for op in graph.get_operations()
    }
    then = graph.get_operation_by_name("out/cond").node_def.attr["then_branch"].func.name
    other = graph.get_operation_by_name("out/sw/indexed_case").node_def.attr["branches"].list.func[1].name
    assert then.startswith("out_cond_true_") and other.startswith("out_sw_indexed_case_branch1_")


def test_names_of_gradients():
    def f(p, x):
        with tf.name_scope("out"):
            y = tf.cond(p, lambda: x * x * x, lambda: x)
            z = tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z * x), [0, y])[1]
            z = tf.switch_case(tf.cast(p, tf.int32), [lambda: z * z, lambda: z])
        return tf.gradients(z, x)

    graph = _built(f, tf.constant(True), tf.constant(1.0))
    types = {op.name: op.type for op in graph.get_operations()}
    assert types["gradients/out/cond_grad/StatelessIf"] == "StatelessIf"
    assert types["gradients/out/while_grad/out/while_grad"] == "While"
    assert types["gradients/out/switch_case/indexed_case_grad/gradient"] == "Case"
    forward = graph.get_operation_by_name("out/cond").node_def.attr["then_branch"].func.name
    back = graph.get_operation_by_name("gradients/out/cond_grad/StatelessIf").node_def.attr["then_branch"].func.name
    assert forward.startswith("out_cond_true_") and forward.endswith("_rewritten")
    assert back.startswith(forward.replace("_rewritten", "_grad_"))


def test_shapes():
    found = []

    def f(p):
        for on, off in (([2, 3], [2, 4]), ([2, 3], [2]), ([2, 3], [2, 3])):
            found.append(str(tf.cond(p, lambda on=on: tf.zeros(on), lambda off=off: tf.zeros(off)).shape))
        return p

    _built(f, tf.constant(True))
    assert found == ["(2, ?)", "<unknown>", "(2, 3)"]


def test_tensors_of_several_parts():
    sparse, _ = _merged(
        lambda x: tf.SparseTensor([[0]], [1.0], [2]), lambda x: tf.SparseTensor([[0], [1]], [1.0, 2.0], [2])
    )
    assert isinstance(sparse, tf.SparseTensor) and sparse.values.shape.as_list() == [None]
    slices, _ = _merged(
        lambda x: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])),
        lambda x: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0], tf.int64)),
    )
    assert isinstance(slices, tf.IndexedSlices) and slices.indices.dtype == tf.int64


def test_collections_are_those_around():
    def f(p):
        def on():
            tf.add_to_collection("kept", 1)
            return tf.constant(1)

        tf.cond(p, on, on)
        assert tf.get_collection("kept") == [1, 1]
        return p

    _built(f, tf.constant(True))


def test_variables_that_branches_make_and_read():
    made = []

    @tf.function
    def f(p):
        def on():
            if not made:
                made.append(tf.Variable(2.0))
            return made[0] * 3.0

        return tf.cond(p, on, lambda: tf.constant(0.0))

    assert [f(tf.constant(p)).numpy() for p in (True, False)] == [6, 0]
    assert f.get_concrete_function(tf.constant(True)).variables == made


@pytest.mark.parametrize("read", ["cond", "loop", "loop in cond"])
def test_tapes_know_of_variables_that_are_read_inside(read):
    v = tf.Variable(3.0)

    @tf.function
    def f(p):
        def loop():
            return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * v), [0, 1.0])[1]

        if read == "loop":
            return loop()
        return tf.cond(p, loop if "loop" in read else lambda: v * v, lambda: tf.constant(0.0))

    for _ in range(2):
        with tf.GradientTape() as tape:
            y = f(tf.constant(True))
        assert tape.watched_variables() == (v,)
        assert tape.gradient(y, v).numpy() == 6.0


_PAIRS = {
    "a list and a tensor": (lambda x: [x], lambda x: x),
    "types": (lambda x: x, lambda x: 1),
    "a tuple and a list": (lambda x: (x, x), lambda x: [x, x]),
    "lengths": (lambda x: (x, x), lambda x: (x,)),
    "keys": (lambda x: {"a": x}, lambda x: {"b": x}),
    "an operation and a number": (lambda x: tf.no_op(), lambda x: x),
    "shapes of slices": (
        lambda x: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]), tf.constant([2])),
        lambda x: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])),
    ),
}


@pytest.mark.parametrize("pair", _PAIRS.values(), ids=_PAIRS)
def test_branches_that_differ(pair):
    with pytest.raises(
        TypeError, match="true_fn and false_fn arguments to tf.cond must have the same number, type, and "
    ):
        _merged(*pair)
    with pytest.raises(
        TypeError, match=r"branches\[0\] and branches\[1\] arguments to tf.switch_case must have the same"
    ):
        _built(
            lambda i, x: tf.switch_case(i, [lambda: pair[0](x), lambda: pair[1](x)]), tf.constant(0), tf.constant(1.0)
        )


def test_other_errors():
    with pytest.raises(TypeError, match="Cannot reconcile tf.cond 0-th outputs:\n  branches returned: "):
        _merged(lambda x: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), lambda x: tf.constant([1.0]))
    with pytest.raises(
        TypeError, match="To be compatible with tf.contrib.eager.defun, Python functions must return zero"
    ):
        _merged(lambda x: object(), lambda x: x)
    with pytest.raises(ValueError, match="false_fn must have a return value"):
        _merged(lambda x: x, lambda x: None)
    with pytest.raises(TypeError, match="pred must not be a Python bool"):
        _built(lambda x: tf.cond(True, lambda: x, lambda: x), tf.constant(1.0))
    kept = []
    with pytest.raises(ValueError, match="belongs neither to the graph of the function"):
        _merged(lambda x: kept.append(x * 2.0) or kept[0], lambda x: kept[0] + 1.0)


def test_cases():
    @tf.function
    def f(i):
        return tf.case([(i > 5, lambda: 1), (i > 7, lambda: 2)])

    @tf.function
    def g(i):
        return tf.case([(i > 5, lambda: 1), (i > 7, lambda: 2)], default=lambda: 3, exclusive=True)

    assert [int(f(tf.constant(i))) for i in (6, 8)] == [1, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="None of conditions evaluated as True:. .0 0"):
        f(tf.constant(3))
    assert [int(g(tf.constant(i))) for i in (6, 3)] == [1, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input error: exclusive=True: more than 1 conditions"):
        g(tf.constant(8))


def test_functions_of_graphs_have_nodes_too():
    @tf.function
    def f(p, x):
        y = tf.cond(p, lambda: x * x, lambda: x)
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, y])[1]

    with tf.Graph().as_default() as graph, tf.Session() as session:
        p, x = tf.placeholder(tf.bool, []), tf.constant(2.0)
        y = f(p, x)
        [first] = tf.gradients(y, x)
        [second] = tf.gradients(first, x)
        definition = graph.as_graph_def()
        types = {n.op for nodes in (definition.node, *(f.node_def for f in definition.library.function)) for n in nodes}
        assert {"StatelessIf", "While"} <= types and not {"Switch", "Enter"} & types
        assert session.run([y, first, second], {p: True}) == [32, 80, 160]
        tf.cond(p, lambda: x, lambda: x)
        assert "Switch" in {op.type for op in graph.get_operations()}


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_functions_in_loops_of_primitives(steps):
    """Nodes that call functions can be inside while loops made of Switch and Merge nodes in a graph."""

    @tf.function
    def f(i, x):
        def on():
            return tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, tf.sin(z) * x), [0, x])[1]

        return tf.cond(tf.equal(i % 2, 0), lambda: x * x, on)

    def build(function):
        return tf.while_loop(lambda i, y: i < steps, lambda i, y: (i + 1, function(i, y)), [0, x])[1]

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder_with_default(1.5, [])
        y = build(f)
        expected = build(f.python_function)
        value, slope = session.run([y, tf.gradients(y, x)[0]])
        assert (value, slope) == pytest.approx(session.run([expected, tf.gradients(expected, x)[0]]))
