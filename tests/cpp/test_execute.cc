#include "runtime/step/execute.h"

#include <utility>
#include <vector>

#include "runtime/observe/stats_recorder.h"
#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

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
      EXPECT(!f.fetches[1].writable_in_place());  // owned by the plan
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
    f.cancellation.emplace();  // a new one for the next step
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
    EXPECT(f.fetches[0].raw() != memory);  // still owned by the caller
    EXPECT_EQ(mine.data<float>()[0], 0.0f);
    std::vector<Tensor> given;
    given.push_back(std::move(mine));
    auto slots = plan->take_slots();
    f.fetches.clear();
    StepStopCheck stop_check(0, nullptr);
    EXPECT_OK(execute(*plan, f.services, *slots, {&f.pool, 3}, stop_check, given, f.fetches));
    plan->return_slots(std::move(slots));
    EXPECT_EQ(f.fetches[0].raw(), memory);  // moved in, and written in place twice
    EXPECT_EQ(f.fetches[0].data<float>()[0], 1.0f);
  });
}

TINYTF_TEST(executor_of_a_node_with_many_inputs_spares_what_is_read_later) {
  // Input 65 is read again; the flag of input 1 must not be used for it.
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
    EXPECT_OK(f.run(*plan, values));  // the caller keeps the feeds, so that they may not be written
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
    EXPECT_EQ(f.fetches[0].data<float>()[0], 3.0f);  // the value right after its node
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

}  // namespace TINYTF_FILE
}  // namespace tinytf
