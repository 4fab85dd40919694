// Cores in forked children.

#include <future>
#include <thread>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(core_goes_on_in_a_child) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const bool makes = kChildrenStartThreads || strategy != CleanupStrategy::kInBackground;
    const OpenCore core(strategy);
    TensorHandle* held = core->make_handle(n_floats(6, 2.5f));
    core->drop(core->make_handle(n_floats(6)));
    EXPECT(holds_in_child([&] {
      if (held->tensor().data<float>()[5] != 2.5f) return false;
      const SessionCore::Entry entry(*core);
      if (makes) core->drop(core->make_handle(n_floats(6)));
      core->drop(held);
      if (!core->reclaim().flush(-1).ok()) return false;
      const CoreStats stats = core->stats();
      return stats.live == 0 && stats.queued == 0 && stats.fork_orphaned == 0 &&
             stats.reaper_alive == (makes && strategy == CleanupStrategy::kInBackground);
    }));
    EXPECT(holds_in_child([&] { return core->close().ok() && !held->live(); }));
    EXPECT(held->live());
    core->drop(held);
  }
}

TINYTF_TEST(core_in_a_child_forgets_operations_of_others) {
  const OpenCore core(CleanupStrategy::kInBackground);
  std::promise<void> inside, may_leave;
  std::thread visitor([&] {
    const SessionCore::Entry entry(*core);
    inside.set_value();
    may_leave.get_future().wait();
  });
  inside.get_future().wait();
  {
    const SessionCore::Entry entry(*core);
    EXPECT(holds_in_child([&] {
      {
        const SessionCore::Entry nested(*core);
      }
      const CoreStats stats = core->stats();
      return stats.fork_orphaned == 1 && stats.active_ops == 1 &&
             core->close().code() == Code::kFailedPrecondition;  // this thread itself is still inside
    }));
  }
  EXPECT(holds_in_child([&] { return core->close().ok(); }));
  EXPECT_EQ(core->stats().active_ops, 1);
  may_leave.set_value();
  visitor.join();
}

TINYTF_TEST(core_that_another_thread_is_closing_is_closed_by_the_child) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  std::promise<void> closing, may_close;
  testing.set_failpoint(TestPoint::kClosingBeforeJoin, [&] {
    closing.set_value();
    may_close.get_future().wait();
  });
  std::thread closer([&] { EXPECT_OK(core->close()); });
  closing.get_future().wait();
  testing.set_failpoint(TestPoint::kClosingBeforeJoin, nullptr);
  EXPECT(holds_in_child([&] { return core->close().ok() && core->life() == CoreStats::Life::kClosed; }));
  EXPECT_EQ(core->life(), CoreStats::Life::kClosing);
  may_close.set_value();
  closer.join();
}

TINYTF_TEST(core_abandoned_in_a_child_frees_in_place) {
  auto core = make_ref<SessionCore>(CoreOptions());
  TensorHandle* held = core->make_handle(n_floats(6));
  EXPECT(holds_in_child([&] {
    SessionCore& left = *core;
    left.abandon();
    const int64_t buffers = Allocator::live_buffers();
    left.drop(held);
    return Allocator::live_buffers() == buffers - 1;
  }));
  core->drop(held);
  EXPECT_OK(core->close());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
