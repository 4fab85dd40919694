#include "runtime/step/unit_counts.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using Fixture = testing::ExecutorFixture;

TINYTF_TEST(unit_counts_say_when_a_unit_can_run) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Exp", "b", {{x, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Add", "sum", {{a, 0}, {b, 0}}), 0}});
  auto memory = plan->take_slots();
  for (int step = 0; step < 2; ++step) {  // with the same memory
    UnitCounts counts(plan->program(), *memory);
    EXPECT_EQ(counts.pending(0), 0);
    EXPECT_EQ(counts.pending(2), 2);
    counts.add(2);
    EXPECT(!counts.arrive(2));
    EXPECT(!counts.arrive(2));
    EXPECT(counts.arrive(2));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
