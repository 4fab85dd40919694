#include "runtime/executor.h"

#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/stats_recorder.h"
#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace {

using testing::floats;
using testing::for_each_way;
using Fixture = testing::ExecutorFixture;

TINYTF_TEST(executor_runs_and_leaves_nothing_behind) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* c = f.constant("c", floats({10, 20}));
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Mul", "b", {{x, 0}, {c, 0}});
  Node* sum = f.add("Add", "sum", {{a, 0}, {b, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{sum, 0}, {c, 0}, {x, 0}});
  for_each_way(*plan, [&] {
    for (int step = 0; step < 3; ++step) {
      EXPECT_OK(f.run(*plan, {floats({1, 2})}));
      EXPECT_EQ(f.fetches[0].data<float>()[1], 38.0f);
      EXPECT_EQ(f.fetches[1].data<float>()[1], 20.0f);
      EXPECT_EQ(f.fetches[2].data<float>()[1], 2.0f);
      EXPECT(!f.fetches[1].writable_in_place());  // the plan's own
    }
  });
}

TINYTF_TEST(executor_says_which_node_failed) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* y = f.placeholder("y");
  Node* sum = f.add("Add", "scope/sum", {{x, 0}, {y, 0}});
  Node* after = f.add("Neg", "after", {{sum, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}, {y, 0}}, {{after, 0}});
  for_each_way(*plan, [&] {
    const Status status = f.run(*plan, {floats({1, 2}), floats({1, 2, 3})});
    EXPECT_EQ(status.message(), "Incompatible shapes: [2] vs. [3]\n\t [[{{node scope/sum}}]]");
    EXPECT(f.fetches.empty());
    f.cancellation.emplace();  // as the next step's own
    EXPECT_OK(f.run(*plan, {floats({1, 2}), floats({1})}));
    EXPECT_EQ(f.fetches[0].data<float>()[1], -3.0f);
  });
}

TINYTF_TEST(executor_stops_when_cancelled) {
  Fixture f;
  Node* x = f.placeholder("x");
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "y", {{x, 0}}), 0}});
  f.cancellation->cancel();
  for_each_way(*plan, [&] {
    const Status status = f.run(*plan, {floats({1})});
    EXPECT_EQ(status.code(), Code::kCancelled);
    EXPECT_EQ(status.message(), "Run call was cancelled");
  });
}

TINYTF_TEST(executor_reuses_memory_only_where_nobody_looks) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Exp", "b", {{a, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{b, 0}});
  for_each_way(*plan, [&] {
    Tensor mine = floats({0, 0});
    const void* memory = mine.raw();
    EXPECT_OK(f.run(*plan, {mine}));
    EXPECT(f.fetches[0].raw() != memory);  // still mine
    EXPECT_EQ(mine.data<float>()[0], 0.0f);
    std::vector<Tensor> given;
    given.push_back(std::move(mine));
    auto slots = plan->take_slots();
    f.fetches.clear();
    StepWatch watch(0, nullptr);
    EXPECT_OK(execute(*plan, f.services, *slots, {&f.pool, 3}, watch, given, f.fetches));
    plan->return_slots(std::move(slots));
    EXPECT_EQ(f.fetches[0].raw(), memory);  // given away: written in place twice
    EXPECT_EQ(f.fetches[0].data<float>()[0], 1.0f);
  });
}

TINYTF_TEST(executor_of_a_node_with_many_inputs_spares_what_is_read_later) {
  // Input 65 is read again; what is known of input 1 must not be taken for it.
  Fixture f;
  std::vector<Endpoint> feeds;
  std::vector<Tensor> values;
  for (int i = 0; i < 70; ++i) {
    feeds.push_back({f.placeholder(str_cat("x", i), {1}), 0});
    values.push_back(floats({1}));
  }
  std::vector<Endpoint> inputs = feeds;
  inputs[65] = {f.add("Neg", "kept", {feeds[65]}), 0};
  Node* sum = f.add_list("AddN", "sum", inputs);
  Node* later = f.add("Identity", "later", {inputs[65]});
  f->add_control_input(later, sum);
  const RefPtr<Plan> plan = f.plan(feeds, {{sum, 0}, {later, 0}});
  for_each_way(*plan, [&] {
    EXPECT_OK(f.run(*plan, values));  // the feeds stay the caller's: not to be written
    EXPECT_EQ(f.fetches[0].data<float>()[0], 68.0f);
    EXPECT_EQ(f.fetches[1].data<float>()[0], -1.0f);
  });
}

