"""Rows of ops on files: checkpoints of both formats, contents, names, vocabularies. The checkpoints are TensorFlow
1.15.5's.
"""

from base64 import b64decode

import numpy as np
from file_states import Folder
from state_table import FileRow

from tinytf._src.framework.values import dtypes

F32 = np.float32


def _texts(*texts):
    return np.array(texts, object)


_A = F32([[1, 2], [3, 4]])
_DATA = b64decode("AACAPwAAAEAAAEBAAACAQA==")
_INDEX = b64decode(
    "AAAGCAEaAggBAAETYQgBEggSAggCEgIIAigQNUwomHQAAAAAAQAAAAAbtVJ2AAAAAAEAAAAAwPKhsAABAmIAKAAAAAABAAAAAMVQfVItCDoOAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAV/uAiyR1R9s="
)
_OTHER = b64decode(
    "AAAGCAEaAggBAAELYggDEgAoBDWnjZ2IAAAAAAEAAAAAyKmfDwAAAAABAAAAAMDyobAAAQJjACAAAAAAAQAAAACTdQl0JQgyDgAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFf7gIskdUfb"
)
_MERGED = b64decode(
    "AAAGCAIaAggBAAETYQgBEggSAggCEgIIAigQNUwomHQAAQ1iCAMSABgBKAQ1p42diAAAAAABAAAAAJs6kkYAAAAAAQAAAADA8qGwAAECYwA5AAAA"
    "AAEAAAAAoXVr/z4ISw4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABX+4CLJHVH2w=="
)
_SAVED = b64decode(
    "AAAdChsKFQoBYRIIEgIIAhICCAIYASIECgAKABICCAEACh8AYQABAQKAf4B/Eh0KAWESBAoACgAaEioQAACAPwAAAEAAAEBAAACAQAAAAAABAAAA"
    "AI1QvAEAAAAAAQAAAADA8qGwAAECAQBUAAAAAAEAAAAADOOWWlkIZg4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABX+4CLJHVH"
    "2w=="
)
_SLICE = b64decode(
    "AAAhCh8KGQoBYRIIEgIIAhICCAQYASIICgIQAgoCEAISAggBAAojAGEAAQECgIKAghIhCgFhEggKAhACCgIQAhoSKhAAAIA/AAAAQAAAQEAAAIBA"
    "AAAAAAEAAAAAwypQmwAAAAABAAAAAMDyobAAAQIBAFwAAAAAAQAAAABZYJIQYQhuDgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AFf7gIskdUfb"
)
_SHARD = "data-00000-of-00001"
_CHECKPOINT = {"c.index": _INDEX, f"c.{_SHARD}": _DATA}
_PREFIX, _NAMES, _WHOLE = b"$D/c", _texts(b"a"), _texts(b"")
_FIRST_ROW = _texts(b"2 2 0,1:-")
_TYPES = {"dtypes": [dtypes.float32]}
_TYPE = {"dt": dtypes.float32}
_VOCABULARIES = {"new": b"venus\njupiter\nmercury\n", "old": b"mercury\nvenus\nmars\n"}


def _on(files):
    return type("Folder", (Folder,), {"files": files})


_saved, _early = _on(_CHECKPOINT), _on({"c": _SAVED})
_WORDS = _on(_VOCABULARIES)

_NO_CHECKPOINT = ("NotFoundError", "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for")
_NO_FILE = ("NotFoundError", "; No such file or directory")
_NO_TABLE = ("DataLossError", "not an sstable (bad magic number)")

ROWS = [
    FileRow("SaveV2", Folder, [_PREFIX, _NAMES, _WHOLE, [_A]], _CHECKPOINT),
    FileRow("Save", Folder, [_PREFIX, _NAMES, [_A]], {"c": _SAVED}),
    FileRow("SaveSlices", Folder, [_PREFIX, _NAMES, _texts(b"2 4 0,2:0,2"), [_A]], {"c": _SLICE}),
    FileRow(
        "RestoreV2",
        _saved,
        [_PREFIX, _NAMES, _WHOLE],
        _CHECKPOINT,
        [_A.tolist()],
        _TYPES,
        missing=_NO_CHECKPOINT,
        damaged=_NO_TABLE,
    ),
    FileRow(
        "RestoreV2",
        _saved,
        [_PREFIX, _NAMES, _FIRST_ROW],
        _CHECKPOINT,
        [[[1, 2]]],
        _TYPES,
        missing=_NO_CHECKPOINT,
        damaged=_NO_TABLE,
    ),
    FileRow(
        "Restore",
        _early,
        [_PREFIX, b"a"],
        {"c": _SAVED},
        [_A.tolist()],
        _TYPE,
        missing=_NO_CHECKPOINT,
        damaged=_NO_TABLE,
    ),
    FileRow(
        "RestoreSlice",
        _early,
        [_PREFIX, b"a", b"2 2 0,1:-"],
        {"c": _SAVED},
        [[[1, 2]]],
        _TYPE,
        missing=_NO_CHECKPOINT,
        damaged=_NO_TABLE,
    ),
    FileRow(
        "MergeV2Checkpoints",
        _on({"p/c.index": _INDEX, f"p/c.{_SHARD}": _DATA, "q/c.index": _OTHER, f"q/c.{_SHARD}": b"\7\0\0\0"}),
        [_texts(b"$D/p/c", b"$D/q/c"), b"$D/m"],
        {"m.index": _MERGED, "m.data-00000-of-00002": _DATA, "m.data-00001-of-00002": b"\7\0\0\0"},
        missing=_NO_FILE,
        damaged=_NO_TABLE,
    ),
    FileRow("ReadFile", _on({"c": b"a\0b"}), [_PREFIX], {"c": b"a\0b"}, [b"a\0b"], missing=_NO_FILE),
    FileRow("WriteFile", Folder, [b"$D/d/e", b"a\0b"], {"d/e": b"a\0b"}),
    FileRow("MatchingFiles", _on({"c1": b"", "c2": b""}), [b"$D/c?"], {"c1": b"", "c2": b""}, [[b"$D/c1", b"$D/c2"]]),
    FileRow(
        "GenerateVocabRemapping",
        _WORDS,
        [b"$D/new", b"$D/old"],
        _VOCABULARIES,
        [[1, -1, 0], 2],
        {"new_vocab_offset": 0, "num_new_vocab": 3},
        missing=_NO_FILE,
        damaged=("InvalidArgumentError", "lookup table size must be larger than last"),
    ),
    FileRow(
        "LoadAndRemapMatrix",
        _saved,
        [_PREFIX, b"a", np.int64([1, -1]), np.int64([1, 0]), F32([8, 9])],
        _CHECKPOINT,
        [[[4, 3], [8, 9]]],
        {"num_rows": 2, "num_cols": 2},
        missing=_NO_FILE,
        damaged=_NO_TABLE,
    ),
]
