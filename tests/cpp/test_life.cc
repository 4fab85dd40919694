#include "handles/life.h"

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using Life = CoreStats::Life;

/// A thread that stays inside the core until `leave`.
class Visitor {
 public:
  explicit Visitor(SessionCore& core)
      : thread_([this, &core] {
          const SessionCore::Entry entry(core);
          EXPECT(entry);
          inside_.set_value();
          may_leave_.get_future().wait();
        }) {
    inside_.get_future().wait();
  }
  ~Visitor() { thread_.join(); }
  void leave() { may_leave_.set_value(); }

 private:
  std::promise<void> inside_, may_leave_;
  std::thread thread_;
};

/// Blocks the first thread that frees values until `let_go`.
class HeldDrain {
 public:
  explicit HeldDrain(CoreTesting& testing) {
    testing.set_failpoint(TestPoint::kTakenBeforeFree, [state = state_] {
      if (state->seen.exchange(true)) return;
      state->freeing.set_value();
      state->may_go_on.get_future().wait();
    });
  }
  void wait() { state_->freeing.get_future().wait(); }
  void let_go() { state_->may_go_on.set_value(); }

 private:
  struct State {
    std::atomic<bool> seen{false};
    std::promise<void> freeing, may_go_on;
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

TINYTF_TEST(core_close_waits_for_those_inside) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    TensorHandle* handle = core->make_handle(n_floats(6));
    Visitor visitor(*core);
    EXPECT_EQ(core->close(0).code(), Code::kDeadlineExceeded);
    EXPECT_EQ(core->life(), Life::kClosing);
    EXPECT(!SessionCore::Entry(*core));
    const Status late = core->close(30);
    EXPECT_EQ(late.message(), std::string("The session did not end within 30 ms: 1 operation is still running."));
    EXPECT(handle->live());  // still live
    EXPECT_EQ(core->stats().active_ops, 1);
    visitor.leave();
    EXPECT_OK(core->close());
    EXPECT_EQ(core->life(), Life::kClosed);
    EXPECT(!handle->live());
    core->drop(handle);
  }
}

TINYTF_TEST(core_close_can_be_interrupted_and_tried_again) {
  const OpenCore core(CleanupStrategy::kInBackground);
  Visitor visitor(*core);
  int looks = 0;
  EXPECT_EQ(core->close(-1, false, [&] { return ++looks == 3; }).code(), Code::kCancelled);
  EXPECT_EQ(looks, 3);
  EXPECT_EQ(core->life(), Life::kClosing);
  visitor.leave();
  EXPECT_OK(core->close(-1, false, [] { return false; }));
}

TINYTF_TEST(core_close_from_inside_is_refused) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  const OpenCore other(CleanupStrategy::kOnSafePoints);
  {
    const SessionCore::Entry outer(*core);
    const SessionCore::Entry inner(*other);
    const Status status = core->close();
    EXPECT_EQ(status.code(), Code::kFailedPrecondition);
    EXPECT_EQ(status.message(), std::string("close() was called from inside an operation of this session"));
    EXPECT_EQ(core->reset().code(), Code::kFailedPrecondition);
    EXPECT_EQ(core->life(), Life::kOpen);
  }
  EXPECT_OK(core->close());
  const SessionCore::Entry entry(*core);
  EXPECT_OK(core->close());  // a refused entry does not count as inside
}

TINYTF_TEST(core_close_waits_for_the_reaper) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  HeldDrain drain(testing);
  core->drop(core->make_handle(n_floats(6)));
  drain.wait();
  EXPECT_EQ(core->close(20).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(core->life(), Life::kClosing);
  drain.let_go();
  EXPECT_OK(core->close());
  EXPECT(!testing.has_reaper());
  expect_balanced(*core);
}

TINYTF_TEST(core_close_by_many_threads_is_one) {
  const OpenCore core(CleanupStrategy::kInBackground);
  core->drop(core->make_handle(n_floats(6)));
  CoreTesting testing(*core);
  std::atomic<int> closings{0};
  testing.set_failpoint(TestPoint::kClosingBeforeJoin, [&] { ++closings; });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      EXPECT_OK(core->close());
      EXPECT_EQ(core->life(), Life::kClosed);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(closings.load(), 1);
}