TINYTF_TEST(executor_reads_variables_when_their_readers_run) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* x = f.placeholder("x", {1});
  Node* before = f.add("Identity", "before", {{v, 0}});
  Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
  Node* add = f.add("AssignAdd", "add", {{assign, 0}, {x, 0}});
  const RefPtr<Plan> read = f.plan({}, {{before, 0}});
  const Status status = f.run(*read, {});
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_EQ(status.message(), "Attempting to use uninitialized value v\n\t [[{{node before}}]]");
  const RefPtr<Plan> write = f.plan({{x, 0}}, {{assign, 0}, {add, 0}});
  for_each_way(*write, [&] {
    EXPECT_OK(f.run(*write, {floats({3})}));
    EXPECT_EQ(f.fetches[0].data<float>()[0], 3.0f);  // as it was after its node
    EXPECT_EQ(f.fetches[1].data<float>()[0], 6.0f);
  });
  EXPECT_OK(f.run(*read, {}));
  EXPECT_EQ(f.fetches[0].data<float>()[0], 6.0f);
}

TINYTF_TEST(executor_records_traced_steps) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* a = f.add("Neg", "a", {{x, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Exp", "b", {{a, 0}}), 0}});
  for_each_way(*plan, [&] {
    StepStats stats;
    StatsRecorder recorder(stats);
    f.services.observer = &recorder;
    EXPECT_OK(f.run(*plan, {floats({1, 2})}));
    f.services.observer = nullptr;
    const std::vector<NodeStats> nodes = stats.take();
    EXPECT_EQ(nodes.size(), size_t{2});
    EXPECT_EQ(nodes[0].node + nodes[1].node, "ab");
    EXPECT(nodes[0].start_ns <= nodes[0].end_ns && nodes[0].end_ns <= nodes[1].start_ns);
    EXPECT_EQ(nodes[0].outputs.size(), size_t{1});
    EXPECT(nodes[0].outputs[0].dtype == DType::kFloat && nodes[0].outputs[0].shape == Shape{2});
    EXPECT_EQ(nodes[0].outputs[0].bytes, 8);
  });
}

TINYTF_TEST(executor_notes_times_of_the_first_steps_but_one) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}});
  std::vector<bool> early, measured;
  for (int i = 0; i < 5; ++i) {
    MeasuredStep step(*plan);
    early.push_back(step.is_early());
    measured.push_back(step.is_measured());
    if (i == 2) plan->profile.node_ns[0] = 6'000'000;
    EXPECT(!plan->profile.is_long.load() || i > 2);
    step.end();
  }
  EXPECT(early == (std::vector<bool>{true, true, true, false, false}));
  EXPECT(measured == (std::vector<bool>{false, true, true, false, false}));
  EXPECT(plan->profile.is_long.load());
  EXPECT_EQ(plan->profile.steps.load(), 3);
  MeasuredStep(*plan).note(0, MeasuredStep::Clock::now() - std::chrono::seconds(1000));
  EXPECT_EQ(plan->profile.node_ns[0].load(), std::numeric_limits<int32_t>::max());
}

