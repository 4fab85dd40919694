#include "runtime/step/fetched_variables.h"

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::ExecutorFixture;
using testing::floats;

TINYTF_TEST(fetched_variables_are_read_when_the_step_is_over) {
  ExecutorFixture f;
  RefVariable variable;
  variable.tensor = floats({5});
  Slot slot;
  slot.ref = &variable;
  EXPECT_OK(read_fetched_variable(slot, *f.services.allocator));
  EXPECT_EQ(slot.tensor.data<float>()[0], 5.0f);
  EXPECT(slot.ref == nullptr);
  EXPECT(slot.tensor.data<float>() != variable.tensor.data<float>());
}

TINYTF_TEST(fetched_variables_leave_other_slots_as_they_are) {
  ExecutorFixture f;
  Slot slot;
  EXPECT_OK(read_fetched_variable(slot, *f.services.allocator));
  EXPECT(!slot.tensor.valid());
  slot.tensor = floats({3});
  EXPECT_OK(read_fetched_variable(slot, *f.services.allocator));
  EXPECT_EQ(slot.tensor.data<float>()[0], 3.0f);
}

TINYTF_TEST(fetched_variables_are_what_all_nodes_of_a_step_have_left) {
  for (const bool compiles : {true, false}) {
    ExecutorFixture f;
    Node* v = f.variable("v", {1});
    Node* x = f.placeholder("x", {1});
    Node* assign = f.add("Assign", "assign", {{v, 0}, {x, 0}});
    Node* read = f.add("Identity", "read", {{assign, 0}});
    Node* add = f.add("AssignAdd", "add", {{assign, 0}, {x, 0}}, {}, {read});
    // The node of the read runs first and needs a value.
    const RefPtr<Plan> plan = f.plan({{x, 0}}, {{assign, 0}, {add, 0}}, testing::registered_kernel, compiles);
    EXPECT_OK(f.run(*plan, {floats({2})}));
    EXPECT_EQ(f.fetches[0].data<float>()[0], 2.0f);
    EXPECT_EQ(f.fetches[1].data<float>()[0], 4.0f);
    const RefPtr<Plan> fetching = f.plan({}, {{v, 0}}, testing::registered_kernel, compiles);
    EXPECT_OK(f.run(*fetching, {}));
    EXPECT_EQ(f.fetches[0].data<float>()[0], 4.0f);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
