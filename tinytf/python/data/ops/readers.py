"""TensorFlow's path to datasets of files."""

from tinytf._src.data.readers import (
    FixedLengthRecordDatasetV1,
    FixedLengthRecordDatasetV2,
    TextLineDatasetV1,
    TextLineDatasetV2,
    TFRecordDatasetV1,
    TFRecordDatasetV2,
)

FixedLengthRecordDataset = FixedLengthRecordDatasetV1
TFRecordDataset = TFRecordDatasetV1
TextLineDataset = TextLineDatasetV1

__all__ = [
    "FixedLengthRecordDataset",
    "FixedLengthRecordDatasetV1",
    "FixedLengthRecordDatasetV2",
    "TFRecordDataset",
    "TFRecordDatasetV1",
    "TFRecordDatasetV2",
    "TextLineDataset",
    "TextLineDatasetV1",
    "TextLineDatasetV2",
]
