"""`tf.contrib.predictor`: models as functions of dicts of arrays."""

from tinytf.contrib.predictor.predictor_factories import from_estimator, from_saved_model
from tinytf.python.missing import no_other_names

__all__ = ["from_estimator", "from_saved_model"]
__getattr__ = no_other_names(__name__)
