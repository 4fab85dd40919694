"""Expressions with `tf.TensorArray`, and their values as text. `python tensor_array_expressions.py`, run by an
interpreter with TensorFlow 1.15, prints its values.
"""

import json

import numpy as np

GRAPH = """
Array(tf.float32)
Array(tf.float32, 2, handle=handle(), flow=tf.constant(0.0))
Array(tf.float32, handle=handle())
Array(tf.float32, flow=tf.constant(0.0))
Array(tf.float32, 2, flow=tf.constant(0.0))
Array(tf.float32, handle=handle(), flow=tf.constant(0.0), dynamic_size=True)
Array(tf.float32, handle=handle(), flow=tf.constant(0.0), dynamic_size=False)
Array(tf.float32, handle=handle(), flow=tf.constant(0.0), clear_after_read=True)
Array(tf.float32, handle=handle(), flow=tf.constant(0.0), tensor_array_name="x")
Array(tf.float32, handle=handle(), flow=tf.constant(0.0), element_shape=[2]).element_shape
Array(tf.float32, 2, dynamic_size="x").dynamic_size
Array(tf.float32, 2, clear_after_read=3)
Array("float32", 2).dtype
Array(tf.float32, 2.5)
Array(tf.float32, [2])
Array(tf.float32, -1)
Array(tf.float32, tf.constant(2, tf.int64))
Array(tf.float32, np.int64(2))
Array(tf.float32._as_ref, 2).dtype
Array(tf.float32, 2).dynamic_size
Array(tf.float32, 2, True).dynamic_size
Array(tf.float32, 2, True).identity().dynamic_size
Array(tf.float32, 2).element_shape
Array(tf.float32, 2, element_shape=[None, 2]).element_shape
Array(tf.float32, 2, infer_shape=False, element_shape=[None, 2])._infer_shape
Array(tf.float32, 2, infer_shape=False, element_shape=[None, 2]).handle.op.get_attr("identical_element_shapes")
Array(tf.float32, 2, infer_shape=True, element_shape=[None, 2]).handle.op.get_attr("identical_element_shapes")
Array(tf.float32, 2)._infer_shape
Array(tf.float32, 2, infer_shape=False)._infer_shape
Array(tf.float32, 2).write(0, [1.0]).element_shape
Array(tf.float32, 2, infer_shape=False).write(0, [1.0]).element_shape
Array(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [1.0, 2.0]).element_shape
Array(tf.float32, 2).write(0, [1.0]).write(1, [1.0, 2.0]).element_shape
Array(tf.float32, 2, element_shape=[2]).write(0, [1.0]).element_shape
Array(tf.float32, 2, infer_shape=False, element_shape=[2]).write(0, [1.0]).element_shape
Array(tf.float32, 2, element_shape=[None]).write(0, [1.0]).element_shape
Array(tf.float32, 2, element_shape=[None]).write(0, [1.0]).write(1, [1.0, 2.0]).element_shape
Array(tf.float32, 2, infer_shape=False, element_shape=[None]).write(0, [1.0]).write(1, [1.0, 2.0]).element_shape
Array(tf.float32, 2).write(0, tf.placeholder(tf.float32, [None])).write(1, [1.0, 2.0]).element_shape
Array(tf.float32, 2).write(0, tf.placeholder(tf.float32, [None])).element_shape
Array(tf.float32, 2).write(0, tf.placeholder(tf.float32)).element_shape
Array(tf.float32, 2).write(0, tf.placeholder(tf.float32)).write(1, [1.0]).element_shape
Array(tf.float32, 2).write(0, [1]).element_shape
Array(tf.float32, 2).write(0, tf.constant([1])).element_shape
Array(tf.float32, 2).write(0, "a").element_shape
Array(tf.int32, 2).write(0, 1.5).element_shape
Array(tf.float32, 2).write(0.5, 1.0).element_shape
Array(tf.float32, 2).write(tf.constant(0, tf.int64), 1.0).element_shape
Array(tf.float32, 2).read(0).shape
Array(tf.float32, 2).write(0, [1.0]).read(0).shape
Array(tf.float32, 2, infer_shape=False).write(0, [1.0]).read(0).shape
Array(tf.float32, 2, element_shape=[None, 3]).read(0).shape
Array(tf.float32, 2, element_shape=[None, 3]).stack().shape
Array(tf.float32, 2, element_shape=[None, 3]).concat().shape
Array(tf.float32, 2, element_shape=[2, 3]).concat().shape
Array(tf.float32, 2, element_shape=[]).concat().shape
Array(tf.float32, 2).concat().shape
Array(tf.float32, 2, element_shape=[2, 3]).gather([0, 1]).shape
Array(tf.float32, 2, element_shape=[2, 3]).gather(0).shape
Array(tf.float32, 2).unstack([[1.0, 2.0]]).element_shape
Array(tf.float32, 2).unstack(1.0).element_shape
Array(tf.float32, 2).unstack(tf.placeholder(tf.float32)).element_shape
Array(tf.float32, 2).unstack(tf.placeholder(tf.float32, [None, None, 3])).element_shape
Array(tf.float32, 2).unstack(tf.constant([1])).element_shape
Array(tf.float32, 2, element_shape=[3]).unstack([[1.0, 2.0]]).element_shape
Array(tf.float32, 2).scatter([0], [[1.0, 2.0]]).element_shape
Array(tf.float32, 2).scatter([0], 1.0).element_shape
Array(tf.float32, 2).scatter([0], tf.constant([1])).element_shape
Array(tf.float32, 2).scatter([0, 1], [[1.0, 2.0]]).element_shape
Array(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 2]).element_shape
Array(tf.float32, 2).split([1.0, 2.0, 3.0, 4.0], [2, 2]).element_shape
Array(tf.float32, 2, element_shape=[3]).split([1.0, 2.0, 3.0, 4.0], [2, 2]).element_shape
Array(tf.float32, 2).split([1.0, 2.0, 3.0, 4.0], tf.constant([2, 2])).element_shape
Array(tf.float32, 2).split([1.0, 2.0, 3.0, 4.0], 2).element_shape
Array(tf.float32, 2).split(1.0, [2, 2]).element_shape
Array(tf.float32, 2).split([[1.0, 2.0], [3.0, 4.0]], [1, 1]).element_shape
Array(tf.float32, 2).split(tf.placeholder(tf.float32), [1, 1]).element_shape
Array(tf.float32, 2).split(tf.placeholder(tf.float32, [None, 2]), [1, 1]).element_shape
Array(tf.float32, 2).split([1.0], []).element_shape
Array(tf.float32, 2).grad("x").element_shape
Array(tf.float32, 2, element_shape=[2]).grad("x").element_shape
Array(tf.float32, 2, element_shape=[2]).grad("x")._infer_shape
Array(tf.float32, 2, True).grad("x").dynamic_size
(Array(tf.float32, 2).flow, Array(tf.float32, 2).handle, Array(tf.float32, 2).size(), Array(tf.float32, 2).close())
Array(tf.float32, 2) == Array(tf.float32, 2)
Array(tf.float32, handle=handle(), flow=tf.constant(0.0)).element_shape
Array(tf.float32, handle=3, flow=tf.constant(0.0)).element_shape
Array(None, 2)
Array(tf.float32, 2, element_shape="x")
""".strip().split("\n")

