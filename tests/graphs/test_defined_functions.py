"""Functions of the first generation: results of their calls and their gradients, directly and in imported GraphDefs."""

import numpy as np
import pytest

import tinytf as tf
from tinytf.python.framework import function


def run(fetches, feed=None, graph=None):
    with tf.Session(graph=graph) as session:
        session.run(tf.global_variables_initializer() if graph is None else [])
        return session.run(fetches, feed)


def both_ways(fetches, feed=None):
    """The values of the fetches in the default graph, checked to equal the values in an imported copy."""
    here = run(fetches, feed)
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        names = [t.name for t in tf.nest.flatten(fetches)]
        there = run(names, {t.name: value for t, value in (feed or {}).items()}, graph)
    np.testing.assert_array_equal(tf.nest.flatten(here), there)
    return here


def squared():
    @function.Defun(tf.float32, func_name="Squared")
    def squared(x):
        return x * x

    return squared


def test_calls_are_operations():
    f = squared()
    y = f(tf.constant(3.0))
    assert y.op.type == "Squared" and y.op.name == "Squared"
    assert y.op.op_def.input_arg[0].name == "x"
    assert f.definition.signature.output_arg[0].name == "mul"
    assert f.declared_input_types == (tf.float32,)
    assert both_ways([y]) == [9.0]


def test_a_call_is_fed_fetched_and_run_in_parts():
    x = tf.placeholder(tf.float32, [])
    y = squared()(x)
    z = y + 1.0
    assert run([y, z], {x: 2.0}) == [4.0, 5.0]
    assert run(z, {y: 7.0}) == 8.0
    with tf.Session() as session:
        handle = session.partial_run_setup([y, z], [x])
        assert session.partial_run(handle, y, {x: 3.0}) == 9.0
        assert session.partial_run(handle, z) == 10.0


def test_captured_tensors_are_given_by_calls():
    w = tf.placeholder(tf.float32, [])

    @function.Defun(tf.float32)
    def f(x):
        y = x * w
        assert function.get_extra_inputs() == [w]
        assert len(function.get_extra_args()) == 1
        return y

    y = f(tf.constant(2.0))
    assert f.captured_inputs == [w]
    assert function.get_extra_inputs() == function.get_extra_args() == function.get_extra_vars() == []
    assert both_ways([y], {w: 5.0}) == [10.0]


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_are_of_the_graph_around(use_resource):
    @function.Defun(tf.float32)
    def f(x):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(3.0), use_resource=use_resource)
        assert len(function.get_extra_vars()) == 1
        return x * w

    y = f(tf.constant(2.0))
    assert [v.name for v in tf.global_variables()] == ["w:0"]
    g = tf.gradients(y, tf.global_variables())
    assert run([y, g]) == [6.0, [2.0]]


def test_captured_by_value():
    w = tf.constant(2.0) * 3.0
    p = tf.placeholder(tf.float32, [])

    @function.Defun(tf.float32, capture_by_value=True)
    def f(x):
        return x * w

    assert both_ways([f(tf.constant(2.0))]) == [12.0]
    assert f.captured_inputs == []
    for tensor, error in (
        (p, "Cannot capture a placeholder"),
        (tf.random_uniform([]), "Cannot capture a stateful node"),
    ):
        with pytest.raises(ValueError, match=error):
            _ = function.Defun(tf.float32, capture_by_value=True)(_returning(tensor)).name


def _returning(tensor):
    return lambda x: x + tensor


def test_effects_happen_with_each_call():
    v = tf.Variable(0.0, use_resource=True)

    @function.Defun(tf.resource, tf.float32)
    def add(handle, x):
        with tf.control_dependencies([tf.raw_ops.AssignAddVariableOp(resource=handle, value=x)]):
            return tf.identity(x)

    @function.Defun(tf.float32)
    def checked(x):
        tf.Assert(x > 0.0, [x], name="positive")  # without a consumer
        return x

    twice = add(v.handle, 1.0), add(v.handle, 2.0)
    assert [kind for _, kind in add.stateful_ops] == ["AssignAddVariableOp"]
    good, bad = checked(tf.constant(1.0)), checked(tf.constant(-1.0))
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(twice)
        assert session.run(v) == 3.0
        assert session.run(good) == 1.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            session.run(bad)


