#include "base/mapped_memory.h"

#include <sys/mman.h>

#include <cstdint>

#include "base/aligned_memory.h"

namespace tinytf {

namespace {

void* map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

void* map_memory(size_t bytes) {
  if (bytes < 2 * kHugePage) return map(bytes);
  if (bytes + kHugePage < bytes) return nullptr;
  char* const begin = static_cast<char*>(map(bytes + kHugePage));
  if (begin == nullptr) return nullptr;
  const size_t skipped = (kHugePage - reinterpret_cast<uintptr_t>(begin) % kHugePage) % kHugePage;
  char* const aligned = begin + skipped;
  if (skipped > 0) munmap(begin, skipped);
  if (skipped < kHugePage) munmap(aligned + bytes, kHugePage - skipped);
#ifdef MADV_HUGEPAGE
  madvise(aligned, bytes, MADV_HUGEPAGE);  // a hint: only speed depends on it
#endif
  return aligned;
}

void unmap_memory(void* memory, size_t bytes) noexcept { munmap(memory, bytes); }

}  // namespace tinytf
