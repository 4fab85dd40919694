#pragma once

#include <cstddef>

namespace tinytf {

/// The size and alignment of a huge page.
inline constexpr size_t kHugePage = size_t{2} << 20;

/// Returns at least `bytes` bytes aligned to a cache line, or null when memory is exhausted. The contents are
/// undefined; the caller frees the memory with std::free(). Blocks of 4 MiB and more are placed on huge pages where the
/// system grants them, which saves page faults at the first write and TLB misses when a kernel strides through them.
void* allocate_aligned(size_t bytes);

}  // namespace tinytf
