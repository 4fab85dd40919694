#include "runtime/step/scheduler.h"

#include <future>
#include <thread>

#include "op/async_kernel.h"
#include "runtime/observe/nan_watch.h"
#include "runtime/observe/stats_recorder.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/waiting_room.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::WaitingRoom;

/// A graph whose Identity nodes wait in a room.
struct Fixture : testing::ExecutorFixture {
  Fixture() { x = placeholder("x"); }

  WaitingRoom room;
  Node* x = nullptr;

  Endpoint waiting(const std::string& name, Endpoint input) { return {add("Identity", name, {input}), 0}; }
  Endpoint waiting(const std::string& name) { return waiting(name, {x, 0}); }
  Endpoint negative(const std::string& name, Endpoint of) { return {add("Neg", name, {of}), 0}; }
  RefPtr<Plan> plan_to_wait(const std::vector<Endpoint>& fetches, std::vector<Endpoint> feeds = {}) {
    if (feeds.empty()) feeds = {{x, 0}};
    const auto kernel = [this](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.info->op->name != "Identity") return testing::registered_kernel(node);
      return std::shared_ptr<Kernel>(std::make_shared<testing::WaitingKernel>(room));
    };
    return plan(feeds, fetches, kernel);
  }
  float fetched(size_t i = 0) const { return fetches[i].data<float>()[0]; }
};

/// Releases `count` kernels as soon as they arrive.
class Porter {
 public:
  Porter(WaitingRoom& room, int count)
      : thread_([&room, count] {
          for (int i = 1; i <= count; ++i) {
            room.wait_for_entries(i);
            while (!room.let_out()) std::this_thread::yield();  // another porter may be faster
          }
        }) {}
  ~Porter() { thread_.join(); }

 private:
  std::thread thread_;
};

/// Runs `body` with a pool and on the calling thread only.
template <class Body>
void with_and_without_pool(Fixture& f, Body body) {
  for (const bool pool : {true, false}) {
    f.threads = pool ? StepThreads{&f.pool, 3} : StepThreads{};
    body();
  }
}

class InPlaceKernel final : public AsyncKernel {
 public:
  void compute_async(KernelContext& ctx, Done done) override {
    ctx.set_output(0, ctx.input(0));
    done(Status());
  }
};

TINYTF_TEST(executor_goes_on_when_a_waiting_kernel_ends_in_place) {
  Fixture f;
  const Endpoint end = f.negative("c", f.waiting("b", f.negative("a", f.waiting("w"))));
  const auto kernel = [](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->op->name != "Identity") return testing::registered_kernel(node);
    return std::shared_ptr<Kernel>(std::make_shared<InPlaceKernel>());
  };
  const RefPtr<Plan> plan = f.plan({{f.x, 0}}, {end}, kernel);
  EXPECT(plan->program().may_wait);
  with_and_without_pool(f, [&] {
    EXPECT_OK(f.run(*plan, {floats({3})}));
    EXPECT_EQ(f.fetched(), 3.0f);
  });
}

TINYTF_TEST(executor_goes_on_when_another_thread_ends_a_waiting_kernel) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan_to_wait({f.negative("b", f.waiting("w", f.negative("a", {f.x, 0})))});
  int entries = 0;
  with_and_without_pool(f, [&] {
    for (int step = 0; step < 20; ++step) {
      std::thread other([&, entry = ++entries] {
        f.room.wait_for_entries(entry);
        EXPECT(f.room.let_out());
      });
      EXPECT_OK(f.run(*plan, {floats({3})}));
      EXPECT_EQ(f.fetched(), 3.0f);
      other.join();
    }
  });
}

