"""`tf.sysconfig`: the location of the package, and compiler and linker flags for extensions.

There are no headers to compile against; the results serve scripts that print them or pass them on.
"""

from __future__ import annotations

import os

from tinytf._src.exports import tf_export

CXX11_ABI_FLAG = 1  # libstdc++'s ABI of strings and lists since GCC 5
MONOLITHIC_BUILD = 0


@tf_export("sysconfig.get_lib")
def get_lib() -> str:
    """The directory of the package, which contains the engine, as str."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@tf_export("sysconfig.get_include")
def get_include() -> str:
    """The directory where headers would be, as str; it does not exist."""
    return os.path.join(get_lib(), "include")


@tf_export("sysconfig.get_compile_flags")
def get_compile_flags() -> list[str]:
    """Compiler flags for extensions, as a list of str."""
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}"]


@tf_export("sysconfig.get_link_flags")
def get_link_flags() -> list[str]:
    """Linker flags for extensions, as a list of str."""
    return [f"-L{get_lib()}"]


tf_export("sysconfig.*", "*").constants(__name__, "CXX11_ABI_FLAG", "MONOLITHIC_BUILD")

tf_export("sysconfig").namespace(__doc__)
