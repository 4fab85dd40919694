"""`ThreadingOptions`: the threads of a pipeline."""

from __future__ import annotations

from tinytf._src.data.options.base import OptionsBase, create_option
from tinytf._src.exports import tf_export


@tf_export("data.experimental.ThreadingOptions")
class ThreadingOptions(OptionsBase):
    """Options of threads, for `tf.data.Options.experimental_threading`.

    Example:
      options = tf.data.Options()
      options.experimental_threading.private_threadpool_size = 2
    """

    max_intra_op_parallelism = create_option(
        "max_intra_op_parallelism", int, "The largest number of threads that one operation uses."
    )
    private_threadpool_size = create_option(
        "private_threadpool_size", int, "The number of threads of a pool that only this dataset uses."
    )
