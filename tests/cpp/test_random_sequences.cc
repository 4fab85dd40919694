#include "runtime/eager/random_sequences.h"

#include "tests/cpp/eager_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::eager_kernel;

RefPtr<EagerKernel> uniform(int64_t seed, DType dtype = DType::kFloat) {
  return eager_kernel("RandomUniform", {DType::kInt32}, {{"dtype", dtype}, {"seed", seed}, {"seed2", int64_t{2}}})
      .take();
}

RandomStateHolder& holder(const RefPtr<EagerKernel>& kernel) {
  return dynamic_cast<RandomStateHolder&>(kernel->kernel());
}

constexpr RandomStateHolder::State kSomewhere = {7, 0, 2, 0, 1, 0};

RefPtr<EagerKernel> somewhere(int64_t seed) {
  RefPtr<EagerKernel> kernel = uniform(seed);
  holder(kernel).set_random_state(kSomewhere);
  return kernel;
}

TINYTF_TEST(random_sequences_are_those_of_seeded_kernels) {
  EXPECT(RandomSequences::has_sequence(*uniform(1)));
  EXPECT(!RandomSequences::has_sequence(*eager_kernel("Neg", {DType::kFloat}).value()));
  const auto unseeded = eager_kernel("RandomUniform", {DType::kInt32}, {{"dtype", DType::kFloat}}).take();
  EXPECT(!RandomSequences::has_sequence(*unseeded));
}

TINYTF_TEST(random_sequences_go_on_in_a_new_kernel) {
  RandomSequences sequences;
  sequences.keep(somewhere(1));
  EXPECT_EQ(sequences.size(), size_t{1});
  const auto resumed = sequences.resumed(uniform(1));
  EXPECT(holder(resumed).random_state() == kSomewhere);
  EXPECT_EQ(sequences.size(), size_t{0});
}

TINYTF_TEST(random_sequences_differ_by_seed_and_type) {
  RandomSequences sequences;
  sequences.keep(somewhere(1));
  const auto fresh = holder(uniform(3)).random_state();
  EXPECT(holder(sequences.resumed(uniform(3))).random_state() == fresh);
  EXPECT(holder(sequences.resumed(uniform(1, DType::kDouble))).random_state() != kSomewhere);
  EXPECT_EQ(sequences.size(), size_t{1});
}

TINYTF_TEST(random_sequences_give_back_kernels_in_use) {
  RandomSequences sequences;
  const RefPtr<EagerKernel> used = uniform(1);
  sequences.keep(used);
  holder(used).set_random_state(kSomewhere);  // has drawn numbers since
  const auto resumed = sequences.resumed(uniform(1));
  EXPECT(resumed.get() == used.get());
  EXPECT(holder(resumed).random_state() == kSomewhere);
}

TINYTF_TEST(random_sequences_keep_few_kernels) {
  RandomSequences sequences;
  std::vector<RefPtr<EagerKernel>> used;
  for (int64_t seed = 1; seed <= 100; ++seed) {
    used.push_back(somewhere(seed));
    sequences.keep(used.back());
  }
  EXPECT_EQ(sequences.size(), size_t{100});
  std::vector<RefPtr<EagerKernel>> others;
  used.clear();  // unreferenced from now on
  for (int64_t seed = 101; seed <= 400; ++seed) {
    others.push_back(somewhere(seed));
    sequences.keep(others.back());
  }
  EXPECT_EQ(sequences.size(), size_t{400});
  for (int64_t seed : {1, 50, 100, 101, 400}) {
    EXPECT(holder(sequences.resumed(uniform(seed))).random_state() == kSomewhere);
  }
  EXPECT_EQ(sequences.size(), size_t{395});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