TINYTF_TEST(executor_waits_for_several_at_once) {
  constexpr int kWaiting = 9;
  for (const bool pool : {true, false}) {
    Fixture f;
    if (!pool) f.threads = {};
    std::vector<Endpoint> doubles;
    for (int i = 0; i < kWaiting; ++i) doubles.push_back(f.negative(str_cat("n", i), f.waiting(str_cat("w", i))));
    Node* sum = f.add_list("AddN", "sum", doubles);
    // The last node waits again.
    const RefPtr<Plan> plan = f.plan_to_wait({f.waiting("last", {sum, 0}), {sum, 0}});
    const Porter porter(f.room, kWaiting + 1);
    EXPECT_OK(f.run(*plan, {floats({2})}));
    EXPECT_EQ(f.fetched(0), -2.0f * kWaiting);
    EXPECT_EQ(f.fetched(1), -2.0f * kWaiting);
  }
}

TINYTF_TEST(executor_works_while_kernels_wait) {
  // A node releases the waiting kernel; it only runs if the step continues meanwhile.
  struct Opener final : Kernel {
    explicit Opener(WaitingRoom& room) : room(room) {}
    Status compute(KernelContext& ctx) override {
      room.wait_for_entries(1);
      EXPECT(room.let_out());
      ctx.set_output(0, ctx.input(0));
      return Status();
    }
    WaitingRoom& room;
  };
  Fixture f;
  const Endpoint w = f.waiting("w");
  const Endpoint opener = f.negative("opener", {f.x, 0});
  Node* sum = f.add("Add", "sum", {w, opener});
  const auto kernel = [&f](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->op->name == "Identity")
      return std::shared_ptr<Kernel>(std::make_shared<testing::WaitingKernel>(f.room));
    if (node.info->op->name == "Neg") return std::shared_ptr<Kernel>(std::make_shared<Opener>(f.room));
    return testing::registered_kernel(node);
  };
  const RefPtr<Plan> plan = f.plan({{f.x, 0}}, {{sum, 0}}, kernel);
  f.threads = {};
  EXPECT_OK(f.run(*plan, {floats({4})}));
  EXPECT_EQ(f.fetched(), 8.0f);
}

TINYTF_TEST(executor_works_on_its_own_threads_when_the_pool_takes_no_more) {
  // Another thread completes the waiting kernel, and must not run its consumers.
  struct Opener final : Kernel {
    explicit Opener(WaitingRoom& room) : room(room) {}
    Status compute(KernelContext& ctx) override {
      room.wait_for_entries(1);
      std::thread([this] { EXPECT(room.let_out()); }).join();
      ctx.set_output(0, ctx.input(0));
      return Status();
    }
    WaitingRoom& room;
  };
  struct Witness final : Kernel {
    explicit Witness(std::thread::id& thread) : thread(thread) {}
    Status compute(KernelContext& ctx) override {
      thread = std::this_thread::get_id();
      ctx.set_output(0, ctx.input(0));
      return Status();
    }
    std::thread::id& thread;
  };
  Fixture f;
  std::thread::id witness;
  const Endpoint after = {f.add("Abs", "after", {f.waiting("w")}), 0};
  const Endpoint opener = f.negative("opener", {f.x, 0});
  const auto kernel = [&](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->op->name == "Identity")
      return std::shared_ptr<Kernel>(std::make_shared<testing::WaitingKernel>(f.room));
    if (node.info->op->name == "Neg") return std::shared_ptr<Kernel>(std::make_shared<Opener>(f.room));
    return std::shared_ptr<Kernel>(std::make_shared<Witness>(witness));
  };
  const RefPtr<Plan> plan = f.plan({{f.x, 0}}, {after, opener}, kernel);
  f.pool.shutdown();
  EXPECT_OK(f.run(*plan, {floats({4})}));
  EXPECT_EQ(f.fetched(), 4.0f);
  EXPECT(witness == std::this_thread::get_id());
}

