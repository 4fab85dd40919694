#include "base/mapped_memory.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

constexpr size_t kMiB = size_t{1} << 20;

TINYTF_TEST(mapped_memory_can_be_written_and_given_back) {
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> blocks;
    const std::vector<size_t> sizes = {kMiB, kMiB + 4096, 3 * kMiB, 4 * kMiB, 5 * kMiB + 4096, 64 * kMiB};
    for (const size_t bytes : sizes) {
      void* memory = map_memory(bytes);
      EXPECT(memory != nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 4096, uintptr_t{0});
      if (bytes >= 4 * kMiB) EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % (2 * kMiB), uintptr_t{0});
      std::memset(memory, 1, bytes);
      blocks.push_back(memory);
    }
    for (size_t i = 0; i < blocks.size(); ++i) unmap_memory(blocks[i], sizes[i]);
  }
}

TINYTF_TEST(mapped_memory_that_there_is_not_is_null) {
  EXPECT(map_memory(~size_t{0} / 4096 * 4096) == nullptr);
  EXPECT(map_memory(size_t{1} << 60) == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
