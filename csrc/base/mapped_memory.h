#pragma once

#include <cstddef>

namespace tinytf {

/// Maps `bytes` bytes, a multiple of the page size, and returns null when memory is exhausted. Meant for large blocks:
/// unmapping returns them to the system at once, which std::free does not guarantee. Blocks of 4 MiB and more are
/// placed on huge pages where the system grants them.
void* map_memory(size_t bytes);
/// Unmaps memory from map_memory; `bytes` is the size that was passed there.
void unmap_memory(void* memory, size_t bytes) noexcept;

}  // namespace tinytf