TINYTF_TEST(executor_runs_what_a_blocking_kernel_waits_for) {
  // The first call blocks until the second is made, which comes after other nodes of the same list.
  struct Meeting final : Kernel {
    Meeting(std::promise<void>& own, std::promise<void>& other) : own(own), other(other) {}
    Status compute(KernelContext& ctx) override {
      own.set_value();
      other.get_future().wait();
      ctx.set_output(0, ctx.input(0));
      return Status();
    }
    std::promise<void>&own, &other;
  };
  for (int step = 0; step < 20; ++step) {
    Fixture f;
    std::promise<void> came[2];
    const auto call = [&](const std::string& name, Endpoint input) {
      const std::vector<DType> types{DType::kFloat};
      return Endpoint{f.add("PyFunc", name, {input}, {{"token", name}, {"Tin", types}, {"Tout", types}}), 0};
    };
    const Endpoint first = call("0", {f.x, 0});
    const Endpoint second = call("1", f.negative("b", f.negative("a", {f.x, 0})));
    const auto kernel = [&](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.info->op->name != "PyFunc") return testing::registered_kernel(node);
      const int own = node.info->name == "1";
      return std::shared_ptr<Kernel>(std::make_shared<Meeting>(came[own], came[1 - own]));
    };
    const RefPtr<Plan> plan = f.plan({{f.x, 0}}, {first, second}, kernel);
    EXPECT_OK(f.run(*plan, {floats({4})}));
    EXPECT_EQ(f.fetched(0) + f.fetched(1), 8.0f);
  }
}

TINYTF_TEST(executor_ends_what_waits_when_a_sibling_fails) {
  Fixture f;
  Node* y = f.placeholder("y");
  const Endpoint w = f.waiting("w");
  Node* bad = f.add("Add", "bad", {{f.x, 0}, {y, 0}});
  const RefPtr<Plan> plan = f.plan_to_wait({w, {bad, 0}}, {{f.x, 0}, {y, 0}});
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    const int before = f.room.cancelled();
    const Status status = f.run(*plan, {floats({1, 2}), floats({1, 2, 3})});
    EXPECT_EQ(status.message(), "Incompatible shapes: [2] vs. [3]\n\t [[{{node bad}}]]");
    EXPECT_EQ(f.room.cancelled(), before + 1);
    EXPECT(f.fetches.empty());
  });
}

TINYTF_TEST(executor_ends_what_waits_when_a_late_node_fails) {
  Fixture f;
  Node* y = f.placeholder("y");
  const Endpoint first = f.waiting("first"), second = f.waiting("second");
  Node* bad = f.add("Add", "bad", {first, {y, 0}});
  const RefPtr<Plan> plan = f.plan_to_wait({second, {bad, 0}}, {{f.x, 0}, {y, 0}});
  int entries = 0;
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    const int before = f.room.cancelled();
    entries += 2;
    std::thread other([&, entries] {
      f.room.wait_for_entries(entries);
      EXPECT(f.room.let_out());  // the first one, in node order
    });
    const Status status = f.run(*plan, {floats({1, 2}), floats({1, 2, 3})});
    other.join();
    EXPECT_EQ(status.message(), "Incompatible shapes: [2] vs. [3]\n\t [[{{node bad}}]]");
    EXPECT_EQ(f.room.cancelled(), before + 1);
  });
}

TINYTF_TEST(executor_says_which_waiting_node_failed) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan_to_wait({f.negative("after", f.waiting("scope/w"))});
  int entries = 0;
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    std::thread other([&, entry = ++entries] {
      f.room.wait_for_entries(entry);
      EXPECT(f.room.let_out(internal_error("no luck")));
    });
    EXPECT_EQ(f.run(*plan, {floats({1})}).message(), "no luck\n\t [[{{node scope/w}}]]");
    other.join();
  });
}

TINYTF_TEST(executor_starts_no_waiting_kernel_without_its_inputs) {
  Fixture f;
  Node* v = f.variable("v", {1});
  const RefPtr<Plan> plan = f.plan_to_wait({f.waiting("w", {v, 0})});
  EXPECT_EQ(f.run(*plan, {floats({1})}).message(), "Attempting to use uninitialized value v\n\t [[{{node w}}]]");
  EXPECT_EQ(f.room.cancelled(), 0);
  EXPECT(!f.room.let_out());
}

TINYTF_TEST(executor_ends_what_waits_when_cancelled) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan_to_wait({f.waiting("a"), f.waiting("b")});
  int entries = 0;
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    entries += 2;
    std::thread other([&, entries] {
      f.room.wait_for_entries(entries);
      f.cancellation->cancel();
    });
    const Status status = f.run(*plan, {floats({1})});
    other.join();
    EXPECT_EQ(status.code(), Code::kCancelled);
    EXPECT_EQ(status.message().substr(0, 10), "sent away\n");
    EXPECT_EQ(f.room.cancelled(), entries);
  });
}

