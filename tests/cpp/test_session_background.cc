// Background tasks, and functions with state of their own, in sessions.

#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "runtime/session/session.h"
#include "tests/cpp/background_fixture.h"
#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/queue_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::Blocker;
using testing::body_of;
using testing::Ends;
using testing::GraphFixture;

/// What a kernel can take from its step: the host of background tasks, and a function with state of its own.
class Taken final : public NodeObserver {
 public:
  explicit Taken(std::string function) : function_(std::move(function)) {}
  Status after(const KernelContext& ctx, int64_t, const Iterations&) override {
    host = RefPtr<BackgroundHost>::share(ctx.step().background);
    if (function_.empty()) return Status();
    TINYTF_ASSIGN_OR_RETURN(function, ctx.step().functions->source({function_, {}}).take()->instantiate(ctx.step()));
    return Status();
  }

  RefPtr<BackgroundHost> host;
  RefPtr<FunctionInstance> function;

 private:
  const std::string function_;
};

/// A session and what a step of it has taken.
struct Background {
  explicit Background(GraphFixture& g, const std::string& function = "", SessionOptions options = {})
      : taken(function) {
    options.fold_constants = options.eliminate_common_subexpressions = false;
    session = make_ref<Session>(g.graph(), std::move(options));
    Node* x = g->find("fed") != nullptr ? g->find("fed") : g.placeholder("fed");
    RunSignature signature;
    signature.feeds = {{x, 0}};
    signature.fetches = {{g.add("Neg", g->unique_name("negative", true), {{x, 0}}), 0}};
    const RefPtr<Plan> plan = session->plan(signature).take();
    std::vector<Tensor> feeds{Tensor::scalar(1.0f)}, fetches;
    RunSettings settings;
    settings.observer = &taken;
    EXPECT_OK(session->run(*plan, feeds, fetches, settings));
  }

  RefPtr<Session> session;
  Taken taken;
};

/// Collects the results of a function that runs in the background. Must outlive the calls. Thread-safe.
class Results {
 public:
  FunctionInstance::Done one() {
    return [this](const Status& status, std::vector<Tensor> results) {
      std::lock_guard lock(mutex_);
      for (const Tensor& result : results) values_.insert(*result.data<float>());
      ends_.add(status);
    };
  }
  std::vector<Status> wait_for(size_t count) { return ends_.wait_for(count); }
  std::set<float> values() const {
    std::lock_guard lock(mutex_);
    return values_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<float> values_;
  Ends ends_;
};

/// A graph with a function "draw" that yields the next number of a random sequence.
struct Drawing : GraphFixture {
  Drawing() {
    GraphFixture f;
    Node* shape = f.constant("shape", testing::ints({}));
    Node* random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}, {"seed", int64_t{7}}});
    EXPECT_OK(graph()->add_function("draw", body_of(f, {}, {{random, 0}})));
  }
};

TINYTF_TEST(functions_run_in_background_tasks) {
  Drawing g;
  std::set<float> values[2];
  for (std::set<float>& drawn : values) {
    Background background(g, "draw");
    Results results;
    BackgroundWork work;
    constexpr size_t kCalls = 40;
    for (size_t i = 0; i < kCalls; ++i)
      background.taken.function->run_async(work, *background.taken.host, {}, results.one());
    for (const Status& status : results.wait_for(kCalls)) EXPECT_OK(status);
    drawn = results.values();
    EXPECT_EQ(drawn.size(), kCalls);  // The calls share one sequence.
  }
  EXPECT(values[0] == values[1]);  // Each instance has its own.
}

TINYTF_TEST(functions_that_fail_in_the_background_tell_their_error) {
  GraphFixture g, f;
  Node* a = f.placeholder("a");
  Node* checked = f.add("CheckNumerics", "checked", {{a, 0}}, {{"message", std::string("no number")}});
  EXPECT_OK(g->add_function("check", body_of(f, {{a, 0}}, {{checked, 0}})));
  Background background(g, "check");
  Results results;
  BackgroundWork work;
  background.taken.function->run_async(work, *background.taken.host, {Tensor::scalar(NAN)}, results.one());
  EXPECT_EQ(results.wait_for(1)[0].code(), Code::kInvalidArgument);
  background.taken.function->run_async(work, *background.taken.host, {}, results.one());
  EXPECT_EQ(results.wait_for(2)[1].code(), Code::kInvalidArgument);  // It lacks an argument.
  EXPECT(results.values().empty());
  work.stop();
  background.taken.function->run_async(work, *background.taken.host, {Tensor::scalar(1.0f)}, results.one());
  EXPECT_EQ(results.wait_for(3)[2].code(), Code::kCancelled);
}

