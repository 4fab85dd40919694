#include "runtime/step/step_services.h"

#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

struct Stop final : Interrupt {
  bool interrupted() override {
    ++asked;
    return true;
  }
  int asked = 0;
};

TINYTF_TEST(step_services_lends_nodes_with_state_the_whole_loops) {
  SerialParallel whole, cut;
  KernelServices kernel_services;
  kernel_services.parallel = &whole;
  StepServices services(kernel_services);
  services.parallel = &cut;
  PlanNode node;
  EXPECT(services.to(node).parallel == &cut);
  node.takes_state = true;
  EXPECT(services.to(node).parallel == &whole);
}

TINYTF_TEST(step_loops_end_with_the_step) {
  StepStopCheck stop_check(0, nullptr);
  Cancellation cancellation;
  StepLoops loops(stop_check, cancellation);
  EXPECT(!loops.is_over());
  cancellation.cancel();
  EXPECT(loops.is_over());
}

TINYTF_TEST(step_loops_ask_on_the_thread_of_the_step_only) {
  Stop stop;
  StepStopCheck stop_check(0, &stop);
  Cancellation cancellation;
  StepLoops loops(stop_check, cancellation);
  std::thread([&] {
    for (int i = 0; i < 1000; ++i) EXPECT(!loops.is_over());
  }).join();
  EXPECT_EQ(stop.asked, 0);
  while (!loops.is_over()) std::this_thread::yield();  // until the first poll is due
  EXPECT_EQ(stop.asked, 1);
  EXPECT(cancellation.cancelled());
  EXPECT_EQ(stop_check.ended().code(), Code::kCancelled);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
