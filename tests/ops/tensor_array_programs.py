"""Programs of TensorArray and stack ops, by name; each builds nodes in the default graph and returns the fetches.
`python tensor_array_programs.py` prints the outcomes on TensorFlow 1.15.
"""

import json
import re

import numpy as np

ONE = [1.0, 2.0]


def programs(tf):
    """The programs by name; `tf` is tinytf or TensorFlow."""
    raw, found = tf.raw_ops, {}
    none = np.zeros([0], np.int32)

    def hidden(value):
        """The value with an unknown static value and shape."""
        return tf.placeholder_with_default(tf.constant(value), None)

    class Chain:
        """Ops on one handle, each with a control input from the previous one; `values` are the outputs to fetch."""

        def __init__(self, handle, flow=None):
            self.handle, self.flow = tf.placeholder_with_default(handle, None), flow
            self.values, self.last = [], []

        def call(self, op, *kept, **inputs):
            with tf.control_dependencies(self.last):
                made = getattr(raw, op)(handle=self.handle, **inputs)
            outputs = [made] if isinstance(made, (tf.Tensor, tf.Operation)) else list(made)
            self.last = outputs
            self.values += [outputs[i] for i in kept]
            return outputs

    class Array(Chain):
        def __init__(self, size=2, dtype=tf.float32, shape=None, grows=False, clears=True, identical=False, name="ta"):
            made = raw.TensorArrayV3(
                size=size,
                dtype=dtype,
                element_shape=tf.TensorShape(shape),
                dynamic_size=grows,
                clear_after_read=clears,
                identical_element_shapes=identical,
                tensor_array_name=name,
            )
            super().__init__(*made)
            self.dtype = dtype

        def changed(self, op, **inputs):
            self.flow = self.call(op, flow_in=self.flow, **inputs)[0]
            return self

        def write(self, index, value):
            return self.changed("TensorArrayWriteV3", index=index, value=value)

        def scatter(self, indices, value):
            return self.changed("TensorArrayScatterV3", indices=indices, value=value)

        def split(self, value, lengths):
            return self.changed("TensorArraySplitV3", value=value, lengths=hidden(np.array(lengths, np.int64)))

        def read(self, index, dtype=None):
            self.call("TensorArrayReadV3", 0, index=index, flow_in=self.flow, dtype=dtype or self.dtype)
            return self

        def gather(self, indices, shape=None, dtype=None):
            shape = tf.TensorShape(shape)
            inputs = {"indices": indices, "flow_in": self.flow, "dtype": dtype or self.dtype, "element_shape": shape}
            self.call("TensorArrayGatherV3", 0, **inputs)
            return self

        def concat(self, shape=None, dtype=None):
            inputs = {"dtype": dtype or self.dtype, "element_shape_except0": tf.TensorShape(shape)}
            self.call("TensorArrayConcatV3", 0, 1, flow_in=self.flow, **inputs)
            return self

        def size(self):
            self.call("TensorArraySizeV3", 0, flow_in=self.flow)
            return self

        def close(self):
            self.call("TensorArrayCloseV3")
            return self

        def gradient(self, source="g", prefix=None):
            """The gradient array; its ops run after the ops of this array."""
            if prefix is None:
                handle, flow = self.call("TensorArrayGradV3", flow_in=self.flow, source=source)
            else:
                inputs = {"flow_in": self.flow, "shape_to_prepend": prefix, "source": source}
                handle, flow = self.call("TensorArrayGradWithShape", **inputs)
            other = Array.__new__(Array)
            Chain.__init__(other, handle, flow)
            other.dtype, other.last = self.dtype, self.last
            return other

    class Stack(Chain):
        def __init__(self, size=-1, dtype=tf.float32):
            super().__init__(raw.StackV2(max_size=size, elem_type=dtype, stack_name="s"))
            self.dtype = dtype

        def push(self, value):
            self.call("StackPushV2", 0, elem=value, swap_memory=True)
            return self

        def pop(self, dtype=None):
            self.call("StackPopV2", 0, elem_type=dtype or self.dtype)
            return self

        def close(self):
            self.call("StackCloseV2")
            return self

    def full(**attrs):
        return Array(**attrs).write(0, ONE).write(1, [3.0, 4.0])

    def program(name, build):
        def fetches():
            chain = build()
            return chain.values + chain.last[:1]

        assert name not in found
        found[name] = fetches

    # Sizes and indices.
    program("size", lambda: Array(3).size())
    program("size_negative", lambda: Array(hidden(-1)).size())
    program("size_vector", lambda: Array(hidden([1, 2])).size())
    program("size_grows", lambda: Array(grows=True).write(5, ONE).size())
    program("read", lambda: full().read(1).read(0))
    program("read_before", lambda: full().read(-1))
    program("read_beyond", lambda: full().read(2))
    program("read_at_a_vector", lambda: full().read(hidden([0])))
    program("read_beyond_what_grows", lambda: full(grows=True).read(2))
    program("write_before", lambda: Array().write(-1, ONE))
    program("write_before_what_grows", lambda: Array(grows=True).write(-1, ONE))
    program("write_beyond", lambda: Array().write(2, ONE))
    program("write_at_a_vector", lambda: Array().write(hidden([0]), ONE))

    # Types and shapes.
    program("read_type", lambda: full().read(0, tf.int32))
    program("write_type", lambda: Array().write(0, [1]))
    program("write_type_and_index", lambda: Array().write(hidden([0]), [1]))
    program("write_shape", lambda: Array(shape=[3]).write(0, hidden(ONE)))
    program("write_shapes", lambda: Array().write(0, hidden(ONE)).write(1, hidden([1.0])).read(0).read(1))
    program("write_shapes_identical", lambda: Array(identical=True).write(0, hidden(ONE)).write(1, hidden([1.0])))
    part = {"identical": True, "shape": [None]}
    program("write_shapes_part", lambda: Array(**part).write(0, hidden(ONE)).write(1, hidden([1.0])))

    # Writing and reading once only.
    program("write_twice", lambda: full().write(0, ONE))
    program("write_after_read", lambda: full().read(0).write(0, ONE))
    program("write_after_read_kept", lambda: full(clears=False).read(0).write(0, ONE))
    program("read_twice", lambda: full().read(0).read(0))
    program("read_twice_kept", lambda: full(clears=False).read(0).read(0))

    # Unwritten elements.
    program("unwritten", lambda: Array().read(0))
    program("unwritten_known_in_part", lambda: Array(shape=[None, 2]).read(0))
    program("unwritten_known", lambda: Array(shape=[2]).read(0))
    program("unwritten_twice", lambda: Array(shape=[2]).read(0).read(0))
    program("unwritten_twice_kept", lambda: Array(shape=[2], clears=False).read(0).read(0))
    program("unwritten_then_written", lambda: Array(shape=[2]).read(0).write(0, ONE))
    program("unwritten_identical", lambda: Array(identical=True).write(0, ONE).read(1))
    program("unwritten_bool", lambda: Array(shape=[2], dtype=tf.bool).read(0))
    program("unwritten_string", lambda: Array(shape=[2], dtype=tf.string).read(0))
    program("written_without_elements", lambda: Array().write(0, np.zeros([0, 3], np.float32)).read(0))

    # Closed arrays.
    uses = {
        "read": lambda a: a.read(0),
        "write": lambda a: a.write(0, ONE),
        "size": Array.size,
        "gather": lambda a: a.gather([0]),
        "concat": Array.concat,
        "scatter": lambda a: a.scatter([0], [ONE]),
        "split": lambda a: a.split(ONE, [1, 1]),
        "gradient": lambda a: a.gradient().size(),
    }
    for name, use in uses.items():
        program("closed_" + name, lambda use=use: use(Array().close()))
    program("closed_twice", lambda: Array().close().close())

    # Gather.
    program("gather", lambda: full().gather([1, 0]))
    program("gather_one", lambda: full().gather([1]))
    program("gather_type", lambda: full().gather([1, 0], dtype=tf.int32))
    program("gather_type_and_indices", lambda: full().gather(hidden([[0]]), dtype=tf.int32))
    program("gather_beyond", lambda: full().gather([1, 2]))
    program("gather_before", lambda: full().gather([1, -1]))
    program("gather_twice", lambda: full().gather([1, 1]))
    program("gather_twice_kept", lambda: full(clears=False).gather([1, 1]))
    program("gather_scalar", lambda: full().gather(hidden(0)))
    program("gather_matrix", lambda: full().gather(hidden([[0]])))
    program("gather_unwritten", lambda: Array().write(0, ONE).gather([0, 1]))
    program("gather_unwritten_known", lambda: Array(shape=[2]).write(0, ONE).gather([0, 1]))
    program("gather_unwritten_said", lambda: Array().write(0, ONE).gather([0, 1], shape=[2]))
    program("gather_shapes", lambda: Array().write(0, hidden(ONE)).write(1, hidden([1.0])).gather([0, 1]))
    program("gather_shape_said", lambda: Array().write(0, hidden(ONE)).gather([0], shape=[3]))
    program("gather_shape_known", lambda: Array(shape=[2]).write(0, hidden(ONE)).gather([0], shape=[3]))
    program("gather_rank_known", lambda: Array(shape=[2]).write(0, hidden(ONE)).gather([0], shape=[2, 3]))
    program("gather_shape_remembered", lambda: Array().write(0, ONE).gather([0], shape=[2]).read(1))
    program("gather_nothing", lambda: Array(0).gather(none))
    program("gather_nothing_known", lambda: Array(0, shape=[2]).gather(none))
    program("gather_nothing_said", lambda: Array(0).gather(none, shape=[2]))
    program("gather_nothing_said_in_part", lambda: Array(0).gather(none, shape=[None, 2]))
    program("gather_strings", lambda: Array(dtype=tf.string).write(0, ["a"]).write(1, ["b"]).gather([1, 0]))

    # Concat.
    program("concat", lambda: Array().write(0, ONE).write(1, [3.0]).concat())
    program("concat_rows", lambda: Array().write(0, [ONE]).write(1, [ONE, ONE]).concat([2]))
    program("concat_one", lambda: Array(1).write(0, [ONE]).concat())
    program("concat_type", lambda: full().concat(dtype=tf.int32))
    program("concat_nothing", lambda: Array(0).concat())
    program("concat_nothing_known", lambda: Array(0, shape=[2, 3]).concat())
    program("concat_nothing_said", lambda: Array(0).concat([3]))
    program("concat_nothing_said_in_part", lambda: Array(0).concat([None]))
    program("concat_scalars", lambda: Array(1).write(0, 1.0).concat())
    program("concat_second_scalar", lambda: Array().write(0, hidden([1.0])).write(1, hidden(1.0)).concat())
    program("concat_shapes", lambda: Array().write(0, hidden([[1.0]])).write(1, hidden([ONE])).concat())
    program("concat_ranks", lambda: Array().write(0, hidden([[1.0]])).write(1, hidden([1.0])).concat())
    program("concat_shape_said", lambda: Array(1).write(0, [[1.0]]).concat([3]))
    program("concat_unwritten", lambda: Array().write(0, [[1.0]]).concat([1]))
    program("concat_unwritten_known", lambda: Array(shape=[1, 1]).write(0, [[1.0]]).concat())
    program("concat_clears", lambda: full().concat().read(0))
    program("concat_without_elements", lambda: Array(1).write(0, np.zeros([0, 2], np.float32)).concat())
    program("concat_strings", lambda: Array(dtype=tf.string).write(0, ["a"]).write(1, ["b", "c"]).concat())

    # Scatter.
    program("scatter", lambda: Array().scatter([1, 0], [ONE, [3.0, 4.0]]).read(0).read(1))
    program("scatter_back", lambda: Array(3).scatter([0, 1, 2], [ONE, ONE, ONE]).gather([0, 1, 2]))
    program("scatter_type", lambda: Array().scatter([0], [1]))
    program("scatter_scalar", lambda: Array().scatter([0], hidden(1.0)))
    program("scatter_to_a_scalar", lambda: Array().scatter(hidden(1), hidden([1.0])))
    program("scatter_to_a_matrix", lambda: Array().scatter(hidden([[1]]), hidden([1.0])))
    program("scatter_counts", lambda: Array().scatter(hidden([0]), hidden(ONE)))
    program("scatter_beyond", lambda: Array().scatter([0, 2], ONE))
    program("scatter_before", lambda: Array().scatter([0, -1], ONE))
    program("scatter_before_what_grows", lambda: Array(grows=True).scatter([0, -1], ONE))
    program("scatter_grows", lambda: Array(0, grows=True).scatter([0, 7], ONE).size())
    program("scatter_twice", lambda: Array().scatter([0, 0], ONE))
    program("scatter_shape", lambda: Array(shape=[3]).scatter([0, 1], hidden([ONE, ONE])))
    program("scatter_nothing", lambda: Array().scatter(none, np.zeros([0, 2], np.float32)).size())
    program("scatter_without_elements", lambda: Array().scatter([0, 1], np.zeros([2, 0], np.float32)).read(1))
    program("scatter_strings", lambda: Array(dtype=tf.string).scatter([0, 1], ["a", "b"]).read(1))

    # Split.
    program("split", lambda: Array().split([1.0, 2.0, 3.0], [2, 1]).read(0).read(1))
    program("split_rows", lambda: Array().split([ONE, ONE, ONE], [0, 3]).read(0).read(1))
    program("split_type", lambda: Array().split([1, 2, 3], [2, 1]))
    program("split_scalar", lambda: Array().split(hidden(1.0), [1, 1]))
    program("split_by_a_scalar", lambda: Array().split(hidden(ONE), 2))
    program("split_sum", lambda: Array().split([1.0, 2.0, 3.0], [2, 2]))
    program("split_more", lambda: Array(1).split([1.0, 2.0, 3.0], [2, 1]))
    program("split_fewer", lambda: Array(3).split([1.0, 2.0, 3.0], [2, 1]))
    program("split_grows", lambda: Array(0, grows=True).split([1.0, 2.0, 3.0], [2, 1]).size())
    program("split_fewer_of_what_grows", lambda: Array(3, grows=True).split([1.0, 2.0, 3.0], [2, 1]))
    program("split_nothing", lambda: Array(0).split(np.zeros([0], np.float32), []).size())
    program("split_shape", lambda: Array(shape=[1]).split([1.0, 2.0, 3.0], [2, 1]))
    program("split_identical", lambda: Array(identical=True).split([1.0, 2.0, 3.0], [2, 1]))

    # Gradients.
    program("gradient", lambda: full().gradient().write(0, ONE).read(0).read(1))
    program("gradient_adds", lambda: full().gradient().write(0, ONE).write(0, ONE).write(0, ONE).read(0))
    program("gradient_adds_after_read", lambda: full().gradient().write(0, ONE).read(0).write(0, ONE))
    rows = [ONE, ONE]
    program("gradient_adds_rows", lambda: full().gradient().scatter([0, 1], rows).scatter([0, 0], rows).read(0))
    program("gradient_adds_shape", lambda: full().gradient().write(0, hidden([1.0])))
    program("gradient_of_unwritten", lambda: Array().gradient().read(0))
    program("gradient_of_unwritten_known", lambda: Array(shape=[2]).gradient().read(0))
    program("gradient_of_read", lambda: full().read(0).gradient().read(0))
    program("gradient_read_twice", lambda: full(clears=False).gradient().read(0).read(0))
    program("gradient_size", lambda: Array(0, grows=True).write(3, ONE).gradient().size())
    program("gradient_does_not_grow", lambda: Array(0, grows=True).write(3, ONE).gradient().write(4, ONE))
    program("gradient_of_a_gradient", lambda: full().gradient().gradient("h").size())
    program("gradient_concat", lambda: Array().split([1.0, 2.0, 3.0], [2, 1]).gradient().concat())
    pieces = [1.0, 2.0, 3.0], [2, 1]
    four = [1.0, 2.0, 3.0, 4.0]

    def grown():
        return Array(grows=True).split(*pieces).write(2, [4.0])

    program("gradient_concat_after_growth", lambda: grown().gradient().split(four, [2, 1, 1]).concat())
    program("gradient_size_after_growth", lambda: grown().gradient().split(four, [2, 1, 1]).size())
    program("gradient_concat_of_what_grew_before", lambda: grown().concat().gradient().split(four, [2, 1, 1]).concat())
    program("concat_after_growth", lambda: grown().concat())
    program("gradient_adds_pieces", lambda: Array().split(*pieces).gradient().split(*pieces).split(*pieces).concat())
    program("gradient_concat_of_fewer", lambda: Array(0, grows=True).split(*pieces).write(2, [4.0]).gradient().concat())

    def again(first, second, close=False):
        array = full()
        one = array.gradient(first).write(0, ONE)
        array.last = one.close().last if close else one.last
        return array.gradient(second).read(0)

    program("gradient_again", lambda: again("g", "g"))
    program("gradient_of_another", lambda: again("g", "h"))
    program("gradient_closed", lambda: again("g", "g", close=True))
    program("gradient_of_a_closed_one", lambda: again("g", "h", close=True))

    def longer(array):
        other = array.gradient()
        array.last = other.last
        return array.write(5, ONE)

    program("grows_no_more", lambda: longer(Array(0, grows=True).write(3, ONE)))

    def twice(dtype, value):
        value = tf.constant([value], dtype)
        return Array(1, dtype).gradient().write(0, value).write(0, value).read(0)

    values = {tf.int32: 1, tf.int8: 1, tf.bool: True, tf.string: "a", tf.complex64: 1j, tf.half: 1.0}
    for dtype, value in values.items():
        program("gradient_adds_" + dtype.name, lambda dtype=dtype, value=value: twice(dtype, value))
    program("prefix", lambda: full().gradient(prefix=[3]).read(0))
    program("prefix_empty", lambda: full().gradient(prefix=none).read(0))
    program("prefix_known", lambda: Array(shape=[2]).gradient(prefix=[3]).read(0))
    program("prefix_unknown", lambda: Array().gradient(prefix=[3]).read(0))
    program("prefix_write", lambda: full().gradient(prefix=[1]).write(0, [ONE]).write(0, [ONE]).read(0))
    program("prefix_write_shape", lambda: full().gradient(prefix=[1]).write(0, ONE))
    program("prefix_scalar", lambda: full().gradient(prefix=hidden(3)).read(0))
    program("prefix_negative", lambda: full().gradient(prefix=hidden([-1])).read(0))
    program("prefix_huge", lambda: full().gradient(prefix=hidden([2**31 - 1] * 3)).read(0))

    # Stacks.
    program("stack", lambda: Stack().push(ONE).push([3.0]).pop().pop())
    program("stack_of_strings", lambda: Stack(dtype=tf.string).push("a").pop())
    program("stack_full", lambda: Stack(1).push(ONE).push(ONE))
    program("stack_of_no_size", lambda: Stack(0).push(ONE))
    program("stack_without_limit", lambda: Stack(-5).push(ONE).push(ONE).push(ONE))
    program("stack_size_vector", lambda: Stack(hidden([1])).push(ONE))
    program("stack_empty", lambda: Stack().pop())
    program("stack_emptied", lambda: Stack().push(ONE).pop().pop())
    program("stack_closed_push", lambda: Stack().close().push(ONE))
    program("stack_closed_pop", lambda: Stack().push(ONE).close().pop())
    program("stack_closed_twice", lambda: Stack().close().close())
    program("stack_type", lambda: Stack().push([1]))
    program("stack_type_of_pop", lambda: Stack().push(ONE).pop(tf.int32))

    def other_handle(chain, other):
        chain.handle = other.handle
        return chain

    program("array_is_a_stack", lambda: other_handle(Array(), Stack()).size())
    program("stack_is_an_array", lambda: other_handle(Stack(), Array()).pop())
    return found


def outcome(tf, build):
    """The outcome of a program's step as text: the values or the error."""
    with tf.Graph().as_default():
        fetches = build()
        with tf.Session(config=without_rewrites(tf)) as session:
            try:
                values = session.run(fetches)
            except tf.errors.OpError as error:
                message = re.sub(r"(ta|s)_\d+", r"\1_N", error.message.split("\n")[0])
                message = re.sub(r" for node .*", " for node N", message)
                return f"{type(error).__name__}: {message}"
    return "; ".join(_text(value) for value in values)


def without_rewrites(tf):
    """Disables TensorFlow's optimizer, which removes pushes without a pop."""
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def _text(value):
    array = np.asarray(value)
    return "None" if value is None else f"{array.dtype.name} {list(array.shape)} {array.tolist()}"


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, build) for name, build in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
