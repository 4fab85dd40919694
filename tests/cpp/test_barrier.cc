#include "ops/data_flow/shared/barrier.h"

#include "tests/cpp/late_step.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// A barrier with two components.
RefPtr<ops::Barrier> make_barrier() {
  return make_ref<ops::Barrier>("b", std::vector<DType>(2, DType::kInt32), std::vector<Shape>(2));
}

void insert(ops::Barrier& barrier, const std::string& key, int component) {
  EXPECT_OK(barrier.insert(Allocator::process(), tensor<std::string>({1}, {key}), component,
                           tensor<int32_t>({1}, {component})));
}

class TakeStep : public LateStep {
 public:
  TakeStep(ops::Barrier& barrier, int64_t count, bool allows_fewer, Allocator& allocator = Allocator::process())
      : LateStep({DType::kInt64, DType::kString, DType::kInt32, DType::kInt32}, allocator) {
    barrier.take({&context(), done(), count, allows_fewer});
  }
  std::vector<std::string> keys() const { return values<std::string>(output(1)); }
};

TINYTF_TEST(barrier_looks_at_who_comes_whoever_waits) {
  const auto barrier = make_barrier();
  for (const char* key : {"x", "y"}) insert(*barrier, key, 0);
  insert(*barrier, "x", 1);
  EXPECT_OK(barrier->close(false));
  TakeStep waits(*barrier, 2, false);
  EXPECT(!waits.is_done());
  TakeStep too_many(*barrier, 5, false);
  EXPECT(too_many.is_done());
  EXPECT_EQ(too_many.wait().message(),
            "Barrier 'b' is closed and has insufficient elements (requested 5, total size 2)");
  TakeStep none(*barrier, 0, false);
  EXPECT(none.is_done());
  EXPECT_OK(none.wait());
  EXPECT(none.keys().empty() && !waits.is_done());
  insert(*barrier, "y", 1);
  EXPECT_OK(waits.wait());
  EXPECT(waits.keys() == (std::vector<std::string>{"x", "y"}));
}

TINYTF_TEST(barrier_lets_all_wait_for_what_was_begun_when_it_was_closed) {
  const auto barrier = make_barrier();
  for (const char* key : {"x", "y"}) insert(*barrier, key, 0);
  insert(*barrier, "x", 1);
  TakeStep first(*barrier, 4, false), second(*barrier, 3, true), third(*barrier, 1, true);
  EXPECT_OK(barrier->close(false));
  EXPECT(!first.is_done() && !second.is_done() && !third.is_done());
  insert(*barrier, "y", 1);
  EXPECT(first.is_done() && second.is_done() && third.is_done());
  EXPECT_EQ(first.wait().message(),
            "PriorityQueue 'b_queue' is closed and has insufficient elements (requested 4, current size 2)");
  EXPECT_OK(second.wait());
  EXPECT(second.keys() == (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(third.wait().message(),
            "PriorityQueue 'b_queue' is closed and has insufficient elements (requested 1, current size 0)");
}

TINYTF_TEST(barrier_takes_back_what_it_has_no_memory_for) {
  const auto none = make_ref<Allocator>();
  none->set_limit(1);
  const auto barrier = make_barrier();
  TakeStep fails(*barrier, 2, false, *none), waits(*barrier, 1, false);
  for (const char* key : {"x", "y"}) insert(*barrier, key, 0);
  for (const char* key : {"y", "x"}) insert(*barrier, key, 1);
  EXPECT(fails.wait().code() == Code::kResourceExhausted);
  EXPECT_OK(waits.wait());
  EXPECT(waits.keys() == std::vector<std::string>{"x"});
  EXPECT_EQ(barrier->ready(), int64_t{1});
  EXPECT(barrier->insert(*none, tensor<std::string>({2}, {"y", "z"}), 0, tensor<int32_t>({2}, {3, 4})).code() ==
         Code::kResourceExhausted);
  EXPECT_EQ(barrier->incomplete(), int64_t{0});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
