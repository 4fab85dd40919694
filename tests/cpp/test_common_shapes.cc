#include "op/common_shapes.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

const PartialShape kUnknown;
constexpr int64_t kAny = kUnknownDim;

TINYTF_TEST(shapes_broadcast_as_far_as_they_are_known) {
  const auto text = [](const PartialShape& a, const PartialShape& b) {
    const auto one = shapes::broadcast(a, b), other = shapes::broadcast(b, a);
    if (!one.ok()) return one.status().message();
    EXPECT(one.value() == other.value());
    return one.value().to_string();
  };
  EXPECT_EQ(text({2, 3}, {2, 3}), "[2,3]");
  EXPECT_EQ(text({2, 1}, {3}), "[2,3]");
  EXPECT_EQ(text(PartialShape::scalar(), {2, kAny}), "[2,?]");
  EXPECT_EQ(text({kAny}, {3}), "[3]");  // it must be 1 or 3
  EXPECT_EQ(text({kAny}, {1}), "[?]");
  EXPECT_EQ(text({kAny}, {kAny}), "[?]");
  EXPECT_EQ(text({kAny}, {0}), "[?]");
  EXPECT_EQ(text({0}, {1}), "[0]");
  EXPECT_EQ(text(kUnknown, {3}), "<unknown>");
  EXPECT_EQ(text({2}, {3}), "Dimensions must be equal, but are 2 and 3");
  EXPECT_EQ(text({0}, {2}), "Dimensions must be equal, but are 0 and 2");
}

TINYTF_TEST(shapes_broadcast_at_run_time) {
  EXPECT(shapes::broadcast(Shape{4, 1, 3}, Shape{2, 1}).value() == (Shape{4, 2, 3}));
  EXPECT(shapes::broadcast(Shape{}, Shape{0}).value() == Shape{0});
  EXPECT_EQ(shapes::broadcast(Shape{2}, Shape{3}).status().message(), "Incompatible shapes: [2] vs. [3]");
}

/// Runs a shape function on a node with `outputs` outputs.
struct Fixture {
  NodeInfo node;
  explicit Fixture(size_t outputs = 1) { node.outputs.resize(outputs); }
  std::string text(ShapeFn fn, std::vector<PartialShape> inputs, const Tensor* axes = nullptr) {
    struct Axes final : ConstantSource {
      const Tensor* axes;
      const Tensor* value(int input) override { return input == 1 ? axes : nullptr; }
      PartialShape value_as_shape(int) override { return {}; }
    } constants;
    constants.axes = axes;
    ShapeContext c(node, std::move(inputs), {}, &constants);
    const Status status = fn(c);
    return status.ok() ? c.output(0).to_string() : status.message();
  }
};

TINYTF_TEST(shape_functions_that_look_at_no_input) {
  Fixture f(2);
  EXPECT_EQ(f.text(shapes::scalar, {}), "[]");
  EXPECT_EQ(f.text(shapes::unknown, {PartialShape{2}}), "<unknown>");
  EXPECT_EQ(f.text(shapes::no_outputs, {}), "<unknown>");
  EXPECT_EQ(f.text(shapes::unchanged, {{2, kAny}}), "[2,?]");
  f.node.attrs.set("shape", PartialShape({3}));
  EXPECT_EQ(f.text(shapes::explicit_shape, {}), "[3]");
}

TINYTF_TEST(shape_function_unchanged_keeps_handles) {
  const Fixture f;
  const HandleInfo info{DType::kHalf, PartialShape{2}};
  ShapeContext c(f.node, {PartialShape::scalar()}, {&info}, nullptr);
  EXPECT_OK(shapes::unchanged(c));
  EXPECT_EQ(c.output_handle(0)->dtype, DType::kHalf);
}

