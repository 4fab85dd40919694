"""TensorFlow's path to `tf.metrics` and its internal helpers."""

from tinytf.measures.auc import auc as auc
from tinytf.measures.average_precision import average_precision_at_k as average_precision_at_k
from tinytf.measures.average_precision import mean_average_precision as mean_average_precision
from tinytf.measures.average_precision import sparse_average_precision_at_k as sparse_average_precision_at_k
from tinytf.measures.class_means import mean_iou as mean_iou
from tinytf.measures.class_means import mean_per_class_accuracy as mean_per_class_accuracy
from tinytf.measures.counts import *  # noqa: F403
from tinytf.measures.means import *  # noqa: F403
from tinytf.measures.streams import collected as collected
from tinytf.measures.streams import fitted as fitted
from tinytf.measures.streams import metric_variable as metric_variable
from tinytf.measures.thresholds import *  # noqa: F403
from tinytf.measures.thresholds import EPSILON as EPSILON
from tinytf.measures.thresholds import counts_at_thresholds as counts_at_thresholds
from tinytf.measures.thresholds import counts_of as counts_of
from tinytf.measures.thresholds import even_thresholds as even_thresholds
from tinytf.measures.top_k import *  # noqa: F403
