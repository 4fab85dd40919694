"""`tf.contrib.saved_model`: access to signatures."""

from __future__ import annotations

from typing import Any

from tinytf.python.missing import no_other_names

__all__ = ["get_signature_def_by_key"]
__getattr__ = no_other_names(__name__)


def get_signature_def_by_key(meta_graph_def: Any, signature_def_key: str) -> Any:
    """Returns the `SignatureDef` of that name in a `MetaGraphDef`, as in TensorFlow 1.12. Raises ValueError if there is
    none."""
    if signature_def_key not in meta_graph_def.signature_def:
        raise ValueError(f"No SignatureDef with key '{signature_def_key}' found in MetaGraphDef.")
    return meta_graph_def.signature_def[signature_def_key]
