#include "services/cancellation.h"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(cancellation_calls_back_once) {
  Cancellation cancellation;
  int called = 0;
  Cancellation::Token kept = 0, removed = 0;
  EXPECT(cancellation.on_cancel(&kept, [&] { ++called; }));
  EXPECT(cancellation.on_cancel(&removed, [&] { called += 100; }));
  EXPECT(cancellation.remove(removed));
  EXPECT(!cancellation.cancelled());
  cancellation.cancel();
  cancellation.cancel();
  EXPECT(cancellation.cancelled());
  EXPECT_EQ(called, 1);
  EXPECT(!cancellation.remove(kept));
  EXPECT(!cancellation.on_cancel(&kept, [&] { ++called; }));
}

TINYTF_TEST(cancellation_callbacks_may_use_it) {
  Cancellation cancellation;
  Cancellation::Token first = 0, second = 0, third = 0;
  bool removed = true, registered = true;
  EXPECT(cancellation.on_cancel(&first, [&] {
    EXPECT(cancellation.cancelled());
    removed = cancellation.remove(second);  // too late: all callbacks run
    registered = cancellation.on_cancel(&third, [] {});
    cancellation.cancel();
  }));
  int calls = 0;
  EXPECT(cancellation.on_cancel(&second, [&] { ++calls; }));
  cancellation.cancel();
  EXPECT(!removed && !registered);
  EXPECT_EQ(calls, 1);
}

TINYTF_TEST(cancellation_removes_at_once_what_has_not_begun) {
  Cancellation cancellation;
  int calls = 0;
  Cancellation::Token token = 0;
  EXPECT(cancellation.on_cancel(&token, [&] { ++calls; }));
  cancellation.remove_and_wait(token);
  cancellation.cancel();
  EXPECT_EQ(calls, 0);
  cancellation.remove_and_wait(token);  // nothing to wait for
}

TINYTF_TEST(cancellations_are_linked_while_the_link_lives) {
  Cancellation outer, first, second, third;
  {
    const CancelledWith link(outer, first);
  }
  const CancelledWith link(outer, second);
  outer.cancel();
  EXPECT(!first.cancelled());
  EXPECT(second.cancelled());
  const CancelledWith late(outer, third);
  EXPECT(third.cancelled());
}

TINYTF_TEST(cancellation_waits_for_a_callback_that_runs) {
  for (int round = 0; round < 100; ++round) {
    Cancellation cancellation;
    std::atomic<bool> begun{false}, may_end{false}, ended{false};
    Cancellation::Token token = 0;
    EXPECT(cancellation.on_cancel(&token, [&] {
      begun = true;
      while (!may_end) std::this_thread::yield();
      ended = true;
    }));
    std::thread canceller([&] { cancellation.cancel(); });
    while (!begun) std::this_thread::yield();
    std::thread other([&] { may_end = true; });
    cancellation.remove_and_wait(token);
    EXPECT(ended);  // the callback's captures may be destroyed now
    canceller.join();
    other.join();
  }
}

TINYTF_TEST(cancellation_runs_or_refuses_each_callback) {
  for (int round = 0; round < 50; ++round) {
    Cancellation cancellation;
    std::atomic<int> called{0}, expected{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          Cancellation::Token token = 0;
          if (!cancellation.on_cancel(&token, [&] { ++called; })) continue;
          if (i % 2 == 1 && cancellation.remove(token)) continue;
          ++expected;
        }
      });
    }
    threads.emplace_back([&] { cancellation.cancel(); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(called.load(), expected.load());
  }
}

TINYTF_TEST(cancellation_reaches_those_that_are_cancelled_with_it) {
  Cancellation outer, inner[4];
  {
    const CancelledWith kept(outer, inner[0]);
    std::optional<CancelledWith> middle(std::in_place, outer, inner[1]);
    const CancelledWith last(outer, inner[2]);
    middle.reset();
    {
      const CancelledWith brief(outer, inner[3]);
    }
    outer.cancel();
    EXPECT(inner[0].cancelled() && inner[2].cancelled());
  }
  EXPECT(!inner[1].cancelled() && !inner[3].cancelled());
}

TINYTF_TEST(cancellation_waits_for_those_that_it_reaches) {
  for (int round = 0; round < 50; ++round) {
    Cancellation outer;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) {
          Cancellation inner;  // Destroyed right after the link, so that a late cancel would touch freed memory.
          const CancelledWith link(outer, inner);
        }
      });
    }
    threads.emplace_back([&] { outer.cancel(); });
    for (std::thread& thread : threads) thread.join();
    Cancellation late;
    const CancelledWith link(outer, late);
    EXPECT(late.cancelled());
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