# In eager execution.
EAGER = """
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).stack()
Array(tf.float32)
Array(tf.float32, None, True)
Array(tf.float32, -1).size()
Array(tf.float32, 2.5).size()
Array(tf.float32, "a").size()
Array(tf.float32, tf.constant(2)).size()
Array(tf.float32, np.int64(2)).size()
Array(tf.float32, [2]).size()
Array(tf.float32, 2, handle=tf.constant(1)).handle
Array(tf.float32, 2, flow=tf.constant(1)).flow
Array(tf.float32, 2).flow
Array(tf.float32, 2).handle
Array(tf.float32, 2).dtype
Array(tf.float32, 2).dynamic_size
Array(tf.float32, 2, True).dynamic_size
Array(tf.float32, 2).element_shape
Array(tf.float32, 2, element_shape=[2]).element_shape
Array(tf.float32, 2)._infer_shape
Array(tf.float32, 2).write(0, [1.0]).element_shape
Array(tf.float32, 2, infer_shape=False).write(0, [1.0]).element_shape
Array(tf.float32, 2, element_shape=[None]).write(0, [1.0]).element_shape
Array(tf.float32, 2, infer_shape=False, element_shape=[None]).write(0, [1.0]).element_shape
Array(tf.float32, 2).read(0)
Array(tf.float32, 2, element_shape=[2]).read(0)
Array(tf.float32, 2, element_shape=[None]).read(0)
Array(tf.float32, 2).read(-1)
Array(tf.float32, 2).read(2)
Array(tf.float32, 2).read("a")
Array(tf.float32, 2).read(0.5)
Array(tf.float32, 2).read(tf.constant(5))
Array(tf.float32, 2).write(-1, 1.0)
Array(tf.float32, 2).write(2, 1.0)
Array(tf.float32, 2, True).write(4, 1.0).size()
Array(tf.float32, 2, True).write(-1, 1.0).size()
Array(tf.float32, 2).write(0, 1).read(0)
Array(tf.float32, 2).write(0, tf.constant(1)).read(0)
Array(tf.float32, 2).write(0, np.float64(1)).read(0)
Array(tf.float32, 2).write(0, np.ones(2)).read(0)
Array(tf.float32, 2).write(0, "a").read(0)
Array(tf.int32, 2).write(0, 1.5).read(0)
Array(tf.float32, 2, element_shape=[2]).write(0, [1.0]).read(0)
Array(tf.float32, 2).write(0, [1.0]).write(1, [1.0, 2.0]).stack()
Array(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [1.0, 2.0]).concat()
Array(tf.float32, 2, infer_shape=False).write(0, [1.0]).write(1, [1.0, 2.0]).element_shape
Array(tf.float32, 2).write(0, [1.0]).stack()
Array(tf.float32, 2).stack()
Array(tf.float32, 0).stack()
Array(tf.float32, 0, element_shape=[2]).stack()
Array(tf.float32, 2, element_shape=[2]).stack()
Array(tf.float32, 2).concat()
Array(tf.float32, 2).write(0, [1.0]).concat()
Array(tf.float32, 2).write(0, 1.0).write(1, 1.0).concat()
Array(tf.float32, 2).write(0, 1.0).write(0, 2.0).read(0)
Array(tf.float32, 2).unstack([[1.0], [2.0]]).stack()
Array(tf.float32, 2).unstack([[1.0], [2.0]]).element_shape
Array(tf.float32, 2).unstack([1.0, 2.0, 3.0]).stack()
Array(tf.float32, 2, True).unstack([1.0, 2.0, 3.0]).stack()
Array(tf.float32, 3).unstack([1.0, 2.0]).size()
Array(tf.float32, 2).unstack(1.0).size()
Array(tf.float32, 2).unstack([1, 2]).stack()
Array(tf.float32, 2).unstack(tf.constant([1, 2])).stack()
Array(tf.float32, 2, element_shape=[3]).unstack([[1.0], [2.0]]).stack()
Array(tf.float32, 2).unstack(np.zeros([0, 2], np.float32)).size()
Array(tf.float32, 2).scatter([1, 0], [1.0, 2.0]).stack()
Array(tf.float32, 2).scatter([1, 2], [1.0, 2.0]).stack()
Array(tf.float32, 2).scatter([1], [1.0, 2.0]).stack()
Array(tf.float32, 2).scatter([1, 0], [1.0]).stack()
Array(tf.float32, 2).scatter([1], 1.0).stack()
Array(tf.float32, 2).scatter(tf.constant([1, 0]), [1.0, 2.0]).stack()
Array(tf.float32, 2).scatter([-1], [1.0]).stack()
Array(tf.float32, 2).scatter([0], tf.constant([1])).stack()
Array(tf.float32, 2, True).scatter([5], [1.0]).size()
Array(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 2]).read(1)
Array(tf.float32, 2).split([1.0, 2.0, 3.0], tf.constant([1, 2])).read(1)
Array(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 1]).read(1)
Array(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 3]).read(1)
Array(tf.float32, 2).split([1.0, 2.0, 3.0], [3]).read(0)
Array(tf.float32, 2).split([1.0, 2.0, 3.0], [1, 1, 1]).read(0)
Array(tf.float32, 2, True).split([1.0, 2.0, 3.0], [1, 1, 1]).size()
Array(tf.float32, 2).split(1.0, [1, 1]).size()
Array(tf.float32, 2).split([1.0, 2.0], 2).size()
Array(tf.float32, 2).split([1.0, 2.0], [0, 2]).read(0)
Array(tf.float32, 2).split(tf.constant([1, 2]), [1, 1]).read(0)
Array(tf.float32, 2, element_shape=[5]).split([1.0, 2.0], [1, 1]).read(0)
Array(tf.float32, 2).split(np.zeros([0], np.float32), []).size()
Array(tf.float32, 2).split([1.0], [1]).size()
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).gather([1, 0])
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).gather(tf.constant([1, 0]))
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).gather([1, 2])
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).gather([-1])
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).gather(0)
Array(tf.float32, 2).write(0, 1.0).write(1, 2.0).gather([])
Array(tf.float32, 2).gather([0])
Array(tf.float32, 2, element_shape=[2]).gather([0])
Array(tf.float32, 2).grad("x")
Array(tf.float32, 2).identity().size()
Array(tf.float32, 2).identity()
Array("int32", 2, element_shape=[]).read(1)
Array(tf.string, 2, element_shape=[]).read(1)
Array(tf.string, 2).unstack(["a", "b"]).stack()
Array(tf.bool, 2).unstack([True, False]).stack()
Array(tf.float32, 3).write(tf.constant(1), 2.0).read(tf.constant(1))
Array(tf.float32, 3).write(np.int64(1), 2.0).read(np.int64(1))
Array(tf.float32, 3).write(tf.constant([1]), 2.0).read(1)
Array(tf.float32, 3).write([1], 2.0).read(1)
Array(tf.float32, 3).write(1.5, 2.0).read(1)
Array(tf.float32, 3).write(None, 2.0).read(1)
Array(None, 3).dtype
Array(tf.float32, 3, element_shape="x").dtype
Array(tf.float32, 3, tensor_array_name=5, name="q").dtype
""".strip().split("\n")


