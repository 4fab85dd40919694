"""Training operations and the loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tinytf as tf
from tinytf.python.ops import control_flow_ops

_Gradients = list[tuple[Any, Any]]
_USE_GLOBAL_STEP = 0


def add_gradients_summaries(grads_and_vars: Iterable[tuple[Any, Any]]) -> list[Any]:
    """Adds a histogram summary and a norm summary for each gradient.

    Args:
      grads_and_vars: pairs of gradients and variables; pairs without gradient are skipped with a log message.

    Returns:
      The list of summaries.
    """
    summaries = []
    for gradient, variable in grads_and_vars:
        if gradient is None:
            tf.logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient
        summaries.append(tf.summary.histogram(f"{variable.op.name}_gradient", values))
        summaries.append(tf.summary.scalar(f"{variable.op.name}_gradient_norm", tf.global_norm([values])))
    return summaries


def clip_gradient_norms(gradients_to_variables: Iterable[tuple[Any, Any]], max_norm: Any) -> _Gradients:
    """Clips each gradient to a norm of at most `max_norm`; returns the pairs of gradients and variables."""
    return [
        (None if gradient is None else _changed(gradient, lambda values: tf.clip_by_norm(values, max_norm)), variable)
        for gradient, variable in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm: Any) -> Callable[[Iterable[tuple[Any, Any]]], _Gradients]:
    """Returns a function that calls `clip_gradient_norms`, for `create_train_op`."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def _changed(gradient: Any, change: Callable[[Any], Any]) -> Any:
    if not isinstance(gradient, tf.IndexedSlices):
        return change(gradient)
    return tf.IndexedSlices(change(gradient.values), gradient.indices, gradient.dense_shape)


def multiply_gradients(grads_and_vars: _Gradients, gradient_multipliers: dict[Any, Any]) -> _Gradients:
    """Scales the gradients of some variables.

    Args:
      grads_and_vars: list of pairs of gradients and variables.
      gradient_multipliers: non-empty dict from variables or their op names to factors.

    Returns:
      The list of pairs, with scaled gradients.

    Raises:
      ValueError: if an argument has another type or is empty, or if a variable with a factor has no gradient.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    return [(_multiplied(*pair, gradient_multipliers), pair[1]) for pair in grads_and_vars]


def _multiplied(gradient: Any, variable: Any, multipliers: dict[Any, Any]) -> Any:
    key = variable if variable in multipliers else variable.op.name
    if key not in multipliers:
        return gradient
    if gradient is None:
        raise ValueError("Requested multiple of `None` gradient.")
    return _changed(gradient, lambda values: values * tf.convert_to_tensor(multipliers[key], dtype=gradient.dtype))


def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    transform_grads_fn: Callable[[_Gradients], _Gradients] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = tf.train.Optimizer.GATE_OP,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Any:
    """Returns a tensor whose evaluation runs a training step and yields the loss.

    Args:
      total_loss: scalar tensor.
      optimizer: a `tf.train.Optimizer`.
      global_step: variable that counts the steps; None for no counting. By default the global step of the graph, which
        is created if it is missing.
      update_ops: operations that run before the loss is computed; `GraphKeys.UPDATE_OPS` if None.
      variables_to_train: list of variables; all trainable ones if None.
      transform_grads_fn: function from a list of (gradient, variable) pairs to such a list.
      summarize_gradients: bool, whether to add summaries of the gradients.
      gate_gradients: as in `Optimizer.compute_gradients`.
      aggregation_method: as in `Optimizer.compute_gradients`.
      colocate_gradients_with_ops: as in `Optimizer.compute_gradients`.
      check_numerics: bool, whether a loss that is NaN or infinite raises InvalidArgumentError in the step.

    Returns:
      The loss tensor, also added to `GraphKeys.TRAIN_OP`.

    Raises:
      AssertionError: if there are no variables to train, or one of them is not trainable.
    """
    if global_step is _USE_GLOBAL_STEP:
        global_step = tf.train.get_or_create_global_step()
    total_loss = _after_updates(total_loss, update_ops)
    if variables_to_train is None:
        variables_to_train = tf.trainable_variables()
    else:
        for variable in variables_to_train:
            assert variable.trainable or variable in tf.trainable_variables()
    assert variables_to_train
    gradients = optimizer.compute_gradients(
        total_loss,
        variables_to_train,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        gradients = transform_grads_fn(gradients)
    if summarize_gradients:
        with tf.name_scope("summarize_grads"):
            add_gradients_summaries(gradients)
    updates = optimizer.apply_gradients(gradients, global_step=global_step)
    with tf.name_scope("train_op"):
        if check_numerics:
            total_loss = tf.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = control_flow_ops.with_dependencies([updates], total_loss)
    train_ops = tf.get_collection_ref(tf.GraphKeys.TRAIN_OP)
    if not any(train_op is each for each in train_ops):
        train_ops.append(train_op)
    return train_op


def _after_updates(total_loss: Any, update_ops: Iterable[Any] | None) -> Any:
    """Returns the loss with control inputs from the update operations, by default from the graph's collection."""
    of_graph = dict.fromkeys(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    updates = of_graph if update_ops is None else dict.fromkeys(update_ops)
    if not of_graph.keys() <= updates.keys():
        tf.logging.warning("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if not updates:
        return total_loss
    with tf.control_dependencies(list(updates)):
        barrier = tf.no_op(name="update_barrier")
    return control_flow_ops.with_dependencies([barrier], total_loss)


def train(
    train_op: Any,
    logdir: str | None,
    master: str = "",
    is_chief: bool = True,
    scaffold: Any = None,
    hooks: Sequence[Any] | None = None,
    chief_only_hooks: Sequence[Any] | None = None,
    save_checkpoint_secs: float | None = 600,
    save_summaries_steps: int | None = 100,
    config: Any = None,
    max_wait_secs: float = 7200,
    run_metadata: Any = None,
) -> Any:
    """Runs `train_op` in a `MonitoredTrainingSession` until the session should stop.

    Args:
      train_op: tensor or operation, evaluated in each step.
      logdir: string, directory of checkpoints and summaries.
      master: string, as in `MonitoredTrainingSession`.
      is_chief: bool, as in `MonitoredTrainingSession`.
      scaffold: as in `MonitoredTrainingSession`.
      hooks: as in `MonitoredTrainingSession`.
      chief_only_hooks: as in `MonitoredTrainingSession`.
      save_checkpoint_secs: as in `MonitoredTrainingSession`.
      save_summaries_steps: as in `MonitoredTrainingSession`.
      config: as in `MonitoredTrainingSession`.
      max_wait_secs: as in `MonitoredTrainingSession`.
      run_metadata: as in `Session.run`.

    Returns:
      The last value of `train_op`, None if no step ran.

    Raises:
      ValueError: if `logdir` is None and the chief is to save checkpoints or summaries.
    """
    if logdir is None and is_chief:
        if save_summaries_steps:
            raise ValueError("logdir cannot be None when save_summaries_steps is not None")
        if save_checkpoint_secs:
            raise ValueError("logdir cannot be None when save_checkpoint_secs is not None")
    with tf.train.MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
        return loss
