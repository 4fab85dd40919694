"""Public names have the kinds and signatures of TensorFlow 1.15, listed in `names_of_1_15.txt`; missing ones are
recorded, and distinguished from names that TensorFlow does not have either.
"""

import inspect
import re
import types
from pathlib import Path

import pytest

from tinytf._src.api.missing import missing_names
from tinytf._src.tools.missing_names import find, missing

_LINE = re.compile(r"(\S+) (\w+)(?:\((.*)\))?$")
_NAMES = [Path(__file__).with_name(name) for name in ("names_of_1_15.txt", "contrib_names_of_1_15.txt")]
_ENTRIES = [match.groups() for file in _NAMES for match in map(_LINE.match, file.read_text().splitlines())]
_OWN = Path(__file__).with_name("own_names.txt")

# Intended differences from 1.15.
_SIGNATURES = {
    "tf.DType.__init__": "types are interned: made by as_dtype",
    "tf.dtypes.DType.__init__": "types are interned: made by as_dtype",
    "tf.Tensor.__init__": "made by operations only",
    "tf.VariableScope.get_variable": "takes what its store takes, by keyword",
    "tf.executing_eagerly": "a function of the engine",
    "tf.Variable.__init__": "None for the automatic kinds of synchronisation and aggregation",
    "tf.get_variable": "None for the automatic kinds of synchronisation and aggregation",
    "tf.Variable.eval": "takes a feed_dict, too",
    "tf.function": "takes experimental_implements, too",
    "tf.batch_to_space": "required arguments may be given by their other name",
    "tf.nn.conv3d_transpose": "required arguments may be given by their other name",
    "tf.nn.convolution": "required arguments may be given by their other name",
    "tf.train.Coordinator.stop_on_exception": "1.15 hides its arguments",
    "tf.train.Supervisor.managed_session": "1.15 hides its arguments",
    "tf.train.Scaffold.__init__": "takes local_init_feed_dict, too",
    "tf.train.SessionManager.__init__": "takes local_init_feed_dict, too",
    "tf.nn.rnn_cell.BasicLSTMCell.build": "1.15 calls `self` otherwise",
    "tf.nn.rnn_cell.BasicRNNCell.build": "1.15 calls `self` otherwise",
    "tf.nn.rnn_cell.GRUCell.build": "1.15 calls `self` otherwise",
    "tf.nn.rnn_cell.LSTMCell.build": "1.15 calls `self` otherwise",
    "tf.nn.rnn_cell.DeviceWrapper.__init__": "1.15 hides its arguments",
    "tf.nn.rnn_cell.DropoutWrapper.__init__": "1.15 hides its arguments",
    "tf.nn.rnn_cell.ResidualWrapper.__init__": "1.15 hides its arguments",
    "tf.contrib.eager.executing_eagerly": "a function of the engine",
    "tf.contrib.eager.in_eager_mode": "a function of the engine",
    "tf.contrib.eager.restore_variables_on_create": "1.15 hides its arguments",
    "tf.contrib.summary.create_summary_file_writer": "1.15 hides its arguments",
    "tf.contrib.framework.BoundedTensorSpec.from_spec": "takes a name, too, as TensorSpec's does",
    "tf.contrib.training.FeedingQueueRunner.to_proto": "takes what its base takes, to refuse it",
    "tf.nn.softmax_cross_entropy_with_logits_v2": "has the checks of its first version",
}
_KINDS = {"tf.errors.raise_exception_on_not_ok_status"}  # a function here, a class in 1.15


def _there():
    """Yields the entries of existing names, with the objects."""
    absent = missing_names()
    for name, kind, arguments in _ENTRIES:
        parts = name.split(".")
        if not any(".".join(parts[:n]) in absent for n in range(2, len(parts) + 1)):
            yield name, kind, arguments, find(name)


def test_the_list_of_missing_names_is_true():
    """If the list is wrong, `python tinytf/_src/tools/missing_names.py` rewrites it; it must only shrink."""
    assert missing(name for name, _, _ in _ENTRIES) == sorted(missing_names(), key=[e[0] for e in _ENTRIES].index)


def test_kinds():
    wrong = []
    for name, kind, _, value in _there():
        is_kind = {"class": inspect.isclass, "function": callable, "method": callable}.get(kind)
        if is_kind and not is_kind(value) and name not in _KINDS:
            wrong.append(f"{name} is no {kind}")
    assert not wrong, "\n".join(wrong)


