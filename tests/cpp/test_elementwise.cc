#include "op/elementwise.h"

#include <cstring>
#include <set>

#include "base/dtype.h"
#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using kernels::Binary;
using kernels::Unary;
using testing::OpRunner;
using Kind = ElementwiseLoop::Kind;

constexpr int64_t kCount = 4;

Tensor empty(DType dtype) { return Tensor::allocate(Allocator::process(), dtype, {1, kCount}).take(); }

/// Four values, as operand `number`: such that integers can be divided.
Tensor sample(DType dtype, size_t number, const Shape& shape = {1, kCount}) {
  static constexpr float kNumbers[][kCount] = {{1.5f, 2.25f, 3, 5}, {2, 1, 4.5f, 3}, {7, 0, 1, 2}};
  static constexpr float kFlags[][kCount] = {{1, 0, 1, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}};
  Tensor made = Tensor::allocate(Allocator::process(), dtype, shape).take();
  const float* const from = dtype == DType::kBool ? kFlags[number] : kNumbers[number];
  kernels::table().cast.loop(DType::kFloat, storage_type(dtype))(from, made.raw(), kCount);
  return made;
}

void run_loop(ElementwiseLoop loop, const std::vector<Tensor>& inputs, Tensor& output) {
  const kernels::KernelTable& table = kernels::table();
  const DType dtype = inputs[0].dtype();
  switch (loop.kind) {
    case Kind::kNone: break;
    case Kind::kUnary:
      table.elementwise.unary_loop(static_cast<Unary>(loop.function), dtype).run(inputs[0].raw(), output.raw(), kCount);
      break;
    case Kind::kBinary:
    case Kind::kBias:
      table.elementwise.binary_loop(static_cast<Binary>(loop.function), dtype)
          .both(inputs[0].raw(), inputs[1].raw(), output.raw(), kCount);
      break;
    case Kind::kCast:
      table.cast.loop(storage_type(dtype), storage_type(output.dtype()))(inputs[0].raw(), output.raw(), kCount);
      break;
    case Kind::kSelect: {
      SerialParallel serial;
      kernels::run_select(table.elementwise, dtype_size(output.dtype()), inputs[0].data<bool>(), inputs[1].raw(),
                          inputs[2].raw(), output.raw(), kCount, serial);
      break;
    }
  }
}

/// Whether the kernel of a node has this loop, and the loop gives the kernel's result.
bool runs(ElementwiseLoop loop, OpRunner& node, const std::vector<Tensor>& inputs) {
  for (const Tensor& input : inputs) node.input(input);
  const Result<std::vector<Tensor>> outputs = node.run();
  if (!outputs.ok() || !(KernelRegistry::global().loop_of(node.node()) == loop)) return false;
  const Tensor& output = outputs.value()[0];
  Tensor expected = empty(output.dtype());
  run_loop(loop, inputs, expected);
  return output.num_elements() == kCount &&
         std::memcmp(output.raw(), expected.raw(), kCount * dtype_size(output.dtype())) == 0;
}

/// Runs a kernel for each of its dtypes, and returns the dtypes for which it does something else than its loop.
std::vector<DType> differing(const OpDef& op, const KernelDef& def) {
  const std::vector<DType> types = def.constraints.empty() ? std::vector{DType::kBool} : def.constraints[0].second;
  std::vector<DType> found;
  for (const DType dtype : types) {
    OpRunner node(op.name);
    if (def.constraints.size() > 1) node.attr(def.constraints[1].first, def.constraints[1].second[0]);
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < op.inputs.size(); ++i) {
      const bool is_bias = def.loop.kind == Kind::kBias && i == 1;
      inputs.push_back(sample(dtype, i, is_bias ? Shape{kCount} : Shape{1, kCount}));
    }
    if (!runs(def.loop, node, inputs)) found.push_back(dtype);
  }
  return found;
}

