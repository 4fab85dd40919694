"""`tf.sysconfig`: where the package lies, and the flags of what is compiled against it.

There are no headers to compile against: the answers are for scripts that print or pass them on.
"""

from __future__ import annotations

import os

from tinytf.exports import tf_export

CXX11_ABI_FLAG = 1  # strings and lists as libstdc++ has had them since GCC 5
MONOLITHIC_BUILD = 0


@tf_export("sysconfig.get_lib")
def get_lib() -> str:
    """The folder of the package, where the engine is."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@tf_export("sysconfig.get_include")
def get_include() -> str:
    """Where headers would be."""
    return os.path.join(get_lib(), "include")


@tf_export("sysconfig.get_compile_flags")
def get_compile_flags() -> list[str]:
    """Flags of the compiler."""
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}"]


@tf_export("sysconfig.get_link_flags")
def get_link_flags() -> list[str]:
    """Flags of the linker."""
    return [f"-L{get_lib()}"]


tf_export("sysconfig.*", "*").constants(__name__, "CXX11_ABI_FLAG", "MONOLITHIC_BUILD")

tf_export("sysconfig").namespace(__doc__)
