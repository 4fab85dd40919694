#include "runtime/plan/plan.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using Fixture = testing::ExecutorFixture;

TINYTF_TEST(plan_measures_by_unit) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Exp", "b", {{f.add("Neg", "a", {{x, 0}}), 0}}), 0}});
  EXPECT_EQ(plan->program().units.size(), size_t{2});
  for (size_t u = 0; u < 2; ++u) {
    EXPECT_EQ(plan->profile().unit_ns[u].load(), 0);
    EXPECT_EQ(plan->profile().tail_ns[u].load(), 0);
  }
}

TINYTF_TEST(plan_takes_memory_again) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}});
  auto memory = plan->take_slots();
  const StepSlots* returned = memory.get();
  plan->return_slots(std::move(memory));
  EXPECT_EQ(plan->take_slots().get(), returned);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
