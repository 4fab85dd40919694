"""`tf.python_io`: record files (TFRecord), which usually hold serialized examples."""

from tinytf._src.exports import tf_export
from tinytf._src.platform.tf_record_options import TFRecordCompressionType, TFRecordOptions
from tinytf._src.platform.tf_record_reader import tf_record_iterator
from tinytf._src.platform.tf_record_writer import TFRecordWriter

__all__ = ["TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator"]

tf_export("python_io").namespace(__doc__)
