#include "tensor/partial_shape.h"

#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

const PartialShape kUnknown;

TINYTF_TEST(partial_shape_describes_what_it_knows) {
  EXPECT_EQ(kUnknown.rank(), -1);
  EXPECT_EQ(kUnknown.to_string(), "<unknown>");
  EXPECT(!kUnknown.fully_defined());
  const PartialShape shape{2, kUnknownDim};
  EXPECT_EQ(shape.to_string(), "[2,?]");
  EXPECT_EQ(shape.dim(-1), kUnknownDim);
  EXPECT_EQ(shape.num_elements(), kUnknownDim);
  EXPECT_EQ((PartialShape{2, 3}.num_elements()), 6);
  EXPECT((PartialShape{2, 3}.to_shape() == Shape{2, 3}));
  EXPECT(PartialShape::scalar().fully_defined());
  EXPECT(PartialShape::unknown_of_rank(2) == (PartialShape{kUnknownDim, kUnknownDim}));
}

TINYTF_TEST(partial_shapes_have_in_common_what_both_know_alike) {
  const PartialShape shape{2, kUnknownDim, 4};
  EXPECT(shape.common_with(shape) == shape);
  EXPECT(shape.common_with(PartialShape{2, 3, 5}) == (PartialShape{2, kUnknownDim, kUnknownDim}));
  EXPECT(shape.common_with(PartialShape{2, 3}) == kUnknown);
  EXPECT(shape.common_with(kUnknown) == kUnknown);
  EXPECT(kUnknown.common_with(kUnknown) == kUnknown);
}

TINYTF_TEST(partial_shape_slices_and_concatenates) {
  const PartialShape shape{2, kUnknownDim, 4};
  EXPECT(shape.slice(1) == (PartialShape{kUnknownDim, 4}));
  EXPECT(shape.slice(0, -1) == (PartialShape{2, kUnknownDim}));
  EXPECT(shape.slice(-2, 3) == (PartialShape{kUnknownDim, 4}));
  EXPECT(!kUnknown.slice(1).known_rank());
  EXPECT(shape.slice(2).concatenate(PartialShape{7}) == (PartialShape{4, 7}));
  EXPECT(!shape.concatenate(kUnknown).known_rank());
}

TINYTF_TEST(partial_shape_merges_what_both_know) {
  const PartialShape left{2, kUnknownDim}, right{kUnknownDim, 3};
  EXPECT(left.compatible_with(right));
  const auto merged = left.merge(right);
  EXPECT(merged.ok() && merged.value() == (PartialShape{2, 3}));
  EXPECT(left.compatible_with(kUnknown));
  EXPECT(left.merge(kUnknown).value() == left);
  EXPECT(kUnknown.merge(left).value() == left);
  EXPECT(!left.compatible_with(PartialShape{3, 3}));
  EXPECT(!left.merge(PartialShape{3, 3}).ok());
  EXPECT(!left.compatible_with(PartialShape{2}));
  EXPECT(!left.merge(PartialShape{2}).ok());
}

TINYTF_TEST(dimensions_merge) {
  EXPECT_EQ(merge_dims(kUnknownDim, 3).value(), 3);
  EXPECT_EQ(merge_dims(3, kUnknownDim).value(), 3);
  EXPECT_EQ(merge_dims(2, 3).status().message(), "Dimensions must be equal, but are 2 and 3");
}

TINYTF_TEST(partial_shape_knows_nothing_of_dimensions_that_it_does_not_have) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  PartialShape shape({2, 3});
  for (const int64_t i : {int64_t{2}, int64_t{-3}, int64_t{1} << 32, kLeast, -(kLeast + 1)}) {
    EXPECT_EQ(shape.dim(i), kUnknownDim);
    shape.set_dim(i, 7);
  }
  EXPECT(shape == PartialShape({2, 3}));
  EXPECT_EQ(PartialShape().dim(0), kUnknownDim);
  EXPECT(shape.slice(kLeast, -(kLeast + 1)) == shape);
  EXPECT_EQ(shape.slice(int64_t{1} << 32).rank(), 0);
}

TINYTF_TEST(partial_shape_of_what_no_value_has_is_unknown) {
  constexpr int64_t kHuge = int64_t{1} << 32;
  EXPECT_EQ(PartialShape({kHuge, kHuge}).num_elements(), kUnknownDim);
  EXPECT(!PartialShape::unknown_of_rank(kHuge).known_rank());
  EXPECT(!PartialShape::unknown_of_rank(-1).known_rank());
  EXPECT_EQ(PartialShape::unknown_of_rank(3).rank(), 3);
  EXPECT_EQ(PartialShape::vector(Size::kNoSize).dim(0), kUnknownDim);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
