#include "data/saved_rows.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::tensor;

TINYTF_TEST(rows_are_saved_and_restored) {
  const testing::DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  IteratorContext ctx{step.services, *tasks};
  const ElementSpec spec{{DType::kFloat, DType::kString}, {PartialShape({2}), PartialShape::scalar()}};
  BatchRows rows, restored;
  for (int count = 0; count < 3; ++count) {
    IteratorState state;
    StateWriter writer(state);
    EXPECT_OK(save_rows(ctx, writer, rows));
    StateReader reader(state);
    EXPECT_OK(restore_rows(ctx, reader, spec, 3, restored));
    EXPECT_EQ(restored.size(), count);
    if (count > 0) EXPECT_EQ(restore_rows(ctx, reader, spec, count, restored).code(), Code::kDataLoss);
    EXPECT_OK(rows.add(Allocator::process(), {tensor<float>({2}, {1, 2}), tensor<std::string>({}, {"a"})}, 3));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
