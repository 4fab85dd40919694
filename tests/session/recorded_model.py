"""A model for recording steps, and a comparison of its values."""

import numpy as np

import tinytf as tf


def model(use_resource):
    """The feed, variable, loss and training op of a model with unseeded random numbers."""
    x = tf.placeholder(tf.float32, [None, 8], name="x")
    w = tf.get_variable("w", [8, 300], use_resource=use_resource)
    hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w)), rate=0.5)  # unseeded: seeded by the system
    loss = tf.reduce_mean(tf.square(hidden) + tf.random_normal([300]), name="loss")
    return x, w, loss, tf.train.AdamOptimizer(0.1).minimize(loss)


def bits(value):
    """The bytes of a fetched value."""
    return np.asarray(value).tobytes()
