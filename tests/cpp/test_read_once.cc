#include "base/read_once.h"

#include <atomic>
#include <cstdint>
#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {

TINYTF_TEST(read_once_gives_the_value) {
  const int32_t narrow = -7;
  const int64_t wide = int64_t{1} << 40;
  EXPECT_EQ(read_once(&narrow), -7);
  EXPECT_EQ(read_once(&wide), int64_t{1} << 40);
}

TINYTF_TEST(what_was_read_once_stays) {
  int64_t shared = 0;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int64_t value = 1; !done; value = 1 - value) __atomic_store_n(&shared, value, __ATOMIC_RELAXED);
  });
  for (int i = 0; i < 10000; ++i) {
    const int64_t value = read_once(&shared);
    const bool was_set = value == 1;
    EXPECT_EQ(value, was_set ? 1 : 0);
  }
  done = true;
  writer.join();
}

}  // namespace tinytf
