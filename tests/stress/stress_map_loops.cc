// Iterations of one loop run on several threads, in steps of several threads.

#include "runtime/step/bytecode_interpreter.h"
#include "runtime/step/map_run.h"
#include "tests/cpp/map_loop_fixture.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr double kLong = 1e6;  // nanoseconds, so that threads are used
constexpr int32_t kIterations = 500;

/// Runs a step with its own arrays of a plan shared with other steps.
void run_step(MapLoopFixture& f, Plan& plan) {
  Cancellation cancellation;
  ResourceManager resources;
  PoolParallel parallel(f.pool, 3);
  const StepServices services(KernelServices{&Allocator::process(), &parallel, &resources, &resources, &cancellation});
  const Program& program = plan.program();
  auto memory = plan.take_slots();
  memory->slots[program.feed_slots[0]].tensor = scalar(0);
  memory->slots[program.feed_slots[1]].tensor = scalar(kIterations);
  BytecodeInterpreter interpreter(plan, services, *memory, BytecodeInterpreter::kAllUnits, nullptr, false, run_map);
  BytecodePlace place;
  EXPECT_OK(interpreter.run(place, program.code->loops[0].code_begin));
  EXPECT_OK(run_map(plan, services, *memory, BytecodeInterpreter::kAllUnits, 0, kLong, nullptr));
  EXPECT_OK(interpreter.run(place, static_cast<int32_t>(program.code->instructions.size())));
  EXPECT_EQ(values<float>(memory->slots[program.fetch_slots[0]].tensor), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(memory->slots[program.fetch_slots[1]].tensor.data<int32_t>()[0], kIterations);
  memory->clear(program);
  plan.return_slots(std::move(memory));
}

TINYTF_TEST(iterations_of_a_map_are_shared_by_threads) {
  MapLoopFixture f;
  const RefPtr<Plan> plan = f.map_plan();
  on_threads(3, [&](int) {
    for (int step = 0; step < rounds(30); ++step) run_step(f, *plan);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
