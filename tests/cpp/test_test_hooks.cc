#include "handles/test_hooks.h"

#include <chrono>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

class Noted final : public TestHooks {
 public:
  void at(TestPoint point) override { seen.push_back(point); }
  void reaper_told_to_stop() override { ++stops; }
  int64_t fake_now_ns() override { return now; }

  std::vector<TestPoint> seen;
  int stops = 0;
  int64_t now = -1;
};

TINYTF_TEST(test_hooks_call_the_hooks_that_came_first) {
  TestPoints points;
  points.at(TestPoint::kInDeleter);
  points.reaper_told_to_stop();
  EXPECT(points.hooks() == nullptr);
  auto& noted = static_cast<Noted&>(points.keep(std::make_unique<Noted>()));
  EXPECT_EQ(&points.keep(std::make_unique<Noted>()), static_cast<TestHooks*>(&noted));
  points.at(TestPoint::kTakeHandle);
  points.reaper_told_to_stop();
  EXPECT(noted.seen == std::vector<TestPoint>{TestPoint::kTakeHandle});
  EXPECT_EQ(noted.stops, 1);
}

TINYTF_TEST(test_hooks_have_a_clock_that_tests_move) {
  TestPoints points;
  const int64_t before = points.now_ns();
  EXPECT(before > 0 && points.now_ns() >= before);
  auto& noted = static_cast<Noted&>(points.keep(std::make_unique<Noted>()));
  EXPECT(points.now_ns() >= before);
  noted.now = 7;
  EXPECT_EQ(points.now_ns(), 7);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
