#include "op/kernel.h"

#include <thread>

#include "op/async_kernel.h"
#include "services/thread_pool.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::tensor;

/// A context for one node with float inputs and one float output.
struct Fixture {
  explicit Fixture(size_t inputs) : slots(inputs) {
    info.inputs.assign(inputs, {DType::kFloat, false});
    info.outputs = {{DType::kFloat, false}};
    for (size_t i = 0; i < inputs; ++i) {
      slots[i].tensor = tensor<float>({2}, {1, 2});
      positions.push_back(static_cast<int32_t>(i));
    }
    step.allocator = &Allocator::process();
    step.cancellation = &cancellation;
  }
  KernelContext context(uint64_t last_use) {
    return KernelContext(info, step, slots.data(), positions.data(), &output, last_use);
  }

  NodeInfo info;
  std::vector<Slot> slots;
  std::vector<int32_t> positions;
  Slot output;
  Cancellation cancellation;
  KernelServices step;
};

TINYTF_TEST(kernel_context_forwards_what_nobody_else_reads) {
  Fixture f(2);
  const void* first = f.slots[0].tensor.raw();
  KernelContext ctx = f.context(0b01);
  EXPECT(ctx.can_forward(0, DType::kFloat, 2));
  EXPECT(!ctx.can_forward(1, DType::kFloat, 2));  // it has a later reader
  EXPECT(!ctx.can_forward(0, DType::kInt32, 2));
  EXPECT(!ctx.can_forward(0, DType::kFloat, 3));
  Tensor* out = ctx.forward_or_allocate(0, 0, {2, 1}).value();
  EXPECT_EQ(out->raw(), first);
  EXPECT_EQ(out->shape().to_string(), "[2,1]");
  EXPECT_EQ(ctx.input(0).raw(), first);           // still readable
  EXPECT(!ctx.can_forward(0, DType::kFloat, 2));  // now owned by the output
}

TINYTF_TEST(kernel_context_takes_the_output_of_the_iteration_before_if_nobody_has_it) {
  Fixture f(1);
  KernelContext ctx = f.context(0);
  const void* first = ctx.allocate_output(0, {2}).value()->raw();
  EXPECT_EQ(ctx.allocate_output(0, {2}).value()->raw(), first);
  const Tensor kept = f.output.tensor;
  EXPECT(ctx.allocate_output(0, {2}).value()->raw() != first);
  f.output.tensor = kept.reshaped({2, 1});
  EXPECT(ctx.allocate_output(0, {2}).value()->raw() != first);  // because `kept` uses it
  const void* last = ctx.allocate_output(0, {3}).value()->raw();
  EXPECT_EQ(f.output.tensor.num_elements(), 3);
  EXPECT_EQ(ctx.allocate_output(0, {3}).value()->raw(), last);
}

TINYTF_TEST(kernel_context_allocates_where_it_cannot_forward) {
  Fixture f(2);
  const Tensor shared = f.slots[0].tensor;
  KernelContext ctx = f.context(0b11);
  EXPECT(ctx.forward_or_allocate(0, 0, {2}).value()->raw() != shared.raw());
  EXPECT(ctx.forward_or_allocate(1, 0, {5}).value()->raw() != ctx.input(1).raw());
  EXPECT_EQ(f.output.tensor.num_elements(), 5);
  EXPECT_EQ(f.output.tensor.dtype(), DType::kFloat);
  EXPECT_EQ(ctx.allocate_output(0, {int64_t{1} << 60}).status().code(), Code::kResourceExhausted);
}

TINYTF_TEST(kernel_context_forwards_none_beyond_the_bits_of_last_use) {
  Fixture f(70);
  KernelContext ctx = f.context(~uint64_t{0});
  EXPECT(ctx.can_forward(63, DType::kFloat, 2));
  EXPECT(!ctx.can_forward(64, DType::kFloat, 2));
  EXPECT(!ctx.can_forward(69, DType::kFloat, 2));
}

TINYTF_TEST(kernel_context_sees_references_and_cancellation) {
  Fixture f(1);
  RefVariable variable;
  f.slots[0].ref = &variable;
  KernelContext ctx = f.context(0);
  EXPECT_EQ(&ctx.ref_input(0), &variable);
  ctx.set_ref_output(0, &variable);
  EXPECT_EQ(f.output.ref, &variable);
  EXPECT(!ctx.cancelled());
  f.cancellation.cancel();
  EXPECT(ctx.cancelled());
}

TINYTF_TEST(kernel_context_asks_the_watch_of_its_step) {
  struct Watch final : LoopStopCheck {
    bool is_over() override { return over; }
    bool over = false;
  } stop_check;
  Fixture f(1);
  KernelContext ctx = f.context(0);
  EXPECT(!ctx.is_over());
  f.step.stop_check = &stop_check;
  f.cancellation.cancel();
  EXPECT(!ctx.is_over());  // the stop check decides
  stop_check.over = true;
  EXPECT(ctx.is_over());
  f.step.stop_check = nullptr;
  EXPECT(ctx.is_over());
}

TINYTF_TEST(kernel_init_keeps_the_first_failure) {
  NodeInfo info;
  info.name = "node";
  info.attrs.set("n", int64_t{3});
  KernelInit init(info);
  EXPECT_EQ(init.attr<int64_t>("n"), 3);
  EXPECT_OK(init.status());
  EXPECT_EQ(init.attr<float>("n"), 0.0f);  // another kind
  init.fail(internal_error("later"));
  EXPECT_EQ(init.status().message(), "No attr named 'n' of the expected kind in NodeDef of node");
}

/// Completes on another thread.
class Late final : public AsyncKernel {
 public:
  ~Late() override { thread_.join(); }
  void compute_async(KernelContext&, Done done) override {
    thread_ = std::thread([done = std::move(done)] { done(internal_error("late")); });
  }

 private:
  std::thread thread_;
};

TINYTF_TEST(kernel_that_is_asynchronous_can_be_waited_for) {
  Fixture f(0);
  KernelContext ctx = f.context(0);
  Late late;
  EXPECT(late.is_async());
  EXPECT_EQ(late.compute(ctx).message(), "late");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
