#include "runtime/eager/kernel_cache.h"

#include "op/op_registry.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

struct Inputs {
  std::vector<DType> types;
  std::vector<int> lengths;
  int count() const { return static_cast<int>(types.size()); }
  DType dtype(int i) const { return types[i]; }
  const std::vector<int>& groups() const { return lengths; }
};

/// Kernels of an op whose attrs are a number; negative numbers are not cached.
class Cache {
 public:
  explicit Cache(const char* op) : kernels_(*OpRegistry::global().find(op)) {}

  EagerKernel* find(const Inputs& inputs, int attrs) const {
    return kernels_.find(inputs, [attrs](int kept) { return kept == attrs; });
  }
  Result<RefPtr<EagerKernel>> make(const Inputs& inputs, int attrs, AttrMap checked = {}) {
    return kernels_.make(inputs, std::move(checked), [attrs](int* kept) { return (*kept = attrs) >= 0; });
  }
  const EagerKernelCache<int>& operator*() const { return kernels_; }

 private:
  EagerKernelCache<int> kernels_;
};

TINYTF_TEST(kernels_are_found_by_types_lengths_and_attrs) {
  Cache add("AddV2");
  const Inputs floats{{DType::kFloat, DType::kFloat}, {}}, ints{{DType::kInt32, DType::kInt32}, {}};
  EXPECT(add.find(floats, 0) == nullptr);
  const auto kernel = add.make(floats, 0);
  EXPECT_OK(kernel.status());
  EXPECT(add.find(floats, 0) == kernel.value().get());
  EXPECT(add.find(floats, 1) == nullptr);
  EXPECT(add.find(ints, 0) == nullptr);
  EXPECT_OK(add.make(ints, 0).status());
  EXPECT_EQ((*add).size(), 2u);

  Cache pack("Pack");
  EXPECT_OK(pack.make({{DType::kFloat, DType::kFloat}, {2}}, 0).status());
  EXPECT(pack.find({{DType::kFloat, DType::kFloat}, {2}}, 0) != nullptr);
  EXPECT(pack.find({{DType::kFloat}, {1}}, 0) == nullptr);
}

TINYTF_TEST(kernels_that_fail_or_serve_once_are_not_kept) {
  Cache add("AddV2");
  EXPECT_EQ(add.make({{DType::kFloat, DType::kInt32}, {}}, 0).status().code(), Code::kInvalidArgument);
  EXPECT_OK(add.make({{DType::kFloat, DType::kFloat}, {}}, -1).status());
  EXPECT_EQ((*add).size(), 0u);
  Cache variable("VarHandleOp");
  AttrMap attrs;
  attrs.set("dtype", DType::kFloat);
  attrs.set("shape", PartialShape());
  EXPECT_OK(variable.make({}, 0, std::move(attrs)).status());
  EXPECT_EQ((*variable).size(), 0u);
  EXPECT(!Cache("Assign").make({{DType::kFloat, DType::kFloat}, {}}, 0).ok());
}

TINYTF_TEST(kernels_are_bounded_and_seeded_ones_leave_how_far_they_were) {
  Cache random("RandomUniform");
  const auto attrs = [](int64_t seed) {
    AttrMap map;
    map.set("seed", seed);
    map.set("dtype", DType::kFloat);
    return map;
  };
  for (int i = 0; i < static_cast<int>(EagerKernelCache<int>::kMostVariants) + 3; ++i) {
    EXPECT_OK(random.make({{DType::kInt32}, {}}, i, attrs(i + 1)).status());
  }
  EXPECT_EQ((*random).size(), EagerKernelCache<int>::kMostVariants);
  EXPECT(random.find({{DType::kInt32}, {}}, 0) == nullptr);
  EXPECT(random.find({{DType::kInt32}, {}}, 5) != nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
