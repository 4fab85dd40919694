#include "ops/state/variable.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;
using Floats = std::vector<float>;

/// A handle of a variable.
Tensor handle(const RefPtr<ops::Variable>& variable) {
  auto made = Tensor::allocate(Allocator::process(), DType::kResource, Shape());
  *made.value().data<ResourceHandle>() = {"localhost", "v", ops::Variable::kTypeName, variable};
  return made.take();
}

TINYTF_TEST(reference_variable_ops) {
  RefVariable variable;
  variable.declared = PartialShape({2});
  Slot out[1];
  EXPECT_EQ(OpRunner("Assign").ref(variable, DType::kFloat).input(tensor<float>({3}, {1, 2, 3})).compute(out).message(),
            "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]");
  EXPECT_OK(OpRunner("Assign").ref(variable, DType::kFloat).input(tensor<float>({2}, {1, 2})).compute(out));
  EXPECT(out[0].ref == &variable);
  const Tensor alias = variable.tensor;
  EXPECT_OK(OpRunner("AssignAdd").ref(variable, DType::kFloat).input(tensor<float>({2}, {10, 10})).compute(out));
  EXPECT_EQ(values<float>(alias), (Floats{11, 12}));  // visible in shared memory, as in TensorFlow
  EXPECT_OK(OpRunner("ScatterUpdate")
                .ref(variable, DType::kFloat)
                .input(tensor<int32_t>({1}, {1}))
                .input(tensor<float>({1}, {5}))
                .compute(out));
  EXPECT_EQ(values<float>(variable.tensor), (Floats{11, 5}));
  EXPECT_EQ(OpRunner("ScatterAdd")
                .ref(variable, DType::kFloat)
                .input(tensor<int32_t>({1}, {2}))
                .input(tensor<float>({1}, {5}))
                .compute(out)
                .message(),
            "indices[0] = 2 is not in [0, 2)");
  EXPECT_OK(OpRunner("Assign")
                .ref(variable, DType::kFloat)
                .input(tensor<float>({1}, {3}))
                .attr("validate_shape", false)
                .compute(out));
  EXPECT_EQ(variable.tensor.shape().to_string(), "[1]");
}

TINYTF_TEST(resource_variable_ops) {
  const auto variable = make_ref<ops::Variable>(DType::kFloat);
  Slot out[1];
  const Status unread = OpRunner("ReadVariableOp").input(handle(variable)).attr("dtype", DType::kFloat).compute(out);
  EXPECT(unread.code() == Code::kFailedPrecondition);
  EXPECT_EQ(unread.message(),
            "Error while reading resource variable v from Container: localhost. This could mean that the variable was "
            "uninitialized. Not found: Container localhost does not exist. (Could not find resource: localhost/v)");
  EXPECT_OK(OpRunner("AssignVariableOp").input(handle(variable)).input(tensor<float>({2}, {1, 2})).compute(nullptr));
  EXPECT_OK(OpRunner("ReadVariableOp").input(handle(variable)).attr("dtype", DType::kFloat).compute(out));
  EXPECT_OK(
      OpRunner("AssignAddVariableOp").input(handle(variable)).input(tensor<float>({2}, {10, 10})).compute(nullptr));
  EXPECT_EQ(values<float>(out[0].tensor), (Floats{1, 2}));  // a value that was read never changes
  EXPECT_EQ(values<float>(variable->value()), (Floats{11, 12}));
  EXPECT_EQ(
      OpRunner("AssignAddVariableOp").input(handle(variable)).input(tensor<float>({1}, {1})).compute(nullptr).message(),
      "Cannot update variable with shape [2] using a Tensor with shape [1], shapes must be equal.");
  EXPECT_OK(OpRunner("ResourceGather")
                .input(handle(variable))
                .input(tensor<int32_t>({1}, {1}))
                .attr("dtype", DType::kFloat)
                .compute(out));
  EXPECT_EQ(values<float>(out[0].tensor), Floats{12});
  EXPECT_OK(OpRunner("DestroyResourceOp").input(handle(variable)).compute(nullptr));
  EXPECT_OK(OpRunner("VarIsInitializedOp").input(handle(variable)).compute(out));
  EXPECT(!*out[0].tensor.data<bool>());
}

TINYTF_TEST(variable_handle_is_built_once) {
  OpRunner op("VarHandleOp");
  op.attr("dtype", DType::kFloat).attr("shape", PartialShape({2})).named("w");
  Slot first[1], second[1];
  EXPECT_OK(op.compute(first));
  EXPECT_OK(op.compute(second));
  EXPECT(first[0].tensor.raw() == second[0].tensor.raw());
  EXPECT_EQ(first[0].tensor.data<ResourceHandle>()->name, "w");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
