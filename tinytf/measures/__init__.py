"""The namespace `tf.metrics`: measures of a model over a stream of batches.

Each function makes local variables that hold what was seen, and returns two tensors: the value of what they hold, and an
operation's result that adds a batch and yields the value after it. `tf.local_variables_initializer` begins anew.
"""

from tinytf.exports import tf_export

tf_export("metrics").namespace(__doc__)