TINYTF_TEST(shape_function_merged_inputs) {
  Fixture f;
  EXPECT_EQ(f.text(shapes::merged_inputs, {{2, kAny}, kUnknown, {kAny, 3}}), "[2,3]");
  EXPECT_EQ(f.text(shapes::merged_inputs, {PartialShape{2}}), "[2]");
  EXPECT_EQ(
      f.text(shapes::merged_inputs, {PartialShape{2}, PartialShape{3}}),
      "Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3].\n\tFrom merging shape 0 "
      "with other shapes.");
  EXPECT_EQ(
      f.text(shapes::merged_inputs, {PartialShape{2}, PartialShape{3}, PartialShape{2}}),
      "Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are [3] and [2].\n\tFrom merging shape 1 "
      "with other shapes.");
  EXPECT_EQ(f.text(shapes::merged_inputs, {PartialShape{2}, {2, 2}}),
            "Shapes must be equal rank, but are 1 and 2\n\tFrom merging shape 0 with other shapes.");
}

TINYTF_TEST(shape_function_reduction) {
  const Tensor some = testing::tensor<int32_t>({2}, {0, -1}), none = testing::tensor<int64_t>({0}, {});
  const Tensor wrong = testing::tensor<int32_t>({}, {3});
  Fixture f;
  EXPECT_EQ(f.text(shapes::reduction, {{2, kAny, 4}, {2}}, &some), "[?]");
  EXPECT_EQ(f.text(shapes::reduction, {{2, kAny, 4}, {0}}, &none), "[2,?,4]");
  EXPECT_EQ(f.text(shapes::reduction, {{2, 3}, kUnknown}), "<unknown>");
  EXPECT_EQ(f.text(shapes::reduction, {{2, 3, 4}, PartialShape::scalar()}, &wrong),
            "Invalid reduction dimension 3 for input with 3 dimensions.");
  f.node.attrs.set("keep_dims", true);
  EXPECT_EQ(f.text(shapes::reduction, {{2, kAny, 4}, {2}}, &some), "[1,?,1]");
  EXPECT_EQ(f.text(shapes::reduction, {{2, 3}, kUnknown}), "[?,?]");
  EXPECT_EQ(f.text(shapes::reduction, {kUnknown, {2}}, &some), "<unknown>");
}

TINYTF_TEST(windows_are_tensorflows) {
  using shapes::Padding;
  const auto text = [](auto... arguments) {
    const auto w = shapes::window(arguments...);
    if (!w.ok()) return w.status().message();
    return str_cat(w.value().output, " ", w.value().pad_before, " ", w.value().pad_after);
  };
  EXPECT_EQ(text(28, 5, 1, 1, Padding::kSame), "28 2 2");
  EXPECT_EQ(text(28, 5, 1, 2, Padding::kSame), "14 1 2");  // the odd padding goes after
  EXPECT_EQ(text(28, 1, 1, 3, Padding::kSame), "10 0 0");
  EXPECT_EQ(text(28, 5, 1, 1, Padding::kValid), "24 0 0");
  EXPECT_EQ(text(28, 3, 2, 2, Padding::kValid), "12 0 0");  // the window covers 5
  EXPECT_EQ(text(4, 5, 1, 1, Padding::kValid), "0 0 0");
  EXPECT_EQ(text(5, 3, 1, 1, Padding::kExplicit, 2, 1), "6 2 1");
  EXPECT_EQ(text(0, 3, 1, 1, Padding::kSame), "0 1 1");
  EXPECT_EQ(text(2, 5, 1, 1, Padding::kValid),
            "Computed output size would be negative: -2 [input_size: 2, effective_filter_size: 5, stride: 1]");
  EXPECT_EQ(text(2, 5, 1, 0, Padding::kSame), "Stride must be > 0, but got 0");
  EXPECT_EQ(text(2, 5, 0, 1, Padding::kSame), "Dilation rate must be >= 1, but got 0");
  EXPECT(shapes::padding_from_string("VALID").value() == Padding::kValid);
  EXPECT(shapes::padding_from_string("SAME").value() == Padding::kSame);
  EXPECT(shapes::padding_from_string("EXPLICIT").value() == Padding::kExplicit);
  EXPECT_EQ(shapes::padding_from_string("same").status().message(), "same is not an allowed padding type");
}

TINYTF_TEST(axes_count_from_both_ends) {
  EXPECT_EQ(shapes::canonical_axis(-3, 3).value(), 0);
  EXPECT_EQ(shapes::canonical_axis(2, 3).value(), 2);
  EXPECT_EQ(shapes::canonical_axis(3, 3).status().message(), "Expected dimension in the range [-3, 3), but got 3");
  EXPECT(!shapes::canonical_axis(0, 0).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
