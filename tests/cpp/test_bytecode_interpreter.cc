#include "runtime/step/bytecode_interpreter.h"

#include "runtime/step/map_run.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::scalar;

struct Fixture : testing::ExecutorFixture {
  Node* start = placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* limit = placeholder("limit", PartialShape::scalar(), DType::kInt32);
  Node* one = constant("one", scalar(1));
  testing::CountingLoop loop{*this, "l", {start, 0}, {limit, 0}, {one, 0}};
};

TINYTF_TEST(bytecode_interpreter_leaves_what_others_wrote) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}});
  const Program& program = plan->program();
  EXPECT_EQ(program.units.size(), size_t{1});
  for (const int32_t unit : {BytecodeInterpreter::kAllUnits, 0}) {
    auto memory = plan->take_slots();
    Slot& first = memory->slots[program.feed_slots[0]];
    first.tensor = scalar(2);
    memory->slots[program.feed_slots[1]].tensor = scalar(5);
    StepStopCheck stop_check(0, nullptr);
    BytecodeInterpreter interpreter(*plan, f.services, *memory, unit, &stop_check, false, run_map);
    BytecodePlace place;
    EXPECT_OK(interpreter.run(place, program.units[0].code_end));
    EXPECT_EQ(place.at, program.units[0].code_end);
    EXPECT_EQ(memory->slots[program.fetch_slots[0]].tensor.data<int32_t>()[0], 5);
    EXPECT_EQ(first.tensor.valid(), unit == 0);
    if (unit == 0) EXPECT_EQ(first.tensor.data<int32_t>()[0], 2);
    EXPECT_EQ(memory->iterations[0], 0);
    memory->clear(program);
    plan->return_slots(std::move(memory));
  }
}

TINYTF_TEST(bytecode_interpreter_takes_no_memory_for_each_iteration) {
  Fixture f;
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}});
  const auto taken = [&](int32_t limit) {
    const int64_t before = Allocator::process().stats().allocations;
    EXPECT_OK(f.run(*plan, {scalar(0), scalar(limit)}));
    return Allocator::process().stats().allocations - before;
  };
  taken(10);
  const int64_t few = taken(10);
  EXPECT_EQ(taken(1000), few);
}

TINYTF_TEST(bytecode_interpreter_says_in_which_iteration) {
  Fixture f;
  Node* checked = f.add("Reshape", "checked", {{f.loop.sum, 0}, {f.loop.body, 0}});  // the shape is not a vector
  EXPECT_OK(f->update_input(f.loop.next, 0, {checked, 0}));
  const RefPtr<Plan> plan = f.plan({{f.start, 0}, {f.limit, 0}}, {{f.loop.exit, 0}});
  EXPECT(plan->program().code != nullptr);
  const std::string message = f.run(*plan, {scalar(0), scalar(5)}).message();
  EXPECT(message.find("[[{{node checked}}]]\n\t in iteration 0 of l") != std::string::npos);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
