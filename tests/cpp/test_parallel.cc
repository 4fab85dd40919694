#include "base/parallel.h"

#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(serial_parallel_runs_one_range_in_place) {
  SerialParallel serial;
  EXPECT_EQ(serial.threads(), 1);
  int calls = 0;
  std::thread::id thread;
  serial.run(1000, 64, 1e9, [&](int64_t begin, int64_t end) {
    ++calls;
    thread = std::this_thread::get_id();
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(end, 1000);
  });
  EXPECT_EQ(calls, 1);
  EXPECT(thread == std::this_thread::get_id());
}

TINYTF_TEST(serial_parallel_of_nothing_calls_nothing) {
  SerialParallel serial;
  int calls = 0;
  const auto count = [&](int64_t, int64_t) { ++calls; };
  serial.run(0, 1, 1, count);
  serial.run(-1, 1, 1, count);
  EXPECT_EQ(calls, 0);
}

TINYTF_TEST(serial_parallel_loops_nest) {
  SerialParallel serial;
  Parallel& parallel = serial;
  int64_t total = 0;
  parallel.run(3, 1, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) parallel.run(5, 1, 1, [&](int64_t b, int64_t e) { total += e - b; });
  });
  EXPECT_EQ(total, 15);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
