"""TensorFlow's path to SavedModels: modules of `tinytf._src.saved_model`."""

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        "builder": "tinytf._src.saved_model.builder",
        "builder_impl": "tinytf._src.saved_model.builder",
        "constants": "tinytf._src.saved_model.constants",
        "loader": "tinytf._src.saved_model.loader",
        "loader_impl": "tinytf._src.saved_model.loader",
        "main_op": "tinytf._src.saved_model.main_ops",
        "main_op_impl": "tinytf._src.saved_model.main_ops",
        "signature_constants": "tinytf._src.saved_model.constants",
        "signature_def_utils": "tinytf._src.saved_model.signatures",
        "signature_def_utils_impl": "tinytf._src.saved_model.signatures",
        "simple_save": "tinytf._src.saved_model.main_ops",
        "tag_constants": "tinytf._src.saved_model.constants",
        "utils": "tinytf._src.saved_model.tensor_infos",
        "utils_impl": "tinytf._src.saved_model.tensor_infos",
    },
)
