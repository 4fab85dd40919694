"""Mismatched shapes and the error messages while the graph is built. `python shape_misfits.py`, run by an
interpreter with TensorFlow 1.15, records its messages.
"""

import json
from pathlib import Path

RECORDED = Path(__file__).with_name("shape_misfits_of_1_15.json")

EXPRESSIONS = """
tf.concat([of(2, 4), of(5, 3)], 1)
tf.concat([of(2, 4), of(5, 3)], -1)
tf.concat([of(2, 4), of(5, 3)], 0)
tf.concat([of(2, 4, 3), of(3, 4, 4)], 1)
tf.concat([of(2, 4, 3), of(2, 5, 4)], 1)
tf.concat([of(2, 4), of(2, 5), of(2, 6)], 0)
tf.concat([of(2, 4), of(1, 2, 3)], 1)
tf.concat([of(2, 4), of(2, 4, 5), of(3)], 0)
tf.concat([of(2, 4), of(2, 4, 5)], axis)
tf.concat([of(2, 4), of(5, 3)], axis)
tf.concat([of(2, 4), of(2, 4)], 5)
tf.concat([of(2, 4), any], 5)
tf.concat([any, of(2, 4)], -3)
tf.concat([any, any], -1)
tf.concat([any, any], 7)
tf.concat([any, of(2, 4), any], 1)
tf.concat([of(), any], 0)
tf.concat([any, of()], 0)
tf.concat([of(None, 4), of(3, None)], 1)
tf.concat([of(None, 4), of(3, None), any], -2)
tf.concat([of(2, 4), of(5, 3)], [1])
tf.raw_ops.Concat(concat_dim=1, values=[of(2, 4), of(5, 3)])
tf.raw_ops.Concat(concat_dim=3, values=[of(2, 4), of(5, 3)])
tf.stack([of(2, 4), of(5, 3)])
tf.stack([of(2, 4), of(2, 3), of(2, 4)])
tf.stack([of(2, 4), of(2)])
tf.stack([any, of(2, 4), of(2)])
tf.stack([of(None, 4), of(2, None), any])
tf.parallel_stack([of(2, 4), of(2, 3)])
tf.add_n([of(2, 4), of(2, 3)])
tf.add_n([of(2, 4), of(2, 4), of(3, 4)])
tf.add_n([of(2, 4), of(3)])
of(2, 4) + of(2, 4, 5)
of(2, 4, 7) + of(3, 5)
of(2, 3, 4) * of(2, 1, 5)
of(2, 3, 4) * of(5, 3, 5)
of(None, 3, 4) - of(5, 2, 3)
of(None, 3, 4) - of(5, 1, 4)
of(2, 3, 4) < of(3, 3, 5)
tf.squared_difference(of(2, 3), of(4, 5))
tf.where_v2(tf.placeholder(tf.bool, [2, 3]), of(4, 3), of(2, 4))
tf.where_v2(tf.placeholder(tf.bool, [5, 3]), of(2, 3), of(2, 3))
tf.where(tf.placeholder(tf.bool, [2]), of(2, 3), of(2, 4))
tf.broadcast_to(of(2, 3, 4), [5, 3, 6])
tf.broadcast_to(of(2, 3, 4), [5, 6])
tf.broadcast_to(of(2, None, 4), [3, 6, 4])
tf.matmul(of(2, 3), of(4, 5))
tf.matmul(of(2, 3, 4), of(3, 5, 6))
tf.matmul(of(2, 3, 4), of(3, 4, 6))
tf.matmul(of(7, 2, 3, 4), of(8, 3, 4, 6))
tf.matmul(of(7, 2, 3, 4), of(8, 2, 4, 6))
tf.matmul(of(7, 2, 3, 4), of(1, 2, 4, 6))
tf.raw_ops.BatchMatMul(x=of(7, 2, 3), y=of(8, 4, 5))
tf.raw_ops.BatchMatMul(x=of(7, 2, 3), y=of(7, 4, 5))
tf.raw_ops.BatchMatMul(x=of(6, 7, 2, 3), y=of(7, 3, 5))
tf.raw_ops.BatchMatMul(x=any, y=of(7, 3, 5))
tf.raw_ops.BatchMatMulV2(x=of(3), y=of(7, 3, 5))
tf.clip_by_value(of(2, 3), of(4, 3), of(2, 3))
tf.nn.softmax_cross_entropy_with_logits_v2(of(2, 3), of(4, 3))
tf.nn.bias_add(of(2, 3), of(4))
tf.assign(tf.Variable(tf.zeros([2, 3])), of(3, 2))
""".strip().split("\n")


def outcome(tf, expression):
    """The shape, or the error's class and text."""
    with tf.Graph().as_default():

        def of(*dims):
            return tf.placeholder(tf.float32, dims)

        known = {"tf": tf, "of": of, "any": tf.placeholder(tf.float32), "axis": tf.placeholder(tf.int32, [])}
        try:
            return str(eval(expression, known).shape)
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"


def table(tf):
    """All outcomes by expression."""
    return {one: outcome(tf, one) for one in EXPRESSIONS}


if __name__ == "__main__":
    import tensorflow

    RECORDED.write_text(json.dumps(table(tensorflow), indent=1) + "\n")
