#include "data/background_stage.h"

#include <new>
#include <stdexcept>
#include <thread>

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::Ends;
using testing::Event;
using testing::OpenHost;

/// Calls the test's function, which is set before the first wake, and collects ends.
class Stage final : public BackgroundStage {
 public:
  explicit Stage(RefPtr<PipelineTasks> tasks) : BackgroundStage(std::move(tasks)) {}

  std::function<void(PullContext&)> body = [](PullContext&) {};
  std::atomic<int> works{0}, ended_works{0};
  Ends ends;
  int renewals = 0;
  bool was_working = false;

  bool is_asked_to_pause() const { return is_pausing(); }
  void touch() { renew_if_forked(); }
  void wait_for_works(int count) const {
    while (ended_works < count) std::this_thread::yield();
  }

 private:
  void work(PullContext& ctx) override {
    EXPECT(&ctx.waker == this);
    EXPECT_EQ(++works, ended_works + 1);  // One thread at a time.
    struct End {
      ~End() { ++works; }
      std::atomic<int>& works;
    } end{ended_works};
    body(ctx);
  }
  void end(const Status& error) override { ends.add(error); }
  void renew(bool was) override {
    ++renewals;
    was_working = was;
    ended_works = works.load();
  }
};

struct Pipeline {
  explicit Pipeline(BackgroundHost* host) { tasks->set_host(host); }
  ~Pipeline() { tasks->work().stop(); }

  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const RefPtr<Stage> stage = make_ref<Stage>(tasks);
};

/// Wakes the stage, which does not work, and waits until it has worked.
void run_once(Stage& stage) {
  const int before = stage.works;
  stage.wake();
  stage.wait_for_works(before + 1);
}

TINYTF_TEST(a_stage_works_when_it_is_woken) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  for (int i = 1; i <= 3; ++i) {
    run_once(*pipeline.stage);
    DataStep step;
    BackgroundStage::Pause pause(*pipeline.stage);
    EXPECT_OK(pause.begin({step.services, *pipeline.tasks}));
    EXPECT_EQ(pipeline.stage->works.load(), i);
  }
}

TINYTF_TEST(a_stage_that_is_woken_while_it_works_works_again) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  Event begun, let_go, again;
  stage.body = [&](PullContext&) {
    if (stage.works == 2) again.set();
    if (stage.works > 1) return;
    begun.set();
    let_go.wait();
  };
  stage.wake();
  begun.wait();
  for (int i = 0; i < 5; ++i) stage.wake();
  let_go.set();
  again.wait();
  pipeline.tasks->work().stop();
  EXPECT_EQ(stage.works.load(), 2);
}

TINYTF_TEST(no_wake_is_lost) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  constexpr int kThreads = 4, kRequests = 2000;
  std::atomic<int> requests{0}, seen{0};
  stage.body = [&](PullContext&) { seen = requests.load(); };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRequests; ++i) {
        ++requests;
        stage.wake();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // The stage has no other work: a lost wake would leave this waiting.
  while (seen < kThreads * kRequests) std::this_thread::yield();
  EXPECT_EQ(stage.ends.count(), 0u);
}

TINYTF_TEST(a_paused_stage_does_not_work) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  DataStep step;
  {
    BackgroundStage::Pause pause(stage);
    EXPECT_OK(pause.begin({step.services, *pipeline.tasks}));
    EXPECT(stage.is_asked_to_pause());
    stage.wake();
    stage.wake();
    EXPECT_EQ(stage.works.load(), 0);
  }
  stage.wait_for_works(1);
  EXPECT(!stage.is_asked_to_pause());
  pipeline.tasks->work().stop();
  EXPECT_EQ(stage.works.load(), 1);
}

TINYTF_TEST(a_pause_waits_for_work_that_runs) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  Event begun;
  std::atomic<bool> has_ended{false};
  stage.body = [&](PullContext&) {
    if (stage.works > 1) return;
    begun.set();
    while (!stage.is_asked_to_pause()) std::this_thread::yield();
    has_ended = true;
  };
  stage.wake();
  begun.wait();
  DataStep step;
  {
    BackgroundStage::Pause pause(stage);
    EXPECT_OK(pause.begin({step.services, *pipeline.tasks}));
    EXPECT(has_ended.load());
  }
  stage.wait_for_works(2);  // It was cut, so it goes on.
}

TINYTF_TEST(a_pause_ends_with_its_step) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  Event begun, let_go;
  stage.body = [&](PullContext&) {
    if (stage.works > 1) return;
    begun.set();
    let_go.wait();
  };
  stage.wake();
  begun.wait();
  DataStep step;
  step.cancellation.cancel();
  {
    BackgroundStage::Pause pause(stage);
    EXPECT_EQ(pause.begin({step.services, *pipeline.tasks}).code(), Code::kCancelled);
    EXPECT(!stage.is_asked_to_pause());
  }
  let_go.set();
}

