#include "runtime/step/step_loan.h"

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

TINYTF_TEST(step_loan_lends_nodes_with_state_the_whole_loops) {
  SerialParallel whole, cut;
  StepServices services;
  services.parallel = &whole;
  StepLoan loan(services);
  loan.parallel = &cut;
  PlanNode node;
  EXPECT(loan.to(node).parallel == &cut);
  node.takes_state = true;
  EXPECT(loan.to(node).parallel == &whole);
}

TINYTF_TEST(step_loops_end_with_the_step) {
  StepWatch watch(0, nullptr);
  Cancellation cancellation;
  StepLoops loops(watch, cancellation);
  EXPECT(!loops.is_over());
  cancellation.cancel();
  EXPECT(loops.is_over());
}

TINYTF_TEST(step_loops_ask_on_the_thread_of_the_step_only) {
  Stop stop;
  StepWatch watch(0, &stop);
  Cancellation cancellation;
  StepLoops loops(watch, cancellation);
  std::thread([&] {
    for (int i = 0; i < 1000; ++i) EXPECT(!loops.is_over());
  }).join();
  EXPECT_EQ(stop.asked, 0);
  while (!loops.is_over()) std::this_thread::yield();  // until the first poll is due
  EXPECT_EQ(stop.asked, 1);
  EXPECT(cancellation.cancelled());
  EXPECT_EQ(watch.ended().code(), Code::kCancelled);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
