"""More LSTMs of `tf.contrib.rnn`: coupled gates, phased and grouped ones, and cells marked for compilation."""


def _contrib(tf):
    from importlib import import_module

    return import_module(f"{tf.__name__}.contrib.rnn")


def _one_step(tf, cell, depth=4, dtype="float32", batch=2, scope=None):
    with tf.variable_scope(scope, "part", reuse=tf.AUTO_REUSE if scope else None):
        x = tf.placeholder(dtype, [batch, depth], name="x")
        return cell(x, cell.zero_state(2 if batch is None else batch, dtype))


def _loop(tf, cell, depth=4, scope=None):
    x = tf.placeholder(tf.float32, [2, 3, depth], name="sequence")
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope=scope)
    return outputs


def coupled(tf):
    cells = _contrib(tf)
    make = cells.CoupledInputForgetGateLSTMCell
    _one_step(tf, make(3))
    _one_step(tf, make(3, True, tf.ones_initializer(), 2, 0.5, 3, 2, 0.25), dtype="float64")
    _one_step(tf, make(3, num_proj=2, state_is_tuple=False, activation=tf.nn.relu))
    _one_step(tf, make(3, state_is_tuple=False))
    _one_step(tf, make(3, use_peepholes=True, num_unit_shards=2), scope="same")
    _one_step(tf, make(3, use_peepholes=True, num_unit_shards=2), scope="same")
    outputs = _loop(tf, make(3, True, num_proj=2, num_unit_shards=2), scope="loop")
    tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables("loop"))


def coupled_and_normalized(tf):
    cells = _contrib(tf)
    make = cells.CoupledInputForgetGateLSTMCell
    _one_step(tf, make(3, layer_norm=True))
    _one_step(tf, make(3, True, num_proj=2, layer_norm=True, norm_gain=0.5, norm_shift=0.25))
    outputs = _loop(tf, make(3, layer_norm=True), scope="loop")
    tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables("loop"))


def phased(tf):
    cells = _contrib(tf)
    for i, dtype in enumerate(("float32", "float64")):
        with tf.variable_scope(f"s{i}"):
            cell = cells.PhasedLSTMCell(3, use_peepholes=bool(i), trainable_ratio_on=not i)
            inputs = tf.placeholder(dtype, [2, 1]), tf.placeholder(tf.float32, [2, 4])
            output, _ = cell(inputs, cell.zero_state(2, tf.float32))
            tf.gradients(output, [*inputs, *tf.trainable_variables(f"s{i}")])
    with tf.variable_scope("told"):
        cell = cells.PhasedLSTMCell(3, False, tf.constant(0.25), 0.5, True, tf.constant(2.0), 20.0)
        cell((tf.zeros([2, 1]), tf.zeros([2, 4])), cell.zero_state(2, tf.float32))


def phased_in_a_loop(tf):
    cells = _contrib(tf)
    cell = cells.PhasedLSTMCell(3, use_peepholes=True)
    inputs = tf.placeholder(tf.float32, [2, 3, 1]), tf.placeholder(tf.float32, [2, 3, 4])
    outputs, _ = tf.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(outputs))


def groups(tf):
    cells = _contrib(tf)
    _one_step(tf, cells.GLSTMCell(4))
    _one_step(tf, cells.GLSTMCell(4, number_of_groups=2), batch=None)
    _one_step(tf, cells.GLSTMCell(4, tf.ones_initializer(), 2, 2, 0.5, tf.nn.relu), dtype="float64")
    outputs = _loop(tf, cells.GLSTMCell(6, num_proj=4, number_of_groups=2), scope="loop")
    tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables("loop"))
    cell = cells.GLSTMCell(4, number_of_groups=4, reuse=tf.AUTO_REUSE)
    _one_step(tf, cell, scope="twice")
    _one_step(tf, cell, scope="twice")


def compiled(tf):
    cells = _contrib(tf)
    _one_step(tf, cells.CompiledWrapper(cells.GRUCell(4)))
    dropped = cells.DropoutWrapper(cells.LSTMCell(3), 0.5, seed=1)
    _one_step(tf, cells.CompiledWrapper(dropped, compile_stateful=True))
    _one_step(tf, cells.CompiledWrapper(cells.CompiledWrapper(cells.BasicRNNCell(4))))
    _one_step(tf, cells.CompiledWrapper(cells.DropoutWrapper(cells.BasicRNNCell(4), 0.5, seed=1)))


def compiled_gradients(tf):
    cells = _contrib(tf)
    output, _ = _one_step(tf, cells.CompiledWrapper(cells.GRUCell(4)))
    first = tf.gradients(tf.tanh(output), tf.trainable_variables())
    tf.gradients(first[0], tf.trainable_variables())
    outputs = _loop(tf, cells.CompiledWrapper(cells.GLSTMCell(4, number_of_groups=2)), scope="loop")
    tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables("loop"))


def compiled_in_loops(tf):
    cells = _contrib(tf)
    cell = cells.CompiledWrapper(cells.GRUCell(4))
    most = tf.placeholder(tf.int32, [], name="most")

    def branched(i, x):
        return i + 1, tf.cond(i > 1, lambda: cell(x, x, scope="cell")[0] * x, lambda: x + 1.0)

    def outer(i, x):
        return i + 1, tf.while_loop(lambda i, _: i < 2, branched, (0, x), maximum_iterations=4)[1]

    x = tf.placeholder(tf.float32, [2, 4], name="x")
    _, y = tf.while_loop(lambda i, _: i < 3, outer, (0, x), maximum_iterations=most)
    tf.gradients(y, [x, *tf.trainable_variables()])


def compiled_gradients_apart(tf):
    from importlib import import_module

    package = "tinytf" if tf.__name__ == "tinytf" else "tensorflow"
    scope = import_module(f"{package}.python.compiler.xla.jit").experimental_jit_scope
    x = tf.placeholder(tf.float32, [2], name="x")
    for options in ((), (False,), (True, True), (lambda node: node.op == "Exp", True)):
        with scope(*options), scope(*options):
            y = tf.exp(x * x)
        with tf.name_scope("outer"):
            tf.gradients(y, x, name="of")


def marks_that_lack_some(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    true, false = (tf.AttrValue(b=b) for b in (True, False))
    scope = tf.AttrValue(s=b"mine")
    for i, attrs in enumerate(
        (
            {"_XlaCompile": true, "_XlaSeparateCompiledGradients": true, "_XlaScope": scope},
            {"_XlaCompile": false, "_XlaSeparateCompiledGradients": true, "_XlaScope": scope},
            {"_XlaCompile": true, "_XlaScope": scope},
            {"_XlaCompile": true, "_XlaSeparateCompiledGradients": true},
        )
    ):
        with tf.get_default_graph()._attr_scope(attrs):
            y = tf.exp(x * x, name=f"y{i}")
        with tf.name_scope("outer"):
            tf.gradients(y, x, name="of")
