"""The module path of the parts of `tf.contrib.rnn` in TensorFlow."""
