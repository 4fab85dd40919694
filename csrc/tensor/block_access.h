#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tinytf {

// AddressSanitizer knows only malloc's blocks. These functions tell it which part of a block is a buffer, and that a
// block in a free list must not be accessed.
#if defined(__SANITIZE_ADDRESS__)
inline void forbid_access(void* begin, size_t bytes) { __asan_poison_memory_region(begin, bytes); }
inline void allow_access(void* begin, size_t bytes) { __asan_unpoison_memory_region(begin, bytes); }
#else
inline void forbid_access(void*, size_t) {}
inline void allow_access(void*, size_t) {}
#endif

}  // namespace tinytf
