#pragma once

#include <cstddef>

namespace tinytf {

/// At least `bytes` bytes that start a cache line, or null when memory is out. Contents are undefined; std::free()
/// gives them back. Blocks of several MiB are put on huge pages where the system grants them: fewer page faults when
/// they are first written and fewer address lookups when a kernel strides through them.
void* allocate_aligned(size_t bytes);

}  // namespace tinytf
