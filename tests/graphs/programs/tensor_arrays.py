"""Programs that use TensorArrays."""


def _array(tf, size=2, **options):
    return tf.TensorArray(tf.float32, size, **options)


def every_method(tf):
    ta = _array(tf, 3, element_shape=[2]).write(0, [1.0, 2.0])
    ta.read(0)
    ta.stack()
    ta.gather([0])
    tb = _array(tf, 0, dynamic_size=True, clear_after_read=False, tensor_array_name="tb").unstack([[1.0, 2.0]])
    tb.size()
    tb.concat()
    tb = tb.scatter([0], [[1.0, 2.0]]).split([3.0, 4.0, 5.0, 6.0], [2, 2])
    tb.identity()
    ta.close()
    ta.grad("src")


def names(tf):
    ta = _array(tf, name="n").write(0, 1.0, name="w")
    ta.read(0, name="r")
    ta.stack(name="s")
    ta.gather([0], name="g")
    ta.concat(name="c")
    ta = ta.scatter([1], [2.0], name="sc")
    ta.size(name="sz")
    ta.close(name="cl")
    ta.grad("x", name="gr")
    _array(tf).unstack([1.0, 2.0], name="u").identity()
    with tf.name_scope("scope"):
        _array(tf).split([1.0, 2.0], [1, 1], name="sp").identity()
        _array(tf).write(1, 2)
    _array(tf).write(0, tf.constant(1.0)).identity()
    _array(tf)


def shapes(tf):
    for options in (
        {},
        {"infer_shape": False},
        {"element_shape": [None, 2]},
        {"element_shape": [3, 2], "infer_shape": False},
    ):
        ta = _array(tf, **options).write(0, tf.placeholder(tf.float32, [None, 2]))
        ta.read(0)
        ta.stack()
        ta.concat()
        ta.gather(tf.placeholder(tf.int32, [None]))
        ta.grad("g").read(0)
    _array(tf).unstack(tf.placeholder(tf.float32, [None, 3])).stack()
    _array(tf).unstack(tf.placeholder(tf.float32)).stack()
    _array(tf).split(tf.placeholder(tf.float32, [None, 3]), [2, 2]).concat()
    _array(tf).split(tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int64)).concat()
    _array(tf, tf.placeholder(tf.int32)).write(tf.placeholder(tf.int32), tf.constant(1))
    tf.TensorArray(tf.int32, 1, element_shape=[]).write(0, 1).stack()
    tf.TensorArray(tf.string, 1).unstack(["a", "b"]).stack()


def places(tf):
    with tf.device("/gpu:0"):
        ta, tb = _array(tf), _array(tf, colocate_with_first_write_call=False)
        ta.write(0, 1.0).stack()
        tb = tb.write(0, 1.0)
        tb.unstack([1.0, 2.0]).stack()
    with tf.colocate_with(tb.flow):
        _array(tf).write(0, 3.0)
        _array(tf, colocate_with_first_write_call=False).write(0, 3.0)
    with tf.control_dependencies([tb.flow]):
        _array(tf).identity()
        _array(tf).write(0, 4.0).stack()
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    tc = _array(tf, 3)
    tc.write(0, a).write(1, b)
    tc.write(2, tf.constant(1.0))
    td = _array(tf, handle=ta.handle, flow=ta.flow, size=None)
    td.write(0, b)


def gradients_of_elements(tf):
    x = tf.constant([1.0, 2.0])
    ta = _array(tf, clear_after_read=False).write(0, x)
    tf.gradients(ta.read(0) * ta.read(0), x)
    tf.gradients(ta.read(0), x)
    with tf.name_scope("a"):
        tf.gradients(ta.read(0), x, name="gradients_b")


def gradients_of_rows(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    tf.gradients(_array(tf).unstack(x).stack(), x)
    tf.gradients(_array(tf).unstack(x).gather([1]), x)
    tf.gradients(_array(tf, element_shape=[2]).scatter([1, 0], x).stack(), x)


def gradients_of_pieces(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    tf.gradients(_array(tf).split(x, [1, 2]).concat(), x)
    tf.gradients(_array(tf).split(x, [2, 2]).concat(), x)


def gradients_end(tf):
    x = tf.constant([1.0, 2.0])
    ta = _array(tf).write(0, x)
    tf.gradients(tf.cast(ta.size(), tf.float32) * ta.flow, x)


def written_in_a_loop(tf):
    values = tf.TensorArray(tf.float32, 3)
    _, values = tf.while_loop(
        lambda i, values: i < 3, lambda i, values: (i + 1, values.write(i, tf.cast(i, tf.float32))), [0, values]
    )
    values.stack()


def written_in_a_branch(tf):
    pred = tf.placeholder(tf.bool, [], name="pred")
    values = tf.TensorArray(tf.float32, 3)
    tf.cond(pred, lambda: values.write(0, 1.0), lambda: values.write(0, 2.0)).read(0)


def written_in_a_branch_of_a_loop(tf):
    values = tf.TensorArray(tf.float32, 3)
    pred = tf.placeholder(tf.bool, [], name="pred")

    def body(i, values):
        return i + 1, tf.cond(pred, lambda: values.write(i, 1.0), lambda: values)

    tf.while_loop(lambda i, values: i < 3, body, (0, values), maximum_iterations=3)[1].stack()


def beside_shape_invariants(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.while_loop(
        lambda i, values, y: i < 3,
        lambda i, values, y: (i + 1, values.write(i, y), y),
        [0, tf.TensorArray(tf.float32, 3), x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape([2])],
    )
