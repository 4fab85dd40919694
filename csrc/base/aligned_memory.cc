#include "base/aligned_memory.h"

#include <sys/mman.h>

#include <cstdlib>

namespace tinytf {

namespace {
constexpr size_t kCacheLine = 64;
}  // namespace

void* allocate_aligned(size_t bytes) {
  const bool huge = bytes >= 2 * kHugePage;
  void* memory = nullptr;
  if (posix_memalign(&memory, huge ? kHugePage : kCacheLine, bytes) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  if (huge) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: only speed depends on it
#endif
  return memory;
}

}  // namespace tinytf
