"""Function-local statics of the engine are initialized during the import.

If a process forks while another thread initializes such an object, the child waits for the initialization forever.
"""

import shutil
import subprocess

from build_folders import engine_folder

# Initialized by csrc/python/module.cc, directly or indirectly.
_AT_IMPORT = {
    "tinytf::(anonymous namespace)::allocators()::all",
    "tinytf::(anonymous namespace)::named_pools()::pools",
    "tinytf::(anonymous namespace)::registries()::registries",
    "tinytf::Allocator::process()::allocator",
    "tinytf::EagerLibrary::of_process()::library",
    "tinytf::SessionCore::outside()::core",
    "tinytf::ThreadPool::Family::get()::family",
    "tinytf::ThreadPool::process()::pool",
    "tinytf::kernels::(anonymous namespace)::tables()::tables",
}
# Thread-local objects.
_OF_THREADS = {
    "tinytf::(anonymous namespace)::identity_slots(int)::many",
    "tinytf::(anonymous namespace)::pile()::pile",
    "tinytf::StepStats::this_thread()::id",
    "tinytf::ThreadSlot::take()::mine",
}


def test_nothing_else_is_made_when_it_is_first_needed():
    nm = shutil.which("nm")
    archives = sorted(engine_folder().glob("libtinytf_core.a"))
    assert nm and archives
    symbols = subprocess.run([nm, "-C", *archives], capture_output=True, text=True, check=True).stdout
    guards = {line.split("guard variable for ")[1] for line in symbols.splitlines() if "guard variable for " in line}
    found = {name.split("[abi:")[0] for name in guards}
    assert found - _OF_THREADS == _AT_IMPORT
