"""`tf.contrib.staging`: buffers of tensor tuples between stages of a pipeline."""

from tinytf.python.missing import no_other_names
from tinytf.python.ops.data_flow_ops import StagingArea

__all__ = ["StagingArea"]
__getattr__ = no_other_names(__name__)