def _parameters(arguments):
    """Names and defaults of the parameters, as text. Tuples are written as lists."""
    arguments = arguments.replace("=()", "=[]")
    plain = [a for a in re.split(r", (?![^[]*\])", arguments) if a and not a.startswith("*")]
    return [tuple(a.split("=", 1)) for a in plain]


def _own_parameters(value):
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    found = []
    for p in inspect.signature(value).parameters.values():
        if p.kind in kinds:
            default = list(p.default) if isinstance(p.default, tuple) else p.default
            found.append((p.name,) if p.default is p.empty else (p.name, str(default)))
    return found


def _is_comparable(default):
    return " object" not in default and "tensorflow." not in default and "instance" not in default


@pytest.mark.parametrize("kind", ["function", "method"])
def test_signatures(kind):
    wrong = []
    for name, its_kind, arguments, value in _there():
        if its_kind != kind or arguments is None or name in _SIGNATURES:
            continue
        wanted, found = _parameters(arguments), _own_parameters(value)
        if wanted[:1] in ([("self",)], [("cls",)]) and found[:1] not in ([("self",)], [("cls",)]):
            wanted = wanted[1:]
        alike = len(wanted) == len(found) and all(
            w[0] == f[0] and len(w) == len(f) and (len(w) == 1 or w[1] == f[1] or not _is_comparable(w[1]))
            for w, f in zip(wanted, found, strict=True)
        )
        if not alike:
            wrong.append(f"{name}\n  1.15: {wanted}\n  here: {found}")
    assert not wrong, f"{len(wrong)} others:\n" + "\n".join(wrong)


def _modules():
    there = [(name, value) for name, kind, _, value in _there() if kind == "module" and name != "tf.test.mock"]
    modules = [name for name, value in there if isinstance(value, types.ModuleType)]  # others are proto modules
    return [name for name in modules if name.split(".")[1:2] != ["contrib"]]  # in contrib, modules of files are visible


def test_own_names():
    """Names that TensorFlow 1.15 does not have are listed, so that no internal name becomes public unnoticed."""
    known = {name for name, _, _ in _ENTRIES}
    own = [f"{place}.{n}" for place in _modules() for n in dir(find(place)) if not n.startswith("_")]
    assert sorted(set(own) - known) == sorted(_OWN.read_text().split())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "LMDBReader",
            "module 'tinytf' has no attribute 'LMDBReader': tf.LMDBReader of TensorFlow 1.15 is not implemented yet",
        ),
        ("keras", "module 'tinytf' has no attribute 'keras': tf.keras of TensorFlow 1.15 is not part of tinytf"),
        (
            "reduce_summ",
            "module 'tinytf' has no attribute 'reduce_summ': neither tinytf nor TensorFlow 1.15 has tf.reduce_summ",
        ),
        (
            "nn.ctc_loss",
            "'tinytf.nn' has no attribute 'ctc_loss': tf.nn.ctc_loss of TensorFlow 1.15 is not implemented yet",
        ),
        (
            "losses.gen_ops",
            "'tinytf.losses' has no attribute 'gen_ops': neither tinytf nor TensorFlow 1.15 has tf.losses.gen_ops",
        ),
        ("math.__wrapped__", "module 'tinytf.math' has no attribute '__wrapped__'"),
        (
            "contrib.seq2seq",
            "module 'tinytf.contrib' has no attribute 'seq2seq': tf.contrib.seq2seq of TensorFlow 1.15 is not implemented yet",
        ),
        (
            "contrib.saved_model.load_keras_model",
            "tf.contrib.saved_model.load_keras_model of TensorFlow 1.15 is not implemented yet",
        ),
        (
            "contrib.training.no",
            "module 'tinytf.contrib.training' has no attribute 'no': tinytf has no tf.contrib.training.no",
        ),
    ],
)
def test_errors(name, says):
    with pytest.raises(AttributeError) as caught:
        find(f"tf.{name}")
    assert str(caught.value).endswith(says)


@pytest.mark.parametrize("kind", ["function", "method"])
def test_inspect_sees_no_annotations_and_no_wrappers(kind):
    """Packages compare `inspect.getfullargspec` of public functions with their own functions."""
    wrong = []
    for name, its_kind, arguments, value in _there():
        if its_kind != kind or arguments is None or name in _SIGNATURES or name.startswith("tf.contrib."):
            continue
        spec = inspect.getfullargspec(value)
        known = [p[0] for p in _own_parameters(value)]
        if spec.annotations or [a for a in spec.args if a not in ("self", "cls")] != [
            a for a in known if a not in ("self", "cls")
        ]:
            wrong.append(f"{name}: {spec}")
    assert not wrong, f"{len(wrong)} others:\n" + "\n".join(wrong)
