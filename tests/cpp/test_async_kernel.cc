#include "op/async_kernel.h"

#include <stdexcept>
#include <thread>

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

/// Completes on demand.
struct ToldKernel final : AsyncKernel {
  void compute_async(KernelContext&, Done on_end) override { done = std::move(on_end); }
  Done done;
};

struct ThrowingKernel final : AsyncKernel {
  void compute_async(KernelContext&, Done) override { throw std::runtime_error("oops"); }
};

struct Call : Fixture {
  Call() : node(add("Neg", "a", {{placeholder("x", {1}), 0}})) { slots[0].tensor = floats({1}); }
  Node* node;
  Slot slots[2];
  int32_t input = 0;
  KernelContext context{*node->info, services, slots, &input, slots + 1, 0};
};

TINYTF_TEST(kernel_wait_ends_with_the_kernel) {
  Call call;
  ToldKernel kernel;
  KernelWait wait;
  EXPECT_OK(wait.start(kernel, call.context));
  EXPECT(!wait.wait_until(KernelWait::Clock::now()));
  std::thread teller([&] { kernel.done(internal_error("told")); });
  wait.wait();
  teller.join();
  EXPECT(wait.wait_until(KernelWait::Clock::now()));
  EXPECT_EQ(wait.take_status().message(), "told");
}

TINYTF_TEST(kernel_wait_does_not_begin_with_a_kernel_that_throws) {
  Call call;
  ThrowingKernel kernel;
  KernelWait wait;
  EXPECT_EQ(wait.start(kernel, call.context).message(), "The operation ended with an exception: oops");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
