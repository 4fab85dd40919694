"""`tf.config`: process-wide settings."""

from __future__ import annotations

from tinytf._src.exports import tf_export


@tf_export("config.experimental_run_functions_eagerly")
def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """Switches between eager and traced execution of `tf.function`s, for the whole process.

    Args:
      run_eagerly: bool. True runs the Python code of a `tf.function` at each call, for example to step through it in a
        debugger. False (the initial setting) runs traced graphs.
    """
    from tinytf._src.eager.function import run_functions_eagerly

    run_functions_eagerly(run_eagerly)
