"""Rows of ops that make summaries, as messages of TensorFlow 1.15.5."""

import numpy as np
from op_table import fixed_row, other_node, registered_types

F32 = np.float32
_SCALAR = b"\n\x08\n\x01a\x15\x00\x00\x00@"
_OTHER = b"\n\x08\n\x01b\x15\x00\x00\x00@"
_TENSOR = b'\n\x15\n\x01aB\x0e\x08\x01\x12\x04\x12\x02\x08\x01"\x04\x00\x00\x00@J\x00'
_HISTOGRAM = (
    b"\n\x87\x01\n\x01a*\x81\x01\t\x00\x00\x00\x00\x00\x00\xf0?\x11\x00\x00\x00\x00\x00\x00\x00@\x19\x00\x00\x00\x00\x00"
    b"\x00\x00@!\x00\x00\x00\x00\x00\x00\x08@)\x00\x00\x00\x00\x00\x00\x14@2(\x08\x99i\x19\x15Z\xed?+\x14\xfa\xcd\xbe$"
    b"\xf0?\xdc\x94\xcd.\x8du\xff?\xe0\x11\xf1\x0ctM\x01@\xff\xff\xff\xff\xff\xff\xef\x7f:(\x00\x00\x00\x00\x00\x00\x00"
    b"\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00"
    b"\x00\x00\x00"
)
_SOUND = (
    b'\nS\n\ta/audio/02F\r\x00\x00\x00A\x10\x01\x18\x02"0RIFF(\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x08'
    b"\x00\x00\x00\x10\x00\x00\x00\x02\x00\x10\x00data\x04\x00\x00\x00\x00\x00\x00\x00*\taudio/wav"
)
# The head of the summary of a black image; the rest is a compressed PNG.
_IMAGE = b'\nX\n\ta/image/0"K\x08\x01\x10\x01\x18\x01"C\x89PNG'
_FRAMES = np.zeros([1, 2, 1], F32)


def _of_types(op, inputs, message):
    """The op on the second input as each of its types, with messages that are all the same."""
    types = registered_types(op)

    def program(node, tag, x):
        return [node(tag, other_node("Cast", x, DstT=t)) for t in types]

    return fixed_row(op, inputs, (message,) * len(types), more_types=types, program=program)


ROWS = [
    _of_types("ScalarSummary", [[b"a"], F32([2])], _SCALAR),
    _of_types("HistogramSummary", [b"a", F32([1, 2])], _HISTOGRAM),
    fixed_row(
        "ImageSummary",
        [b"a", np.zeros([1, 1, 1, 1], np.uint8)],
        _IMAGE,
        program=lambda node, tag, x: other_node("Substr", node(tag, x), 0, len(_IMAGE)),
        more_types=registered_types("ImageSummary"),
    ),
    fixed_row("AudioSummary", [b"a", _FRAMES], _SOUND, {"sample_rate": 8.0}, dtypes=("float32",)),
    fixed_row("AudioSummaryV2", [b"a", _FRAMES, F32(8)], _SOUND, dtypes=("float32",)),
    fixed_row("TensorSummaryV2", [b"a", F32([2]), b""], _TENSOR, more_types=registered_types("TensorSummaryV2")),
    fixed_row("MergeSummary", [(_SCALAR, _OTHER)], _SCALAR + _OTHER),
]
