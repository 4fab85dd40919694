"""TensorFlow's path to `tf.metrics` and its internal helpers."""

from tinytf._src.metrics.auc import auc as auc
from tinytf._src.metrics.average_precision import average_precision_at_k as average_precision_at_k
from tinytf._src.metrics.average_precision import mean_average_precision as mean_average_precision
from tinytf._src.metrics.average_precision import sparse_average_precision_at_k as sparse_average_precision_at_k
from tinytf._src.metrics.class_means import mean_iou as mean_iou
from tinytf._src.metrics.class_means import mean_per_class_accuracy as mean_per_class_accuracy
from tinytf._src.metrics.counts import *  # noqa: F403
from tinytf._src.metrics.means import *  # noqa: F403
from tinytf._src.metrics.streams import collected as collected
from tinytf._src.metrics.streams import fitted as fitted
from tinytf._src.metrics.streams import metric_variable as metric_variable
from tinytf._src.metrics.thresholds import *  # noqa: F403
from tinytf._src.metrics.thresholds import EPSILON as EPSILON
from tinytf._src.metrics.thresholds import counts_at_thresholds as counts_at_thresholds
from tinytf._src.metrics.thresholds import counts_of as counts_of
from tinytf._src.metrics.thresholds import even_thresholds as even_thresholds
from tinytf._src.metrics.top_k import *  # noqa: F403
