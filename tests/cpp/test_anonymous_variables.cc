#include "ops/state/variable.h"
#include "runtime/eager/eager_context.h"
#include "tests/cpp/eager_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;

/// The kernel's output, or an invalid tensor if it has none.
Tensor run(EagerContext& context, const RefPtr<EagerKernel>& kernel, const std::vector<Tensor>& inputs) {
  EagerCall call(*kernel);
  for (size_t i = 0; i < inputs.size(); ++i) call.input(static_cast<int>(i)) = inputs[i];
  EXPECT_OK(context.run(*kernel, call, nullptr));
  return kernel->num_outputs() > 0 ? call.output(0) : Tensor();
}

bool has(EagerContext& context, const char* container, const std::string& variable) {
  return context.resources()->find(container, ops::Variable::kRegistryType, variable).ok();
}

TINYTF_TEST(anonymous_variables_leave_nothing_behind) {
  const auto context = make_ref<EagerContext>(RefPtr<Allocator>::share(&Allocator::process()), EagerOptions());
  const auto make = eager_kernel("VarHandleOp", {},
                                 {{"dtype", DType::kFloat},
                                  {"shape", PartialShape(Shape())},
                                  {"shared_name", std::string("cd2c89b7-88b7-44c8-ad83-06c2a9158347")}})
                        .take();
  const auto assign =
      eager_kernel("AssignVariableOp", {DType::kResource, DType::kFloat}, {{"dtype", DType::kFloat}}).take();
  const auto destroy = eager_kernel("DestroyResourceOp", {DType::kResource}, {{"ignore_lookup_error", false}}).take();

  const Tensor first = run(*context, make, {}), second = run(*context, make, {});
  const ResourceHandle& one = *first.data<ResourceHandle>();
  const ResourceHandle& other = *second.data<ResourceHandle>();
  EXPECT(one.resource.get() != other.resource.get());
  EXPECT_EQ(one.name.rfind("_AnonymousVar", 0), size_t{0});
  EXPECT(one.name != other.name);

  for (const Tensor& handle : {first, second}) run(*context, assign, {handle, Tensor::scalar(1.0f)});
  EXPECT(has(*context, "localhost", one.name));
  run(*context, destroy, {first});
  EXPECT(!has(*context, "localhost", one.name));
  EXPECT(has(*context, "localhost", other.name));
  EXPECT(!has(*context, "handles of localhost", one.name));
  EXPECT(one.resource->unique());
}

TINYTF_TEST(destroying_finds_resources_of_any_class) {
  const auto context = make_ref<EagerContext>(RefPtr<Allocator>::share(&Allocator::process()), EagerOptions());
  const auto make = eager_kernel("FIFOQueueV2", {}, {{"component_types", std::vector<DType>{DType::kFloat}}}).take();
  const Tensor handle = run(*context, make, {});
  const auto destroy = eager_kernel("DestroyResourceOp", {DType::kResource}, {{"ignore_lookup_error", false}}).take();
  run(*context, destroy, {handle});
  EagerCall again(*destroy);
  again.input(0) = handle;
  EXPECT(context->run(*destroy, again, nullptr).code() == Code::kNotFound);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