TINYTF_TEST(core_drop_during_close_frees_once) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  TensorHandle* handle = core->make_handle(n_floats(6));
  std::promise<void> dropping, may_push;
  testing.set_failpoint(TestPoint::kDropBeforePush, [&] {
    dropping.set_value();
    may_push.get_future().wait();
  });
  std::thread dropper([&] { core->drop(handle); });
  dropping.get_future().wait();
  EXPECT_OK(core->close());  // the dropping thread owns the handle: close neither frees nor invalidates it
  EXPECT_EQ(core->stats().invalidated, 0);
  EXPECT_EQ(core->stats().freed, 0);
  may_push.set_value();
  dropper.join();
  EXPECT_EQ(core->stats().freed, 1);
  EXPECT_EQ(core->stats().queued, 0);
  EXPECT_EQ(core->stats().live_bytes, 0);
  expect_balanced(*core);
}

class WaitingNode final : public AsyncQueue::Node {
 public:
  explicit WaitingNode(std::shared_future<void> opened, std::promise<void>* begun = nullptr)
      : opened_(std::move(opened)), begun_(begun) {}
  Status run() override {
    if (begun_ != nullptr) begun_->set_value();
    opened_.wait();
    return Status();
  }
  void abandon(const Status&) override {}

 private:
  const std::shared_future<void> opened_;
  std::promise<void>* const begun_;
};

TINYTF_TEST(core_close_waits_for_asynchronous_operations) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  std::promise<void> open, begun;
  const std::shared_future<void> opened = open.get_future().share();
  EXPECT_OK(core->operations().async().push(std::make_unique<WaitingNode>(opened, &begun)));
  for (int i = 0; i < 2; ++i) EXPECT_OK(core->operations().async().push(std::make_unique<WaitingNode>(opened)));
  begun.get_future().wait();
  EXPECT_EQ(core->stats().pending_ops, 3);
  const Status late = core->close(20);
  EXPECT_EQ(late.message(),
            std::string("The session did not end within 20 ms: 3 asynchronous operations are pending."));
  EXPECT_EQ(core->close(0, /*cancel_pending=*/true).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(core->stats().pending_ops, 1);  // the one that had started
  int looks = 0;
  EXPECT_EQ(core->close(-1, false, [&] { return ++looks == 2; }).code(), Code::kCancelled);
  open.set_value();
  EXPECT_OK(core->close());
  EXPECT_EQ(core->stats().pending_ops, 0);
}

TINYTF_TEST(core_close_from_an_asynchronous_operation_is_refused) {
  class ClosingNode final : public AsyncQueue::Node {
   public:
    ClosingNode(SessionCore& core, Status& seen) : core_(core), seen_(seen) {}
    Status run() override {
      seen_ = core_.close();
      return Status();
    }
    void abandon(const Status&) override {}

   private:
    SessionCore& core_;
    Status& seen_;
  };
  const OpenCore core(CleanupStrategy::kInBackground);
  Status seen;
  EXPECT_OK(core->operations().async().push(std::make_unique<ClosingNode>(*core, seen)));
  EXPECT_OK(core->operations().async().synchronize());
  EXPECT_EQ(seen.code(), Code::kFailedPrecondition);
}

TINYTF_TEST(core_abandoned_keeps_its_values_until_they_are_dropped) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const int64_t buffers = Allocator::live_buffers();
    TensorHandle* held = nullptr;
    {
      auto core = make_ref<SessionCore>(OpenCore::with(strategy));
      held = core->make_handle(n_floats(6, 2.5f));
      for (int i = 0; i < 100; ++i) core->drop(core->make_handle(n_floats(6)));
      core->abandon();
      core->abandon();
      EXPECT_OK(core->close());  // no effect
    }
    EXPECT(held->live());
    EXPECT_EQ(held->tensor().data<float>()[5], 2.5f);
    SessionCore& core = held->core();
    {
      const SessionCore::Entry entry(core);
      EXPECT(entry);
      core.drop(core.make_handle(n_floats(6)));
    }
    while (core.stats().reaper_alive) std::this_thread::yield();
    EXPECT_EQ(Allocator::live_buffers(), buffers + 1);
    core.drop(held);  // destroys the core, too
    EXPECT_EQ(Allocator::live_buffers(), buffers);
  }
}

TINYTF_TEST(core_abandoned_while_it_closes_is_freed) {
  const int64_t buffers = Allocator::live_buffers();
  auto core = make_ref<SessionCore>(OpenCore::with(CleanupStrategy::kInBackground));
  TensorHandle* held = core->make_handle(n_floats(6));
  {
    Visitor visitor(*core);
    EXPECT_EQ(core->close(0).code(), Code::kDeadlineExceeded);
    visitor.leave();
  }
  core->drop(core->make_handle(n_floats(1 << 16)));
  core->abandon();
  EXPECT(!SessionCore::Entry(*core));
  while (core->stats().reaper_alive) std::this_thread::yield();
  EXPECT(held->live());
  core.reset();
  held->core().drop(held);  // destroys the core, too
  while (Allocator::live_buffers() != buffers) std::this_thread::yield();
}

