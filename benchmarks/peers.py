"""The peers: libraries that the workloads run on. Each is imported only in its own process."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# Variables that set the thread count of peers, which read them when they are loaded.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def environment(threads: int) -> dict[str, str]:
    """The environment of a peer's process. It allows bytecode files, as for installed packages, because imports are
    timed.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_USE_LEGACY_KERAS": "1", "PYTHONWARNINGS": "ignore"}
    return {**inherited, **quiet, **dict.fromkeys(THREAD_VARIABLES, str(threads))}


class _Sessions:
    """A library with the session API of TensorFlow 1."""

    tf: Any
    config: Any

    def session(self) -> Any:
        """Returns a session of the default graph."""
        return self.tf.Session(config=self.config)

    def initialized(self) -> Any:
        """Returns a session in which the variables are initialized."""
        session = self.session()
        session.run(self.tf.global_variables_initializer())
        return session

    def stored(self, array: np.ndarray) -> Any:
        """A variable that holds `array`, so that the input cannot be folded, and the feed for its initializer."""
        source = self.tf.placeholder(array.dtype, array.shape)
        return self.tf.Variable(source, trainable=False), {source: array}

    def program(self, build: Any, *arrays: np.ndarray) -> Any:
        """Returns a function that runs `build(*variables)` on stored arrays and returns its value."""
        variables, feeds = [], {}
        for array in arrays:
            variable, feed = self.stored(array)
            variables.append(variable)
            feeds.update(feed)
        result = build(*variables)
        session = self.session()
        session.run(self.tf.global_variables_initializer(), feeds)
        return session.make_callable(result)


class TinyTF(_Sessions):
    """tinytf itself."""

    def __init__(self, threads: int) -> None:
        import tinytf
        from tinytf._src import protos

        self.threads = threads
        self.tf = tinytf
        self.version = tinytf.__version__
        self.config = protos.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)


class TensorFlow(_Sessions):
    """TensorFlow 2 with the behavior of version 1."""

    def __init__(self, threads: int) -> None:
        import tensorflow

        self.threads = threads
        self.tf = tensorflow.compat.v1
        self.tf.disable_v2_behavior()
        self.version = tensorflow.__version__
        self.config = self.tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)


class Torch:
    """PyTorch in eager mode."""

    def __init__(self, threads: int) -> None:
        import torch

        torch.set_num_threads(threads)
        torch.set_num_interop_threads(1)
        self.threads = threads
        self.torch = torch
        self.version = torch.__version__

    def program(self, function: Any, *arrays: np.ndarray) -> Any:
        """Returns a function that calls `function` on tensors with these values in inference mode."""
        tensors = [self.torch.from_numpy(array) for array in arrays]
        inference = self.torch.inference_mode()(function)
        return lambda: inference(*tensors)


class TorchCompiled(Torch):
    """PyTorch with torch.compile."""

    def program(self, function: Any, *arrays: np.ndarray) -> Any:
        return super().program(self.torch.compile(function), *arrays)


class OnnxRuntime:
    """ONNX Runtime on models made with the onnx package."""

    def __init__(self, threads: int) -> None:
        import onnx
        import onnxruntime

        self.threads = threads
        self.onnx = onnx
        self.runtime = onnxruntime
        self.version = onnxruntime.__version__

    def program(self, nodes: list[tuple[Any, ...]], feeds: dict[str, np.ndarray], **constants: np.ndarray) -> Any:
        """Returns a function that runs the model, whose output is that of the last node.

        A node is (operator, inputs, output, attributes); `constants` are initializers.
        """
        helper = self.onnx.helper
        element_type = helper.np_dtype_to_tensor_dtype
        graph = helper.make_graph(
            [helper.make_node(op, inputs, outputs, **attributes) for op, inputs, outputs, attributes in nodes],
            "benchmark",
            [helper.make_tensor_value_info(name, element_type(a.dtype), a.shape) for name, a in feeds.items()],
            [helper.make_empty_tensor_value_info(nodes[-1][2][0])],
            [self.onnx.numpy_helper.from_array(array, name) for name, array in constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = self.runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        outputs = [nodes[-1][2][0]]
        return lambda: session.run(outputs, feeds)


class Numpy:
    """NumPy, which is always installed."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.version = np.__version__


PEERS = {
    "tinytf": TinyTF,
    "tensorflow": TensorFlow,
    "torch": Torch,
    "torch.compile": TorchCompiled,
    "onnxruntime": OnnxRuntime,
    "numpy": Numpy,
}
