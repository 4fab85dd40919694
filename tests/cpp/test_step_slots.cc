#include "runtime/plan/step_slots.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

TINYTF_TEST(slot_pool_has_constants_in_place) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* c = f.constant("c", floats({1, 2}));
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Add", "y", {{x, 0}, {c, 0}}), 0}});
  const Program& program = plan->program();
  const int32_t constant = program.constants[0].first, feed = program.feed_slots[0];
  SlotPool pool;
  auto first = pool.take(program), second = pool.take(program);
  EXPECT(first != second);
  EXPECT_EQ(first->slots.size(), static_cast<size_t>(program.slot_count));
  EXPECT_EQ(first->slots[constant].tensor.raw(), second->slots[constant].tensor.raw());
  EXPECT(!first->slots[constant].tensor.writable_in_place());
  EXPECT(!first->slots[feed].tensor.valid());
  const StepSlots* returned = first.get();
  pool.give_back(std::move(first));
  EXPECT_EQ(pool.take(program).get(), returned);
}

TINYTF_TEST(step_slots_are_as_new_when_cleared) {
  Fixture f;
  Node* x = f.placeholder("x", {2});
  Node* c = f.constant("c", floats({1, 2}));
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Add", "y", {{x, 0}, {c, 0}}), 0}});
  const Program& program = plan->program();
  auto memory = plan->take_slots();
  for (Slot& slot : memory->slots) slot.tensor = floats({5});
  memory->clear(program);
  for (size_t s = 0; s < memory->slots.size(); ++s) {
    const bool is_constant = static_cast<int32_t>(s) == program.constants[0].first;
    EXPECT_EQ(memory->slots[s].tensor.valid(), is_constant);
  }
  EXPECT_EQ(memory->slots[program.constants[0].first].tensor.data<float>()[1], 2.0f);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
