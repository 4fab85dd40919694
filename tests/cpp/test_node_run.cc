#include "runtime/step/node_run.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ExecutorFixture;
using testing::floats;

/// Records its calls.
struct Witness final : NodeObserver {
  Status after(const KernelContext& ctx, int64_t start_ns, const Iterations&) override {
    seen += ctx.node().name;
    started = start_ns;
    return verdict;
  }
  bool wants_times() const override { return times; }
  bool keeps_inputs() const override { return keeps; }
  std::string seen;
  int64_t started = 0;
  Status verdict;
  bool times = false;
  bool keeps = false;
};

/// Runs the nodes of a plan one by one.
struct Fixture : ExecutorFixture {
  void begin_step(RefPtr<Plan> of) {
    plan = std::move(of);
    memory = plan->take_slots();
  }
  Slot* slots() { return memory->slots.data(); }
  NodeRun node(size_t n) {
    return NodeRun(plan->program(), plan->program().nodes[n], services, slots(), plan->program().nodes[n].last_use);
  }
  Status run(size_t n) {
    NodeRun run = node(n);
    TINYTF_RETURN_IF_ERROR(run.begin());
    return run.end(plan->program().nodes[n].kernel->compute(run.context()));
  }
  RefPtr<Plan> plan;
  std::unique_ptr<StepSlots> memory;
};

TINYTF_TEST(node_run_reads_references_when_it_begins) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* x = f.placeholder("x", {1});
  Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
  Node* read = f.add("Neg", "read", {{v, 0}});
  f.begin_step(f.ExecutorFixture::plan({{x, 0}}, {{read, 0}, {assign, 0}}));
  f.slots()[f.plan->program().feed_slots[0]].tensor = floats({5});
  EXPECT_OK(f.run(0));
  NodeRun early = f.node(2);
  EXPECT_EQ(early.begin().message(), "Attempting to use uninitialized value v\n\t [[{{node read}}]]");
  EXPECT_OK(f.run(1));
  EXPECT_OK(f.run(2));
  EXPECT_EQ(f.slots()[f.plan->program().fetch_slots[0]].tensor.data<float>()[0], -5.0f);
}

TINYTF_TEST(node_run_copies_fetched_references_at_its_end) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* x = f.placeholder("x", {1});
  Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
  Node* add = f.add("AssignAdd", "add", {{assign, 0}, {x, 0}});
  f.begin_step(f.ExecutorFixture::plan({{x, 0}}, {{assign, 0}, {add, 0}}));
  f.slots()[f.plan->program().feed_slots[0]].tensor = floats({5});
  for (size_t n = 0; n < 3; ++n) EXPECT_OK(f.run(n));
  EXPECT_EQ(f.slots()[f.plan->program().fetch_slots[0]].tensor.data<float>()[0], 5.0f);
  EXPECT_EQ(f.slots()[f.plan->program().fetch_slots[1]].tensor.data<float>()[0], 10.0f);
}

TINYTF_TEST(node_run_leaves_fetched_variables_to_the_end_of_the_step) {
  Fixture f;
  Node* v = f.variable("v", {1});
  Node* x = f.placeholder("x", {1});
  Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
  f.begin_step(f.ExecutorFixture::plan({{x, 0}}, {{assign, 0}, {v, 0}}));
  f.slots()[f.plan->program().feed_slots[0]].tensor = floats({5});
  NodeRun run = f.node(0);
  EXPECT_OK(run.begin());
  EXPECT_OK(f.plan->program().nodes[0].kernel->compute(run.context()));
  f.slots()[f.plan->program().nodes[0].first_output].ref->tensor = floats({3});
  EXPECT_OK(run.end(Status()));
  EXPECT_OK(f.run(1));
  const Slot& fetched = f.slots()[f.plan->program().fetch_slots[1]];
  EXPECT(!fetched.tensor.valid());
  EXPECT_EQ(fetched.ref->tensor.data<float>()[0], 5.0f);
}

TINYTF_TEST(node_run_of_a_fetched_variable_wants_it_initialised) {
  Fixture f;
  Node* v = f.variable("scope/v", {1});
  f.begin_step(f.ExecutorFixture::plan({}, {{v, 0}}));
  EXPECT_EQ(f.run(0).message(), "Attempting to use uninitialized value scope/v\n\t [[{{node scope/v}}]]");
}

TINYTF_TEST(node_run_tags_the_kernels_error) {
  Fixture f;
  Node* x = f.placeholder("x");
  f.begin_step(f.ExecutorFixture::plan({{x, 0}}, {{f.add("Neg", "scope/y", {{x, 0}}), 0}}));
  Witness witness;
  f.services.observer = &witness;
  NodeRun run = f.node(0);
  EXPECT_OK(run.begin());
  const Status status = run.end(internal_error("no luck"));
  EXPECT_EQ(status.code(), Code::kInternal);
  EXPECT_EQ(status.message(), "no luck\n\t [[{{node scope/y}}]]");
  EXPECT_EQ(witness.seen, "");  // only successful nodes are observed
}

TINYTF_TEST(node_run_shows_itself_to_the_observer) {
  Fixture f;
  Node* x = f.placeholder("x");
  f.begin_step(f.ExecutorFixture::plan({{x, 0}}, {{f.add("Neg", "y", {{x, 0}}), 0}}));
  f.slots()[f.plan->program().feed_slots[0]].tensor = floats({5});
  Witness witness;
  f.services.observer = &witness;
  const auto now = [] {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  };
  const int64_t before = now();
  EXPECT_OK(f.run(0));
  EXPECT_EQ(witness.started, 0);  // times are not requested
  witness.times = true;
  EXPECT_OK(f.run(0));
  EXPECT_EQ(witness.seen, "yy");
  EXPECT(witness.started >= before && witness.started <= now());
  witness.verdict = invalid_argument("unseemly");
  EXPECT_EQ(f.run(0).message(), "unseemly\n\t [[{{node y}}]]");
}

TINYTF_TEST(node_run_keeps_inputs_for_who_looks_at_them) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* y = f.add("Neg", "y", {{x, 0}});
  f.begin_step(f.ExecutorFixture::plan({{x, 0}}, {{y, 0}}));
  Tensor given = floats({5, 6});
  f.slots()[f.plan->program().feed_slots[0]].tensor = std::move(given);
  EXPECT(f.node(0).context().can_forward(0, DType::kFloat, 2));
  Witness witness;
  f.services.observer = &witness;
  EXPECT(f.node(0).context().can_forward(0, DType::kFloat, 2));
  witness.keeps = true;
  EXPECT(!f.node(0).context().can_forward(0, DType::kFloat, 2));
  EXPECT_EQ(&f.node(0).node(), &f.plan->program().nodes[0]);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
