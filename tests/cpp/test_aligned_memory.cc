#include "base/aligned_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(aligned_memory_starts_a_cache_line_and_can_be_written) {
  constexpr size_t kMiB = size_t{1} << 20;
  for (const size_t bytes : {size_t{1}, size_t{63}, size_t{64}, size_t{100}, kMiB, 4 * kMiB - 1, 4 * kMiB, 9 * kMiB}) {
    void* memory = allocate_aligned(bytes);
    EXPECT(memory != nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, uintptr_t{0});
    if (bytes >= 4 * kMiB) EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % (2 * kMiB), uintptr_t{0});
    std::memset(memory, 1, bytes);
    std::free(memory);
  }
}

TINYTF_TEST(aligned_memory_that_there_is_not_is_null) { EXPECT(allocate_aligned(~size_t{0} / 2) == nullptr); }

}  // namespace TINYTF_FILE
}  // namespace tinytf
