"""`tf.config`: settings of the process."""

from __future__ import annotations

from tinytf.exports import tf_export


@tf_export("config.experimental_run_functions_eagerly")
def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """With True, calls of a `tf.function` run its Python code each time, so that it can be looked at with a debugger; with
    False, they run traced graphs again."""
    from tinytf.eager.function import run_functions_eagerly

    run_functions_eagerly(run_eagerly)
