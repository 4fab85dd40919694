#include "handles/drain_tracker.h"

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(drains_are_waited_for) {
  CoreLock lock;
  DrainTracker drains(lock);
  EXPECT_OK(drains.wait(Waiting(0)));
  std::optional<DrainTracker::Drain> drain(drains);
  EXPECT_EQ(drains.wait(Waiting(5)).code(), Code::kDeadlineExceeded);
  EXPECT(!drains.waited_for());
  auto waited = std::async(std::launch::async, [&] { return drains.wait(Waiting()).ok(); });
  while (!drains.waited_for()) std::this_thread::yield();
  drain.reset();
  EXPECT(waited.get());
}

TINYTF_TEST(drains_that_begin_later_are_not_waited_for) {
  CoreLock lock;
  DrainTracker drains(lock);
  std::promise<void> draining;
  std::atomic<bool> over{false};
  std::thread drainer([&] {  // keeps at least one drain active
    auto drain = std::make_unique<DrainTracker::Drain>(drains);
    draining.set_value();
    while (!over) {
      auto next = std::make_unique<DrainTracker::Drain>(drains);
      drain = std::move(next);
    }
  });
  draining.get_future().wait();
  EXPECT_OK(drains.wait(Waiting()));
  over = true;
  drainer.join();
}

TINYTF_TEST(drains_of_others_are_forgotten_in_a_child) {
  CoreLock lock;
  DrainTracker drains(lock);
  const DrainTracker::Drain drain(drains);
  EXPECT(testing::holds_in_child([&] {
    const bool held = drains.wait(Waiting(0)).code() == Code::kDeadlineExceeded;
    drains.forget();
    return held && drains.wait(Waiting(0)).ok();
  }));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