def test_what_fails_in_a_function_names_the_call_and_the_line():
    @function.Defun(tf.float32, func_name="Product")
    def f(x):
        return tf.matmul(x, x, name="inner")

    y = f(tf.constant([[1.0, 2.0]]), name="call")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"call/inner.*defined at .*test_defined_functions.py"):
        run(y)


def test_functions_may_be_called_in_functions_branches_and_loops():
    f = squared()

    @function.Defun(tf.float32)
    def twice(x):
        return f(f(x))

    x = tf.placeholder(tf.float32, [])
    branch = tf.cond(x > 2.0, lambda: twice(x), lambda: f(x))
    loop = tf.while_loop(lambda y: y < 100.0, twice, [x], shape_invariants=[tf.TensorShape(None)])
    assert both_ways([branch, loop], {x: 3.0}) == [81.0, 43046720.0]  # 3 ** 16 rounded to float32
    assert both_ways([branch, loop], {x: 2.0}) == [4.0, 65536.0]


def test_branches_and_loops_in_functions():
    @function.Defun(tf.float32)
    def f(x):
        y = tf.cond(x > 0.0, lambda: x * 2.0, lambda: x - 1.0)
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, y])[1]

    x = tf.placeholder(tf.float32, [])
    y = f(x)
    assert both_ways([y], {x: 3.0}) == [162.0]
    assert both_ways([y], {x: -1.0}) == [2.0]
    assert run(tf.gradients(y, x), {x: 3.0}) == [216.0]  # an error in TensorFlow
    assert run(tf.gradients(y, x), {x: -1.0}) == [-7.0 + 0.0]


def test_calls_in_traced_functions():
    f = squared()
    x = tf.placeholder(tf.float32, [])

    @tf.function
    def traced(x):
        y = f(x)
        return y + tf.gradients(y, x)[0]

    assert run(traced(x), {x: 3.0}) == 15.0


def test_gradients_of_every_order():
    f = squared()

    @function.Defun(tf.float32)
    def fourth(x):
        return f(f(x))

    x = tf.placeholder(tf.float32, [])
    y = fourth(x)
    orders = [y]
    for _ in range(4):
        orders.append(tf.gradients(orders[-1], x)[0])
    assert both_ways(orders, {x: 2.0}) == [16.0, 32.0, 48.0, 48.0, 24.0]


def test_gradients_of_what_is_not_differentiable_are_zeros():
    @function.Defun(tf.float32, tf.int32)
    def f(x, n):
        return x * tf.cast(n, tf.float32), n + 1, tf.floor(x)

    x, n = tf.constant(2.0), tf.constant(3)
    y, count, floor = f(x, n)
    assert both_ways([tf.gradients(y, x)[0]]) == [3.0]
    assert both_ways([tf.gradients(floor, x)[0]]) == [0.0]
    assert tf.gradients(count, x) == [None] or both_ways(tf.gradients(count, x)) == [0.0]


def test_gradient_functions():
    @function.Defun(tf.float32, tf.float32)
    def tenfold(x, dy):
        return 10.0 * dy + 0.0 * x

    @function.Defun(tf.float32, grad_func=tenfold)
    def f(x):
        return x * x

    @function.Defun(tf.float32)
    def around(x):
        return f(x) + x

    x = tf.constant(2.0)
    assert f.grad_func_name == tenfold.name
    assert both_ways([tf.gradients(f(x), x)[0], tf.gradients(around(x), x)[0]]) == [10.0, 11.0]
    with pytest.raises(AssertionError):
        f.set_grad_func(tenfold)