/// A graph with a function "long" that would take hours.
struct Long : GraphFixture {
  Long() { testing::add_doublings(*this, "long", 40); }
};

TINYTF_TEST(functions_in_the_background_end_when_the_work_stops) {
  Long g;
  Background background(g, "long");
  Results results;
  BackgroundWork work;
  for (int i = 0; i < 2; ++i) {
    background.taken.function->run_async(work, *background.taken.host, {Tensor::scalar(1.0f)}, results.one());
  }
  std::thread([&] { work.stop(); }).join();
  for (const Status& status : results.wait_for(2)) EXPECT_EQ(status.code(), Code::kCancelled);
  EXPECT_OK(background.session->close());
}

TINYTF_TEST(functions_in_the_background_end_with_their_session) {
  Long g;
  Background background(g, "long"), other(g);
  Results results;
  BackgroundWork work;
  const auto run = [&](BackgroundHost& host) {
    background.taken.function->run_async(work, host, {Tensor::scalar(1.0f)}, results.one());
  };
  run(*background.taken.host);
  EXPECT_OK(background.session->close());
  EXPECT_EQ(results.wait_for(1)[0].code(), Code::kCancelled);
  run(*background.taken.host);
  EXPECT_EQ(results.wait_for(2)[1].code(), Code::kCancelled);
  background.session = nullptr;
  run(*background.taken.host);
  EXPECT_EQ(results.wait_for(3)[2].code(), Code::kCancelled);
  run(*other.taken.host);  // The function and the work go on in other sessions.
  work.stop();
  EXPECT_EQ(results.wait_for(4)[3].code(), Code::kCancelled);
}

TINYTF_TEST(functions_that_wait_in_the_background_are_woken) {
  GraphFixture g, f;
  Node* queue = f.placeholder("queue", {}, DType::kResource);
  Node* element =
      f.add("QueueDequeueV2", "element", {{queue, 0}}, {{"component_types", std::vector<DType>{DType::kInt32}}});
  Node* cast = f.add("Cast", "cast", {{element, 0}}, {{"DstT", DType::kFloat}});
  EXPECT_OK(g->add_function("dequeue", body_of(f, {{queue, 0}}, {{cast, 0}})));
  Background background(g, "dequeue");
  const Tensor handle = testing::fifo_queue();
  Results results;
  BackgroundWork work;
  for (int i = 0; i < 2; ++i)
    background.taken.function->run_async(work, *background.taken.host, {handle}, results.one());
  testing::QueueOp enqueue("QueueEnqueueV2", handle, {testing::tensor<int32_t>({}, {7})});
  enqueue.start();
  EXPECT_OK(enqueue.wait());
  EXPECT_OK(results.wait_for(1)[0]);
  EXPECT(results.values() == std::set<float>{7});
  work.stop();
  EXPECT_EQ(results.wait_for(2)[1].code(), Code::kCancelled);
}

TINYTF_TEST(background_tasks_may_close_their_session) {
  GraphFixture g;
  Background background(g);
  Ends ends;
  BackgroundWork work;
  const auto close = [session = background.session](const KernelServices&) { return session->close(); };
  EXPECT_OK(work.start(*background.taken.host, close, ends.one()));
  EXPECT_OK(ends.wait_for(1)[0]);
  EXPECT_OK(background.session->close());
  EXPECT(background.session->closed());
}

TINYTF_TEST(background_tasks_are_steps_that_are_not_counted) {
  GraphFixture g;
  Background background(g);
  Ends ends;
  BackgroundWork work;
  ResourceManager* const resources = &background.session->resources();
  const auto check = [&](const KernelServices& step) {
    EXPECT(step.resources == resources);
    EXPECT(step.step_resources != nullptr && step.step_resources != resources);
    EXPECT(step.functions != nullptr && step.background != nullptr && step.stop_check != nullptr);
    EXPECT_EQ(background.session->core().stats().active_ops, 1);
    return Status();
  };
  EXPECT_OK(work.start(*background.taken.host, check, ends.one()));
  EXPECT_OK(ends.wait_for(1)[0]);
  EXPECT_EQ(background.session->steps(), 1);
}