TINYTF_TEST(executor_measures_a_few_steps_and_decides) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Exp", "b", {{x, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Add", "sum", {{a, 0}, {b, 0}}), 0}});
  for (int step = 0; step < 6; ++step) EXPECT_OK(f.run(*plan, {floats({1})}));
  EXPECT_EQ(plan->profile.steps.load(), 3);
  EXPECT(!plan->profile.use_threads.load());  // far too small
  const auto pays = [&](int32_t a_ns, int32_t b_ns, int32_t sum_ns) {
    plan->profile.node_ns[0] = a_ns;
    plan->profile.node_ns[1] = b_ns;
    plan->profile.node_ns[2] = sum_ns;
    return threads_would_pay(*plan);
  };
  EXPECT(pays(100'000, 100'000, 0));
  EXPECT(!pays(100'000, 1'000, 0));        // one node is all of it
  EXPECT(!pays(1'000, 1'000, 100'000));    // the last one waits for all
  EXPECT(!pays(15'000, 15'000, 0));        // too short
  EXPECT(!pays(20'000, 20'000, 500'000));  // hardly shorter
}

/// Waits in the node of that name until so many others have run.
struct LastKernel final : Kernel {
  LastKernel(std::atomic<int>& ran, int others) : ran(ran), others(others) {}
  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, ctx.input(0));
    if (ctx.node().name != "last") {
      ++ran;
      return Status();
    }
    while (ran.load() < others) std::this_thread::yield();
    return Status();
  }
  std::atomic<int>& ran;
  const int others;
};

TINYTF_TEST(executor_leaves_no_node_to_a_thread_that_is_busy) {
  constexpr int kNodes = 8;
  for (int last = 0; last < kNodes; ++last) {
    Fixture f;
    Node* x = f.placeholder("x", {1});
    std::vector<Endpoint> nodes;
    for (int i = 0; i < kNodes; ++i) nodes.push_back({f.add("Neg", i == last ? "last" : str_cat("n", i), {{x, 0}}), 0});
    std::atomic<int> ran{0};
    const auto kernel = [&](const Node& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.op_name() == "Neg") return std::shared_ptr<Kernel>(std::make_shared<LastKernel>(ran, kNodes - 1));
      return testing::registered_kernel(node);
    };
    const RefPtr<Plan> plan = f.plan({{x, 0}}, nodes, kernel);
    for (size_t n = 0; n < plan->nodes.size(); ++n) plan->profile.node_ns[n] = 1'000'000;
    plan->profile.steps = 4;
    plan->profile.use_threads = true;
    EXPECT_OK(f.run(*plan, {floats({1})}));
    EXPECT_EQ(ran.load(), kNodes - 1);
  }
}

/// Notes the threads of nodes.
struct ThreadKernel final : Kernel {
  explicit ThreadKernel(std::map<std::string, std::thread::id>& ran) : ran(ran) {}
  Status compute(KernelContext& ctx) override {
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    ran[ctx.node().name] = std::this_thread::get_id();
    ctx.set_output(0, ctx.input(0));
    return Status();
  }
  std::map<std::string, std::thread::id>& ran;
};

TINYTF_TEST(executor_goes_on_with_the_node_that_most_waits_for) {
  for (const int place : {0, 1, 2, 3}) {
    Fixture f;
    Node* x = f.placeholder("x", {1});
    Node* begin = f.add("Neg", "begin", {{x, 0}});
    std::vector<Endpoint> ends;
    for (int i = 0; i < 4; ++i) ends.push_back({f.add("Neg", i == place ? "next" : str_cat("n", i), {{begin, 0}}), 0});
    for (int i = 0; i < 3; ++i) ends[place] = {f.add("Neg", str_cat("later", i), {ends[place]}), 0};
    std::map<std::string, std::thread::id> ran;
    const RefPtr<Plan> plan = f.plan({{x, 0}}, ends, [&](const Node&) -> Result<std::shared_ptr<Kernel>> {
      return std::shared_ptr<Kernel>(std::make_shared<ThreadKernel>(ran));
    });
    for (size_t n = 0; n < plan->nodes.size(); ++n) plan->profile.node_ns[n] = 1'000'000;
    EXPECT(threads_would_pay(*plan));
    plan->profile.steps = 4;
    plan->profile.use_threads = true;
    EXPECT_OK(f.run(*plan, {floats({1})}));
    EXPECT_EQ(ran.size(), 8u);
    EXPECT(ran["next"] == ran["begin"]);
  }
}

TINYTF_TEST(executor_takes_the_way_that_takes_less_time) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}, {f.add("Exp", "b", {{x, 0}}), 0}});
  plan->profile.steps = 4;
  plan->profile.use_threads = true;
  const auto run = [&] { EXPECT_OK(f.run(*plan, {floats({1})})); };
  const auto means = [&] { return std::pair(plan->profile.alone_ns.load(), plan->profile.together_ns.load()); };
  for (int step = 0; step < 4; ++step) run();
  EXPECT(means().first > 0 && means().second > 0);  // both were tried
  for (const bool alone_is_quick : {true, false}) {
    plan->profile.alone_ns = alone_is_quick ? 1 : int64_t{1} << 40;
    plan->profile.together_ns = alone_is_quick ? int64_t{1} << 40 : 1;
    plan->profile.trials = 5;
    const auto before = means();
    for (int step = 0; step < 20; ++step) run();
    EXPECT_EQ(means().first == before.first, !alone_is_quick);
    EXPECT_EQ(means().second == before.second, alone_is_quick);
    for (int step = 0; step < 40; ++step) run();  // the other way is tried again
    EXPECT(means().first != before.first && means().second != before.second);
  }
}

}  // namespace
}  // namespace tinytf
