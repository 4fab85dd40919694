#pragma once

#include <cstddef>

namespace tinytf {

/// Memory straight from the system, for large blocks: it goes back there at once, wherever it lies, which the C library
/// does not promise of its own. `bytes` is a multiple of the page size. Null when memory is out. Blocks of several MiB
/// are put on huge pages where the system grants them.
void* map_memory(size_t bytes);
/// Gives such memory back; `bytes` as it was asked for.
void unmap_memory(void* memory, size_t bytes) noexcept;

}  // namespace tinytf
