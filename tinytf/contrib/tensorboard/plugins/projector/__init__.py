"""`tf.contrib.tensorboard.plugins.projector`: configuration of TensorBoard's embedding projector."""

from __future__ import annotations

import os
from typing import Any

from tinytf import gfile
from tinytf._src import protos

EmbeddingInfo = protos.EmbeddingInfo
ProjectorConfig = protos.ProjectorConfig
SpriteMetadata = protos.SpriteMetadata

__all__ = ["EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"]


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes the configuration of the embedding projector to the log directory, where TensorBoard reads it.

    Args:
      summary_writer: a `tf.summary.FileWriter`.
      config: a `ProjectorConfig`. The embeddings come from its checkpoint, or from the latest one in the log directory.

    Raises:
      ValueError: if the writer has no log directory.
    """
    from google.protobuf import text_format

    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError("Summary writer must have a logdir")
    with gfile.GFile(os.path.join(logdir, "projector_config.pbtxt"), "w") as file:
        file.write(text_format.MessageToString(config, as_utf8=False))