TINYTF_TEST(core_abandoned_while_its_reaper_is_told_to_end_is_freed) {
  const int64_t buffers = Allocator::live_buffers();
  auto core = make_ref<SessionCore>(OpenCore::with(CleanupStrategy::kInBackground));
  CoreTesting testing(*core);
  HeldDrain drain(testing);
  TensorHandle* held = core->make_handle(n_floats(6));
  core->drop(core->make_handle(n_floats(1 << 16)));
  drain.wait();
  EXPECT_EQ(core->close(0).code(), Code::kDeadlineExceeded);
  core->drop(held);
  core->abandon();
  drain.let_go();
  while (core->stats().reaper_alive) std::this_thread::yield();
  EXPECT_EQ(core->stats().queued, 0);
  EXPECT_EQ(Allocator::live_buffers(), buffers);
}

TINYTF_TEST(core_reset_begins_anew) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    TensorHandle* held = core->make_handle(n_floats(6));
    core->drop(core->make_handle(n_floats(6)));
    EXPECT_OK(core->reset());
    EXPECT_EQ(core->life(), Life::kOpen);
    EXPECT_EQ(held->state(), TensorHandle::State::kInvalidated);
    EXPECT_EQ(core->stats().live_bytes + core->stats().queued_bytes + core->stats().retained_bytes, 0);
    core->drop(held);
    const SessionCore::Entry entry(*core);
    EXPECT(entry);
    TensorHandle* next = core->make_handle(n_floats(6));
    EXPECT(next->live());
    core->drop(next);
    EXPECT_EQ(core->stats().created, 3);
    expect_balanced(*core);
  }
}

TINYTF_TEST(core_reset_that_takes_too_long_changes_nothing) {
  const OpenCore core(CleanupStrategy::kInBackground);
  TensorHandle* held = core->make_handle(n_floats(6));
  {
    Visitor visitor(*core);
    EXPECT_EQ(core->reset(20).code(), Code::kDeadlineExceeded);
    visitor.leave();
  }
  EXPECT_EQ(core->life(), Life::kOpen);
  EXPECT(held->live());
  EXPECT(SessionCore::Entry(*core));
  core->drop(held);
  EXPECT_OK(core->close());
  EXPECT_EQ(core->reset().code(), Code::kFailedPrecondition);
}

TINYTF_TEST(core_with_a_lazy_reaper_starts_it_with_the_first_handle) {
  CoreOptions options;
  options.lazy_reaper = true;
  const OpenCore core(options);
  CoreTesting testing(*core);
  EXPECT(!testing.has_reaper());
  core->drop(core->make_handle(n_floats(6)));
  EXPECT(testing.has_reaper());
  testing.wait_idle();
  EXPECT_EQ(core->stats().freed, 1);
}

TINYTF_TEST(core_close_within_close_is_refused) {
  OpenCore core(CleanupStrategy::kInBackground);
  Visitor visitor(*core);
  int calls = 0;
  EXPECT_OK(core->close(-1, false, [&] {  // as in a signal handler
    if (++calls > 1) return false;
    EXPECT_EQ(core->close().code(), Code::kFailedPrecondition);
    EXPECT_EQ(core->reset().code(), Code::kFailedPrecondition);
    visitor.leave();
    return false;
  }));
  EXPECT(calls > 0);
  EXPECT_EQ(core->life(), Life::kClosed);
}

TINYTF_TEST(an_interrupt_that_comes_as_a_wait_ends_ends_the_next_one) {
  OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  HeldDrain drain(testing);
  {
    const SessionCore::Entry entry(*core);
    core->drop(core->make_handle(testing::n_floats(1 << 16)));
  }
  drain.wait();
  std::promise<void> entered, leave;
  std::thread user([&] {
    const SessionCore::Entry entry(*core);
    entered.set_value();
    leave.get_future().wait();
  });
  entered.get_future().wait();
  bool told = false;
  const Status status = core->close(-1, false, [&] {
    if (told) return false;
    leave.set_value();
    user.join();
    return told = true;
  });
  EXPECT(status.code() == Code::kCancelled);
  EXPECT(core->life() == CoreStats::Life::kClosing);
  drain.let_go();
  EXPECT_OK(core->close());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
