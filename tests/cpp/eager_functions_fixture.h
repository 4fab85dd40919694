#pragma once

// Functions of the eager library.

#include <string>
#include <vector>

#include "runtime/eager/eager_library.h"
#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/functions.h"

namespace tinytf {
namespace testing {

inline EagerLibrary& library() { return EagerLibrary::of_process(); }

/// A graph with this function.
inline RefPtr<Graph> graph_with(const std::string& name, std::shared_ptr<const FunctionBody> body) {
  GraphFixture holder;
  TINYTF_CHECK(holder->add_function(name, std::move(body)).ok());
  return holder.graph();
}

/// A graph with a function that draws the next number of a random sequence.
inline RefPtr<Graph> graph_that_draws(const std::string& name) {
  GraphFixture f;
  Node* x = f.placeholder("x");
  Node* shape = f.constant("shape", ints({}));
  Node* random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}, {"seed", int64_t{7}}});
  return graph_with(name, body_of(f, {{x, 0}}, {{f.add("Add", "sum", {{x, 0}, {random, 0}}), 0}}));
}

/// A kernel that calls a function of a float.
inline RefPtr<EagerKernel> calling(const std::string& function) {
  return eager_kernel("PartitionedCall", {DType::kFloat},
                      {{"Tin", std::vector<DType>{DType::kFloat}},
                       {"Tout", std::vector<DType>{DType::kFloat}},
                       {"f", FuncRef{function, {}}}})
      .take();
}

inline Result<float> value_of_call(EagerFixture& session, EagerKernel& kernel, float argument) {
  EagerCall call(kernel);
  call.input(0) = Tensor::scalar(argument);
  TINYTF_RETURN_IF_ERROR(session.context().run(kernel, call, nullptr));
  return *call.output(0).data<float>();
}

}  // namespace testing
}  // namespace tinytf
