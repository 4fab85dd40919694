"""`GradientTape`: gradients of operations that it recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from tinytf._src.eager.recording import Recording
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor, internal_convert_to_tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_tensor
from tinytf._src.gradients.tape_walk import gradients_of_records
from tinytf._src.gradients.unconnected import UnconnectedGradients, zero_gradients


@tf_export("GradientTape")
class GradientTape:
    """Records the operations of its `with` block, on the entering thread, and differentiates them.

    It watches trainable variables that are read in the block, and tensors passed to `watch`. Tapes may be nested: an
    outer tape also records how an inner one computes gradients, which gives higher derivatives. In graphs, `gradient`
    adds operations, as `tf.gradients` does.

    Args:
      persistent: bool, whether gradients can be computed more than once; then the recording is kept until the tape is
        deleted.
      watch_accessed_variables: bool, whether trainable variables that are read are watched.

    Example:
      x = tf.constant(3.0)
      with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
      tape.gradient(y, x)  # a tensor with the value 6.0
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._recording_of: Recording | None = None
        self._recording = False
        self._watched_variables: tuple[Any, ...] = ()

    def __enter__(self) -> GradientTape:
        self._push_tape()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._recording:
            self._pop_tape()

    def _push_tape(self) -> None:
        if self._recording:
            raise ValueError("Tape is already recording.")
        if self._recording_of is None:
            self._recording_of = Recording(self._watch_accessed_variables, is_kept=self._persistent)
        self._recording_of.start()
        self._recording = True

    def _pop_tape(self) -> None:
        if not self._recording or self._recording_of is None:
            raise ValueError("Tape is not recording.")
        self._recording_of.stop()
        self._recording = False

    @contextmanager
    def _ensure_recording(self) -> Iterator[None]:
        if self._recording:
            yield
            return
        self._push_tape()
        try:
            yield
        finally:
            self._pop_tape()

    def watch(self, tensor: Any) -> None:
        """Makes the tape record operations on a tensor, and on tensors computed from it.

        Logs a warning for dtypes that are not floating.

        Args:
          tensor: a tensor or variable, or a nested structure of them.

        Raises:
          ValueError: for leaves that are not tensors or variables.
          RuntimeError: if the `with` block of the tape was not entered yet.
        """
        recording = self._recording_of
        if recording is None:
            raise RuntimeError("GradientTape.watch can only be called on tapes that are or were recording.")
        for leaf in nest.flatten(tensor):
            if leaf.__class__ is EagerTensor and leaf.dtype.is_floating:
                recording.watch(leaf)
                continue
            if not is_tensor(leaf):
                raise ValueError(f"Passed in object of type {type(leaf)}, expected tf.Tensor")
            if not leaf.dtype.base_dtype.is_floating:
                tf_logging.log_first_n(
                    tf_logging.WARN,
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    5,
                    leaf.dtype,
                )
            if hasattr(leaf, "handle"):
                recording.watch_variable(leaf)
            else:
                recording.watch(leaf)

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Returns a context manager in whose body the tape does not record.

        Raises:
          RuntimeError: if the `with` block of the tape was not entered yet.
          ValueError: if the tape is not recording.
        """
        if self._recording_of is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        self._pop_tape()
        try:
            yield
        finally:
            self._push_tape()

    def reset(self) -> None:
        """Discards all that was recorded and watched, and continues recording.

        Raises:
          ValueError: if the tape is not recording.
        """
        self._pop_tape()
        self._recording_of = None
        self._push_tape()

    def watched_variables(self) -> tuple[Any, ...]:
        """Returns a tuple of the watched variables, in the order in which they were first read."""
        if self._recording_of is not None:
            self._watched_variables = self._recording_of.variables()
        return self._watched_variables

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """Computes the gradient of the sum of `target` with respect to each of `sources`.

        Args:
          target: a tensor or variable, or a nested structure of them.
          sources: a tensor or variable, or a nested structure of them.
          output_gradients: upstream gradients, one tensor or None for each target, of its shape; None: ones.
          unconnected_gradients: 'none' or 'zero' (or a `tf.UnconnectedGradients`), the result for a source that no
            target depends on.

        Returns:
          The structure of `sources` with a tensor, IndexedSlices or None for each.

        Raises:
          RuntimeError: for a second call if the tape is not persistent.
          LookupError: if an operation has no gradient function.
          ValueError: for an unknown `unconnected_gradients`, or if the number of `output_gradients` differs from that
            of targets.
        """
        recording = self._usable_recording()
        unconnected = unconnected_gradients
        if unconnected.__class__ is not UnconnectedGradients:
            try:
                unconnected = UnconnectedGradients(unconnected)
            except ValueError:
                raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}") from None
        raw = nest.flatten(sources)
        targets = self._targets(target)
        found = differentiate(recording, targets, raw, output_gradients, unconnected, keep=self._persistent)
        if not self._persistent:
            self._finish()
        return nest.pack_sequence_as(sources, found)

    def _finish(self) -> None:
        """Stops recording and drops the recording of a tape that is not persistent."""
        if self._recording:
            self._pop_tape()
        self.watched_variables()
        self._recording_of = None

    def _usable_recording(self) -> Recording:
        recording = self._recording_of
        if recording is None:
            raise RuntimeError("GradientTape.gradient can only be called once on non-persistent tapes.")
        if self._recording:
            if not self._persistent:
                self._pop_tape()
            else:
                tf_logging.log_first_n(
                    tf_logging.WARN,
                    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less efficient "
                    "than calling it outside the context (it causes the gradient ops to be recorded on the tape, leading "
                    "to increased CPU and memory usage). Only call GradientTape.gradient inside the context if you "
                    "actually want to trace the gradient in order to compute higher order derivatives.",
                    1,
                )
        return recording

    def _targets(self, target: Any) -> list[Tensor]:
        flat = []
        for leaf in nest.flatten(target):
            if not isinstance(leaf, Tensor) and hasattr(leaf, "handle"):
                with self._ensure_recording():
                    leaf = convert_to_tensor(leaf)
            flat.append(leaf)
        return flat

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Computes the Jacobian: the derivative of each element of `target` by each element of `sources`.

        Args:
          target: a tensor.
          sources: a tensor or variable, or a nested structure of them.
          unconnected_gradients: as of `gradient`.
          parallel_iterations: ignored; elements are processed sequentially.
          experimental_use_pfor: must be True unless the tape is persistent; otherwise ignored.

        Returns:
          The structure of `sources` with a tensor of shape target.shape + source.shape, or None, for each.

        Raises:
          RuntimeError: as `gradient`, and if the tape is not persistent and `experimental_use_pfor` is False.
          ValueError: in a graph, if the number of elements of `target` is unknown.
        """
        from tinytf._src.eager.jacobian import jacobian

        return jacobian(self, target, sources, unconnected_gradients, experimental_use_pfor)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Computes the Jacobian of each example: row i of `target` is differentiated by row i of `source`.

        Each row of `target` must depend on the same row of `source` only.

        Args:
          target: a tensor of shape [batch, ...].
          source: a tensor of shape [batch, ...].
          unconnected_gradients, parallel_iterations, experimental_use_pfor: as of `jacobian`.

        Returns:
          A tensor of shape [batch] + target.shape[1:] + source.shape[1:], or None.

        Raises:
          ValueError: if the batch sizes differ, or, in a graph, if the number of elements of a row is unknown.
          RuntimeError: as `jacobian`.
        """
        from tinytf._src.eager.jacobian import batch_jacobian

        return batch_jacobian(self, target, source, unconnected_gradients, experimental_use_pfor)


def differentiate(
    recording: Recording,
    targets: list[Any],
    sources: list[Any],
    output_gradients: Any,
    unconnected: UnconnectedGradients,
    keep: bool,
) -> list[Any]:
    """Implements `GradientTape.gradient` for flat `targets` and `sources` (tensors or variables). Unless `keep`, the
    recording is cleared."""
    given = _initial(output_gradients, len(targets))
    tensors = [source if isinstance(source, Tensor) else _tensor_of(source) for source in sources]
    in_graph = False
    for tensor in (*targets, *tensors):
        if tensor.__class__ is not EagerTensor:
            in_graph = True
    if in_graph:
        found = recording.graph.gradients(targets, tensors, given)
    else:
        tape = recording.tape
        watched = [tensor for tensor in tensors if tape.watches(tensor) or tensor in targets]
        records = tape.records()
        if not keep:
            tape.clear()
        found = gradients_of_records(records, targets, watched, given)
        if len(watched) < len(tensors):
            rest = iter(found)
            kept = set(watched)
            found = [next(rest) if tensor in kept else None for tensor in tensors]
    if unconnected is UnconnectedGradients.ZERO:
        for i, gradient in enumerate(found):
            if gradient is None and tensors[i].dtype.base_dtype is not dtypes.string:
                found[i] = zero_gradients(sources[i] if not in_graph else tensors[i])
    return found


def _tensor_of(source: Any) -> Any:
    """Returns the handle of a resource variable, or the reference of a reference variable."""
    handle = getattr(source, "handle", None)
    return internal_convert_to_tensor(source, as_ref=True) if handle is None else handle


def _initial(output_gradients: Any, count: int) -> list[Any] | None:
    if output_gradients is None:
        return None
    given = nest.flatten(output_gradients)
    if len(given) != count:
        raise ValueError(f"Passed {len(given)} output_gradients for {count} targets")
    return [g if g is None or isinstance(g, IndexedSlices) else convert_to_tensor(g) for g in given]
