#include "op/background_work.h"

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

#include "tests/cpp/background_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::Blocker;
using testing::Ends;
using testing::OpenHost;

TINYTF_TEST(background_tasks_run_once_and_end_once) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  std::atomic<int> ran{0};
  BackgroundWork work;
  constexpr int kTasks = 500;
  for (int i = 0; i < kTasks; ++i) {
    const auto task = [&, i](const KernelServices& step) {
      EXPECT(step.background == host.get());
      ++ran;
      return i % 2 == 0 ? Status() : invalid_argument("odd");
    };
    EXPECT_OK(work.start(*host, task, ends.one()));
  }
  int failed = 0;
  for (const Status& status : ends.wait_for(kTasks)) failed += status.code() == Code::kInvalidArgument;
  EXPECT_EQ(ran.load(), kTasks);
  EXPECT_EQ(failed, kTasks / 2);
}

TINYTF_TEST(background_work_takes_any_number_of_tasks) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  BackgroundWork work;
  constexpr size_t kTasks = 10'000;
  size_t started = 0;
  const auto start_all = [&](const KernelServices&) {
    for (size_t i = 0; i < kTasks; ++i) {
      started += work.start(*host, [](const KernelServices&) { return Status(); }, ends.one()).ok();
    }
    return Status();
  };
  EXPECT_OK(work.start(*host, start_all, ends.one()));
  for (const Status& status : ends.wait_for(kTasks + 1)) EXPECT_OK(status);
  EXPECT_EQ(started, kTasks);
}

TINYTF_TEST(a_thread_that_waits_runs_background_tasks) {
  const testing::BusyPool busy;
  const auto host = make_ref<OpenHost>();
  Ends ends;
  BackgroundWork work;
  const auto here = std::this_thread::get_id();
  const auto task = [&](const KernelServices&) {
    EXPECT(std::this_thread::get_id() == here);
    return Status();
  };
  EXPECT(!work.run_queued());
  EXPECT_OK(work.start(*host, task, ends.one()));
  EXPECT(work.run_queued());
  EXPECT_EQ(ends.count(), 1u);
  EXPECT(!work.run_queued());
}

TINYTF_TEST(background_tasks_may_throw) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  BackgroundWork work;
  EXPECT_OK(work.start(*host, [](const KernelServices&) -> Status { throw std::runtime_error("thrown"); }, ends.one()));
  EXPECT_EQ(ends.wait_for(1)[0].code(), Code::kInternal);
  const auto throws = [&](const Status& status) {
    ends.add(status);
    throw std::runtime_error("thrown at the end");
  };
  EXPECT_OK(work.start(*host, [](const KernelServices&) { return Status(); }, throws));
  ends.wait_for(2);
  work.stop();
}

TINYTF_TEST(background_tasks_do_not_run_in_a_closed_session) {
  const auto host = make_ref<OpenHost>();
  host->closed = true;
  Ends ends;
  std::atomic<int> ran{0};
  BackgroundWork work;
  const auto task = [&](const KernelServices&) {
    ++ran;
    return Status();
  };
  EXPECT_OK(work.start(*host, task, ends.one()));
  EXPECT_EQ(ends.wait_for(1)[0].code(), Code::kCancelled);
  EXPECT_EQ(ran.load(), 0);
}

TINYTF_TEST(background_work_stops_what_runs_and_what_waits) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  Blocker blocker;
  BackgroundWork work;
  const int tasks = ThreadPool::process().size() + 20;
  for (int i = 0; i < tasks; ++i) {
    EXPECT_OK(work.start(*host, [&](const KernelServices& step) { return blocker.wait(step); }, ends.one()));
  }
  blocker.wait_for(1);
  std::thread other([&] { work.stop(); });
  work.stop();
  other.join();
  int woken = 0;
  for (const Status& status : ends.wait_for(static_cast<size_t>(tasks))) {
    EXPECT_EQ(status.code(), Code::kCancelled);
    woken += status.message() == "woken";
  }
  EXPECT_EQ(woken, blocker.came());
  const auto never = [](const KernelServices&) { return internal_error("It must not run."); };
  EXPECT(work.start(*host, never, ends.one()).code() == Code::kCancelled);
  EXPECT_EQ(ends.count(), static_cast<size_t>(tasks));
}

TINYTF_TEST(background_tasks_may_stop_their_own_work) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  auto work = std::make_shared<BackgroundWork>();
  const auto task = [work](const KernelServices& step) {
    work->stop();
    return step.cancellation->cancelled() ? Status() : internal_error("It was not cancelled.");
  };
  EXPECT_OK(work->start(*host, task, ends.one()));
  EXPECT_OK(ends.wait_for(1)[0]);
}

TINYTF_TEST(background_work_is_destroyed_without_waiting) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  std::promise<void> begun, let_go;
  auto work = std::make_unique<BackgroundWork>();
  const auto task = [&](const KernelServices& step) {
    begun.set_value();
    let_go.get_future().wait();
    return step.cancellation->cancelled() ? Status() : internal_error("It was not cancelled.");
  };
  EXPECT_OK(work->start(*host, task, ends.one()));
  begun.get_future().wait();
  work.reset();
  let_go.set_value();
  EXPECT_OK(ends.wait_for(1)[0]);
}

TINYTF_TEST(background_tasks_are_destroyed_before_their_end_counts) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  auto kept = std::make_shared<int>(0);
  BackgroundWork work;
  EXPECT_OK(work.start(*host, [kept](const KernelServices&) { return Status(); }, ends.one()));
  work.stop();
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_EQ(ends.count(), 1u);
}

TINYTF_TEST(background_work_goes_on_in_a_child) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  Blocker blocker;
  BackgroundWork work;
  EXPECT_OK(work.start(*host, [&](const KernelServices& step) { return blocker.wait(step); }, ends.one()));
  blocker.wait_for(1);
  EXPECT(testing::holds_in_child([&] {
    if (testing::kChildrenStartThreads) {
      Ends own;
      if (!work.start(*host, [](const KernelServices&) { return Status(); }, own.one()).ok()) return false;
      if (!own.wait_for(1)[0].ok()) return false;
    }
    work.stop();
    return ends.count() == 0;
  }));
  work.stop();
  EXPECT_EQ(ends.wait_for(1)[0].message(), "woken");
}

TINYTF_TEST(background_tasks_may_fork) {
  const auto host = make_ref<OpenHost>();
  Ends ends;
  BackgroundWork work;
  const auto task = [&](const KernelServices&) {
    return testing::holds_in_child([&] {
      work.stop();
      return true;
    })
               ? Status()
               : internal_error("The child did not end well.");
  };
  EXPECT_OK(work.start(*host, task, ends.one()));
  EXPECT_OK(ends.wait_for(1)[0]);
}

TINYTF_TEST(background_work_ends_with_the_process) {
  const auto host = make_ref<OpenHost>();
  EXPECT(testing::holds_in_child([&] {
    BackgroundWork before;
    BackgroundWork::cancel_all_at_exit();
    BackgroundWork after;
    const auto starts = [&](BackgroundWork& work) {
      return work.start(*host, [](const KernelServices&) { return Status(); }, [](const Status&) {}).ok();
    };
    return !starts(before) && !starts(after);
  }));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
