#include "op/shape_context.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

const PartialShape kUnknown;

/// Provides input 0 as a tensor, input 1 as a shape and input 2 as a size.
class SomeConstants final : public ConstantSource {
 public:
  const Tensor* value(int input) override { return input == 0 ? &tensor_ : nullptr; }
  PartialShape value_as_shape(int input) override { return input == 1 ? PartialShape({2, kUnknownDim}) : kUnknown; }
  int64_t entry(int input) override { return input == 2 ? 7 : kUnknownDim; }

 private:
  Tensor tensor_ = testing::tensor<int32_t>({2}, {3, 4});
};

NodeInfo node_with(size_t outputs) {
  NodeInfo node;
  node.outputs.resize(outputs);
  node.attrs.set("n", int64_t{5});
  return node;
}

TINYTF_TEST(shape_context_starts_with_unknown_outputs) {
  const NodeInfo node = node_with(2);
  ShapeContext c(node, {PartialShape{1}, kUnknown}, {}, nullptr);
  EXPECT_EQ(c.num_inputs(), 2);
  EXPECT_EQ(c.num_outputs(), 2);
  EXPECT(c.input(0) == PartialShape{1});
  EXPECT(!c.output(0).known_rank() && !c.output(1).known_rank());
  c.set_output(1, {2, kUnknownDim});
  EXPECT(!c.output(0).known_rank());
  EXPECT_EQ(c.output(1).to_string(), "[2,?]");
  EXPECT_EQ(c.attr<int64_t>("n"), 5);
  EXPECT_EQ(&c.node(), &node);
}

TINYTF_TEST(shape_context_asks_for_constants) {
  const NodeInfo node = node_with(1);
  SomeConstants constants;
  ShapeContext c(node, {PartialShape{2}, PartialShape{2}, PartialShape{2}}, {}, &constants);
  EXPECT_EQ(c.input_tensor(0)->int_at(1), 4);
  EXPECT(c.input_tensor(1) == nullptr);
  EXPECT_EQ(c.input_as_shape(1).to_string(), "[2,?]");
  EXPECT(!c.input_as_shape(2).known_rank());
  EXPECT_EQ(c.input_entry(2), 7);
  EXPECT_EQ(c.input_entry(0), kUnknownDim);
  ShapeContext without(node, {PartialShape{2}}, {}, nullptr);
  EXPECT(without.input_tensor(0) == nullptr);
  EXPECT(!without.input_as_shape(0).known_rank());
  EXPECT_EQ(without.input_entry(0), kUnknownDim);
}

TINYTF_TEST(shape_context_checks_ranks) {
  const NodeInfo node = node_with(1);
  const ShapeContext c(node, {PartialShape{2, 3}, kUnknown}, {}, nullptr);
  PartialShape shape;
  EXPECT_OK(c.with_rank(0, 2, &shape));
  EXPECT(shape == (PartialShape{2, 3}));
  EXPECT_OK(c.with_rank(1, 3, &shape));
  EXPECT_EQ(shape.to_string(), "[?,?,?]");  // an unknown rank becomes the requested one
  EXPECT_EQ(c.with_rank(0, 3).message(), "Shape must be rank 3 but is rank 2");
  EXPECT_OK(c.with_rank_at_least(0, 2, &shape));
  EXPECT(shape == (PartialShape{2, 3}));
  EXPECT_OK(c.with_rank_at_least(1, 9, &shape));
  EXPECT(!shape.known_rank());
  EXPECT_EQ(c.with_rank_at_least(0, 3).message(), "Shape must be at least rank 3 but is rank 2");
  EXPECT_OK(c.with_rank_at_most(0, 2));
  EXPECT_OK(c.with_rank_at_most(1, 0));
  EXPECT_EQ(c.with_rank_at_most(0, 1).message(), "Shape must be at most rank 1 but is rank 2");
}

TINYTF_TEST(shape_context_passes_handles_on) {
  const NodeInfo node = node_with(2);
  const HandleInfo known{DType::kFloat, PartialShape{4}};
  ShapeContext c(node, {PartialShape::scalar(), PartialShape::scalar()}, {nullptr, &known}, nullptr);
  EXPECT(c.input_handle(0) == nullptr);
  EXPECT(c.input_handle(1)->shape == PartialShape{4});
  EXPECT(c.input_handle(2) == nullptr);
  EXPECT(c.output_handle(0) == nullptr);
  c.set_output_handle(0, *c.input_handle(1));
  EXPECT_EQ(c.output_handle(0)->dtype, DType::kFloat);
  EXPECT(c.output_handle(1) == nullptr);
  ShapeContext without(node, {PartialShape::scalar()}, {}, nullptr);
  EXPECT(without.input_handle(0) == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
