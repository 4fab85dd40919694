#include "runtime/step/slot_uses.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

bool filled(const StepSlots& memory, int32_t slot) { return memory.slots[slot].tensor.valid(); }

TINYTF_TEST(slot_uses_let_go_after_the_last_reader) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* a = f.add("Neg", "a", {{x, 0}});
  Node* b = f.add("Exp", "b", {{x, 0}});
  Node* sum = f.add("Add", "sum", {{a, 0}, {b, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{sum, 0}});
  auto memory = plan->take_slots();
  for (Slot& slot : memory->slots) slot.tensor = floats({1});
  SlotUses uses(plan->program(), *memory);
  const int32_t feed = plan->program().feed_slots[0];
  // In another order than in the plan.
  EXPECT_EQ(uses.sole_reads(plan->program().units[1]), uint64_t{0});
  uses.release(plan->program().units[1]);
  EXPECT(filled(*memory, feed));
  EXPECT_EQ(uses.sole_reads(plan->program().units[0]), uint64_t{1});
  uses.release(plan->program().units[0]);
  EXPECT(!filled(*memory, feed));
  EXPECT_EQ(uses.sole_reads(plan->program().units[2]), uint64_t{3});
  uses.release(plan->program().units[2]);
  EXPECT(!filled(*memory, plan->program().nodes[0].first_output) &&
         !filled(*memory, plan->program().nodes[1].first_output));
  EXPECT(filled(*memory, plan->program().fetch_slots[0]));  // the fetch counts as a reader
}

TINYTF_TEST(slot_uses_spare_constants_and_values_that_are_read_twice) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* c = f.constant("c", floats({2}));
  Node* square = f.add("Mul", "square", {{x, 0}, {x, 0}});
  Node* sum = f.add("Add", "sum", {{square, 0}, {c, 0}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{sum, 0}});
  auto memory = plan->take_slots();
  memory->slots[plan->program().feed_slots[0]].tensor = floats({3});
  SlotUses uses(plan->program(), *memory);
  EXPECT_EQ(uses.sole_reads(plan->program().units[0]), uint64_t{0});  // must stay unchanged for its second reader
  uses.release(plan->program().units[0]);
  EXPECT(!filled(*memory, plan->program().feed_slots[0]));
  EXPECT_EQ(uses.sole_reads(plan->program().units[1]), uint64_t{1});  // the constant does not count
  uses.release(plan->program().units[1]);
  EXPECT(filled(*memory, plan->program().constants[0].first));
}

TINYTF_TEST(slot_uses_let_go_of_outputs_that_nobody_reads) {
  Fixture f;
  Node* x = f.placeholder("x", {4});
  Node* axis = f.constant("axis", Tensor::scalar(int32_t{0}));
  Node* split = f.add("Split", "split", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{split, 1}});
  auto memory = plan->take_slots();
  const int32_t first = plan->program().nodes[0].first_output;
  for (const int32_t output : {first, first + 1}) memory->slots[output].tensor = floats({1});
  SlotUses(plan->program(), *memory).release(plan->program().units[0]);
  EXPECT(!filled(*memory, first) && filled(*memory, first + 1));
}

TINYTF_TEST(slot_uses_count_anew_in_used_memory) {
  Fixture f;
  Node* x = f.placeholder("x");
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}});
  auto memory = plan->take_slots();
  for (int step = 0; step < 3; ++step) {
    memory->slots[plan->program().feed_slots[0]].tensor = floats({1});
    SlotUses uses(plan->program(), *memory);
    EXPECT_EQ(uses.sole_reads(plan->program().units[0]), uint64_t{1});
    uses.release(plan->program().units[0]);
    EXPECT(!filled(*memory, plan->program().feed_slots[0]));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
