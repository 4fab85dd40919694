#include "io/tensor_slice.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string error_of(const char* text) { return parse_shape_and_slice(text).status().to_string(); }

TINYTF_TEST(slices_are_parsed_and_written) {
  const TensorSlice slice = TensorSlice::parse("-:0,10:14,1").take();
  EXPECT_EQ(slice.rank(), 3);
  EXPECT(slice.extent(0).is_whole());
  EXPECT_EQ(slice.extent(2).start, 14);
  EXPECT_EQ(slice.to_string(), "-:0,10:14,1");
  EXPECT(TensorSlice::parse("-:-").value() == TensorSlice::whole(2));
  EXPECT(TensorSlice::whole(2).is_whole() && !slice.is_whole());
  EXPECT_EQ(TensorSlice::parse("").value().rank(), 0);
}

TINYTF_TEST(shapes_and_slices_are_parsed) {
  const ShapeAndSlice parsed = parse_shape_and_slice("5 2 3,2:-").take();
  EXPECT(parsed.shape == Shape({5, 2}));
  EXPECT(parsed.slice_shape == Shape({2, 2}));
  EXPECT(parse_shape_and_slice("2 3 :-:-:").value().slice_shape == Shape({2, 3}));
}

TINYTF_TEST(texts_that_are_no_slices_are_errors_as_tensorflows) {
  EXPECT_EQ(error_of("bad"), "Invalid argument: Need least two elements in shape_and_slice specification: bad");
  EXPECT_EQ(error_of("x 3 -:-"), "Invalid argument: Non numerical dimension in shape_and_slice: x 3 -:-");
  EXPECT_EQ(error_of("2  -"), "Invalid argument: Non numerical dimension in shape_and_slice: 2  -");
  EXPECT_EQ(error_of("99999999999999999999 -"),
            "Invalid argument: Non numerical dimension in shape_and_slice: 99999999999999999999 -");
  EXPECT_EQ(error_of("2 3 -"), "Internal: Mismatching ranks: shape = [2,3], slice = -");
  EXPECT_EQ(error_of("2 3 0,3:-"), "Internal: Extent in dimension 0 out of bounds: shape = [2,3], slice = 0,3:-");
  EXPECT_EQ(error_of("2 1,9223372036854775807"),
            "Internal: Extent in dimension 0 out of bounds: shape = [2], slice = 1,9223372036854775807");
  EXPECT_EQ(error_of("2 0,0"),
            "Invalid argument: Expected non-negative start and positive length but got start = 0, length = 0: string = "
            "0,0");
  EXPECT_EQ(
      error_of("2 0,-1"),
      "Invalid argument: Expected non-negative start and positive length but got start = 0, length = -1: string = "
      "0,-1");
  EXPECT_EQ(error_of("2 0,a"), "Invalid argument: Expected a pair of numbers or '-' but got '0,a': string = 0,a");
  EXPECT_EQ(parse_shape_and_slice("-2 -").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(parse_shape_and_slice("9223372036854775807 9223372036854775807 -:-").status().code(),
            Code::kInvalidArgument);
}

TINYTF_TEST(slices_have_a_bound_of_dimensions) {
  std::string text = "-";
  for (int i = 1; i < Shape::kMaxRank; ++i) text += ":-";
  EXPECT_OK(TensorSlice::parse(text).status());
  EXPECT_EQ(TensorSlice::parse(text + ":-").status().code(), Code::kInvalidArgument);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
