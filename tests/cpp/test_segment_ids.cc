#include "ops/math/shared/segment_ids.h"

#include <string>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

/// The error for the ids, or the runs passed to the callback: "0-2 2-3".
std::string seen(const std::vector<int64_t>& ids, int64_t segments) {
  std::string runs;
  kernels::UnevenParallel parallel;
  const Status status = check_segments(
      static_cast<int64_t>(ids.size()), segments, [&](int64_t i) { return ids[i]; },
      [&](int64_t begin, int64_t end) {
        runs += std::to_string(begin) + "-" + std::to_string(end) + " ";
        return ids[begin] == 7 ? invalid_argument("seven") : Status();
      },
      parallel);
  return status.ok() ? runs : std::string(status.message());
}

TINYTF_TEST(segment_ids_come_in_runs) {
  EXPECT_EQ(seen({0, 0, 2}, 3), "0-2 2-3 ");
  EXPECT_EQ(seen({}, 0), "");
  EXPECT_EQ(seen({1, 7, 8}, 9), "seven");
}

TINYTF_TEST(segment_ids_have_the_first_fault_that_is_met) {
  EXPECT_EQ(seen({0, 0}, 0), "segment ids must be >= 0");
  EXPECT_EQ(seen({}, -1), "segment ids must be >= 0");
  EXPECT_EQ(seen({2, 1, 7}, 8), "segment ids are not increasing");
  EXPECT_EQ(seen({-1, 0}, 1), "Segment id -1 out of range [0, 1), possibly because 'segment_ids' input is not sorted.");
  EXPECT_EQ(seen({3, 5, 2, 1}, 2),
            "Segment id 3 out of range [0, 2), possibly because 'segment_ids' input is not sorted.");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