def test_python_gradient_functions():
    @function.Defun(tf.float32, python_grad_func=lambda op, dy: 7.0 * dy)
    def f(x):
        return x * x

    @function.Defun(tf.float32)
    def around(x):
        return f(x) + x

    x = tf.constant(2.0)
    assert both_ways([tf.gradients(f(x), x)[0], tf.gradients(around(x), x)[0]]) == [7.0, 5.0]

    @function.Defun(tf.float32, grad_func=squared(), python_grad_func=lambda op, dy: dy)
    def both(x):
        return x

    with pytest.raises(ValueError, match="Gradient defined twice for function both"):
        both(x)


def test_shapes_of_imported_calls():
    squared()(tf.constant([1.0, 2.0]))
    definition = tf.get_default_graph().as_graph_def()
    again = definition.node.add()
    again.CopyFrom(next(node for node in definition.node if node.op == "Squared"))
    again.name = "inferred"
    again.attr.clear()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        assert graph.get_tensor_by_name("Squared:0").shape.ndims is None
        assert graph.get_tensor_by_name("inferred:0").shape == (2,)


def test_an_import_that_fails_leaves_no_functions():
    squared()(tf.constant(1.0))
    definition = tf.get_default_graph().as_graph_def()
    broken = tf.GraphDef()
    broken.CopyFrom(definition)
    broken.node.add(name="broken", op="Squared")
    with tf.Graph().as_default() as graph:
        with pytest.raises(ValueError, match="do not match 0 inputs specified"):
            tf.import_graph_def(broken, name="")
        assert not graph.as_graph_def().library.function and not graph.get_operations()
        with tf.experimental.strict_imports(), pytest.raises(tf.errors.NotFoundError, match="not registered 'Squared'"):
            tf.import_graph_def(tf.GraphDef(node=definition.node), name="")
        tf.import_graph_def(definition, name="")
        assert run("Squared:0", None, graph) == 1.0


@tf.RegisterGradient("FivefoldOfCalls")
def _fivefold(op, dy):
    return 5.0 * dy


def test_gradients_that_are_registered_for_calls():
    x = tf.constant(3.0)
    with tf.get_default_graph().gradient_override_map(dict.fromkeys(["Squared", "PartitionedCall"], "FivefoldOfCalls")):
        calls = squared()(x), tf.function(lambda x: x * x)(x)
    gradients = [tf.gradients(y, x)[0] for y in calls]
    calls[0].op._set_attr("_gradient_op_type", b"which is not known here")
    gradients += tf.gradients(calls[0], x)
    assert run(gradients) == [5.0, 5.0, 6.0]


def test_imported_calls_have_gradients():
    x = tf.placeholder(tf.float32, [], name="x")
    y = squared()(x, name="y")
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        gradient = tf.gradients(graph.get_tensor_by_name("y:0"), graph.get_tensor_by_name("x:0"))[0]
        assert gradient.op.type == "SymbolicGradient"
        assert run(gradient, {"x:0": 3.0}, graph) == 6.0
    assert y.op.type == "Squared"


def test_what_has_no_gradient_says_why():
    @function.Defun(tf.float32, func_name="NoGradient")
    def f(x):
        return tf.segment_prod(x, [0])

    x = tf.constant([1.0])
    y = f(x)
    gradient = tf.gradients(y, x)[0]
    with pytest.raises(tf.errors.UnimplementedError, match="Function NoGradient has no gradient: No gradient defined"):
        run(gradient)


def test_gradients_of_functions_that_there_are_not():
    gradient = tf.raw_ops.SymbolicGradient(input=[1.0, 1.0], Tout=[tf.float32], f="nothing")
    with pytest.raises(tf.errors.NotFoundError, match="Function nothing is not defined"):
        run(gradient)


def test_gradients_of_traced_functions_by_name():
    x = tf.placeholder(tf.float32, [])

    @tf.function
    def inner(x):
        return x * x

    @function.Defun(tf.float32)
    def f(x):
        return inner(x) + x

    y = f(x)
    assert run([y, tf.gradients(y, x)[0]], {x: 3.0}) == [12.0, 7.0]