TINYTF_TEST(kernels_give_the_results_of_their_loops) {
  std::set<int> unary, binary;
  for (const OpDef& op : OpRegistry::global().all()) {
    const auto* defs = KernelRegistry::global().find(op.name);
    if (defs == nullptr) continue;
    for (const KernelDef& def : *defs) {
      const Kind kind = def.loop.kind;
      if (kind != Kind::kUnary && kind != Kind::kBinary && kind != Kind::kBias) continue;
      if (kind == Kind::kUnary) unary.insert(def.loop.function);
      if (kind == Kind::kBinary) binary.insert(def.loop.function);
      for (const DType dtype : differing(op, def)) {
        testing::fail(__FILE__, __LINE__, str_cat(op.name, " of ", dtype_name(dtype), " does not run its loop"));
      }
    }
  }
  // The kernels of all functions in the tables tell which loop they run.
  EXPECT_EQ(unary.size(), static_cast<size_t>(Unary::kCount));
  EXPECT_EQ(binary.size(), static_cast<size_t>(Binary::kCount));
}

TINYTF_TEST(casts_between_storage_types_are_loops) {
  const auto loop_of = [](DType source, DType destination, bool truncates = false) {
    OpRunner node("Cast");
    EXPECT_OK(node.input(sample(source, 0)).attr("DstT", destination).attr("Truncate", truncates).run().status());
    return KernelRegistry::global().loop_of(node.node());
  };
  for (const DType destination : {DType::kHalf, DType::kInt64, DType::kBool, DType::kComplex64}) {
    OpRunner node("Cast");
    node.attr("DstT", destination);
    EXPECT(runs({Kind::kCast}, node, {sample(DType::kFloat, 0)}));
  }
  EXPECT(!loop_of(DType::kFloat, DType::kFloat));
  EXPECT(!loop_of(DType::kQint8, DType::kInt8));
  EXPECT(!loop_of(DType::kFloat, DType::kHalf, true));
}

TINYTF_TEST(selects_of_numbers_are_loops) {
  for (const char* op : {"Select", "SelectV2"}) {
    for (const DType dtype : {DType::kBool, DType::kHalf, DType::kInt32, DType::kDouble, DType::kComplex128}) {
      OpRunner node(op);
      EXPECT(runs({Kind::kSelect}, node, {sample(DType::kBool, 0), sample(dtype, 1), sample(dtype, 2)}));
    }
    OpRunner strings(op);
    const Tensor text = testing::tensor<std::string>({1}, {"a"});
    EXPECT_OK(strings.input(testing::tensor<bool>({1}, {true})).input(text).input(text).run().status());
    EXPECT(!KernelRegistry::global().loop_of(strings.node()));
  }
}

TINYTF_TEST(loops_depend_on_dtypes_and_attrs) {
  const auto loop_of = [](const char* op, const Tensor& x, const Tensor& y, bool is_lenient = false) {
    OpRunner node(op);
    if (is_lenient) node.attr("incompatible_shape_error", false);
    EXPECT_OK(node.input(x).input(y).run().status());
    return KernelRegistry::global().loop_of(node.node());
  };
  const auto binary = [](Binary function) { return ElementwiseLoop{Kind::kBinary, static_cast<uint8_t>(function)}; };
  const Tensor number = sample(DType::kFloat, 0), whole = sample(DType::kInt32, 0);
  const Tensor text = testing::tensor<std::string>({1}, {"a"});
  EXPECT(loop_of("Div", number, number) == binary(Binary::kRealDiv));
  EXPECT(loop_of("Div", whole, whole) == binary(Binary::kTruncateDiv));
  EXPECT(loop_of("Add", number, number) == binary(Binary::kAdd));
  EXPECT(!loop_of("Add", text, text));
  EXPECT(loop_of("Equal", number, number) == binary(Binary::kEqual));
  EXPECT(!loop_of("Equal", number, number, true));
  EXPECT(!loop_of("ApproximateEqual", number, number));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
