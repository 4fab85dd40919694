"""A second tinytf program: a recurrent network learns to write, character by character, from four chapters of "Alice".

Run it with `python -m tinytf.demos.characters`; it takes half a minute. It is an ordinary TensorFlow 1 program: it also
runs on TensorFlow 1.15 once the import of `tf` is changed.
"""

import sys
import textwrap
import time

import numpy as np

import tinytf as tf
from tinytf.datasets import load_alice

UNITS = 160
STREAMS = 12  # parts of the text that are read in parallel
TIME = 40  # characters of each stream in one training step
EPOCHS = 36
LEARNING_RATE = 6e-3
SAMPLE_AFTER = (1, 4, 12)  # epochs after which a sample is written, in addition to the last one
SHARPNESS = 2.0  # factor of the logits in sampling: likely characters are preferred, which reduces misspellings
SEED = 7


# 1. Data: characters become integers. The text is cut into streams; targets are the streams shifted by one character.
def load_data():
    """Returns `(alphabet, streams)`: a sorted string, and indices into it as an int32 array (STREAMS, length)."""
    text = load_alice()
    alphabet = "".join(sorted(set(text)))
    codes = np.searchsorted(np.array(list(alphabet)), np.array(list(text))).astype(np.int32)
    length = len(codes) // STREAMS
    return alphabet, codes[: STREAMS * length].reshape(STREAMS, length)


# 2. Model: an LSTM reads a character and predicts the probabilities of the next one. Nothing is computed yet.
def build_model(size, units=UNITS):
    """Adds the network for an alphabet of `size` characters to the default graph; returns its tensors and operations by
    name."""
    tf.set_random_seed(SEED)
    characters = tf.placeholder(tf.int32, [None, None], name="characters")  # (streams, time)
    following = tf.placeholder(tf.int32, [None, None], name="following")
    vectors = tf.get_variable("vectors", [size, 64], initializer=tf.random_normal_initializer())
    cell = tf.contrib.rnn.LSTMBlockCell(units)
    start = cell.zero_state(tf.shape(characters)[0], tf.float32)  # a session may feed another state here
    outputs, end = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(vectors, characters), initial_state=start)
    weights = tf.get_variable("weights", [units, size])
    bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
    logits = tf.matmul(tf.reshape(outputs, [-1, units]), weights) + bias
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.reshape(following, [-1]), logits=logits)
    loss = tf.reduce_mean(losses)
    rate = tf.placeholder_with_default(LEARNING_RATE, [], name="rate")
    optimizer = tf.train.AdamOptimizer(rate)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    clipped, _ = tf.clip_by_global_norm(gradients, 1.0)
    return {
        "characters": characters,
        "following": following,
        "start": start,
        "end": end,
        "rate": rate,
        "loss": loss,
        "train_step": optimizer.apply_gradients(zip(clipped, variables)),
        "likely": tf.nn.softmax(logits * SHARPNESS),
    }


# 3. Training: the final state of a step is fed to the next one, so that the network remembers the preceding text.
def train_epoch(sess, model, streams, rate=LEARNING_RATE, report=None):
    """Runs one pass over the text; returns the loss of each step."""
    losses, state = [], None
    for first in range(0, streams.shape[1] - 1, TIME):
        following = streams[:, first + 1 : first + 1 + TIME]
        characters = streams[:, first : first + following.shape[1]]
        feed = {model["characters"]: characters, model["following"]: following, model["rate"]: rate}
        if state is not None:
            feed.update(zip(model["start"], state))
        _, loss, state = sess.run([model["train_step"], model["loss"], model["end"]], feed_dict=feed)
        losses.append(float(loss))
        if report:
            report(loss, characters.size)
    return losses


# 4. Writing: a character is drawn from the predicted probabilities and becomes the next input of the network.
def write(sess, model, alphabet, length, begin="\n\nAlice ", seed=SEED):
    """Returns `begin` without leading whitespace, followed by `length` characters that the network writes."""
    draw = np.random.RandomState(seed)
    written, state = begin, None
    for _ in range(length):
        unread = written if state is None else written[-1]
        feed = {model["characters"]: [[alphabet.index(character) for character in unread]]}
        if state is not None:
            feed.update(zip(model["start"], state))
        likely, state = sess.run([model["likely"], model["end"]], feed_dict=feed)
        chosen = np.searchsorted(np.cumsum(likely[-1], dtype=np.float64), draw.uniform(0, 0.999))
        written += alphabet[min(chosen, len(alphabet) - 1)]
    return written.lstrip()


# 5. Output.
class Progress:
    """Shows a live status line on a terminal; on other streams it writes only one line per sample."""

    def __init__(self, total, stream=None):
        self.total = total
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty()
        self.started = self.shown = time.perf_counter()
        self.seen = 0
        self.loss = 0.0

    def __call__(self, loss, characters):
        self.seen += characters
        self.loss += 0.02 * (float(loss) - self.loss) if self.loss else float(loss)  # moving average
        if self.live and time.perf_counter() - self.shown >= 0.1:
            self.stream.write("\r" + self.line())
            self.stream.flush()
            self.shown = time.perf_counter()

    def line(self):
        """Returns the status line."""
        elapsed = time.perf_counter() - self.started
        left = elapsed / self.seen * (self.total - self.seen)
        line = f"{self.seen / self.total:4.0%} of the training   loss {self.loss:5.3f}   "
        return line + f"{self.seen / elapsed:9,.0f} characters/s   {left:4.1f} s left"

    def show(self, epoch, sample):
        """Writes the status line and a sample of the network's text."""
        read = "1 epoch" if epoch == 1 else f"{epoch} epochs"
        self.stream.write(("\r" if self.live else "") + self.line() + "\n")
        self.stream.write(f"\nSample of its text after {read}:\n\n" + textwrap.indent(sample, "    ") + "\n\n")
        self.stream.flush()


def main(epochs=EPOCHS, units=UNITS):
    """Trains the network and prints samples of its text; returns the mean loss of the last epoch."""
    started = time.perf_counter()
    alphabet, streams = load_data()
    print(f"{streams.size:,} characters of text, {len(alphabet)} distinct ones; LSTM with {units} units\n")
    model = build_model(len(alphabet), units)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        progress = Progress(epochs * (streams.size - STREAMS))
        for epoch in range(1, epochs + 1):
            rate = LEARNING_RATE * (1 - (epoch - 1) / epochs)
            losses = train_epoch(sess, model, streams, rate, progress)
            if epoch in SAMPLE_AFTER or epoch == epochs:
                progress.show(epoch, write(sess, model, alphabet, 600 if epoch == epochs else 150))
    print(f"total time {time.perf_counter() - started:.1f} s")
    print(
        "\nThis program is tinytf/demos/characters.py; docs/usage/recurrent_nets.md describes networks like this one."
    )
    return float(np.mean(losses))


if __name__ == "__main__":
    main()