def test_steps_are_recorded_traced_and_replayed(tmp_path):
    x = tf.placeholder(tf.float32, [])
    y = squared()(x)
    gradient = tf.gradients(y, x)[0]
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        with session.record(tmp_path / "steps.zip"):
            session.run([y, gradient], {x: 3.0})
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
        session.run([y, gradient], {x: 3.0}, options=options, run_metadata=metadata)
    assert tf.replay(tmp_path / "steps.zip").matches
    names = [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats]
    assert any(name.startswith("gradients/Squared_grad/SymbolicGradient/gradients") for name in names)
    assert {"Squared", "SymbolicGradient"} <= {node.op for node in metadata.partition_graphs[0].node}


def test_recursion_ends_in_an_error():
    definition = tf.GraphDef()
    f = squared()
    f(tf.constant(1.0))
    definition.CopyFrom(tf.get_default_graph().as_graph_def())
    node = definition.library.function[0].node_def[0]
    node.op, node.attr["T"].Clear()
    node.op = "Squared"
    node.ClearField("attr")
    del node.input[1:]
    definition.library.function[0].ret["mul"] = node.name + ":mul:0"
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        with pytest.raises(tf.errors.ResourceExhaustedError):
            run("Squared:0", None, graph)
        call = graph.get_operation_by_name("Squared")
        gradient = tf.gradients(call.outputs[0], call.inputs[0])
        with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.UnimplementedError)):
            run(gradient, None, graph)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda f: f(), "Expected number of arguments: 1, received: 0"),
        (lambda f: f(1.0, 2.0), "Expected number of arguments: 1, received: 2"),
        (
            lambda f: f(1),
            "Input 'x' passed int32 expected float while building NodeDef 'Squared' using Op<name=Squared; "
            "signature=x:float -> mul:float>",
        ),
        (lambda f: f(1.0, foo=1), "Unknown keyword arguments"),
        (lambda f: f(1.0, experimental_tag=b"x"), "Unsupported attribute type for experimental_tag"),
        (lambda f: function.Defun(tf.float32)(lambda: 1), "The function has fewer arguments than the number of"),
        (lambda f: function.Defun(tf.float32)(lambda x, y: 1), "The function has fewer arguments than the number of"),
        (lambda f: function.Defun(tf.float32)(3), "function 3 must be callable"),
        (lambda f: function.Defun(tf.float32)(lambda x, y=2: x), "function with argument defaults or keywords"),
        (lambda f: function.Defun(tf.float32)(lambda x, **k: x), "function with argument defaults or keywords"),
        (lambda f: function.Defun(tf.float32)(lambda x: [x, None]).name, "can not return None"),
        (
            lambda f: function.Defun(tf.float32, out_names=["a"])(lambda x: [x, x]).name,
            "Expected number of output names",
        ),
        (lambda f: function.Defun(tf.float32, out_names=["a", "a"])(lambda x: [x, x]).name, "duplicate output names"),
        (lambda f: function.Defun(tf.float32, func_name="MatMul")(lambda x: x)(1.0), "an op with the same name"),
        (
            lambda f: function.Defun(tf.float32, func_name="F", shape_func=lambda op: [])(lambda x: x)(1.0),
            "shape_func produced 0",
        ),
        (lambda f: function.Defun(func_name="F")(lambda x: x)(tf.zeros([], tf.qint8)), None),
        (lambda f: function.Defun()(lambda x: x)(tf.placeholder(tf.resource)), "Unsupported dtypes"),
        (lambda f: function.Defun(tf.float32)(lambda x: x)(1.0), "not a valid"),
    ],
)
def test_what_does_not_fit_is_refused(call, error):
    if error is None:
        call(squared())
        return
    with pytest.raises((ValueError, TypeError), match="(?s)" + error.replace("(", r"\(")):
        call(squared())


def test_two_functions_of_one_name_are_refused():
    squared()(1.0)

    @function.Defun(tf.float32, func_name="Squared")
    def other(x):
        return x + x

    with pytest.raises(
        ValueError, match="Cannot add function 'Squared' because a different function with the same name"
    ):
        other(1.0)
    squared()(1.0)  # an identical definition


