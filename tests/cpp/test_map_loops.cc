#include "runtime/plan/map_loops.h"

#include "tests/cpp/map_loop_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using Fixture = testing::MapLoopFixture;

std::shared_ptr<const MapLoop> map_of(Fixture& f) {
  const RefPtr<Plan> plan = f.map_plan();
  TINYTF_CHECK(plan->program().code != nullptr);
  return plan->program().code->loops[0].map;
}

TINYTF_TEST(map_loops_are_found) {
  Fixture f;
  const auto map = map_of(f);
  EXPECT(map != nullptr);
  EXPECT_EQ(map->counters.size(), size_t{1});
  EXPECT_EQ(map->bounds.size(), size_t{1});
  EXPECT_EQ(map->bounds[0].counter, size_t{0});
  EXPECT_EQ(map->arrays_written.size(), size_t{1});
  EXPECT(map->arrays_read.empty());
  EXPECT_EQ(map->taken.size(), size_t{4});  // limit, one, handle, flow
}

TINYTF_TEST(map_loops_have_steps_that_stay) {
  Fixture f;
  EXPECT_OK(f->update_input(f.loop.sum, 1, {f.loop.body, 0}));  // i += i
  EXPECT(map_of(f) == nullptr);
}

TINYTF_TEST(map_loops_have_limits_that_stay) {
  Fixture f;
  EXPECT_OK(f->update_input(f.loop.less, 1, {f.loop.merge, 0}));  // i < i
  EXPECT(map_of(f) == nullptr);
}

TINYTF_TEST(map_loops_do_not_look_at_flows) {
  Fixture f;
  Node* const sum = f.add("Add", "sum", {{f.value, 0}, {f.branch, 1}});
  EXPECT_OK(f->update_input(f.write, 2, {sum, 0}));
  EXPECT(map_of(f) == nullptr);
}

TINYTF_TEST(map_loops_have_no_other_variables) {
  Fixture f;
  EXPECT_OK(f->update_input(f.next, 0, {f.value, 0}));  // a float carried between iterations
  EXPECT(map_of(f) == nullptr);
}

TINYTF_TEST(map_loops_have_no_random_numbers) {
  Fixture f;
  Node* const shape = f.add("Shape", "shape", {{f.value, 0}});
  Node* const random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}});
  EXPECT_OK(f->update_input(f.write, 2, {random, 0}));
  EXPECT(map_of(f) == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
