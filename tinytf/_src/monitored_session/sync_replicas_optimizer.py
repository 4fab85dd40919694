"""`SyncReplicasOptimizer`: aggregates gradients of several replicas before applying them."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, device, name_scope
from tinytf._src.framework.values.dtypes import int32
from tinytf._src.monitored_session.readiness import why_not_ready
from tinytf._src.ops import array_ops, control_flow_ops
from tinytf._src.ops.data_flow.accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from tinytf._src.ops.data_flow.data_flow_ops import FIFOQueue
from tinytf._src.ops.data_flow.queue_runner import QueueRunner
from tinytf._src.ops.state import state_ops
from tinytf._src.training.optimizers.optimizer import Optimizer
from tinytf._src.training.session_run_hook import SessionRunHook
from tinytf._src.variables.collections import global_variables, report_uninitialized_variables
from tinytf._src.variables.variable import Variable


@tf_export("train.SyncReplicasOptimizer")
class SyncReplicasOptimizer(Optimizer):
    """Wraps an optimizer for synchronous training: averages the gradients of replicas and applies the means.

    Each replica runs the training operation. Gradients computed for an older global step are dropped. After each update
    tokens are enqueued; a replica continues when it has dequeued one. A thread of the chief aggregates and applies;
    `make_session_run_hook` starts it and initializes local variables.

    Args:
      opt: the `Optimizer` that computes and applies gradients.
      replicas_to_aggregate: int, number of gradients to average for one update.
      total_num_replicas: int, number of replicas; None: `replicas_to_aggregate`. If there are fewer, replicas compute
        several gradients for an update; if more, the additional ones are backups.
      variable_averages: an `ExponentialMovingAverage` that is updated after each step, or None.
      variables_to_average: the variables to average.
      use_locking: ignored.
      name: str, name scope of the operations.
    """

    def __init__(
        self,
        opt: Any,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        if total_num_replicas is None:
            total_num_replicas = replicas_to_aggregate
        super().__init__(use_locking, name)
        tf_logging.info(
            "SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s",
            replicas_to_aggregate,
            total_num_replicas,
        )
        self._opt = opt
        self._replicas_to_aggregate = replicas_to_aggregate
        self._gradients_applied = False
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._total_num_replicas = total_num_replicas
        self._tokens_per_step = max(total_num_replicas, replicas_to_aggregate)
        self._global_step: Any = None
        self._sync_token_queue: Any = None
        self._chief_queue_runner: QueueRunner | None = None
        self._accumulator_list: list[tuple[Any, str]] = []

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Computes gradients with the wrapped optimizer; see `Optimizer.compute_gradients`."""
        return self._opt.compute_gradients(*args, **kwargs)

    @called_by_users
    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the training operation of a replica: submits its gradients and waits for a token.

        Args:
          grads_and_vars: list of (gradient, variable) pairs, as `compute_gradients` returns them.
          global_step: a variable, which each update increments.
          name: ignored.

        Raises:
          ValueError: without variables or a global step, and for gradients that are neither tensors nor IndexedSlices.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        self._make_local_step(global_step)
        with name_scope(None, self._name):
            hand_ins, aggregated = self._accumulate(grads_and_vars)
            with device(global_step.device), name_scope(""):
                update_op = self._opt.apply_gradients(aggregated, global_step)
            train_op = self._make_tokens(global_step, hand_ins, update_op)
            chief_init_ops = [self.local_step_init_op]
            for accumulator, place in self._accumulator_list:
                with device(place):
                    chief_init_ops.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = control_flow_ops.group(*chief_init_ops)
            self._gradients_applied = True
            return train_op

    def _make_local_step(self, global_step: Any) -> None:
        """Creates the local variable with the global step for which a replica computes gradients, and its
        initializer."""
        with colocate_with(control_flow_ops.no_op()):
            self._local_step = Variable(
                initial_value=0,
                trainable=False,
                collections=[GraphKeys.LOCAL_VARIABLES],
                dtype=global_step.dtype.base_dtype,
                name="sync_rep_local_step",
            )
        self.local_step_init_op = state_ops.assign(self._local_step, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())

    def _accumulate(self, grads_and_vars: Any) -> tuple[list[Operation], list[tuple[Any, Any]]]:
        """Creates accumulators. Returns the operations that submit gradients, and (mean gradient, variable) pairs."""
        hand_ins, aggregated = [], []
        for grad, var in grads_and_vars:
            with device(var.device):
                if grad is None:
                    aggregated.append((None, var))
                    continue
                accumulator: Any
                if isinstance(grad, Tensor):
                    accumulator = ConditionalAccumulator(
                        grad.dtype, shape=var.get_shape(), shared_name=var.name + "/grad_accum"
                    )
                    hand_ins.append(accumulator.apply_grad(grad, local_step=self._local_step))
                    taken = accumulator.take_grad(self._replicas_to_aggregate)
                elif isinstance(grad, IndexedSlices):
                    accumulator = SparseConditionalAccumulator(
                        grad.dtype, shape=(), shared_name=var.name + "/grad_accum"
                    )
                    hand_ins.append(accumulator.apply_indexed_slices_grad(grad, local_step=self._local_step))
                    taken = accumulator.take_indexed_slices_grad(self._replicas_to_aggregate)
                else:
                    raise ValueError("Unknown grad type!")
                aggregated.append((taken, var))
                self._accumulator_list.append((accumulator, var.device))
        return hand_ins, aggregated

    def _make_tokens(self, global_step: Any, hand_ins: list[Operation], update_op: Any) -> Any:
        """Creates the token queue and the chief's queue runner, which enqueues tokens after each update. Returns the
        operation with which a replica waits for a token."""
        with device(global_step.device), name_scope(""):
            tokens_queue = FIFOQueue(
                -1, global_step.dtype.base_dtype, shapes=(), name="sync_token_q", shared_name="sync_token_q"
            )
            self._sync_token_queue = tokens_queue
            dummy_queue = FIFOQueue(1, int32, shapes=(), name="dummy_queue", shared_name="dummy_queue")
        with device(global_step.device), name_scope(""):
            with control_dependencies(hand_ins):
                token = tokens_queue.dequeue()
            train_op = state_ops.assign(self._local_step, token)
            with control_dependencies([update_op]):
                tokens = array_ops.fill([self._tokens_per_step], global_step)
                sync_op: Any = tokens_queue.enqueue_many((tokens,))
            if self._variable_averages is not None:
                with control_dependencies([sync_op]), name_scope(""):
                    sync_op = self._variable_averages.apply(self._variables_to_average)
            # When its session is closed, the thread is waiting for gradients: these errors are a normal end.
            ends = (errors_impl.OutOfRangeError, errors_impl.CancelledError)
            self._chief_queue_runner = QueueRunner(dummy_queue, [sync_op], queue_closed_exception_types=ends)
        return train_op

    def get_chief_queue_runner(self) -> QueueRunner:
        """Returns the `QueueRunner` for the chief: it applies updates, and enqueues tokens after each.

        Raises:
          ValueError: before `apply_gradients` was called.
        """
        if self._chief_queue_runner is None or not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._chief_queue_runner

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a slot of the wrapped optimizer; see `Optimizer.get_slot`."""
        return self._opt.get_slot(*args, **kwargs)

    def variables(self) -> Any:
        """Returns the variables of the wrapped optimizer."""
        return self._opt.variables()

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the slot names of the wrapped optimizer; see `Optimizer.get_slot_names`."""
        return self._opt.get_slot_names(*args, **kwargs)

    def get_init_tokens_op(self, num_tokens: int = -1) -> Operation:
        """Returns the operation with which the chief enqueues the first tokens.

        Args:
          num_tokens: int, how many; -1: `replicas_to_aggregate`.

        Raises:
          ValueError: before `apply_gradients` was called, and if there would be too few tokens for the first update.
        """
        if not self._gradients_applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)")
        if num_tokens <= 0:
            return control_flow_ops.no_op(name="no_init_tokens")
        with device(self._global_step.device), name_scope(""):
            tokens = array_ops.fill([num_tokens], self._global_step)
            return self._sync_token_queue.enqueue_many((tokens,))

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """Returns the hook that each replica's session needs.

        It initializes the optimizer's local variables; for the chief, it also enqueues the first tokens and starts the
        thread.

        Args:
          is_chief: bool, whether the replica is the chief.
          num_tokens: as of `get_init_tokens_op`.
        """
        return _Hook(self, is_chief, num_tokens)


class _Hook(SessionRunHook):
    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens

    def begin(self) -> None:
        optimizer = self._optimizer
        if not optimizer._gradients_applied:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        self._ready_for_local_init_op = optimizer.ready_for_local_init_op
        self._local_init_op = optimizer.chief_init_op if self._is_chief else optimizer.local_step_init_op
        self._runner = optimizer.get_chief_queue_runner() if self._is_chief else None
        self._init_tokens_op = optimizer.get_init_tokens_op(self._num_tokens) if self._is_chief else None

    def after_create_session(self, session: Any, coord: Any) -> None:
        missing = why_not_ready(
            self._ready_for_local_init_op, session, "Model is not ready for SyncReplicasOptimizer local init."
        )
        if missing is not None:
            raise RuntimeError(
                "Init operations did not make model ready for SyncReplicasOptimizer local_init. "
                f"Init op: {self._local_init_op.name}, error: {missing}"
            )
        session.run(self._local_init_op)
        if self._init_tokens_op is not None:
            session.run(self._init_tokens_op)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
