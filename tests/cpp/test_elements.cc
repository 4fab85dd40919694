#include "ops/data_flow/shared/elements.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

using testing::tensor;
using testing::values;

TINYTF_TEST(rows_of_a_tensor_are_in_its_memory) {
  const Tensor matrix = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor row = row_of(matrix, 1).take();
  EXPECT(row.shape() == Shape({3}));
  EXPECT_EQ(values<float>(row), (std::vector<float>{4, 5, 6}));
  EXPECT(row.buffer() == matrix.buffer());
  EXPECT(!row_of(matrix, 2).ok());
  EXPECT(!row_of(matrix, -1).ok());
  EXPECT(!row_of(tensor<float>({}, {1}), 0).ok());
}

TINYTF_TEST(shapes_of_elements_are_merged) {
  const PartialShape a{2, kUnknownDim};
  EXPECT(merge_shapes(a, PartialShape{kUnknownDim, 3}).take() == (PartialShape{2, 3}));
  EXPECT(merge_shapes(PartialShape(), a).take() == a);
  EXPECT_EQ(merge_shapes(a, PartialShape{3, 1}).status().message(),
            "PartialTensorShape: Incompatible shapes during merge: [2,?] vs. [3,1]");
  EXPECT_EQ(merge_shapes(a, PartialShape{3}).status().message(),
            "PartialTensorShape: Incompatible ranks during merge: 2 vs. 1");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
