"""Iterators in checkpoints of training."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.checkpoint.checkpoint_state import latest_checkpoint
from tinytf._src.checkpoint.saveables import SaveableObject, SaveSpec
from tinytf._src.checkpoint.saver import Saver
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.monitored_session.checkpoint_saver_hook import CheckpointSaverHook
from tinytf._src.training.session_run_hook import SessionRunHook

_ITERATORS = "iterators"  # the collection of all initializable iterators


@tf_export("data.experimental.make_saveable_from_iterator")
def make_saveable_from_iterator(iterator: Any) -> Any:
    """Makes an object with which a `tf.train.Saver` saves and restores the position of an iterator.

    Args:
      iterator: `tf.data.Iterator`. Its dataset must not have state outside the iterator.

    Returns:
      Saveable object, for the list of a `Saver` or the collection SAVEABLE_OBJECTS.
    """
    return _Saveable(iterator._iterator_resource)


class _Saveable(SaveableObject):
    def __init__(self, resource: Any) -> None:
        state = gen_ops.serialize_iterator(resource)
        super().__init__(resource, [SaveSpec(state, "", f"{resource.name}-state")], resource.name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Returns the operation that restores the iterator."""
        with get_default_graph().colocate_with(self.op):
            return gen_ops.deserialize_iterator(self.op, restored_tensors[0])


@tf_export("data.experimental.CheckpointInputPipelineHook")
class CheckpointInputPipelineHook(SessionRunHook):
    """Saves the iterators of an Estimator's input function whenever the Estimator saves its checkpoints, and restores
    them before the first step.

    Iterators are saved to files of their own in the model's directory, beside the checkpoints of variables.
    """

    def __init__(self, estimator: Any) -> None:
        """Makes the hook.

        Args:
          estimator: `tf.estimator.Estimator` that trains with the hook.

        Raises:
          ValueError: unless the Estimator saves checkpoints by steps or by seconds.
        """
        config = estimator._config
        prefix = "input"
        if config.num_worker_replicas > 1:
            prefix += f"_{config.task_type}_{config.task_id}"
        self._latest_filename = f"checkpoint_{prefix}"
        self._hook = CheckpointSaverHook(  # whose `after_create_session` is not called: see `before_run`
            estimator.model_dir,
            save_secs=config.save_checkpoints_secs,
            save_steps=config.save_checkpoints_steps,
            checkpoint_basename=f"{prefix}.ckpt",
        )
        self._is_new = True

    def begin(self) -> None:
        """Adds the operations that save and restore all iterators of the default graph."""
        if self._hook._saver is None and self._hook._scaffold is None:
            resources = get_default_graph().get_collection(_ITERATORS)
            self._hook._saver = _IteratorSaver([_Saveable(resource) for resource in resources], self._latest_filename)
        self._hook.begin()

    def before_run(self, run_context: Any) -> Any:
        """Restores the iterators, or saves them for the first time, before the first step. Fetches the global step."""
        if self._is_new:
            self._restore_or_save(run_context.session)
            self._is_new = False
        return self._hook.before_run(run_context)

    def _restore_or_save(self, session: Any) -> None:
        path = latest_checkpoint(self._hook._checkpoint_dir, latest_filename=self._latest_filename)
        if path:
            self._hook._get_saver().restore(session, path)
            return
        step = session.run(self._hook._global_step_tensor)
        self._hook._save(session, step)
        self._hook._timer.update_last_triggered_step(step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Saves the iterators if it is time."""
        self._hook.after_run(run_context, run_values)

    def end(self, session: Any) -> None:
        """Saves the iterators."""
        self._hook.end(session)


class _IteratorSaver(Saver):
    """A saver with a state file of its own."""

    def __init__(self, saveables: list[Any], latest_filename: str) -> None:
        super().__init__(saveables)
        self._latest_filename = latest_filename

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Like `Saver.save`, with the state file of the iterators by default."""
        return super().save(
            sess,
            save_path,
            global_step,
            latest_filename or self._latest_filename,
            meta_graph_suffix,
            write_meta_graph,
            write_state,
            strip_default_attrs,
            save_debug_info,
        )
