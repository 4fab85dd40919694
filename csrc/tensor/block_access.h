#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tinytf {

// AddressSanitizer knows malloc's blocks only: it is told which part of a block is a buffer, and that blocks in a free
// list are nobody's.
#if defined(__SANITIZE_ADDRESS__)
inline void forbid_access(void* begin, size_t bytes) { __asan_poison_memory_region(begin, bytes); }
inline void allow_access(void* begin, size_t bytes) { __asan_unpoison_memory_region(begin, bytes); }
#else
inline void forbid_access(void*, size_t) {}
inline void allow_access(void*, size_t) {}
#endif

}  // namespace tinytf
