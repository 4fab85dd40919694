#include "runtime/eager/eager_context.h"

#include <thread>

#include "tests/cpp/eager_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"
#include "tests/cpp/queue_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;
using testing::tensor;
using testing::values;

RefPtr<EagerContext> make_context(const RefPtr<Allocator>& allocator) {
  return make_ref<EagerContext>(allocator, EagerOptions());
}

/// Dequeues one element, as an operation of the context.
Status dequeue(EagerContext& context, const Tensor& queue, Interrupt* interrupt) {
  auto kernel =
      eager_kernel("QueueDequeueV2", {DType::kResource}, {{"component_types", std::vector<DType>{DType::kInt32}}});
  TINYTF_RETURN_IF_ERROR(kernel.status());
  EagerCall call(*kernel.value());
  call.input(0) = queue;
  return context.run(*kernel.value(), call, interrupt);
}

class AtOnce final : public Interrupt {
 public:
  bool interrupted() override { return true; }
};

TINYTF_TEST(eager_context_runs_in_its_memory) {
  const auto allocator = make_ref<Allocator>();
  const auto context = make_context(allocator);
  auto kernel = eager_kernel("AddV2", {DType::kFloat, DType::kFloat}).take();
  EagerCall call(*kernel);
  call.input(0) = tensor<float>({3}, {1, 2, 3});
  call.input(1) = tensor<float>({}, {10});
  EXPECT_OK(context->run(*kernel, call, nullptr));
  EXPECT_EQ(values<float>(call.output(0)), (std::vector<float>{11, 12, 13}));
  EXPECT(allocator->stats().live_bytes > 0);
}

TINYTF_TEST(eager_context_takes_over_what_its_limit_is_to_bound) {
  const auto allocator = make_ref<Allocator>();
  const auto context = make_context(allocator);
  Tensor text = Tensor::scalar(std::string(10'000, 'x'));
  EXPECT_OK(context->take_over(text));
  EXPECT_EQ(allocator->stats().live_bytes, 0);  // not charged without a limit
  allocator->set_limit(25'000);
  Tensor numbers = tensor<float>({1000}, std::vector<float>(1000));
  EXPECT_OK(context->take_over(numbers));
  EXPECT_OK(context->take_over(text));
  const int64_t live = allocator->stats().live_bytes;
  EXPECT(live >= 14'000 && live <= 15'000);
  EXPECT_OK(context->take_over(text));  // charged only once
  EXPECT_EQ(allocator->stats().live_bytes, live);
  Tensor more = Tensor::scalar(std::string(20'000, 'x'));
  EXPECT_EQ(context->take_over(more).code(), Code::kResourceExhausted);
  EXPECT(!more.valid());
  text = Tensor();
  EXPECT(allocator->stats().live_bytes < 5'000);
  numbers = Tensor();
  EXPECT_EQ(allocator->stats().live_bytes, 0);
}

TINYTF_TEST(eager_context_leaves_inputs_alone) {
  const auto context = make_context(make_ref<Allocator>());
  auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  EagerCall call(*kernel);
  call.input(0) = tensor<float>({2}, {1, 2});
  EXPECT_OK(context->run(*kernel, call, nullptr));
  EXPECT_EQ(values<float>(call.input(0)), (std::vector<float>{1, 2}));
}

TINYTF_TEST(eager_context_runs_operations_with_many_inputs) {
  const auto context = make_context(make_ref<Allocator>());
  constexpr int kInputs = 100;
  NodeInfo node;
  node.op = OpRegistry::global().find("AddN");
  for (int i = 0; i < kInputs; ++i) node.inputs.push_back({DType::kInt32, false});
  auto kernel = EagerKernel::make(std::move(node), {kInputs}).take();
  EagerCall call(*kernel);
  for (int i = 0; i < kInputs; ++i) call.input(i) = tensor<int32_t>({}, {i});
  EXPECT_OK(context->run(*kernel, call, nullptr));
  EXPECT_EQ(values<int32_t>(call.output(0))[0], 4950);
}

TINYTF_TEST(eager_context_ends_waiting_operations_when_cancelled) {
  const auto context = make_context(make_ref<Allocator>());
  const Tensor queue = testing::fifo_queue();
  Status status;
  std::thread waiting([&] { status = dequeue(*context, queue, nullptr); });
  context->cancel();
  waiting.join();
  EXPECT(status.code() == Code::kCancelled);
}

TINYTF_TEST(eager_context_interrupts_one_operation_only) {
  const auto context = make_context(make_ref<Allocator>());
  const Tensor queue = testing::fifo_queue();
  AtOnce interrupt;
  EXPECT(dequeue(*context, queue, &interrupt).code() == Code::kCancelled);
  testing::QueueOp enqueue("QueueEnqueueV2", queue, {tensor<int32_t>({}, {7})});
  enqueue.start();
  EXPECT_OK(dequeue(*context, queue, nullptr));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
