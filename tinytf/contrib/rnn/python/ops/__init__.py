"""TensorFlow's module path of the parts of `tf.contrib.rnn`."""
