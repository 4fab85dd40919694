#include "ops/data_flow/shared/step_handle.h"

#include "op/kernel_registry.h"
#include "op/op_registry.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using Floats = std::vector<float>;
using Texts = std::vector<std::string>;

/// Runs nodes in successive steps, as a session does; handles belong to the step.
class Steps {
 public:
  struct Input {
    Input(Tensor value) : slot{std::move(value), nullptr} {}
    Input(RefVariable* variable) : slot{Tensor(), variable} {}
    Slot slot;
  };
  using Attrs = std::vector<std::pair<std::string, AttrValue>>;

  /// The outputs of the node; a variable passed by reference stays alive until the next step.
  Result<std::vector<Slot>> run(const std::string& op, std::vector<Input> inputs, const Attrs& attrs = {}) {
    NodeInfo node;
    node.name = "node";
    node.op = OpRegistry::global().find(op);
    TINYTF_CHECK(node.op != nullptr);
    for (const auto& [name, value] : attrs) node.attrs.set(name, value);
    std::vector<Slot> slots;
    std::vector<int32_t> input_slots;
    for (Input& input : inputs) {
      const bool is_ref = input.slot.ref != nullptr;
      const Tensor& value = is_ref ? input.slot.ref->tensor : input.slot.tensor;
      node.inputs.push_back({is_ref && !value.valid() ? DType::kString : value.dtype(), is_ref});
      input_slots.push_back(static_cast<int32_t>(slots.size()));
      slots.push_back(std::move(input.slot));
    }
    TINYTF_RETURN_IF_ERROR(complete_node(node, std::vector<int>(slots.size(), 1)));
    TINYTF_ASSIGN_OR_RETURN(auto kernel, KernelRegistry::global().create(node));
    std::vector<Slot> outputs(node.outputs.size());
    KernelContext ctx(node, step_, slots.data(), input_slots.data(), outputs.data(), 0);
    TINYTF_RETURN_IF_ERROR(kernel->compute(ctx));
    return outputs;
  }
  void next() {
    resources_.clear();
    ++step_.step_id;
  }

 private:
  Cancellation cancellation_;
  SerialParallel serial_;
  ResourceManager session_, resources_;
  KernelServices step_ = [this] {
    KernelServices step;
    step.allocator = &Allocator::process();
    step.parallel = &serial_;
    step.resources = &session_;
    step.step_resources = &resources_;
    step.cancellation = &cancellation_;
    return step;
  }();
};

const Tensor kFlow = Tensor::scalar<float>(0);
const Steps::Attrs kElement = {{"elem_type", DType::kFloat}};
const Steps::Attrs kType = {{"T", DType::kFloat}};
const Steps::Attrs kDtype = {{"dtype", DType::kFloat}};

RefVariable* new_stack(Steps& steps) {
  auto made = steps.run("Stack", {}, kElement);
  TINYTF_CHECK(made.ok());
  return made.value()[0].ref;
}

Tensor texts(const Texts& values) { return tensor<std::string>({static_cast<int64_t>(values.size())}, values); }

std::string message(const Result<std::vector<Slot>>& result) { return result.status().message(); }

TINYTF_TEST(step_handle_by_reference_leads_to_its_stack) {
  Steps steps;
  RefVariable* a = new_stack(steps);
  RefVariable* b = new_stack(steps);
  EXPECT(a != b);
  EXPECT_EQ(values<std::string>(a->tensor)[0], std::string("_stacks"));
  EXPECT_OK(steps.run("StackPush", {a, Tensor::scalar<float>(1)}, kType).status());
  EXPECT_OK(steps.run("StackPush", {b, Tensor::scalar<float>(2)}, kType).status());
  auto popped = steps.run("StackPop", {a}, kElement);
  EXPECT_OK(popped.status());
  EXPECT_EQ(values<float>(popped.value()[0].tensor), Floats{1});
  EXPECT_OK(steps.run("StackClose", {a}).status());
  EXPECT(message(steps.run("StackPop", {a}, kElement)).find("already been closed") != std::string::npos);
  EXPECT_OK(steps.run("StackPop", {b}, kElement).status());
}

TINYTF_TEST(step_handle_of_strings_leads_to_its_array) {
  Steps steps;
  auto made = steps.run("TensorArrayV2", {Tensor::scalar<int32_t>(1)}, kDtype);
  EXPECT_OK(made.status());
  const Tensor handle = made.value()[0].tensor;
  EXPECT_OK(
      steps.run("TensorArrayWriteV2", {handle, Tensor::scalar<int32_t>(0), tensor<float>({2}, {3, 4}), kFlow}, kType)
          .status());
  auto value = steps.run("TensorArrayReadV2", {handle, Tensor::scalar<int32_t>(0), kFlow}, kDtype);
  EXPECT_OK(value.status());
  EXPECT_EQ(values<float>(value.value()[0].tensor), (Floats{3, 4}));
}

TINYTF_TEST(step_handle_of_a_gradient_is_one_reference) {
  Steps steps;
  auto made = steps.run("TensorArray", {Tensor::scalar<int32_t>(1)}, kDtype);
  EXPECT_OK(made.status());
  const Tensor handle = made.value()[0].ref->tensor;
  const Steps::Attrs source = {{"source", std::string("gradients")}};
  auto first = steps.run("TensorArrayGrad", {handle, kFlow}, source);
  auto again = steps.run("TensorArrayGrad", {handle, kFlow}, source);
  EXPECT_OK(first.status());
  EXPECT_OK(again.status());
  EXPECT(first.value()[0].ref == again.value()[0].ref);
  EXPECT_EQ(values<std::string>(first.value()[0].ref->tensor)[0], std::string("_tensor_array_grads"));
  const Tensor of_gradient = first.value()[0].ref->tensor;
  EXPECT_EQ(message(steps.run("TensorArrayGrad", {of_gradient, kFlow}, source)),
            std::string("Input container should be '_tensor_arrays',  but received '_tensor_array_grads'"));
}

TINYTF_TEST(step_handle_ends_with_its_step) {
  Steps steps;
  auto made = steps.run("TensorArrayV2", {Tensor::scalar<int32_t>(1)}, kDtype);
  EXPECT_OK(made.status());
  const Tensor handle = made.value()[0].tensor;
  steps.next();
  EXPECT(steps.run("TensorArraySizeV2", {handle, kFlow}).status().code() == Code::kNotFound);
}

TINYTF_TEST(step_handle_of_another_kind_is_not_found) {
  Steps steps;
  RefVariable* stack = new_stack(steps);
  EXPECT(steps.run("TensorArraySize", {stack, kFlow}).status().code() == Code::kNotFound);
  EXPECT(steps.run("TensorArraySizeV2", {stack->tensor, kFlow}).status().code() == Code::kNotFound);
}

TINYTF_TEST(step_handle_has_two_elements) {
  Steps steps;
  for (const Texts& wrong : {Texts{}, Texts{"_stacks"}, Texts{"_stacks", "s", "0"}}) {
    RefVariable variable;
    variable.tensor = texts(wrong);
    const std::string shape = variable.tensor.shape().to_string();
    EXPECT_EQ(message(steps.run("StackPop", {&variable}, kElement)),
              "Stack handle must have two elements, but had shape: " + shape);
    EXPECT_EQ(message(steps.run("TensorArraySizeV2", {variable.tensor, kFlow})),
              "Tensor array handle must be 2-element vector, but had shape: " + shape);
  }
  RefVariable empty;
  EXPECT(!steps.run("StackPop", {&empty}, kElement).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
