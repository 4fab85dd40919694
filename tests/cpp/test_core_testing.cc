#include "handles/testing/core_testing.h"

#include <atomic>

#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(core_testing_holds_the_reaper) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  core->drop(core->make_handle(n_floats(6)));
  EXPECT_EQ(core->stats().queued, 1);
  testing.step();
  EXPECT_EQ(core->stats().queued, 0);
  testing.step(3);  // nothing to do
  core->drop(core->make_handle(n_floats(6)));
  testing.resume();
  testing.wait_idle();
  EXPECT_EQ(core->stats().queued, 0);
  testing.pause_reaper();
  core->drop(core->make_handle(n_floats(6)));
  EXPECT_OK(core->close());  // resumes the reaper
  EXPECT(!testing.has_reaper());
}

TINYTF_TEST(core_testing_needs_no_reaper) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  CoreTesting testing(*core);
  EXPECT(!testing.has_reaper());
  testing.pause_reaper();
  testing.step();
  testing.resume();
  testing.wait_idle();
}

TINYTF_TEST(core_testing_lets_go_at_its_end) {
  const OpenCore core(CleanupStrategy::kInBackground);
  int calls = 0;
  {
    CoreTesting testing(*core);
    testing.pause_reaper();
    testing.set_failpoint(TestPoint::kDropBeforePush, [&] { ++calls; });
    core->drop(core->make_handle(n_floats(6)));
  }
  core->drop(core->make_handle(n_floats(6)));
  EXPECT_EQ(calls, 1);
  CoreTesting again(*core);
  again.wait_idle();
  EXPECT_EQ(core->stats().freed, 2);
}

TINYTF_TEST(core_testing_comes_to_every_point) {
  std::atomic<int> seen{0};
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.wait_idle();
  for (int point = 0; point <= static_cast<int>(TestPoint::kTakeHandle); ++point) {
    testing.set_failpoint(static_cast<TestPoint>(point), [&seen, point] { seen |= 1 << point; });
  }
  testing.pause_reaper();
  for (int i = 0; i < 3; ++i) core->drop(core->make_handle(n_floats(int64_t{3} << 20)));  // more than one batch frees
  testing.resume();
  testing.wait_idle();
  EXPECT_OK(core->close());
  EXPECT_EQ(seen.load(), (1 << (static_cast<int>(TestPoint::kTakeHandle) + 1)) - 1);
}

TINYTF_TEST(core_testing_recounts_the_figures) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    CoreTesting testing(*core);
    testing.pause_reaper();
    TensorHandle* live = core->make_handle(n_floats(1));
    TensorHandle* closed = core->make_handle(n_floats(10));
    core->handles().close(closed);
    core->drop(core->make_handle(n_floats(100)));
    CoreTesting::Count count = testing.recount();
    const CoreStats stats = core->stats();
    EXPECT_EQ(count.live, stats.live);
    EXPECT_EQ(count.queued, stats.queued);
    EXPECT_EQ(count.retained, stats.retained);
    EXPECT_EQ(count.live_bytes, stats.live_bytes);
    EXPECT_EQ(count.queued_bytes, stats.queued_bytes);
    EXPECT_EQ(count.retained_bytes, stats.retained_bytes);
    EXPECT_EQ(count.closed, 1);
    EXPECT_OK(core->close());
    count = testing.recount();
    EXPECT_EQ(count.live + count.queued + count.retained, 0);
    EXPECT_EQ(count.invalidated, 1);
    core->drop(live);
    core->drop(closed);
    EXPECT_EQ(testing.recount().vacant, 3);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
