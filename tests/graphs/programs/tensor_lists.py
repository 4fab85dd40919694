"""Programs that use tensor lists."""


def _list_ops(tf):
    from importlib import import_module

    home = "tinytf._src.ops.data_flow" if tf.__name__ == "tinytf" else "tensorflow.python.ops"
    return import_module(f"{home}.list_ops")


def _matrix(tf, **options):
    return tf.placeholder(tf.float32, [None, 2], **options)


def every_helper(tf):
    ops, x = _list_ops(tf), _matrix(tf)
    ops.empty_tensor_list([None, 2], tf.float32)
    ops.empty_tensor_list(None, tf.float32, max_num_elements=3, name="empty")
    ops.empty_tensor_list([], tf.float32)
    ops.empty_tensor_list(tf.TensorShape(None), tf.float32)
    ops.empty_tensor_list(tf.TensorShape([2, None]), tf.float32)
    ops.empty_tensor_list(tf.TensorShape([2])[:0], tf.float32)
    ops.empty_tensor_list([tf.Dimension(2), tf.shape(x)[0], None], tf.float32)
    ops.empty_tensor_list(tf.shape(x), tf.float32)
    handle = ops.tensor_list_reserve([2], 3, tf.float32, name="reserve")
    handle = ops.tensor_list_set_item(handle, 1, x[0], name="set")
    ops.tensor_list_get_item(handle, 1, tf.float32)
    ops.tensor_list_get_item(handle, 1, tf.float32, element_shape=[2], name="get")
    ops.tensor_list_pop_back(handle, tf.float32, name="pop")
    ops.tensor_list_gather(handle, [0, 1], tf.float32, [2], name="gather")
    ops.tensor_list_stack(handle, tf.float32, 3, [2], name="stack")
    ops.tensor_list_stack(handle, tf.float32)
    ops.tensor_list_concat(handle, tf.float32, name="concat")
    ops.tensor_list_from_tensor(x, [2], name="rows")
    ops.tensor_list_split(x, [None, 2], [1, 2], name="split")
    ops.tensor_list_scatter(x, [3, 1], [2], name="scatter")
    ops.tensor_list_scatter(x, [3, 1], input_handle=handle, name="into")


def set_with_resize(tf):
    ops, x = _list_ops(tf), _matrix(tf)
    handle = ops.tensor_list_from_tensor(x, [2])
    ops.tensor_list_set_item(handle, tf.placeholder(tf.int32, []), x[0], resize_if_index_out_of_bounds=True, name="set")


def every_op(tf):
    ops, raw = _list_ops(tf), tf.raw_ops
    handle = ops.empty_tensor_list([2], tf.float32)
    handle = raw.TensorListPushBack(input_handle=handle, tensor=[1.0, 2.0])
    raw.TensorListLength(input_handle=handle)
    raw.TensorListElementShape(input_handle=handle, shape_type=tf.int64)
    raw.TensorListResize(input_handle=handle, size=3)
    raw.TensorListConcat(input_handle=handle, element_dtype=tf.float32)
    raw.TensorListScatter(tensor=[[1.0, 2.0]], indices=[0], element_shape=[2])
    raw.TensorListConcatLists(input_a=handle, input_b=handle, element_dtype=tf.float32)
    raw.TensorListPushBackBatch(input_handles=tf.stack([handle, handle]), tensor=[[1.0, 2.0], [3.0, 4.0]])
    tf.add_n([handle, tf.zeros_like(handle)])


def gradients_of_elements(tf):
    ops, raw, x = _list_ops(tf), tf.raw_ops, _matrix(tf, name="x")
    handle = ops.tensor_list_from_tensor(x, None)
    handle, last = ops.tensor_list_pop_back(handle, tf.float32)
    handle = raw.TensorListPushBack(input_handle=handle, tensor=last * 2.0)
    handle = raw.TensorListResize(input_handle=handle, size=5)
    handle = ops.tensor_list_set_item(handle, 1, x[0])
    got = ops.tensor_list_get_item(handle, 2, tf.float32)
    tf.gradients([ops.tensor_list_stack(handle, tf.float32), got], x)


def gradients_of_parts(tf):
    ops, raw = _list_ops(tf), tf.raw_ops
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    pieces = ops.tensor_list_split(x, [None, 2], [1, 2])
    scattered = ops.tensor_list_scatter(x, [2, 0, 1], [2])
    scattered = ops.tensor_list_scatter(x, [0, 1, 3], input_handle=scattered)
    other = raw.TensorListScatter(tensor=x, indices=[2, 0, 1], element_shape=[2])
    ys = [
        ops.tensor_list_concat(pieces, tf.float32),
        raw.TensorListConcat(input_handle=pieces, element_dtype=tf.float32).tensor,
        ops.tensor_list_gather(scattered, [0, 3], tf.float32),
        ops.tensor_list_stack(other, tf.float32),
    ]
    tf.gradients(ys, x)


def popped_alone(tf):
    ops, x = _list_ops(tf), tf.placeholder(tf.float32, [3, 2], name="x")
    tf.gradients(ops.tensor_list_pop_back(ops.tensor_list_from_tensor(x, [2]), tf.float32)[1], x)


def lists_in_loops(tf):
    ops, x = _list_ops(tf), tf.placeholder(tf.float32, [3, 2], name="x")
    handle = ops.tensor_list_from_tensor(x, [2])

    def body(i, handle):
        item = ops.tensor_list_get_item(handle, i - 1, tf.float32)
        return i + 1, ops.tensor_list_set_item(handle, i, x[i] * item)

    handle = tf.while_loop(lambda i, _: i < 3, body, [1, handle])[1]
    tf.gradients(ops.tensor_list_stack(handle, tf.float32), x)
