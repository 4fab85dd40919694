#include "tensor/shape.h"

#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(shape_describes_itself) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape.dim(1), 3);
  EXPECT_EQ(shape.num_elements(), 24);
  EXPECT_EQ(shape.product(1, 3), 12);
  EXPECT_EQ(shape.product(1, 1), 1);
  EXPECT_EQ(shape.to_string(), "[2,3,4]");
  EXPECT_EQ(Shape().num_elements(), 1);
  EXPECT_EQ(Shape().to_string(), "[]");
  EXPECT_EQ((Shape{3, 0}.num_elements()), 0);
}

TINYTF_TEST(shape_changes) {
  Shape shape{2, 3};
  shape.add_dim(4);
  shape.insert_dim(0, 5);
  EXPECT(shape == (Shape{5, 2, 3, 4}));
  shape.remove_dim(1);
  shape.set_dim(0, 9);
  EXPECT(shape == (Shape{9, 3, 4}));
  EXPECT(shape != (Shape{9, 3}));
}

TINYTF_TEST(shape_from_outside_is_checked) {
  EXPECT(Shape::checked({2, 0, 3}).ok());
  EXPECT(!Shape::checked({2, -1}).ok());
  constexpr int64_t kHuge = int64_t{1} << 32;
  EXPECT(!Shape::checked({kHuge, kHuge}).ok());
  EXPECT(!Shape::checked({kHuge, 0, kHuge}).ok());
  EXPECT(Shape::checked({std::numeric_limits<int64_t>::max()}).ok());
  EXPECT(!Shape::checked(Dims(Shape::kMaxRank + 1, 1)).ok());
}

TINYTF_TEST(shape_counts_do_not_wrap) {
  constexpr int64_t kHuge = int64_t{1} << 32;
  EXPECT_EQ((Shape{kHuge, kHuge}).num_elements(), Size::kNoSize);
  EXPECT_EQ((Shape{-2, -3}).num_elements(), Size::kNoSize);
  EXPECT_EQ((Shape{kHuge, kHuge, 0}).num_elements(), Size::kNoSize);
  EXPECT_EQ((Shape{kHuge, 0}).num_elements(), 0);
  EXPECT_EQ((Shape{kHuge, 0}).extent(), kHuge);
  EXPECT_EQ((Shape{2, kHuge, kHuge}).product(1, 3), Size::kNoSize);
  EXPECT_EQ((Shape{2, 3, -1}).product(0, 3), Size::kNoSize);
  EXPECT_EQ((Shape{2, 3, 4}).product(1, 3), 12);
  EXPECT_EQ((Shape{2, 0, 4}).product(0, 2), 0);
}

TINYTF_TEST(shape_has_no_size_where_it_has_no_dimension) {
  Shape shape{2, 3};
  EXPECT_EQ(shape.dim(2), Size::kNoSize);
  EXPECT_EQ(shape.dim(-1), Size::kNoSize);
  EXPECT_EQ(shape.product(1, 3), Size::kNoSize);
  shape.set_dim(2, 7);
  shape.set_dim(-1, 7);
  shape.remove_dim(2);
  shape.insert_dim(3, 7);
  EXPECT(shape == (Shape{2, 3}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
