"""`tf.contrib.training`: training and evaluation loops, hyperparameters, waiting for checkpoints, batching by bucket,
by sequence segment or by sampling, and placement of variables on parameter servers."""

from __future__ import annotations

from tinytf.contrib.training.bucketing import bucket, bucket_by_sequence_length
from tinytf.contrib.training.device_setter import (
    GreedyLoadBalancingStrategy,
    RandomStrategy,
    byte_size_load_fn,
)
from tinytf.contrib.training.evaluation import (
    StopAfterNEvalsHook,
    evaluate_once,
    evaluate_repeatedly,
    get_or_create_eval_step,
)
from tinytf.contrib.training.hparams import HParams, parse_values
from tinytf.contrib.training.resampling import resample_at_rate, weighted_resample
from tinytf.contrib.training.sampling import rejection_sample, stratified_sample
from tinytf.contrib.training.sequence_batches import batch_sequences_with_states
from tinytf.contrib.training.sequence_state_saver import (
    NextQueuedSequenceBatch,
    SequenceQueueingStateSaver,
)
from tinytf.contrib.training.summary_at_end_hook import SummaryAtEndHook
from tinytf.contrib.training.training import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
    train,
)
from tinytf.python.estimator.inputs.queues.feeding_queue_runner import _FeedingQueueRunner as FeedingQueueRunner
from tinytf.python.missing import no_other_names
from tinytf.python.training.checkpoint_utils import checkpoints_iterator, wait_for_new_checkpoint

__all__ = [
    "FeedingQueueRunner",
    "GreedyLoadBalancingStrategy",
    "HParams",
    "NextQueuedSequenceBatch",
    "RandomStrategy",
    "SequenceQueueingStateSaver",
    "StopAfterNEvalsHook",
    "SummaryAtEndHook",
    "add_gradients_summaries",
    "batch_sequences_with_states",
    "bucket",
    "bucket_by_sequence_length",
    "byte_size_load_fn",
    "checkpoints_iterator",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "evaluate_once",
    "evaluate_repeatedly",
    "get_or_create_eval_step",
    "multiply_gradients",
    "parse_values",
    "rejection_sample",
    "resample_at_rate",
    "stratified_sample",
    "train",
    "wait_for_new_checkpoint",
    "weighted_resample",
]
__getattr__ = no_other_names(__name__)