_EXCHANGED = """
x = tf.placeholder(tf.float32, [], name="x")
v = tf.Variable(3.0, name="v", use_resource=False)

@function.Defun(tf.float32, tf.float32, func_name="SumGrad")
def sum_grad(x, dy):
    return 10.0 * dy * x

@function.Defun(tf.float32, func_name="Sum_", grad_func=sum_grad)
def sum_(x):
    return x + x

@function.Defun(tf.float32)
def inner(x):
    return tf.sin(x) * v, tf.cast(x, tf.int32)

@function.Defun(tf.float32, noinline=False)
def outer(x):
    y, n = inner(x * x)
    return y + sum_(x), n

@function.Defun(tf.float32)
def branches(x):
    y = tf.cond(x > 1.0, lambda: x * 2.0, lambda: x - 1.0)
    with tf.control_dependencies([tf.Assert(x < 100.0, [x])]):
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, y])[1]

y, n = outer(x)
branch = branches(x)
gradients = tf.gradients(y, [x, v])
names = [t.name for t in (y, n, branch, *gradients)]
graph_def = tf.get_default_graph().as_graph_def()
"""


@pytest.mark.oracle
def test_tensorflow_yields_the_same(oracle1):
    values = """
with tf.Session() as sess:
    sess.run(sess.graph.get_operation_by_name("v/Assign"))
    result = [sess.run(names, {"x:0": value}) for value in (0.5, 2.0)]
"""
    source = "from tensorflow.python.framework import function\n" + _EXCHANGED
    names, data, theirs = oracle1(source + values + "result = names, graph_def.SerializeToString(), result")
    here = {"tf": tf, "function": function}
    exec(_EXCHANGED + values, here)
    assert here["names"] == names
    np.testing.assert_allclose(here["result"], theirs, rtol=1e-6)
    imported = "tf.import_graph_def(tf.GraphDef.FromString(data), name='')\n" + values
    ours = here["graph_def"].SerializeToString()
    np.testing.assert_allclose(oracle1(imported, data=ours, names=names), theirs, rtol=1e-6)
    with tf.Graph().as_default():
        there = {"tf": tf, "data": data, "names": names}
        exec(imported, there)
    np.testing.assert_allclose(there["result"], theirs, rtol=1e-6)


def test_loops_of_imported_functions_have_no_gradient_and_the_step_says_why():
    """A definition lacks the information a loop gradient needs, so the gradient fails at run time; the rest of the
    graph runs.
    """
    with tf.Graph().as_default() as graph:
        doubled = function.Defun(tf.float32, func_name="doubled")(
            lambda x: tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * 2.0), [0, x])[1]
        )
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.identity(doubled(x), name="y")
        gradient = tf.gradients(y, x)[0]
        with tf.Session() as session:
            assert session.run([y, gradient], {x: 1.0}) == [8.0, 8.0]
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph.as_graph_def(), name="")
        assert session.run("y:0", {"x:0": 1.0}) == 8.0
        with pytest.raises(tf.errors.UnimplementedError, match="gradients cannot pass the loop that ends at"):
            session.run(gradient.name, {"x:0": 1.0})


def test_gradients_of_gradients_in_bodies():
    cube = function.Defun(tf.float32, func_name="Cube")(lambda a: a * a * a)
    x = tf.constant(2.0)
    y = cube(x)
    within = function.Defun(tf.float32, func_name="Within")(lambda a: tf.gradients(a * cube(a), a)[0])
    around = function.Defun(tf.float32, func_name="Around")(lambda a: tf.gradients(a * y, x)[0])
    for f, first, second in ((within, 48.0, 48.0), (around, 36.0, 36.0)):
        [slope] = tf.gradients(f(x), x)
        assert run([slope, tf.gradients(slope, x)[0]]) == [first, second]
        called = tf.function(lambda a, f=f: tf.gradients(f(a), a)[0], autograph=False)
        assert run(called(x)) == (48.0 if f is within else 12.0)