TINYTF_TEST(pauses_and_wakes_on_many_threads) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  std::atomic<int> requests{0}, seen{0};
  std::atomic<bool> is_paused{false};
  stage.body = [&](PullContext&) {
    EXPECT(!is_paused);
    seen = requests.load();
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      DataStep step;
      for (int i = 0; i < 200; ++i) {
        if (t < 2) {
          ++requests;
          stage.wake();
          continue;
        }
        BackgroundStage::Pause pause(stage);
        EXPECT_OK(pause.begin({step.services, *pipeline.tasks}));
        EXPECT(!is_paused.exchange(true));
        is_paused = false;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  while (seen < requests) std::this_thread::yield();
}

TINYTF_TEST(a_stage_ends_without_a_host) {
  const Pipeline pipeline(nullptr);
  pipeline.stage->wake();
  EXPECT_EQ(pipeline.stage->ends.wait_for(1)[0].code(), Code::kCancelled);
  EXPECT_EQ(pipeline.stage->works.load(), 0);
}

TINYTF_TEST(a_stage_ends_with_its_session) {
  const auto host = make_ref<OpenHost>();
  host->closed = true;
  const Pipeline pipeline(host.get());
  pipeline.stage->wake();
  EXPECT_EQ(pipeline.stage->ends.wait_for(1)[0].code(), Code::kCancelled);
  host->closed = false;
  run_once(*pipeline.stage);
}

TINYTF_TEST(a_stage_ends_with_its_pipeline) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  Event begun;
  stage.body = [&](PullContext& ctx) {
    begun.set();
    while (ctx.check().ok()) std::this_thread::yield();
  };
  stage.wake();
  begun.wait();
  pipeline.tasks->work().stop();
  EXPECT_EQ(stage.ends.wait_for(1)[0].code(), Code::kCancelled);
  stage.wake();
  EXPECT_EQ(stage.ends.wait_for(2)[1].code(), Code::kCancelled);
  EXPECT_EQ(stage.works.load(), 1);
}

/// A session that is closed while its task runs.
class ClosingHost final : public BackgroundHost {
 public:
  bool run(Cancellation&, FunctionRef<void(const KernelServices&)> work) override {
    DataStep step(this);
    const CancelledWith session(close, step.cancellation);
    work(step.services);
    return true;
  }
  Cancellation close;
};

TINYTF_TEST(another_session_takes_the_work_of_a_stage_over) {
  const auto first = make_ref<ClosingHost>();
  const auto second = make_ref<OpenHost>();
  const Pipeline pipeline(first.get());
  Stage& stage = *pipeline.stage;
  Event begun, let_go, taken;
  stage.body = [&](PullContext& ctx) {
    if (ctx.step.background == second.get()) return taken.set();
    begun.set();
    let_go.wait();
    EXPECT(!ctx.check().ok());
  };
  stage.wake();
  begun.wait();
  pipeline.tasks->set_host(second.get());
  first->close.cancel();
  let_go.set();
  taken.wait();
  EXPECT_EQ(stage.ends.count(), 0u);
}

TINYTF_TEST(a_stage_ends_when_its_session_is_closed) {
  const auto host = make_ref<ClosingHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  stage.body = [&](PullContext&) { host->close.cancel(); };
  stage.wake();
  EXPECT_EQ(stage.ends.wait_for(1)[0].code(), Code::kCancelled);
}

TINYTF_TEST(an_exception_ends_what_waits_for_a_stage) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  stage.body = [&](PullContext&) {
    if (stage.works == 1) throw std::runtime_error("thrown");
    if (stage.works == 2) throw std::bad_alloc();
  };
  stage.wake();
  EXPECT_EQ(stage.ends.wait_for(1)[0].code(), Code::kInternal);
  stage.wake();
  EXPECT_EQ(stage.ends.wait_for(2)[1].code(), Code::kResourceExhausted);
  stage.wake();
  stage.wait_for_works(3);
}

TINYTF_TEST(tasks_keep_a_stage_alive) {
  const auto host = make_ref<OpenHost>();
  Event begun, let_go, ended;
  {
    const auto tasks = make_ref<PipelineTasks>();
    tasks->set_host(host.get());
    const auto stage = make_ref<Stage>(tasks);
    stage->body = [&](PullContext& ctx) {
      begun.set();
      let_go.wait();
      EXPECT(ctx.check().ok());
      ended.set();
    };
    stage->wake();
    begun.wait();
  }
  let_go.set();
  ended.wait();
}

TINYTF_TEST(a_stage_goes_on_in_a_child) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  run_once(stage);
  {
    DataStep step;
    BackgroundStage::Pause pause(stage);
    EXPECT_OK(pause.begin({step.services, *pipeline.tasks}));
  }
  EXPECT(testing::holds_in_child([&] {
    stage.touch();
    if (testing::kChildrenStartThreads) run_once(stage);
    return stage.renewals == 1 && !stage.was_working;
  }));
  EXPECT_EQ(stage.renewals, 0);
}

TINYTF_TEST(a_stage_that_works_at_a_fork_knows_it_in_the_child) {
  const auto host = make_ref<OpenHost>();
  const Pipeline pipeline(host.get());
  Stage& stage = *pipeline.stage;
  Event begun, let_go;
  stage.body = [&](PullContext&) {
    if (stage.works > 1) return;
    const ForkGate::Outside outside;
    begun.set();
    let_go.wait();
  };
  stage.wake();
  begun.wait();
  EXPECT(testing::holds_in_child([&] {
    stage.touch();
    const bool knows = stage.was_working;
    if (testing::kChildrenStartThreads) run_once(stage);
    return knows;
  }));
  let_go.set();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