def outcome(tf, expression):
    """The value as text, or the error's class and first line."""
    known = {"tf": tf, "np": np, "Array": tf.TensorArray}
    known["handle"] = lambda: tf.TensorArray(tf.float32, 2).handle
    try:
        return _text(tf, eval(expression, known))
    except (tf.errors.OpError, ValueError, TypeError, NotImplementedError, IndexError) as error:
        message = getattr(error, "message", None) or str(error)
        return f"{type(error).__name__}: " + message.split("\n")[0]


def _text(tf, value):
    if isinstance(value, tuple):
        return ", ".join(_text(tf, one) for one in value)
    if isinstance(value, tf.TensorArray):
        return "an array"
    if hasattr(value, "numpy"):
        value = np.array(value.numpy())
        return f"{value.dtype} {list(value.shape)} {value.tolist()}"
    return str(value)


def table_of_1_15(tf):
    """All outcomes; `tf` is TensorFlow 1.15."""
    from tensorflow.python.eager import context

    found = {"graph": {}, "eager": {}}
    for one in GRAPH:
        with tf.Graph().as_default():
            found["graph"][one] = outcome(tf, one)
    with context.eager_mode():
        found["eager"] = {one: outcome(tf, one) for one in EAGER}
    return found


if __name__ == "__main__":
    import tensorflow

    tensorflow.logging.set_verbosity(tensorflow.logging.FATAL)
    print(json.dumps(table_of_1_15(tensorflow), indent=1))
