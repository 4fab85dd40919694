#include "runtime/eager/eager_library.h"

#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::EagerFixture;

/// The library of this process with a function "eager_double" of floats.
void add_library() {
  testing::GraphFixture library;
  TINYTF_CHECK(library->add_function("eager_double", testing::doubling()).ok());
  set_eager_library(library.graph());
}

/// Runs a call of the function on 4 in a session.
Result<float> called(EagerFixture& session, const std::string& function) {
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<EagerKernel> kernel,
                          testing::eager_kernel("PartitionedCall", {DType::kFloat},
                                                {{"Tin", std::vector<DType>{DType::kFloat}},
                                                 {"Tout", std::vector<DType>{DType::kFloat}},
                                                 {"f", FuncRef{function, {}}}}));
  EXPECT(kernel->calls_functions());
  EXPECT(!kernel->is_brief(4));
  EagerCall call(*kernel);
  call.input(0) = Tensor::scalar(4.0f);
  TINYTF_RETURN_IF_ERROR(session.context().run(*kernel, call, nullptr));
  return *call.output(0).data<float>();
}

TINYTF_TEST(eager_operations_call_functions_of_the_library) {
  add_library();
  for (int i = 0; i < 3; ++i) {
    EagerFixture session;
    EXPECT_EQ(called(session, "eager_double").value(), 8.0f);
    EXPECT_EQ(called(session, "eager_triple").status().code(), Code::kNotFound);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
