"""The module path of `tf.contrib.rnn` in TensorFlow."""
