"""Ops are declared as in TensorFlow 1.15, field by field, because MetaGraphs contain the declarations."""

import gzip
import json
import os
from pathlib import Path

import pytest
from google.protobuf import text_format

from tinytf import _core
from tinytf._src import protos

KEPT = Path(__file__).with_name("op_defs_of_1_15.json.gz")
OF_1_15 = json.loads(gzip.decompress(KEPT.read_bytes())) if KEPT.exists() else {}

OWN = {
    "MatrixDiagPartV3",  # of later versions
    "MatrixDiagV3",
    "MatrixSetDiagV3",
    "StatelessCase",
    "ToBool",
}

# Declarations that differ to support graphs of later versions: images with a depth dimension.
_TWO_FORMATS, _FOUR_FORMATS = 's: "NHWC" s: "NCHW"', 's: "NHWC" s: "NCHW" s: "NDHWC" s: "NCDHW"'
WIDER = dict.fromkeys(("FusedBatchNormV3", "FusedBatchNormGradV3"), (_TWO_FORMATS, _FOUR_FORMATS))

_ASK = """
import importlib
from google.protobuf import text_format
from tensorflow.python.framework import op_def_registry

for module in ("framework", "rnn"):
    importlib.import_module("tensorflow.contrib." + module)  # which have ops of their own
tf.contrib.framework.zero_initializer(tf.get_variable("v", []))  # which loads them
result = {}
for name, op in op_def_registry.get_registered_ops().items():
    if name in names:
        op.ClearField("summary"), op.ClearField("description")
        for part in [*op.input_arg, *op.output_arg, *op.attr]:
            part.ClearField("description")
        result[name] = text_format.MessageToString(op, as_one_line=True)
"""


def _names():
    return [name for name in _core.op_names() if name not in OWN]


@pytest.mark.parametrize("name", _names())
def test_declarations(name):
    there = OF_1_15[name].replace(*WIDER[name]) if name in WIDER else OF_1_15[name]
    found = protos.OpDef.FromString(_core.op_def_proto(name))
    assert found == text_format.Parse(there, protos.OpDef())


def test_every_declaration_is_of_an_op():
    assert OF_1_15.keys() == set(_names())


@pytest.mark.oracle
def test_tensorflow_declares_what_is_kept(oracle1):
    shown = oracle1(_ASK, names=_names())
    if os.environ.get("TINYTF_RECORD"):
        KEPT.write_bytes(gzip.compress(json.dumps(shown, indent=0, sort_keys=True).encode(), mtime=0))
    assert json.loads(gzip.decompress(KEPT.read_bytes())) == shown
