#include "runtime/step/map_run.h"

#include "runtime/step/bytecode_interpreter.h"
#include "tests/cpp/map_loop_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr double kLong = 1e6;  // so that threads are used

/// A step that has reached its loop.
struct Step {
  explicit Step(MapLoopFixture& f, int32_t from, int32_t to)
      : parallel(f.pool, 2), services(KernelServices(f.services)), plan(f.map_plan()), memory(plan->take_slots()) {
    services.parallel = services.whole.parallel = &parallel;
    const Program& program = plan->program();
    memory->slots[program.feed_slots[0]].tensor = scalar(from);
    memory->slots[program.feed_slots[1]].tensor = scalar(to);
    EXPECT_OK(interpreter.run(place, program.code->loops[0].code_begin));
  }
  Status map() { return run_map(*plan, services, *memory, BytecodeInterpreter::kAllUnits, 0, kLong, nullptr); }
  Status finish() { return interpreter.run(place, static_cast<int32_t>(plan->program().code->instructions.size())); }
  const Tensor& fetch(int i) const { return memory->slots[plan->program().fetch_slots[i]].tensor; }

  PoolParallel parallel;
  StepServices services;
  RefPtr<Plan> plan;
  std::unique_ptr<StepSlots> memory;
  BytecodePlace place;
  BytecodeInterpreter interpreter{*plan, services, *memory, BytecodeInterpreter::kAllUnits, nullptr, false, run_map};
};

TINYTF_TEST(map_run_does_what_is_left_of_a_loop) {
  MapLoopFixture f;
  Step step(f, 0, 6);
  EXPECT_OK(step.map());
  EXPECT_EQ(step.memory->iterations[0], 6);
  EXPECT_OK(step.map());  // no iterations are left
  EXPECT_OK(step.finish());
  EXPECT_EQ(values<float>(step.fetch(0)), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(step.fetch(1).data<int32_t>()[0], 6);
}

TINYTF_TEST(map_run_tells_the_first_iteration_that_failed) {
  for (int round = 0; round < 20; ++round) {
    MapLoopFixture f;
    Step step(f, 0, 400);
    // Elements that are already written.
    for (const int32_t i : {300, 77, 350}) {
      const MapLoop& map = *step.plan->program().code->loops[0].map;
      EXPECT_OK(OpRunner("TensorArrayWriteV3")
                    .input(step.memory->slots[map.arrays_written[0]].tensor)
                    .input(scalar(i))
                    .input(Tensor::scalar<float>(1))
                    .input(Tensor::scalar<float>(0))
                    .run()
                    .status());
    }
    const std::string message = step.map().message();
    EXPECT(message.find("Could not write to TensorArray index 77 because") != std::string::npos);
    EXPECT(message.find("in iteration 77 of l") != std::string::npos);
  }
}

TINYTF_TEST(map_run_ends_when_the_step_is_cancelled) {
  MapLoopFixture f;
  Step step(f, 0, 6);
  f.cancellation->cancel();
  EXPECT_EQ(step.map().code(), Code::kCancelled);
}

TINYTF_TEST(map_run_leaves_counters_that_are_no_scalars) {
  MapLoopFixture f;
  Step step(f, 0, 6);
  const MapLoop& map = *step.plan->program().code->loops[0].map;
  step.memory->slots[map.bounds[0].limit].tensor = tensor<int32_t>({1}, {6});
  EXPECT_OK(step.map());
  EXPECT_EQ(step.memory->iterations[0], 0);
}

TINYTF_TEST(map_run_leaves_sums_of_gradients_in_their_order) {
  MapLoopFixture f;
  Step step(f, 0, 6);
  const MapLoop& map = *step.plan->program().code->loops[0].map;
  Tensor& handle = step.memory->slots[map.arrays_written[0]].tensor;
  auto sums = OpRunner("TensorArrayGradV3")
                  .input(handle)
                  .input(Tensor::scalar<float>(0))
                  .attr("source", std::string("g"))
                  .run();
  EXPECT_OK(sums.status());
  handle = sums.value()[0];
  EXPECT_OK(step.map());
  EXPECT_EQ(step.memory->iterations[0], 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