TINYTF_TEST(executor_ends_what_waits_when_the_time_is_up) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan_to_wait({f.waiting("a"), f.waiting("b")});
  f.timeout_ms = 1;
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    const int before = f.room.cancelled();
    const Status status = f.run(*plan, {floats({1})});
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
    EXPECT_EQ(status.message().rfind("Timed out waiting for notification\n\t [[{{node ", 0), 0u);
    for (const char* node : {"a", "b"}) EXPECT(status.message().find(node, 34) != std::string::npos);
    EXPECT_EQ(f.room.cancelled(), before + 2);
  });
}

/// Interrupts at the n-th poll.
class NthTime final : public Interrupt {
 public:
  explicit NthTime(int n) : left_(n) {}
  bool interrupted() override { return --left_ == 0; }
  int left() const { return left_; }

 private:
  int left_;
};

TINYTF_TEST(executor_ends_what_waits_when_interrupted) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan_to_wait({f.waiting("a"), f.waiting("b")});
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    const int before = f.room.cancelled();
    NthTime interrupt(2);
    f.interrupt = &interrupt;
    const Status status = f.run(*plan, {floats({1})});
    EXPECT_EQ(status.code(), Code::kCancelled);
    EXPECT_EQ(status.message(), "Run call was interrupted");
    EXPECT_EQ(f.room.cancelled(), before + 2);
    EXPECT_EQ(interrupt.left(), 0);  // no further polls
  });
}

TINYTF_TEST(executor_measures_what_does_not_wait) {
  Fixture f;
  const Endpoint w = f.waiting("w");
  const RefPtr<Plan> plan = f.plan_to_wait({f.negative("b", w)});
  for (int step = 0; step < 4; ++step) {
    const Porter porter(f.room, 1);
    EXPECT_OK(f.run(*plan, {floats({1})}));
    EXPECT_EQ(plan->profile().unit_ns[1].load() > 0, step > 0);
  }
  EXPECT_EQ(plan->profile().unit_ns[0].load(), 0);  // waiting time does not count
  EXPECT_EQ(plan->profile().steps.load(), 3);
  EXPECT(!plan->profile().use_threads.load());
}

TINYTF_TEST(executor_records_waiting_nodes) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan_to_wait({f.negative("b", f.waiting("w"))});
  StepStats stats;
  StatsRecorder recorder(stats);
  f.services.observer = &recorder;
  const Porter porter(f.room, 1);
  EXPECT_OK(f.run(*plan, {floats({1, 2})}));
  const std::vector<NodeStats> nodes = stats.take();
  EXPECT_EQ(nodes.size(), size_t{2});
  EXPECT_EQ(nodes[0].node + nodes[1].node, "wb");
  EXPECT(nodes[0].start_ns <= nodes[0].end_ns && nodes[0].end_ns <= nodes[1].start_ns);
  EXPECT_EQ(nodes[0].outputs[0].bytes, 8);
}

TINYTF_TEST(executor_watches_waiting_nodes) {
  struct NanKernel final : AsyncKernel {
    void compute_async(KernelContext& ctx, Done done) override {
      ctx.set_output(0, floats({std::nanf("")}));
      done(Status());
    }
  };
  Fixture f;
  const auto kernel = [](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->op->name != "Identity") return testing::registered_kernel(node);
    return std::shared_ptr<Kernel>(std::make_shared<NanKernel>());
  };
  const RefPtr<Plan> plan = f.plan({{f.x, 0}}, {f.negative("b", f.waiting("w"))}, kernel);
  NanWatch watch(true);
  f.services.observer = &watch;
  with_and_without_pool(f, [&] {
    f.cancellation.emplace();
    const Status status = f.run(*plan, {floats({1})});
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT(status.message().find("the first NaN comes from {{node w}}") != std::string::npos);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
