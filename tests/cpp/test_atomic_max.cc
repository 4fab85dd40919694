#include "base/atomic_max.h"

#include <cstdint>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(raise_to_keeps_the_most) {
  std::atomic<int64_t> most{-5};
  raise_to<int64_t>(most, -7);
  EXPECT_EQ(most.load(), -5);
  raise_to<int64_t>(most, 3);
  raise_to<int64_t>(most, 3);
  EXPECT_EQ(most.load(), 3);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&most, t] {
      for (int64_t i = 0; i < 1000; ++i) raise_to<int64_t>(most, 4 * i + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most.load(), 3999);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
