"""The namespace `tf.metrics`: metrics that are accumulated over a stream of batches.

Each function creates local variables that hold the accumulated state. It returns the tensor of the current value and
the tensor of an update, which adds the current batch and yields the value after it. Run
`tf.local_variables_initializer()` before the first update and to reset the metrics.
"""

from tinytf._src.exports import tf_export

tf_export("metrics").namespace(__doc__)
