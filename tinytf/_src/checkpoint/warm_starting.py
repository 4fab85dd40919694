"""Warm-starts variables from checkpoints, also with changed vocabularies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

from tinytf._src.checkpoint.checkpoint_init import init_from_checkpoint, is_variable
from tinytf._src.checkpoint.checkpoint_reader import checkpoint_of
from tinytf._src.checkpoint.object_checkpoints import object_graph_key_mapping
from tinytf._src.checkpoint.saved_names import op_list_to_dict
from tinytf._src.checkpoint.vocabularies import begin_with_other_vocabulary
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs import tf_logging


class _VocabInfo(NamedTuple):
    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int
    backup_initializer: Callable[..., Any] | None
    axis: int


@tf_export("train.VocabInfo")
class VocabInfo(_VocabInfo):
    """Describes how the vocabulary of a variable's rows (with `axis` 1: columns) differs from a checkpoint's. A named
    tuple.

    Args:
      new_vocab: text file with the variable's vocabulary, one word per line.
      new_vocab_size: int, number of its lines to use.
      num_oov_buckets: int, number of additional rows at the end for out-of-vocabulary words.
      old_vocab: text file with the checkpoint's vocabulary.
      old_vocab_size: int, number of its lines to use; -1: all.
      backup_initializer: initializer for rows of new words; None: zeros.
      axis: 0 for rows, 1 for columns.

    Raises:
      ValueError: for another `axis`.
    """

    def __new__(
        cls,
        new_vocab: str,
        new_vocab_size: int,
        num_oov_buckets: int,
        old_vocab: str,
        old_vocab_size: int = -1,
        backup_initializer: Callable[..., Any] | None = None,
        axis: int = 0,
    ) -> VocabInfo:
        if axis not in (0, 1):
            raise ValueError(f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}")
        return super().__new__(
            cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size, backup_initializer, axis
        )


class _WarmStartSettings(NamedTuple):
    ckpt_to_initialize_from: str
    vars_to_warm_start: Any
    var_name_to_vocab_info: Mapping[str, VocabInfo]
    var_name_to_prev_var_name: Mapping[str, str]


@tf_export("estimator.WarmStartSettings")
class WarmStartSettings(_WarmStartSettings):
    """Arguments of `tf.train.warm_start`, for estimators. A named tuple.

    Args:
      ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info, var_name_to_prev_var_name: as of
        `tf.train.warm_start`.

    Raises:
      ValueError: if `ckpt_to_initialize_from` is empty.
    """

    __slots__ = ()

    def __new__(
        cls,
        ckpt_to_initialize_from: str,
        vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None,
        var_name_to_prev_var_name: Mapping[str, str] | None = None,
    ) -> WarmStartSettings:
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls,
            ckpt_to_initialize_from,
            vars_to_warm_start,
            var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )


@tf_export("train.warm_start")
@called_by_users
def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Makes variables' initializers read a checkpoint.

    Args:
      ckpt_to_initialize_from: path prefix of a checkpoint, or a directory whose latest checkpoint is used.
      vars_to_warm_start: regular expression for names of trainable variables; or a list of regular expressions for
        names of global variables; or a list of variables. None: only the trainable variables in
        `var_name_to_vocab_info`.
      var_name_to_vocab_info: dict from names to `VocabInfo`s, for variables whose vocabulary has changed, or None.
      var_name_to_prev_var_name: dict from names to names in the checkpoint, where they differ, or None. For an
        object-based checkpoint, None means the names that variables had when it was written.

    Raises:
      ValueError: for names that are not used, for `vars_to_warm_start` of another type, and for variables that an
        object-based checkpoint lacks.
    """
    tf_logging.info("Warm-starting from: %s", ckpt_to_initialize_from)
    variables = _grouped(vars_to_warm_start)
    vocabularies = dict(var_name_to_vocab_info or {})
    earlier = dict(var_name_to_prev_var_name or _keys_of_objects(ckpt_to_initialize_from, variables.keys()))
    plain: dict[str, Any] = {}
    for name, pieces in variables.items():
        info = vocabularies.get(name)
        if info is not None:
            begin_with_other_vocabulary(pieces, ckpt_to_initialize_from, earlier.get(name) or name, info)
        elif vars_to_warm_start:
            plain[earlier.get(name) or name] = pieces[0] if len(pieces) == 1 else pieces
    init_from_checkpoint(ckpt_to_initialize_from, plain)
    count = len(variables) if vars_to_warm_start else len(vocabularies.keys() & variables.keys())
    tf_logging.info("Warm-started %d variables.", count)
    for argument, unused in (
        ("var_name_to_prev_var_name", earlier.keys() - variables.keys()),
        ("var_name_to_vocab_info", vocabularies.keys() - variables.keys()),
    ):
        if unused:
            raise ValueError(
                f"You provided the following variables in {argument} that were not used: {unused}.  Perhaps you misspelled "
                f"them?  Here is the list of viable variable names: {variables.keys()}"
            )


def _keys_of_objects(checkpoint: Any, names: Set[str]) -> dict[str, str]:
    """Returns the keys of variables in an object-based checkpoint by name; an empty dict for other checkpoints."""
    try:
        keys = object_graph_key_mapping(checkpoint_of(checkpoint))
    except errors_impl.NotFoundError:
        return {}
    missing = names - keys.keys()
    if missing:
        raise ValueError(
            "Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain values for "
            f"all variables. The following variables were missing: {missing}"
        )
    return {name: keys[name] for name in names}


def _grouped(wanted: Any) -> dict[str, list[Any]]:
    """Returns the selected variables by their names in checkpoints; slices are grouped under the name of the whole."""
    graph = get_default_graph()
    if wanted is None or isinstance(wanted, str):
        tf_logging.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        found = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, wanted)
    elif not isinstance(wanted, list):
        raise ValueError(f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(wanted)}")
    elif all(isinstance(name, str) for name in wanted):
        found = [v for name in wanted for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, name)]
    elif all(map(is_variable, wanted)):
        found = wanted
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are "
            f"{list(map(type, wanted))}"
        )
    variables: dict[str, list[Any]] = {}
    for variable in found:
        variables.setdefault(_saved_name([variable]), []).append(variable)
    return variables


def _saved_name(pieces: Sequence[Any]) -> str:
    [name] = op_list_to_dict(list(pieces), convert_variable_to_tensor=False)
    return name
