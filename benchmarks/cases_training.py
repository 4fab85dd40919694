"""Training steps; each feeds one batch and fetches only the training op.

All peers use the same models:

  digits  softmax regression, 64 -> 10, gradient descent, batch 64 of the digits data
  MLP     784 -> 256 -> 128 -> 10 with ReLU, Adam, batch 128; 235,146 parameters
  CNN     28x28x1 -> conv 5x5x32 -> pool 2 -> conv 5x5x64 -> pool 2 -> 1024 -> 10 with ReLU, Adam, batch 64;
          SAME padding, biases everywhere; 3,274,634 parameters
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from case import Case, sessions

DIGITS = Path(__file__).parent.parent / "tinytf/_src/datasets/digits.npz"  # the file itself: peers do not import tinytf
MLP_SIZES = (784, 256, 128, 10)


def _digits_batch():
    with np.load(DIGITS) as data:
        return (data["images"][:64].reshape(64, 64) / 16).astype(np.float32), data["labels"][:64].astype(np.int64)


def batch_of(size, *shape):
    generator = np.random.default_rng(0)
    return generator.random((size, *shape), np.float32), generator.integers(0, 10, size)


def tf_training(peer, build, optimizer, batch):
    """A session, the training op and its feeds. `build` maps the placeholder of the images to logits."""
    tf, (images, labels) = peer.tf, batch
    x = tf.placeholder(tf.float32, [None, *images.shape[1:]])
    y = tf.placeholder(tf.int64, [None])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=build(x)))
    step = optimizer.minimize(loss)
    return peer.initialized(), step, {x: images, y: labels}


def tf_step(session, step, feeds):
    return lambda: session.run(step, feeds)


def dense(tf, x, size_in, size_out):
    weights = tf.Variable(tf.truncated_normal([size_in, size_out], stddev=0.1, seed=1))
    return tf.matmul(x, weights) + tf.Variable(tf.zeros([size_out]))


def _tf_mlp_logits(tf, x):
    for size_in, size_out in zip(MLP_SIZES[:-2], MLP_SIZES[1:-1]):
        x = tf.nn.relu(dense(tf, x, size_in, size_out))
    return dense(tf, x, *MLP_SIZES[-2:])


def _tf_cnn_logits(tf, x):
    for channels_in, channels_out in ((1, 32), (32, 64)):
        weights = tf.Variable(tf.truncated_normal([5, 5, channels_in, channels_out], stddev=0.1, seed=1))
        x = tf.nn.conv2d(x, weights, strides=[1, 1, 1, 1], padding="SAME")
        x = tf.nn.relu(x + tf.Variable(tf.zeros([channels_out])))
        x = tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    x = tf.reshape(x, [-1, 7 * 7 * 64])
    return dense(tf, tf.nn.relu(dense(tf, x, 7 * 7 * 64, 1024)), 1024, 10)


def _tf_digits(peer):
    tf = peer.tf
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return tf_step(*tf_training(peer, lambda x: dense(tf, x, 64, 10), optimizer, _digits_batch()))


def tf_mlp_training(peer):
    """A session with the MLP, its training op and its feeds."""
    tf = peer.tf
    return tf_training(peer, lambda x: _tf_mlp_logits(tf, x), tf.train.AdamOptimizer(1e-3), batch_of(128, 784))


def _tf_mlp(peer):
    return tf_step(*tf_mlp_training(peer))


def _tf_cnn(peer):
    tf = peer.tf
    optimizer = tf.train.AdamOptimizer(1e-4)
    return tf_step(*tf_training(peer, lambda x: _tf_cnn_logits(tf, x), optimizer, batch_of(64, 28, 28, 1)))


def torch_step(peer, model, optimizer, batch):
    torch, (images, labels) = peer.torch, batch

    def step():
        optimizer.zero_grad()
        logits = model(torch.from_numpy(images))
        torch.nn.functional.cross_entropy(logits, torch.from_numpy(labels)).backward()
        optimizer.step()

    return step


def _torch_digits(peer):
    model = peer.torch.nn.Linear(64, 10)
    return torch_step(peer, model, peer.torch.optim.SGD(model.parameters(), 0.1), _digits_batch())


def _torch_mlp(peer):
    nn, layers = peer.torch.nn, []
    for size_in, size_out in zip(MLP_SIZES[:-1], MLP_SIZES[1:]):
        layers += [nn.Linear(size_in, size_out), nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    return torch_step(peer, model, peer.torch.optim.Adam(model.parameters(), 1e-3, fused=True), batch_of(128, 784))


def _torch_cnn(peer):
    nn = peer.torch.nn
    model = nn.Sequential(
        *(nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()),
        *(nn.Linear(7 * 7 * 64, 1024), nn.ReLU(), nn.Linear(1024, 10)),
    )
    return torch_step(peer, model, peer.torch.optim.Adam(model.parameters(), 1e-4, fused=True), batch_of(64, 1, 28, 28))


CASES = [
    Case(
        "digits", "digits logistic regression step", "µs", 40, sessions(_tf_digits, torch=_torch_digits), reference=258
    ),
    Case("mlp", "MNIST MLP + Adam step, batch 128", "ms", 1.8, sessions(_tf_mlp, torch=_torch_mlp), reference=2.4),
    Case(
        "cnn",
        "MNIST CNN + Adam step, batch 64",
        "ms",
        75,
        sessions(_tf_cnn, torch=_torch_cnn),
        reference=89,
        two_threads=(42, 62),
    ),
]
