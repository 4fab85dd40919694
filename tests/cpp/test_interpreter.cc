#include "runtime/step/interpreter.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

/// Cancels its step.
struct CancelKernel final : Kernel {
  Status compute(KernelContext& ctx) override {
    ctx.set_output(0, ctx.input(0));
    ctx.step().cancellation->cancel();
    return Status();
  }
};

TINYTF_TEST(interpreter_runs_in_the_programs_order_and_releases) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  Node* a = f.add("Neg", "a", {{x, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Exp", "b", {{a, 0}}), 0}});
  auto memory = plan->take_slots();
  memory->slots[plan->program().feed_slots[0]].tensor = floats({0});
  StepStopCheck stop_check(0, nullptr);
  EXPECT_OK(interpret(*plan, f.services, *memory, stop_check));
  size_t left = 0;
  for (const Slot& slot : memory->slots) left += slot.tensor.valid();
  EXPECT_EQ(left, size_t{1});
  EXPECT_EQ(memory->slots[plan->program().fetch_slots[0]].tensor.data<float>()[0], 1.0f);
}

TINYTF_TEST(interpreter_ends_between_nodes) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  Node* a = f.add("Neg", "a", {{x, 0}});
  const auto kernels = [](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
    if (node.info->name == "a") return std::shared_ptr<Kernel>(std::make_shared<CancelKernel>());
    return testing::registered_kernel(node);
  };
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Exp", "b", {{a, 0}}), 0}}, kernels);
  auto memory = plan->take_slots();
  memory->slots[plan->program().feed_slots[0]].tensor = floats({0});
  StepStopCheck stop_check(0, nullptr);
  EXPECT_EQ(interpret(*plan, f.services, *memory, stop_check).message(), step_cancelled().message());
  EXPECT(!memory->slots[plan->program().fetch_slots[0]].tensor.valid());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
