"""Programs of tensor list ops, by name; each builds nodes in the default graph and returns the fetches. `python
tensor_list_programs.py` prints the outcomes on TensorFlow 1.15.
"""

import json

import numpy as np


def programs(tf):
    """The programs by name; `tf` is tinytf or TensorFlow."""
    raw, found = tf.raw_ops, {}
    scalar = np.zeros([0], np.int32)
    f32, i32 = tf.float32, tf.int32

    def hidden(value, shape=None):
        """The value with an unknown static value and shape, and, for a list, unknown element types."""
        return tf.placeholder_with_default(value, shape)

    def hidden_int(value, dtype=np.int64):
        return hidden(tf.constant(np.array(value, dtype)))

    def empty(shape=scalar, dtype=f32, most=-1):
        return raw.EmptyTensorList(element_shape=shape, max_num_elements=most, element_dtype=dtype)

    def reserve(size=3, shape=scalar, dtype=f32):
        return raw.TensorListReserve(element_shape=shape, num_elements=size, element_dtype=dtype)

    def rows(tensor, shape=-1):
        return raw.TensorListFromTensor(tensor=tf.convert_to_tensor(tensor), element_shape=shape)

    def three():
        return rows([1.0, 2.0, 3.0], scalar)

    def push(handle, *values):
        for value in values:
            handle = raw.TensorListPushBack(input_handle=handle, tensor=value)
        return handle

    def pop(handle, shape=-1, dtype=f32):
        return raw.TensorListPopBack(input_handle=handle, element_shape=shape, element_dtype=dtype)

    def get(handle, index, shape=-1, dtype=f32):
        return raw.TensorListGetItem(input_handle=handle, index=index, element_shape=shape, element_dtype=dtype)

    def put(handle, index, item):
        return raw.TensorListSetItem(input_handle=handle, index=index, item=item)

    def stack(handle, shape=-1, dtype=f32, size=-1):
        return raw.TensorListStack(input_handle=handle, element_shape=shape, element_dtype=dtype, num_elements=size)

    def gather(handle, indices, shape=-1, dtype=f32):
        return raw.TensorListGather(input_handle=handle, indices=indices, element_shape=shape, element_dtype=dtype)

    def scatter(tensor, indices, shape=-1):
        return raw.TensorListScatter(tensor=tensor, indices=indices, element_shape=shape)

    def scatter_2(tensor, indices, shape=-1, size=-1):
        return raw.TensorListScatterV2(tensor=tensor, indices=indices, element_shape=shape, num_elements=size)

    def scatter_into(handle, tensor, indices):
        return raw.TensorListScatterIntoExistingList(input_handle=handle, tensor=tensor, indices=indices)

    def concat(handle, shape=None, dtype=f32):
        shape = tf.TensorShape(shape)
        return list(raw.TensorListConcat(input_handle=handle, element_dtype=dtype, element_shape=shape))

    def concat_2(handle, shape=-1, leading=(), dtype=f32):
        leading = np.array(leading, np.int64)
        inputs = {"input_handle": handle, "element_shape": shape, "leading_dims": leading}
        return list(raw.TensorListConcatV2(element_dtype=dtype, **inputs))

    def split(tensor, lengths, shape=-1):
        return raw.TensorListSplit(tensor=tensor, element_shape=shape, lengths=np.array(lengths, np.int64))

    def length(handle):
        return raw.TensorListLength(input_handle=handle)

    def resize(handle, size):
        return raw.TensorListResize(input_handle=handle, size=size)

    def element_shape(handle, dtype=i32):
        return raw.TensorListElementShape(input_handle=handle, shape_type=dtype)

    def join_lists(a, b, dtype=f32):
        return raw.TensorListConcatLists(input_a=a, input_b=b, element_dtype=dtype)

    def push_batch(handles, tensor):
        return raw.TensorListPushBackBatch(input_handles=handles, tensor=tensor)

    def lists(*handles):
        return tf.stack(list(handles))

    def uneven():
        return push(empty(-1), [1.0], [2.0, 3.0])

    def program(name, build):
        def fetches():
            made = build()
            return list(made) if isinstance(made, (list, tuple)) else [made]

        found[name] = fetches

    matrix = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]

    # Creation.
    program("empty", lambda: [length(empty()), stack(empty())])
    program("empty_wide_shape", lambda: element_shape(empty(np.array([2, -1], np.int64)), tf.int64))
    program("empty_most_is_no_scalar", lambda: length(empty(most=hidden_int([1], np.int32))))
    program("reserve", lambda: [length(reserve()), stack(reserve())])
    program("reserve_nothing", lambda: stack(reserve(0)))
    program("reserve_one_in_a_vector", lambda: length(reserve(hidden_int([1], np.int32))))
    program("reserve_strings", lambda: stack(reserve(2, dtype=tf.string), dtype=tf.string))
    program("reserve_bools", lambda: stack(reserve(2, dtype=tf.bool), dtype=tf.bool))
    program("element_shape", lambda: element_shape(reserve(shape=[2, -1])))
    program(
        "element_shape_unknown", lambda: [element_shape(reserve(shape=-1)), element_shape(reserve(shape=-1), tf.int64)]
    )
    program("element_shape_scalar", lambda: element_shape(reserve()))
    program("resize_more", lambda: stack(resize(three(), 5)))
    program("resize_less", lambda: stack(resize(three(), 2)))
    program("resize_to_none", lambda: length(resize(three(), 0)))
    program("resize_negative", lambda: length(resize(three(), -1)))
    program("resize_there_and_back", lambda: stack(resize(resize(three(), 1), 3)))
    program("resize_vector", lambda: length(resize(three(), [2])))
    program("resize_hidden_vector", lambda: length(resize(three(), hidden_int([2], np.int32))))
    program("handle_vector", lambda: length(lists(three(), three())))
    program("fetch_of_a_list", three)

    # Element shapes.
    program("shape_scalar", lambda: length(empty(-2)))
    program("shape_hidden_scalar", lambda: length(empty(hidden_int(-2))))
    program("shape_unknown_scalar", lambda: length(empty(hidden_int(-1))))
    program("shape_placeholder_scalar", lambda: length(empty(hidden(tf.constant(-1), []))))
    program("shape_negative", lambda: length(empty([-5])))
    program("shape_hidden_negative", lambda: length(empty(hidden_int([-5]))))
    program("shape_matrix", lambda: length(empty([[3, 1]])))
    program("shape_unlike_list", lambda: get(reserve(shape=[2]), 0, [3]))
    program("shape_hidden_unlike_list", lambda: get(reserve(shape=[2]), 0, hidden_int([3], np.int32)))
    program("shape_of_other_rank", lambda: get(reserve(shape=[2]), 0, hidden_int([3, 1], np.int32)))

    # Elements.
    program("push", lambda: stack(push(empty(), 1.0, 2.0)))
    program("push_keeps_the_list", lambda: (lambda a: [stack(push(a, 4.0)), stack(a), stack(push(a, 5.0))])(three()))
    program("push_shape", lambda: length(push(three(), [1.0])))
    program("push_partial_shape", lambda: length(push(empty([-1, 2]), [[1.0, 2.0]], [[1.0, 2.0, 3.0]])))
    program("push_type", lambda: length(push(three(), 1)))
    program("push_hidden_type", lambda: length(push(hidden(three()), 1)))
    program("push_up_to_most", lambda: stack(push(empty(most=2), 1.0, 2.0)))
    program("push_beyond_most", lambda: length(push(empty(most=1), 1.0, 2.0)))
    program("push_most_is_zero", lambda: length(push(empty(most=0), 1.0)))
    program("push_most_is_negative", lambda: length(push(empty(most=-5), 1.0)))
    program("push_uint32", lambda: length(push(empty(dtype=tf.uint32), tf.constant(1, tf.uint32))))
    program("pop", lambda: (lambda p: [stack(p[0]), p[1]])(pop(three())))
    program("pop_all", lambda: pop(pop(pop(three())[0])[0])[1])
    program("pop_nothing", lambda: pop(reserve(0))[1])
    program("pop_zeros", lambda: pop(reserve(shape=[2]))[1])
    program("pop_zeros_described", lambda: pop(reserve(shape=-1), [2])[1])
    program("pop_zeros_unknown", lambda: pop(reserve(shape=-1))[1])
    program("pop_type", lambda: pop(three(), dtype=i32)[1])
    program("pop_hidden_type", lambda: pop(hidden(three()), dtype=i32)[1])
    program("get", lambda: [get(three(), 0), get(three(), 2)])
    program("get_beyond", lambda: get(three(), 3))
    program("get_negative", lambda: get(three(), -1))
    program("get_index_vector", lambda: get(three(), [1]))
    program("get_zeros", lambda: get(reserve(shape=[2]), 1))
    program("get_zeros_described", lambda: get(reserve(shape=[-1, 2]), 1, [3, -1]))
    program("get_zeros_like_others", lambda: get(resize(rows(matrix), 4), 3))
    program("get_zeros_like_unlike_others", lambda: get(resize(uneven(), 4), 3))
    program("get_zeros_unknown", lambda: get(reserve(shape=-1), 1))
    program("get_type", lambda: get(three(), 0, dtype=i32))
    program("get_hidden_type", lambda: get(hidden(three()), 0, dtype=i32))
    program("set", lambda: stack(put(three(), 1, 7.0)))
    program("set_reserved", lambda: stack(put(reserve(), 1, 7.0)))
    program("set_keeps_the_list", lambda: (lambda a: [stack(put(a, 1, 7.0)), stack(a)])(three()))
    program("set_beyond", lambda: length(put(three(), 5, 1.0)))
    program("set_negative", lambda: length(put(three(), -1, 1.0)))
    program("set_type", lambda: length(put(three(), 0, 1)))
    program("set_shape", lambda: length(put(three(), 0, [1.0])))
    program("set_hidden_shape", lambda: length(put(hidden(three()), 0, [1.0])))

    # Stacking all elements.
    program("stack_of_its_size", lambda: stack(three(), size=3))
    program("stack_of_another_size", lambda: stack(three(), size=2))
    program("stack_type", lambda: stack(three(), dtype=i32))
    program("stack_hidden_type", lambda: stack(hidden(three()), dtype=i32))
    program("stack_nothing", lambda: stack(reserve(0, -1)))
    program("stack_nothing_described", lambda: stack(reserve(0, -1), [2, 0]))
    program("stack_zeros_unknown", lambda: stack(reserve(2, -1)))
    program("stack_zeros_empty", lambda: stack(reserve(2, [0])))
    program("stack_zeros_beside_others", lambda: stack(resize(rows(matrix), 4)))
    program("stack_uneven", lambda: stack(uneven()))
    program("stack_strings", lambda: stack(resize(rows(["a", "bc"]), 3), dtype=tf.string))
    program("stack_complex", lambda: stack(rows(np.array([1j, 2], np.complex64)), dtype=tf.complex64))
    program("gather", lambda: gather(three(), [2, 0, 2]))
    program("gather_matrix", lambda: gather(hidden(three()), hidden_int([[0, 1], [1, 2]], np.int32)))
    program("gather_scalar", lambda: gather(three(), hidden_int(1, np.int32)))
    program("gather_nothing", lambda: gather(three(), scalar))
    program("gather_nothing_unknown", lambda: gather(uneven(), scalar))
    program("gather_beyond", lambda: gather(three(), [0, 7]))
    program("gather_negative", lambda: gather(three(), [0, -7]))
    program("gather_zeros", lambda: gather(reserve(shape=[2]), [0, 2]))
    program("gather_zeros_beside_others", lambda: gather(resize(rows(matrix), 4), [3, 0]))
    program("gather_zeros_unknown", lambda: gather(reserve(2, -1), [0]))
    program("gather_uneven", lambda: gather(uneven(), [0, 1]))
    program("gather_one_of_uneven", lambda: gather(uneven(), [1]))
    program("gather_type", lambda: gather(three(), [0], dtype=i32))
    program("gather_hidden_type", lambda: gather(hidden(three()), [0], dtype=i32))
    program("concat", lambda: concat(rows(matrix)))
    program("concat_uneven", lambda: concat(uneven()))
    program("concat_described", lambda: concat(uneven(), [1]))
    program("concat_all_known", lambda: concat(rows(matrix, [2])))
    program("concat_all_known_described", lambda: concat(rows(matrix, [2]), [None]))
    program("concat_nothing", lambda: concat(reserve(0, -1)))
    program("concat_nothing_described", lambda: concat(reserve(0, -1), [None, 2]))
    program("concat_zeros", lambda: concat(reserve(2, [2])))
    program("concat_zeros_unknown", lambda: concat(reserve(2, -1)))
    program("concat_zeros_described", lambda: concat(reserve(2, -1), [2]))
    program("concat_zeros_beside_others", lambda: concat(resize(rows(matrix), 4)))
    program("concat_scalars", lambda: concat(hidden(three())))
    program("concat_a_scalar", lambda: concat(push(uneven(), 1.0)))
    program("concat_type", lambda: concat(uneven(), dtype=i32))
    program("concat_2", lambda: concat_2(rows(matrix)))
    program("concat_2_uneven", lambda: concat_2(uneven()))
    program("concat_2_first_size", lambda: concat_2(uneven(), [1]))
    program("concat_2_tails", lambda: concat_2(push(empty(-1), [[1.0]], [[1.0, 2.0]])))
    program("concat_2_nothing", lambda: concat_2(reserve(0, -1)))
    program("concat_2_nothing_partial", lambda: concat_2(reserve(0, [-1, -1])))
    program("concat_2_nothing_described", lambda: concat_2(reserve(0, [-1, 2])))
    program("concat_2_zeros", lambda: concat_2(reserve(2, [2, 1])))
    program("concat_2_zeros_unknown", lambda: concat_2(reserve(2, -1)))
    program("concat_2_zeros_without_size", lambda: concat_2(reserve(2, [-1, 2])))
    program("concat_2_zeros_with_too_few", lambda: concat_2(reserve(2, [-1, 2]), leading=[1]))
    program("concat_2_zeros_with_sizes", lambda: concat_2(reserve(2, [-1, 2]), leading=[1, 2]))
    program("concat_2_zeros_of_other_size", lambda: concat_2(reserve(2, [3, 2]), leading=[1, 1]))
    program("concat_2_zeros_like_others", lambda: concat_2(resize(rows(matrix), 4)))
    program("concat_2_zeros_beside_uneven", lambda: concat_2(resize(uneven(), 3)))
    program("concat_2_zeros_beside_uneven_with_sizes", lambda: concat_2(resize(uneven(), 3), leading=[9, 9, 2]))
    program("concat_2_scalars", lambda: concat_2(three()))
    program("concat_2_hidden_scalars", lambda: concat_2(hidden(three())))
    program("concat_2_a_scalar", lambda: concat_2(push(uneven(), 1.0)))
    program("concat_2_type", lambda: concat_2(uneven(), dtype=i32))

    # Lists from tensors.
    program("rows", lambda: stack(rows(matrix)))
    program("rows_of_strings", lambda: get(rows(["a", "b"]), 1, dtype=tf.string))
    program("rows_of_nothing", lambda: [length(rows(np.zeros([0, 2], np.float32)))])
    program("rows_shape", lambda: length(rows(matrix, [3])))
    program("rows_hidden_shape", lambda: length(rows(hidden(tf.constant(matrix)), [3])))
    program("rows_of_a_scalar", lambda: length(rows(1.0)))
    program("rows_of_a_hidden_scalar", lambda: length(rows(hidden(tf.constant(1.0)))))
    program("split", lambda: (lambda a: [get(a, 0), get(a, 1), get(a, 2)])(split(matrix, [2, 0, 1])))
    program("split_described", lambda: concat_2(split([1.0, 2.0, 3.0], [1, 2], hidden_int([1]))))
    program("split_too_few", lambda: length(split([1.0, 2.0, 3.0], [1, 1])))
    program("split_too_many", lambda: length(split([1.0, 2.0, 3.0], [1, 4])))
    program("split_negative", lambda: length(split([1.0, 2.0, 3.0], [-1, 4])))
    program("split_lengths_matrix", lambda: length(split([1.0], [[1]])))
    program("split_hidden_lengths_matrix", lambda: length(split([1.0], 0)))
    program("split_into_scalars", lambda: length(split([1.0, 2.0], [1, 1], scalar)))
    program("split_into_hidden_scalars", lambda: length(split([1.0, 2.0], [1, 1], hidden_int(scalar))))
    program("split_shape", lambda: length(split([1.0, 2.0], [1, 1], hidden_int([1, 2]))))
    program("split_a_scalar", lambda: length(split(1.0, [1])))
    program("split_a_hidden_scalar", lambda: length(split(hidden(tf.constant(1.0)), [1])))
    program("scatter", lambda: stack(scatter([1.0, 2.0], [3, 1], scalar)))
    program("scatter_over", lambda: stack(scatter([1.0, 2.0], [1, 1], scalar)))
    program("scatter_nothing", lambda: length(scatter(np.zeros([0], np.float32), scalar)))
    program("scatter_by_matrix", lambda: stack(scatter([[1.0], [2.0]], [[3], [1]])))
    program("scatter_shape", lambda: length(scatter(matrix, [0, 1, 2], [3])))
    program("scatter_a_scalar", lambda: length(scatter(1.0, [0])))
    program("scatter_rows", lambda: length(scatter([1.0], [0, 1])))
    program("scatter_negative", lambda: length(scatter([1.0], [-1])))
    program("scatter_2", lambda: stack(scatter_2([1.0, 2.0], [3, 1], scalar)))
    program("scatter_2_into_more", lambda: stack(scatter_2([1.0, 2.0], [3, 1], scalar, 6)))
    program("scatter_2_beyond", lambda: length(scatter_2([1.0], [4], size=3)))
    program("scatter_2_size", lambda: length(scatter_2([1.0], [4], size=-3)))
    program("scatter_2_size_vector", lambda: length(scatter_2([1.0], [4], size=[9])))
    program("scatter_into", lambda: stack(scatter_into(three(), [7.0, 8.0], [0, 2])))
    program("scatter_into_keeps", lambda: (lambda a: [stack(scatter_into(a, [7.0], [0])), stack(a)])(three()))
    program("scatter_into_nothing", lambda: stack(scatter_into(three(), np.zeros([0], np.float32), scalar)))
    program("scatter_into_type", lambda: length(scatter_into(three(), [1], [0])))
    program("scatter_into_hidden_type", lambda: length(scatter_into(hidden(three()), [1], [0])))
    program("scatter_into_a_scalar", lambda: length(scatter_into(hidden(three()), hidden(tf.constant(1.0)), [0])))
    program("scatter_into_by_matrix", lambda: length(scatter_into(three(), [1.0], hidden_int([[0]], np.int32))))
    program("scatter_into_rows", lambda: length(scatter_into(three(), [1.0], [0, 1])))

    # Lists of lists.
    program(
        "push_batch", lambda: (lambda a: [stack(a[0]), stack(a[1])])(push_batch(lists(three(), three()), [7.0, 8.0]))
    )
    program("push_batch_scalar", lambda: push_batch(three(), [7.0]))
    program("push_batch_hidden_scalar", lambda: length(push_batch(hidden(three()), [7.0])[0]))
    program("push_batch_size", lambda: push_batch(lists(three(), three()), [7.0]))
    program(
        "push_batch_hidden_size",
        lambda: length(tf.unstack(push_batch(lists(three(), three()), hidden(tf.constant([7.0]))))[0]),
    )
    program("push_batch_shape", lambda: length(push_batch(lists(three(), three()), [[7.0], [8.0]])[0]))
    program("push_batch_type", lambda: length(push_batch(lists(three(), three()), [7, 8])[0]))
    program("push_batch_of_a_scalar", lambda: length(push_batch(lists(three(), three()), hidden(tf.constant(1.0)))[0]))
    program("push_batch_beyond_most", lambda: stack(push_batch(lists(empty(most=0), empty(most=0)), [7.0, 8.0])[0]))
    program("join_lists", lambda: stack(join_lists(three(), three())))
    program("join_lists_with_itself", lambda: (lambda a: stack(join_lists(a, a)))(three()))
    program("join_vectors_of_lists", lambda: stack(join_lists(lists(three(), three()), lists(reserve(1), three()))[0]))
    program("join_lists_sizes", lambda: length(join_lists(three(), lists(three(), three()))))
    program("join_lists_hidden_sizes", lambda: length(join_lists(three(), hidden(lists(three(), three())))))
    program("join_lists_type", lambda: length(join_lists(three(), three(), i32)))
    program("join_lists_hidden_type", lambda: length(join_lists(hidden(three()), hidden(three()), i32)))
    program("join_lists_second_type", lambda: length(join_lists(reserve(dtype=i32), hidden(three()), i32)))
    program("join_lists_shapes", lambda: length(join_lists(reserve(shape=[2]), reserve(shape=[3]))))
    program("join_lists_hidden_shapes", lambda: length(join_lists(three(), hidden(reserve(shape=-1)))))
    nested = lambda: push(empty(dtype=tf.variant), three(), push(three(), 4.0))  # noqa: E731
    program("lists_in_a_list", lambda: (lambda a: [stack(a[0]), stack(a[1])])(stack(nested(), dtype=tf.variant)))
    program("pop_of_a_list", lambda: stack(pop(nested(), dtype=tf.variant)[1]))
    program("sum_of_lists_in_lists", lambda: stack(get(tf.add_n([nested(), nested()]), 1, dtype=tf.variant)))

    # Sums and zeros.
    program("zeros", lambda: stack(tf.zeros_like(three())))
    program("zeros_of_zeros", lambda: [stack(tf.zeros_like(reserve())), length(tf.zeros_like(reserve(shape=-1)))])
    program("zeros_of_bools", lambda: stack(tf.zeros_like(rows([True])), dtype=tf.bool))
    program("zeros_of_strings", lambda: stack(tf.zeros_like(rows(["a"])), dtype=tf.string))
    program("sum", lambda: stack(tf.add_n([three(), three(), three()])))
    program("sum_with_zeros", lambda: [stack(tf.add_n([reserve(), three()])), stack(tf.add_n([three(), reserve()]))])
    program("sum_of_zeros", lambda: stack(tf.add_n([reserve(), reserve()])))
    program(
        "sum_keeps_lists",
        lambda: (lambda a, b: [stack(tf.add_n([a, b])), stack(a), stack(b)])(three(), put(reserve(), 0, 1.0)),
    )
    program("sum_of_strings", lambda: stack(tf.add_n([rows(["a"]), rows(["a"])]), dtype=tf.string))
    program("sum_of_bools", lambda: stack(tf.add_n([rows([True]), rows([True])]), dtype=tf.bool))
    program("sum_of_types", lambda: length(tf.add_n([three(), rows([1, 2, 3])])))
    program("sum_of_hidden_types", lambda: length(tf.add_n([hidden(three(), []), rows([1, 2, 3])])))
    program("sum_of_sizes", lambda: length(tf.add_n([three(), reserve(2)])))
    program("sum_of_shapes", lambda: length(tf.add_n([reserve(shape=[2]), reserve(shape=[3])])))
    program("sum_of_hidden_shapes", lambda: length(tf.add_n([hidden(reserve(shape=[2]), []), reserve(shape=[3])])))
    program("sum_of_element_shapes", lambda: length(tf.add_n([uneven(), push(empty(-1), [1.0, 2.0], [1.0, 2.0])])))
    program("sum_learns_shapes", lambda: element_shape(tf.add_n([reserve(shape=[2, -1]), reserve(shape=[-1, 3])])))
    return found


def outcome(tf, build):
    """The outcome of a program's step as text: the values, or the error of building or running it."""
    with tf.Graph().as_default():
        try:
            fetches = build()
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
        shapes = "; ".join(str(one.shape) for one in fetches)
        with tf.Session() as session:
            try:
                values = session.run(fetches)
            except tf.errors.OpError as error:
                return f"{shapes} -> {type(error).__name__}: {error.message.splitlines()[0]}"
    return f"{shapes} -> " + "; ".join(_text(value) for value in values)


def _text(value):
    array = np.asarray(value)
    return f"{array.dtype.name} {list(array.shape)} {array.astype(str).tolist()}"


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, build) for name, build in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
