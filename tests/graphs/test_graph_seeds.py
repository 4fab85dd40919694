"""Random values for a graph-level seed equal TensorFlow 1.15's, also after gradients and optimizers, because op ids
agree.
"""

import numpy as np
import pytest

import tinytf as tf

# Programs assign tensors to `fetches`; variables are initialized first.
PROGRAMS = {
    "after gradients": """
x = tf.placeholder_with_default([[1.0, 2.0, 3.0]], [None, 3])
w = tf.get_variable("w", [3, 2])
tf.gradients(tf.reduce_mean(tf.tanh(tf.matmul(x, w)) * x[:, :2] / 2.0), [x, w])
fetches = [w, tf.random_normal([3])]
""",
    "after minimize": """
x = tf.placeholder_with_default([[1.0, 2.0, 3.0]], [None, 3])
w = tf.get_variable("w", [3, 2])
b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
loss = tf.reduce_sum(tf.square(tf.nn.relu(tf.matmul(x, w) + b)))
tf.train.AdamOptimizer().minimize(loss, tf.train.get_or_create_global_step())
fetches = [tf.random_uniform([3]), tf.get_variable("late", [2, 2]), tf.nn.dropout(tf.ones([8]), 0.5)]
""",
    "after embeddings": """
w = tf.get_variable("w", [4, 2], use_resource=True)
rows = tf.nn.embedding_lookup(w, tf.constant([0, 2]))
rate = tf.train.exponential_decay(0.1, tf.train.get_or_create_global_step(), 10, 0.5)
tf.train.MomentumOptimizer(rate, 0.9).minimize(tf.nn.l2_loss(rows))
fetches = [w, tf.truncated_normal([3]), tf.random_shuffle(tf.range(6))]
""",
    "after convolutions": """
x = tf.random_normal([1, 6, 6, 1])
w = tf.get_variable("w", [3, 3, 1, 2])
y = tf.nn.max_pool(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), [0.5, 0.25]), 2, 2, "SAME")
logits = tf.reshape(y, [9, 2])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.ones([9, 2]) / 2.0, logits=logits))
grads, norm = tf.clip_by_global_norm(tf.gradients(loss, [w]), 1.0)
tf.train.RMSPropOptimizer(0.1).apply_gradients(zip(grads, [w]))
fetches = [w, tf.random_normal([2]), tf.random_gamma([2], 3.0)]
""",
    "two towers": """
w = tf.get_variable("w", [3, 2])
for part in tf.split(tf.ones([4, 3]), 2):
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_max(tf.matmul(part, w)))
fetches = [w, tf.random_normal([3]), tf.random_uniform([3], maxval=100, dtype=tf.int32)]
""",
}
_RUN = """
tf.set_random_seed(1234)
{}
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    result = [value.tolist() for value in session.run(fetches)]
"""
# The values of TensorFlow 1.15.
VALUES = {
    "after gradients": [
        [[0.041995764, -0.52876914], [-0.41715729, -0.72444993], [0.49576867, 0.013796329]],
        [-1.1009316, 0.027547004, -0.52789623],
    ],
    "after minimize": [
        [0.27801907, 0.4228152, 0.15308678],
        [[0.20833671, -0.62077832], [-0.2307753, 0.18984044]],
        [0.0, 2.0, 0.0, 2.0, 2.0, 2.0, 0.0, 0.0],
    ],
    "after embeddings": [
        [[0.92093754, 0.16230321], [0.28318, 0.92435312], [-0.89130092, -0.16213107], [0.1773026, 0.59571099]],
        [0.2537477, 0.47130105, 0.35030854],
        [0, 2, 4, 1, 3, 5],
    ],
    "after convolutions": [
        [
            [[[-0.12131739, 0.21800497]], [[-0.18081987, 0.39265153]], [[-0.091731995, 0.23405257]]],
            [[[-0.020727694, -0.23939848]], [[0.0029663444, 0.018347591]], [[-0.11597407, -0.33241186]]],
            [[[0.22273657, 0.33302179]], [[0.22197226, 0.46415696]], [[-0.11499998, -0.13561216]]],
        ],
        [-0.047292139, 1.373665],
        [0.72766942, 6.4770336],
    ],
    "two towers": [
        [[1.0088365, 0.17779422], [0.3102082, 1.0125782], [-0.97637129, -0.17760569]],
        [-1.5502189, 0.39012522, -0.17762677],
        [65, 22, 40],
    ],
}


def _values(program):
    names = {"tf": tf}
    exec(_RUN.format(PROGRAMS[program]), names)
    return names["result"]


def _assert_close(found, expected):
    assert len(found) == len(expected)
    for value, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS)
def test_known_values(program):
    _assert_close(_values(program), VALUES[program])


@pytest.mark.oracle
@pytest.mark.parametrize("program", PROGRAMS)
def test_values_are_tensorflows(program, oracle1):
    expected = oracle1(_RUN.format(PROGRAMS[program]))
    _assert_close(VALUES[program], expected)
    _assert_close(_values(program), expected)
