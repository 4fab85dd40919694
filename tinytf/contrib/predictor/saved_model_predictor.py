"""Predictors made from saved models."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import tinytf as tf
from tinytf.contrib.predictor.predictor import Predictor, tensor_names
from tinytf.python.tools.saved_model_utils import read_saved_model

__all__ = ["DEFAULT_TAGS", "SavedModelPredictor", "get_meta_graph_def"]

DEFAULT_TAGS = "serve"


class SavedModelPredictor(Predictor):
    """A predictor for a saved model, see `tf.contrib.predictor.from_saved_model`."""

    def __init__(
        self,
        export_dir: Any,
        signature_def_key: str | None = None,
        signature_def: Any = None,
        input_names: Mapping[str, str] | None = None,
        output_names: Mapping[str, str] | None = None,
        tags: str | None = None,
        graph: Any = None,
        config: Any = None,
    ) -> None:
        if (input_names is None) != (output_names is None):
            raise ValueError("input_names and output_names must both be specified or both be unspecified.")
        if sum(given is not None for given in (signature_def_key, signature_def, input_names)) > 1:
            raise ValueError(
                "You must specify at most one of signature_def_key OR signature_def OR(input_names AND output_names)."
            )
        tags = tags or DEFAULT_TAGS
        self._graph = graph or tf.Graph()
        with self._graph.as_default():
            self._session = tf.Session(config=config)
            try:
                meta_graph_def = tf.saved_model.load(self._session, tags.split(","), export_dir)
                if input_names is None or output_names is None:
                    if signature_def is None:
                        signature_def = _signature_def(meta_graph_def, signature_def_key)
                    input_names, output_names = tensor_names(signature_def.inputs), tensor_names(signature_def.outputs)
                self._connect(input_names, output_names)
            except BaseException:
                self._session.close()
                raise


def get_meta_graph_def(saved_model_dir: Any, tags: str) -> Any:
    """Returns the `MetaGraphDef` with exactly these tags, a comma-separated string. Raises ValueError if
    there is none."""
    wanted = {tag.strip() for tag in tags.split(",")}
    for meta_graph_def in read_saved_model(saved_model_dir).meta_graphs:
        if set(meta_graph_def.meta_info_def.tags) == wanted:
            return meta_graph_def
    raise ValueError(f"Could not find MetaGraphDef with tags {tags}")


def _signature_def(meta_graph_def: Any, key: str | None) -> Any:
    """Returns the signature of that name, or of the name that early estimators gave it.

    Raises ValueError if there is neither; TensorFlow returns an empty signature then.
    """
    key = key or tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    found = meta_graph_def.signature_def
    if key in found:
        return found[key]
    early = f"default_input_alternative:{key}"
    if early not in found:
        raise ValueError(f'Got signature_def_key "{key}". Available signatures are {sorted(found)}.')
    logging.warning('Could not find signature def "%s". Using "%s" instead', key, early)
    return found[early]