TINYTF_TEST(background_tasks_start_anew_in_a_child_of_their_session) {
  GraphFixture g;
  Background background(g);
  Ends ends;
  Blocker blocker;
  BackgroundWork work;
  EXPECT_OK(
      work.start(*background.taken.host, [&](const KernelServices& step) { return blocker.wait(step); }, ends.one()));
  blocker.wait_for(1);
  EXPECT(testing::holds_in_child([&] {
    if (testing::kChildrenStartThreads) {
      Ends own;
      if (!work.start(*background.taken.host, [](const KernelServices&) { return Status(); }, own.one()).ok())
        return false;
      if (!own.wait_for(1)[0].ok()) return false;
    }
    return background.session->close().ok();
  }));
  EXPECT_OK(background.session->close());
  EXPECT_EQ(ends.wait_for(1)[0].message(), "woken");
}

/// Has a task that runs until it is stopped.
class Working final : public Resource {
 public:
  Working(BackgroundHost& host, Ends& ends, Blocker& blocker) {
    EXPECT_OK(work_.start(host, [&](const KernelServices& step) { return blocker.wait(step); }, ends.one()));
  }
  std::string debug_string() const override { return "working"; }
  void stop() override {
    work_.stop();
    ++stops;
  }
  int stops = 0;

 private:
  BackgroundWork work_;
};

TINYTF_TEST(sessions_stop_the_resources_that_go_with_them) {
  for (const bool is_shared : {false, true}) {
    GraphFixture g;
    SessionOptions options;
    if (is_shared) options.resources = std::make_shared<ResourceManager>();
    Background first(g, "", options), second(g, "", options);
    Ends ends;
    Blocker blocker;
    auto working = make_ref<Working>(*second.taken.host, ends, blocker);
    blocker.wait_for(1);
    const auto make = [&] { return Result<RefPtr<Resource>>(RefPtr<Resource>(working)); };
    EXPECT(first.session->resources().find_or_create("c", "Working", "w", make).ok());
    EXPECT_OK(first.session->close());
    EXPECT_EQ(working->stops, is_shared ? 0 : 1);
    EXPECT_EQ(ends.count(), is_shared ? 0u : 1u);
    second.session->resources().clear_container("c");
    EXPECT_EQ(working->stops, 1);
    EXPECT_EQ(ends.wait_for(1)[0].message(), "woken");
    EXPECT_OK(second.session->close());
  }
}

TINYTF_TEST(closes_that_wait_for_background_tasks_can_be_interrupted) {
  GraphFixture g;
  Background background(g);
  Ends ends;
  std::promise<void> begun, let_go;
  BackgroundWork work;
  const auto task = [&](const KernelServices&) {
    begun.set_value();
    let_go.get_future().wait();
    return Status();
  };
  EXPECT_OK(work.start(*background.taken.host, task, ends.one()));
  begun.get_future().wait();
  EXPECT_EQ(background.session->close([] { return true; }).code(), Code::kCancelled);
  let_go.set_value();
  EXPECT_OK(background.session->close());
  EXPECT_EQ(ends.count(), 1u);
}

TINYTF_TEST(eager_sessions_end_their_background_tasks) {
  Ends ends;
  Blocker blocker;
  BackgroundWork work;
  RefPtr<BackgroundHost> host;
  {
    testing::EagerFixture session;
    host = session.context().background();
    EXPECT_OK(work.start(*host, [&](const KernelServices& step) { return blocker.wait(step); }, ends.one()));
    blocker.wait_for(1);
  }
  EXPECT_EQ(ends.wait_for(1)[0].message(), "woken");
  const auto never = [](const KernelServices&) { return internal_error("It must not run."); };
  EXPECT_OK(work.start(*host, never, ends.one()));
  EXPECT_EQ(ends.wait_for(2)[1].code(), Code::kCancelled);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
