#include "runtime/eager/eager_kernel.h"

#include "tests/cpp/eager_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;

TINYTF_TEST(eager_kernel_infers_types_and_defaults) {
  auto kernel = eager_kernel("MatMul", {DType::kFloat, DType::kFloat});
  EXPECT_OK(kernel.status());
  EXPECT_EQ(kernel.value()->num_outputs(), 1);
  EXPECT(kernel.value()->node().outputs[0].dtype == DType::kFloat);
  EXPECT_EQ(*kernel.value()->node().attrs.get<bool>("transpose_a"), false);
  EXPECT(kernel.value()->is_stateless());
  EXPECT(!kernel.value()->waits());
}

TINYTF_TEST(eager_kernel_refuses_types_that_differ) {
  const auto kernel = eager_kernel("MatMul", {DType::kFloat, DType::kDouble});
  EXPECT(kernel.status().code() == Code::kInvalidArgument);
}

TINYTF_TEST(eager_kernel_refuses_references) {
  NodeInfo node;
  node.op = OpRegistry::global().find("VariableV2");
  const auto kernel = EagerKernel::make(std::move(node), {});
  EXPECT(kernel.status().code() == Code::kUnimplemented);
  EXPECT_EQ(kernel.status().message(),
            std::string("VariableV2 op does not support eager execution. Arg 'ref' is a ref."));
}

TINYTF_TEST(eager_kernel_is_brief_until_it_yields_much) {
  auto kernel = eager_kernel("Neg", {DType::kFloat}).take();
  EXPECT(kernel->is_brief(100));
  EXPECT(!kernel->is_brief(1 << 20));
  kernel->note_output(100);
  EXPECT(kernel->is_brief(100));
  kernel->note_output(1 << 20);
  EXPECT(!kernel->is_brief(100));
}

TINYTF_TEST(eager_kernel_knows_ops_that_wait) {
  auto kernel =
      eager_kernel("QueueDequeueV2", {DType::kResource}, {{"component_types", std::vector<DType>{DType::kInt32}}});
  EXPECT_OK(kernel.status());
  EXPECT(kernel.value()->waits());
  EXPECT(!kernel.value()->is_stateless());
  EXPECT(!kernel.value()->is_brief(0));
}

TINYTF_TEST(eager_kernel_is_not_brief_if_it_shares_state_with_other_steps) {
  for (const char* op : {"QueueSizeV2", "ReaderNumRecordsProducedV2", "ReaderNumWorkUnitsCompletedV2",
                         "ReaderSerializeStateV2", "ReaderResetV2"}) {
    auto kernel = eager_kernel(op, {DType::kResource});
    EXPECT_OK(kernel.status());
    EXPECT(!kernel.value()->waits());
    EXPECT(!kernel.value()->is_brief(0));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
