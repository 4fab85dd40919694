#include "graph/known_shapes.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// The elements of the known values, or "-".
std::string told(const Node* node) {
  const auto values = values_of_shapes(*node);
  if (!values) return "-";
  return str_join(*values, "; ", [](const Tensor& value) {
    std::string text = str_cat(dtype_name(value.dtype()), value.shape().to_string(), ":");
    for (int64_t i = 0; i < value.num_elements(); ++i) text += str_cat(" ", value.int_at(i));
    return text;
  });
}

TINYTF_TEST(known_shapes_tell_values) {
  GraphFixture g;
  Node* x = g.placeholder("x", {4, 3});
  Node* scalar = g.placeholder("scalar", PartialShape::scalar());
  EXPECT_EQ(told(g.add("Shape", "a", {{x, 0}})), "int32[2]: 4 3");
  EXPECT_EQ(told(g.add("Shape", "b", {{x, 0}}, {{"out_type", DType::kInt64}})), "int64[2]: 4 3");
  EXPECT_EQ(told(g.add("Shape", "c", {{scalar, 0}})), "int32[0]:");
  EXPECT_EQ(told(g.add("Size", "d", {{x, 0}})), "int32[]: 12");
  EXPECT_EQ(told(g.add("Rank", "e", {{x, 0}})), "int32[]: 2");
  EXPECT_EQ(told(g.add_list("ShapeN", "f", {{x, 0}, {scalar, 0}})), "int32[2]: 4 3; int32[0]:");
  EXPECT_EQ(told(g.add("Neg", "g", {{x, 0}})), "-");
}

TINYTF_TEST(unknown_shapes_tell_no_values) {
  GraphFixture g;
  Node* x = g.placeholder("x", {kUnknownDim, 3});
  Node* any = g.placeholder("any");
  Node* known = g.placeholder("known", {3});
  for (const char* op : {"Shape", "Size"}) EXPECT_EQ(told(g.add(op, op, {{x, 0}})), "-");
  EXPECT_EQ(told(g.add("Rank", "rank", {{x, 0}})), "int32[]: 2");
  EXPECT_EQ(told(g.add("Rank", "no_rank", {{any, 0}})), "-");
  EXPECT_EQ(told(g.add_list("ShapeN", "shapes", {{known, 0}, {x, 0}})), "-");
}

TINYTF_TEST(shapes_that_do_not_fit_tell_no_values) {
  GraphFixture g;
  constexpr int64_t kWide = int64_t{1} << 31;
  Node* x = g.placeholder("x", {0, kWide});
  EXPECT_EQ(told(g.add("Shape", "narrow", {{x, 0}})), "-");
  EXPECT_EQ(told(g.add("Shape", "wide", {{x, 0}}, {{"out_type", DType::kInt64}})), str_cat("int64[2]: 0 ", kWide));
  EXPECT_EQ(told(g.add("Size", "size", {{x, 0}})), "int32[]: 0");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
