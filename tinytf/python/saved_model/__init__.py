"""TensorFlow's path to SavedModels: modules of `tinytf.saving.model`."""

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        "builder": "tinytf.saving.model.builder",
        "builder_impl": "tinytf.saving.model.builder",
        "constants": "tinytf.saving.model.constants",
        "loader": "tinytf.saving.model.loader",
        "loader_impl": "tinytf.saving.model.loader",
        "main_op": "tinytf.saving.model.main_ops",
        "main_op_impl": "tinytf.saving.model.main_ops",
        "signature_constants": "tinytf.saving.model.constants",
        "signature_def_utils": "tinytf.saving.model.signatures",
        "signature_def_utils_impl": "tinytf.saving.model.signatures",
        "simple_save": "tinytf.saving.model.main_ops",
        "tag_constants": "tinytf.saving.model.constants",
        "utils": "tinytf.saving.model.tensor_infos",
        "utils_impl": "tinytf.saving.model.tensor_infos",
    },
)
