#include "runtime/eager/eager_functions.h"

#include "runtime/eager/kernel_cache.h"
#include "tests/cpp/eager_functions_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::calling;
using testing::EagerFixture;
using testing::graph_with;
using testing::library;
using testing::value_of_call;

TINYTF_TEST(eager_operations_call_functions_of_the_library) {
  EXPECT_OK(library().add("eager_double", graph_with("eager_double", testing::doubling())));
  for (int i = 0; i < 3; ++i) {
    EagerFixture session;
    const RefPtr<EagerKernel> kernel = calling("eager_double");
    EXPECT(kernel->calls_functions());
    EXPECT(!kernel->is_brief(4));
    EXPECT(!kernel->is_outdated());
    EXPECT_EQ(value_of_call(session, *kernel, 4).value(), 8.0f);
    const RefPtr<EagerKernel> missing = calling("eager_triple");
    EXPECT(missing->is_outdated());
    EXPECT_EQ(value_of_call(session, *missing, 4).status().message(), "Function eager_triple is not defined.");
  }
  library().remove("eager_double");
}

TINYTF_TEST(state_of_eager_functions_belongs_to_the_session) {
  EXPECT_OK(library().add("eager_draw", testing::graph_that_draws("eager_draw")));
  const RefPtr<EagerKernel> first = calling("eager_draw"), second = calling("eager_draw");
  std::vector<std::pair<float, float>> drawn;
  for (int i = 0; i < 2; ++i) {
    EagerFixture session;
    const float one = value_of_call(session, *first, 0).value();
    drawn.emplace_back(one, value_of_call(session, *second, 0).value());  // of the same sequence
  }
  EXPECT(drawn[0].first != drawn[0].second);
  EXPECT(drawn[0] == drawn[1]);
  library().remove("eager_draw");
  EagerFixture session;
  EXPECT_EQ(value_of_call(session, *first, 0).value(), drawn[0].first);  // kernels keep it
}

TINYTF_TEST(functions_with_state_of_their_own_outlive_eager_sessions) {
  EXPECT_OK(library().add("eager_own", testing::graph_that_draws("eager_own")));
  RefPtr<FunctionInstance> own;
  ResourceManager manager;
  SerialParallel serial;
  Cancellation cancellation;
  KernelServices step;
  step.allocator = &Allocator::process();
  step.parallel = &serial;
  step.resources = step.step_resources = &manager;
  step.cancellation = &cancellation;
  {
    const RefPtr<EagerKernel> kernel = calling("eager_own");
    EagerFunctions functions(FunctionRunner::new_id(), *kernel, 1);
    own = functions.source({"eager_own", {}}).take()->instantiate(step).take();
    EXPECT_EQ(functions.instantiate({"other", {}}, step).status().code(), Code::kNotFound);
  }
  library().remove("eager_own");
  std::vector<Tensor> arguments{Tensor::scalar(1.0f)}, results;
  EXPECT_OK(own->run(step, arguments, results));
  EXPECT(*results[0].data<float>() >= 1);
}

struct Inputs {
  std::vector<DType> types;
  std::vector<int> lengths;
  int count() const { return static_cast<int>(types.size()); }
  DType dtype(int i) const { return types[i]; }
  const std::vector<int>& groups() const { return lengths; }
};

TINYTF_TEST(kernels_of_functions_that_have_left_leave_the_cache) {
  const size_t before = library().count();
  EagerKernelCache<std::string> cache(*OpRegistry::global().find("PartitionedCall"));
  const Inputs inputs{{DType::kFloat}, {1}};
  const auto find = [&](const std::string& name) {
    return cache.find(inputs, [&](const std::string& kept) { return kept == name; });
  };
  for (int i = 0; i < 100; ++i) {
    const std::string name = str_cat("cached_", i);
    EXPECT_OK(library().add(name, graph_with(name, testing::doubling())));
    AttrMap attrs;
    attrs.set("Tin", std::vector<DType>{DType::kFloat});
    attrs.set("Tout", std::vector<DType>{DType::kFloat});
    attrs.set("f", FuncRef{name, {}});
    const auto keep = [&](std::string* kept) {
      *kept = name;
      return true;
    };
    EXPECT_OK(cache.make(inputs, std::move(attrs), keep).status());
    EXPECT(find(name) != nullptr);
    library().remove(name);
    EXPECT(find(name) == nullptr);
    EXPECT_EQ(cache.size(), 1u);
    EXPECT_EQ(library().count(), before + 1);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
