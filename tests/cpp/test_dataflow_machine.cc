#include "runtime/step/dataflow_machine.h"

#include "op/async_kernel.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

// The rules for dead values and frames, in addition to TensorFlow's own cases in tests/session/test_dead_tensors.py:
// here kernels wait, fail and are observed.
namespace tinytf {
namespace TINYTF_FILE {

using testing::add_enter;
using testing::add_merge;
using testing::add_switch;
using testing::CountingLoop;
using testing::scalar;
using Fixture = testing::ExecutorFixture;

int32_t int_of(const Tensor& tensor) { return tensor.data<int32_t>()[0]; }

/// Completes when another thread says so, or when its step is cancelled.
struct LaterKernel final : AsyncKernel {
  void compute_async(KernelContext& ctx, Done done) override {
    ctx.set_output(0, ctx.input(0));
    if (waits_for_ever) {
      Cancellation::Token token = -1;
      if (ctx.step().cancellation->on_cancel(&token, [done] { done(Status(Code::kCancelled, "cancelled")); })) return;
      return done(Status(Code::kCancelled, "cancelled"));
    }
    pool->schedule([done] { done(Status()); });
  }
  ThreadPool* pool = nullptr;
  bool waits_for_ever = false;
};

struct FailKernel final : Kernel {
  explicit FailKernel(int32_t at) : at(at) {}
  Status compute(KernelContext& ctx) override {
    if (int_of(ctx.input(0)) == at) return invalid_argument("it is ", at);
    ctx.set_output(0, ctx.input(0));
    return Status();
  }
  const int32_t at;
};

struct Loop : Fixture {
  Loop() : Loop(10) {}
  explicit Loop(int64_t parallel_iterations) {
    start = placeholder("start", PartialShape::scalar(), DType::kInt32);
    limit = placeholder("limit", PartialShape::scalar(), DType::kInt32);
    one = constant("one", scalar(1));
    loop.emplace(*this, "loop", Endpoint{start, 0}, Endpoint{limit, 0}, Endpoint{one, 0}, parallel_iterations);
  }
  RefPtr<Plan> plan_with(std::shared_ptr<Kernel> body) {
    const auto kernels = [&](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (body != nullptr && node.info->name == "loop/body") return body;
      return testing::registered_kernel(node);
    };
    return plan({{start, 0}, {limit, 0}}, {{loop->exit, 0}}, kernels, /*compiles=*/false);
  }
  Node *start, *limit, *one;
  std::optional<CountingLoop> loop;
};

TINYTF_TEST(dataflow_machine_runs_loops) {
  for (const int64_t at_once : {0, 1, 2, 10, 1000}) {
    Loop f(at_once);
    const RefPtr<Plan> plan = f.plan_with(nullptr);
    for (const int32_t limit : {0, 1, 2, 3, 500}) {
      EXPECT_OK(f.run(*plan, {scalar(0), scalar(limit)}));
      EXPECT_EQ(int_of(f.fetches[0]), limit);
    }
  }
}

TINYTF_TEST(dataflow_machine_waits_for_kernels_in_loops) {
  Loop f;
  const auto later = std::make_shared<LaterKernel>();
  later->pool = &f.pool;
  const RefPtr<Plan> plan = f.plan_with(later);
  EXPECT_OK(f.run(*plan, {scalar(0), scalar(300)}));
  EXPECT_EQ(int_of(f.fetches[0]), 300);
}

TINYTF_TEST(dataflow_machine_ends_waits_when_the_time_is_up) {
  Loop f;
  const auto never = std::make_shared<LaterKernel>();
  never->waits_for_ever = true;
  const RefPtr<Plan> plan = f.plan_with(never);
  f.timeout_ms = 20;
  EXPECT(f.run(*plan, {scalar(0), scalar(3)}).code() == Code::kDeadlineExceeded);
}

TINYTF_TEST(dataflow_machine_ends_loops_that_take_too_long) {
  Loop f;
  const RefPtr<Plan> plan = f.plan_with(nullptr);
  f.timeout_ms = 30;
  EXPECT(f.run(*plan, {scalar(0), scalar(2'000'000'000)}).code() == Code::kDeadlineExceeded);
}

TINYTF_TEST(dataflow_machine_tells_which_node_failed) {
  Loop f;
  const RefPtr<Plan> plan = f.plan_with(std::make_shared<FailKernel>(7));
  const Status status = f.run(*plan, {scalar(0), scalar(20)});
  EXPECT(status.message().find("it is 7") != std::string::npos);
  EXPECT(status.message().find("{{node loop/body}}") != std::string::npos);
  EXPECT(f.fetches.empty());
  Loop g;
  const RefPtr<Plan> other = g.plan_with(std::make_shared<FailKernel>(7));
  EXPECT_OK(g.run(*other, {scalar(0), scalar(5)}));
}

TINYTF_TEST(dataflow_machine_ends_loops_that_are_not_entered) {
  Loop f;
  Node* p = f.constant("p", Tensor::scalar(false));
  Node* branch = add_switch(f, "branch", {f.start, 0}, {p, 0});
  const CountingLoop inner(f, "inner", {branch, 1}, {f.limit, 0}, {f.one, 0});
  Node* merge = add_merge(f, "merge", {{branch, 0}, {inner.exit, 0}});
  const RefPtr<Plan> plan =
      f.plan({{f.start, 0}, {f.limit, 0}}, {{merge, 0}, {merge, 1}}, testing::registered_kernel, /*compiles=*/false);
  EXPECT_OK(f.run(*plan, {scalar(4), scalar(9)}));
  EXPECT_EQ(int_of(f.fetches[0]), 4);
  EXPECT_EQ(int_of(f.fetches[1]), 0);
}

TINYTF_TEST(dataflow_machine_has_no_value_for_a_merge_that_starves) {
  Fixture f;
  Node* x = f.placeholder("x", PartialShape::scalar(), DType::kInt32);
  Node* enter = add_enter(f, "enter", {x, 0}, "f");
  Node* merge = add_merge(f, "merge", {{enter, 0}, {enter, 0}});
  Node* next = f.add("NextIteration", "next", {{merge, 0}});
  EXPECT_OK(f->update_input(merge, 0, {next, 0}));
  EXPECT_OK(f->update_input(merge, 1, {next, 0}));
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Exit", "exit", {{enter, 0}}), 0}, {x, 0}});
  EXPECT_OK(f.run(*plan, {scalar(3)}));
  EXPECT_EQ(int_of(f.fetches[0]), 3);
  EXPECT_EQ(prune({}, {{merge, 0}}, {}).ok(), true);
  const auto starving = build_program(prune({}, {{merge, 0}}, {}).take(), {}, testing::registered_kernel);
  EXPECT_EQ(starving.status().message(), "{{node next}} is a NextIteration outside of a loop.");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
