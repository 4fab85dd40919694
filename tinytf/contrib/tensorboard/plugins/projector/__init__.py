"""`tf.contrib.tensorboard.plugins.projector`: variables that TensorBoard shows as points."""

from __future__ import annotations

import os
from typing import Any

from tinytf import protos
from tinytf.python.lib.io import file_io

EmbeddingInfo = protos.EmbeddingInfo
ProjectorConfig = protos.ProjectorConfig
SpriteMetadata = protos.SpriteMetadata

__all__ = ["EmbeddingInfo", "ProjectorConfig", "SpriteMetadata", "visualize_embeddings"]


def visualize_embeddings(summary_writer: Any, config: Any) -> None:
    """Writes what the projector is to show, a `ProjectorConfig`, into the folder of a `tf.summary.FileWriter`, where it is
    looked for.

    The values come from the checkpoint that it names, or from the latest one in that folder. ValueError for a writer without
    a folder.
    """
    from google.protobuf import text_format

    logdir = summary_writer.get_logdir()
    if logdir is None:
        raise ValueError("Summary writer must have a logdir")
    text = text_format.MessageToString(config, as_utf8=False)
    file_io.write_string_to_file(os.path.join(logdir, "projector_config.pbtxt"), text)
