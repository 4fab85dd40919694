"""Functions that pass tensors through tensor lists, by name, with first and second gradients. `python
tensor_list_gradients.py` prints the outcomes on TensorFlow 1.15.
"""

import json
from importlib import import_module

import numpy as np

MATRIX = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
_HOMES = {"tensorflow": "tensorflow.python.ops.list_ops", "tinytf": "tinytf._src.ops.data_flow.list_ops"}


def list_ops_of(tf):
    return import_module(_HOMES[tf.__name__.split(".")[0]])


def programs(tf):
    """Functions by name that build the gradients and return the fetches; `tf` is tinytf or TensorFlow."""
    raw, ops, found = tf.raw_ops, list_ops_of(tf), {}
    f32 = tf.float32

    def gradients(values, xs):
        """The existing gradients of a sum of cubes, each weighted by its position."""
        total = tf.add_n([tf.reduce_sum(one * one * one * places(one)) for one in values])
        return [one for one in tf.gradients(total, xs) if one is not None]

    def places(value):
        return tf.reshape(tf.cast(1 + tf.range(tf.size(value)), f32), tf.shape(value))

    def program(name, f, *starts, order=2):
        def fetches():
            xs = [tf.constant(start, f32) for start in starts]
            values = f(*xs)
            made = values = list(values) if isinstance(values, (list, tuple)) else [values]
            for _ in range(order):
                values = gradients(values, xs)
                made = made + values
                if not values:
                    break
            return made

        found[name] = fetches

    def stack(handle):
        return ops.tensor_list_stack(handle, f32)

    def rows(x, shape=None):
        return ops.tensor_list_from_tensor(x, shape)

    def push(handle, *values):
        for value in values:
            handle = raw.TensorListPushBack(input_handle=handle, tensor=value)
        return handle

    def empty(shape=None):
        return ops.empty_tensor_list(shape, f32)

    def pieces(x, lengths, shape=None):
        return ops.tensor_list_split(x, shape, np.array(lengths, np.int64))

    def joined(handle, shape=None):
        shape = tf.TensorShape(shape)
        return raw.TensorListConcat(input_handle=handle, element_dtype=f32, element_shape=shape).tensor

    def get(handle, i, shape=None):
        return ops.tensor_list_get_item(handle, i, f32, shape)

    def pop(handle):
        return ops.tensor_list_pop_back(handle, f32)

    program("push", lambda x, y: stack(push(empty(), x, y, x)), [1.0, 2.0], [3.0, 4.0])
    program("push_of_known_shape", lambda x, y: stack(push(empty([2]), x, y)), [1.0, 2.0], [3.0, 4.0])
    program("push_what_is_not_used", lambda x, y: pop(push(empty(), x, y))[1], [1.0, 2.0], [3.0, 4.0])
    program("pop", lambda x: [stack(pop(rows(x))[0]), pop(rows(x))[1]], MATRIX)
    program("pop_both", lambda x: (lambda a: [stack(a[0]), a[1]])(pop(rows(x))), MATRIX)
    program("pop_twice", lambda x: (lambda a: pop(a[0])[1] * a[1])(pop(rows(x))), MATRIX)
    program("rows", lambda x: stack(rows(x)), MATRIX)
    program("rows_of_known_shape", lambda x: stack(rows(x, [2])), MATRIX)
    program("rows_of_unknown_number", lambda x: stack(rows(tf.placeholder_with_default(x, [None, 2]))), MATRIX)
    program("get", lambda x: [get(rows(x), 1), get(rows(x, [2]), 2)], MATRIX)
    program("get_twice", lambda x: (lambda a: get(a, 1) * get(a, 2) + get(a, 1))(rows(x)), MATRIX)
    program("set", lambda x, y: stack(ops.tensor_list_set_item(rows(x), 1, y)), MATRIX, [7.0, 8.0])
    program(
        "set_reserved",
        lambda y: stack(ops.tensor_list_set_item(ops.tensor_list_reserve([2], 3, f32), 1, y)),
        [7.0, 8.0],
    )
    program("resize_more", lambda x: stack(raw.TensorListResize(input_handle=rows(x), size=5)), MATRIX)
    program("resize_less", lambda x: stack(raw.TensorListResize(input_handle=rows(x, [2]), size=2)), MATRIX)
    program("gather", lambda x: ops.tensor_list_gather(rows(x), [2, 0], f32), MATRIX)
    program("scatter", lambda x: stack(ops.tensor_list_scatter(x, [3, 0, 1], [2])), MATRIX)
    program("scatter_1", lambda x: stack(raw.TensorListScatter(tensor=x, indices=[2, 0, 1], element_shape=[2])), MATRIX)
    program(
        "scatter_into", lambda x, y: stack(ops.tensor_list_scatter(y, [1], input_handle=rows(x))), MATRIX, [[7.0, 8.0]]
    )
    program("split", lambda x: (lambda a: [get(a, 0), get(a, 1)])(pieces(x, [1, 2])), MATRIX)
    program("split_of_known_shape", lambda x: stack(pieces(x, [1, 1, 1], [None, 2])), MATRIX)
    program("split_and_concat", lambda x: ops.tensor_list_concat(pieces(x, [1, 2]), f32), MATRIX)
    program("concat", lambda x, y: ops.tensor_list_concat(push(empty([None]), x, y, x), f32), [1.0, 2.0], [3.0])
    program("concat_1", lambda x, y: joined(push(empty([None]), x, y)), [1.0, 2.0], [3.0])
    program(
        "join_lists",
        lambda x: stack(raw.TensorListConcatLists(input_a=rows(x), input_b=rows(x), element_dtype=f32)),
        MATRIX,
    )
    program("length", lambda x: tf.cast(raw.TensorListLength(input_handle=rows(x)), f32) * x, MATRIX)
    program("sum_of_uses", lambda x: (lambda a: [stack(a), stack(push(a, x[0])), get(a, 0)])(rows(x)), MATRIX)

    def written(x):
        def body(i, handle):
            return i + 1, ops.tensor_list_set_item(handle, i, x[i] * get(handle, i - 1))

        return tf.while_loop(lambda i, _: i < 3, body, [1, rows(x)])[1]

    program("loop_that_sets", lambda x: stack(written(x)), MATRIX, order=1)
    return found


def outcome(tf, build):
    """The outcome of a program's step as text: the values or the error."""
    with tf.Graph().as_default():
        try:
            fetches = build()
        except (LookupError, TypeError, ValueError) as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}"
        with tf.Session() as session:
            try:
                values = session.run(fetches)
            except tf.errors.OpError as error:
                return f"{type(error).__name__}: {error.message.splitlines()[0]}"
    return "; ".join(f"{list(value.shape)} {value.tolist()}" for value in values)


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, build) for name, build in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
