#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using testing::values;
using Ints = std::vector<int32_t>;
using Floats = std::vector<float>;
using Strings = std::vector<std::string>;

Tensor ints(const Ints& v) { return tensor<int32_t>({static_cast<int64_t>(v.size())}, v); }
Tensor int0(int32_t v) { return tensor<int32_t>({}, {v}); }
Tensor iota(const Shape& shape) {
  Floats v(static_cast<size_t>(shape.num_elements()));
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  return tensor<float>(shape, v);
}
Tensor letters(const Shape& shape) {
  Strings v(static_cast<size_t>(shape.num_elements()));
  for (size_t i = 0; i < v.size(); ++i) v[i] = std::string(1, static_cast<char>('a' + i));
  return tensor<std::string>(shape, v);
}

/// Output `i` as "[shape] v v v", or the error message.
template <class T>
std::string result(OpRunner& runner, int i = 0) {
  auto outputs = runner.run();
  if (!outputs.ok()) return outputs.status().message();
  const Tensor& out = outputs.value()[static_cast<size_t>(i)];
  std::string text = out.shape().to_string();
  for (const T& v : values<T>(out)) text += str_cat(" ", v);
  return text;
}
std::string floats(OpRunner& runner, int i = 0) { return result<float>(runner, i); }
std::string strings(OpRunner& runner, int i = 0) { return result<std::string>(runner, i); }
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TINYTF_TEST(reshape_ops) {
  EXPECT_EQ(floats(OpRunner("Reshape").input(iota({2, 3})).input(ints({3, -1}))), "[3,2] 0 1 2 3 4 5");
  EXPECT_EQ(strings(OpRunner("Reshape").input(letters({2})).input(ints({2, 1}))), "[2,1] a b");
  EXPECT(contains(floats(OpRunner("Reshape").input(iota({2, 3})).input(ints({4}))), "Cannot reshape a tensor with 6"));
  EXPECT_EQ(OpRunner("Reshape").input(iota({2, 3})).input(ints({4, -1})).infer().status().message(),
            "Dimension size must be evenly divisible by 4 but is 6");
  Slot out[1];
  EXPECT_EQ(OpRunner("Reshape").input(iota({2, 3})).input(ints({4})).compute(out).message(),
            "Input to reshape is a tensor with 6 values, but the requested shape has 4");
  EXPECT_EQ(floats(OpRunner("ExpandDims").input(iota({2})).input(int0(-1))), "[2,1] 0 1");
  EXPECT_EQ(floats(OpRunner("Squeeze").input(iota({1, 2, 1}))), "[2] 0 1");
  EXPECT_EQ(floats(OpRunner("Squeeze").input(iota({1, 2, 1})).attr("squeeze_dims", std::vector<int64_t>{-1})),
            "[1,2] 0 1");
  EXPECT_EQ(result<int32_t>(OpRunner("Shape").input(iota({2, 3}))), "[2] 2 3");
  EXPECT_EQ(result<int64_t>(OpRunner("Size").input(iota({2, 3})).attr("out_type", DType::kInt64)), "[] 6");
  EXPECT_EQ(result<int32_t>(OpRunner("Rank").input(iota({2, 3}))), "[] 2");
  EXPECT_EQ(result<int32_t>(OpRunner("ShapeN").list({iota({2}), iota({3, 4})}), 1), "[2] 3 4");
}

TINYTF_TEST(filling_ops) {
  EXPECT_EQ(floats(OpRunner("Fill").input(ints({2, 2})).input(tensor<float>({}, {7}))), "[2,2] 7 7 7 7");
  EXPECT_EQ(strings(OpRunner("Fill").input(ints({2})).input(letters({}))), "[2] a a");
  EXPECT_EQ(floats(OpRunner("ZerosLike").input(iota({2}))), "[2] 0 0");
  EXPECT_EQ(floats(OpRunner("OnesLike").input(iota({2}))), "[2] 1 1");
  EXPECT_EQ(result<bool>(OpRunner("OnesLike").input(tensor<bool>({1}, {false}))), "[1] true");
  EXPECT_EQ(floats(OpRunner("OneHot")
                       .input(tensor<int64_t>({3}, {0, 2, -1}))
                       .input(int0(3))
                       .input(tensor<float>({}, {5}))
                       .input(tensor<float>({}, {1}))),
            "[3,3] 5 1 1 1 1 5 1 1 1");
  EXPECT_EQ(strings(OpRunner("OneHot")
                        .input(tensor<int64_t>({2}, {0, 1}))
                        .input(int0(2))
                        .input(tensor<std::string>({}, {"x"}))
                        .input(tensor<std::string>({}, {"-"}))
                        .attr("axis", int64_t{0})),
            "[2,2] x - - x");
}

TINYTF_TEST(concat_and_pack) {
  EXPECT_EQ(floats(OpRunner("ConcatV2").list({iota({2, 1}), iota({2, 2})}).input(int0(1))), "[2,3] 0 0 1 1 2 3");
  EXPECT_EQ(strings(OpRunner("ConcatV2").list({letters({2, 1}), letters({2, 2})}).input(int0(-1))),
            "[2,3] a a b b c d");
  EXPECT_EQ(floats(OpRunner("ConcatV2").list({iota({0}), iota({2})}).input(int0(0))), "[2] 0 1");
  EXPECT_EQ(floats(OpRunner("Concat").input(int0(0)).list({iota({1}), iota({2})})), "[3] 0 0 1");
  Slot out[2];
  EXPECT_EQ(OpRunner("ConcatV2").list({iota({2, 2}), iota({3, 3})}).input(int0(0)).compute(out).message(),
            "ConcatOp : Dimensions of inputs should match: shape[0] = [2,2] vs. shape[1] = [3,3]");
  EXPECT_EQ(result<int32_t>(OpRunner("ConcatOffset").input(int0(1)).list({ints({2, 3}), ints({2, 5})}), 1), "[2] 0 3");
  EXPECT_EQ(floats(OpRunner("Pack").list({iota({2}), iota({2})})), "[2,2] 0 1 0 1");
  EXPECT_EQ(floats(OpRunner("Pack").list({iota({2}), iota({2})}).attr("axis", int64_t{-1})), "[2,2] 0 0 1 1");
  EXPECT_EQ(result<int32_t>(OpRunner("Pack").list({int0(4), int0(5)})), "[2] 4 5");
  EXPECT_EQ(strings(OpRunner("Pack").list({letters({1}), letters({1})}).attr("axis", int64_t{1})), "[1,2] a a");
  EXPECT_EQ(floats(OpRunner("Unpack").input(iota({2, 2})).attr("num", int64_t{2}).attr("axis", int64_t{1}), 1),
            "[2] 1 3");
  EXPECT_EQ(floats(OpRunner("Unpack").input(iota({2, 2})).attr("num", int64_t{2}), 1), "[2] 2 3");
  EXPECT_EQ(strings(OpRunner("Unpack").input(letters({2, 2})).attr("num", int64_t{2}).attr("axis", int64_t{1}), 1),
            "[2] b d");
}

TINYTF_TEST(split_ops) {
  EXPECT_EQ(floats(OpRunner("Split").input(int0(1)).input(iota({2, 4})).attr("num_split", int64_t{2}), 1),
            "[2,2] 2 3 6 7");
  EXPECT_EQ(floats(OpRunner("Split").input(int0(0)).input(iota({2, 2})).attr("num_split", int64_t{2}), 1), "[1,2] 2 3");
  EXPECT_EQ(
      floats(OpRunner("SplitV").input(iota({5})).input(ints({2, -1})).input(int0(0)).attr("num_split", int64_t{2}), 1),
      "[3] 2 3 4");
  EXPECT_EQ(
      strings(
          OpRunner("SplitV").input(letters({2, 3})).input(ints({1, 2})).input(int0(1)).attr("num_split", int64_t{2}),
          1),
      "[2,2] b c e f");
  EXPECT(contains(floats(OpRunner("Split").input(int0(0)).input(iota({3})).attr("num_split", int64_t{2})),
                  "Number of ways to split should evenly divide the split dimension, but got split_dim 0 (size = 3)"));
}

using Masks = std::vector<std::pair<const char*, int64_t>>;

template <class T = float>
std::string strided(Tensor input, Ints begin, Ints end, Ints strides, const Masks& masks = {}) {
  OpRunner runner("StridedSlice");
  runner.input(std::move(input)).input(ints(begin)).input(ints(end)).input(ints(strides));
  for (const auto& [name, value] : masks) runner.attr(name, value);
  return result<T>(runner);
}

TINYTF_TEST(slice_ops) {
  EXPECT_EQ(floats(OpRunner("Slice").input(iota({3, 3})).input(ints({1, 1})).input(ints({-1, 2}))), "[2,2] 4 5 7 8");
  EXPECT_EQ(floats(OpRunner("Slice").input(iota({3, 2})).input(ints({1, 0})).input(ints({1, 2}))), "[1,2] 2 3");
  EXPECT_EQ(strings(OpRunner("Slice").input(letters({2, 2})).input(ints({0, 1})).input(ints({2, 1}))), "[2,1] b d");
  EXPECT_EQ(strided(iota({5}), {1}, {4}, {2}), "[2] 1 3");
  EXPECT_EQ(strided(iota({5}), {-1}, {-6}, {-1}), "[5] 4 3 2 1 0");
  EXPECT_EQ(strided(iota({5}), {-2}, {0}, {1}, {{"shrink_axis_mask", 1}}), "[] 3");
  EXPECT_EQ(strided(iota({2, 3}), {0, 1}, {0, 2}, {1, 1}, {{"shrink_axis_mask", 2}, {"end_mask", 1}}), "[2] 1 4");
  EXPECT_EQ(strided(iota({2, 2, 2}), {0, 1}, {0, 2}, {1, 1}, {{"ellipsis_mask", 1}, {"shrink_axis_mask", 2}}),
            "[2,2] 1 3 5 7");
  EXPECT_EQ(strided(iota({2}), {0, 0}, {0, 0}, {1, 1}, {{"new_axis_mask", 2}, {"begin_mask", 1}, {"end_mask", 1}}),
            "[2,1] 0 1");
  EXPECT_EQ(strided(iota({4}), {3}, {1}, {1}), "[0]");
  EXPECT_EQ(strided<std::string>(letters({4}), {0}, {4}, {3}), "[2] a d");
  EXPECT_EQ(strided(iota({5}), {7}, {8}, {1}, {{"shrink_axis_mask", 1}}),
            "slice index 7 of dimension 0 out of bounds.");
  EXPECT_EQ(strided(iota({2, 2}), {0, 5}, {1, 6}, {1, 1}, {{"shrink_axis_mask", 2}}),
            "slice index 5 of dimension 1 out of bounds.");
  EXPECT_EQ(floats(OpRunner("StridedSliceGrad")
                       .input(ints({5}))
                       .input(ints({1}))
                       .input(ints({5}))
                       .input(ints({2}))
                       .input(tensor<float>({2}, {8, 9}))),
            "[5] 0 8 0 9 0");
  EXPECT_EQ(strings(OpRunner("StridedSliceGrad")
                        .input(ints({3}))
                        .input(ints({1}))
                        .input(ints({2}))
                        .input(ints({1}))
                        .input(letters({1}))),
            "[3]  a ");
}

TINYTF_TEST(moving_ops) {
  EXPECT_EQ(floats(OpRunner("Transpose").input(iota({2, 3})).input(ints({1, 0}))), "[3,2] 0 3 1 4 2 5");
  EXPECT_EQ(strings(OpRunner("Transpose").input(letters({2, 2})).input(ints({1, 0}))), "[2,2] a c b d");
  EXPECT_EQ(floats(OpRunner("Transpose").input(iota({1, 3})).input(ints({1, 0}))), "[3,1] 0 1 2");
  EXPECT_EQ(floats(OpRunner("Tile").input(iota({2})).input(ints({2}))), "[4] 0 1 0 1");
  EXPECT_EQ(strings(OpRunner("Tile").input(letters({1, 2})).input(ints({2, 1}))), "[2,2] a b a b");
  EXPECT_EQ(floats(OpRunner("BroadcastTo").input(iota({2, 1})).input(ints({2, 2}))), "[2,2] 0 0 1 1");
  EXPECT_EQ(floats(OpRunner("Pad").input(iota({2})).input(tensor<int32_t>({1, 2}, {1, 2}))), "[5] 0 0 1 0 0");
  EXPECT_EQ(strings(OpRunner("PadV2")
                        .input(letters({1}))
                        .input(tensor<int32_t>({1, 2}, {1, 1}))
                        .input(tensor<std::string>({}, {"-"}))),
            "[3] - a -");
  EXPECT_EQ(floats(OpRunner("MirrorPad")
                       .input(iota({3}))
                       .input(tensor<int32_t>({1, 2}, {2, 1}))
                       .attr("mode", std::string("REFLECT"))),
            "[6] 2 1 0 1 2 1");
  EXPECT_EQ(floats(OpRunner("MirrorPadGrad")
                       .input(iota({6}))
                       .input(tensor<int32_t>({1, 2}, {2, 1}))
                       .attr("mode", std::string("REFLECT"))),
            "[3] 2 9 4");
  EXPECT_EQ(floats(OpRunner("ReverseV2").input(iota({2, 2})).input(ints({-1}))), "[2,2] 1 0 3 2");
  EXPECT_EQ(floats(OpRunner("ReverseSequence")
                       .input(iota({2, 3}))
                       .input(tensor<int64_t>({2}, {2, 3}))
                       .attr("seq_dim", int64_t{1})),
            "[2,3] 1 0 2 5 4 3");
  EXPECT_EQ(floats(OpRunner("Roll").input(iota({4})).input(int0(1)).input(int0(0))), "[4] 3 0 1 2");
  EXPECT_EQ(result<int32_t>(OpRunner("InvertPermutation").input(ints({2, 0, 1}))), "[3] 1 2 0");
  EXPECT_EQ(result<int32_t>(OpRunner("InvertPermutation").input(ints({0, 0}))), "0 is duplicated in the input.");
}

TINYTF_TEST(gathering_ops) {
  EXPECT_EQ(floats(OpRunner("GatherV2").input(iota({3, 2})).input(ints({2, 0})).input(int0(0))), "[2,2] 4 5 0 1");
  EXPECT_EQ(floats(OpRunner("GatherV2").input(iota({2, 3})).input(int0(1)).input(int0(-1))), "[2] 1 4");
  EXPECT_EQ(strings(OpRunner("GatherV2").input(letters({3})).input(ints({2, 2})).input(int0(0))), "[2] c c");
  EXPECT_EQ(floats(OpRunner("GatherV2")
                       .input(iota({2, 3}))
                       .input(tensor<int32_t>({2, 1}, {2, 0}))
                       .input(int0(1))
                       .attr("batch_dims", int64_t{1})),
            "[2,1] 2 3");
  EXPECT_EQ(floats(OpRunner("GatherV2").input(iota({3})).input(ints({0, 3})).input(int0(0))),
            "indices[1] = 3 is not in [0, 3)");
  EXPECT_EQ(floats(OpRunner("GatherNd").input(iota({2, 2})).input(tensor<int32_t>({2, 2}, {1, 0, 0, 1}))), "[2] 2 1");
  EXPECT_EQ(floats(OpRunner("GatherNd").input(iota({2, 2})).input(tensor<int32_t>({1, 1}, {1}))), "[1,2] 2 3");
  EXPECT_EQ(floats(OpRunner("GatherNd").input(iota({2, 2})).input(tensor<int32_t>({1, 2}, {1, 5}))),
            "indices[0] = [1, 5] does not index into param shape [2,2]");
  EXPECT_EQ(floats(OpRunner("ScatterNd")
                       .input(tensor<int32_t>({2, 1}, {1, 1}))
                       .input(tensor<float>({2}, {3, 4}))
                       .input(ints({3}))),
            "[3] 0 7 0");
  EXPECT_EQ(result<int64_t>(OpRunner("Where").input(tensor<bool>({2, 2}, {true, false, false, true}))),
            "[2,2] 0 0 1 1");
  EXPECT_EQ(
      floats(OpRunner("DynamicPartition").input(iota({4})).input(ints({1, 0, 1, 0})).attr("num_partitions", int64_t{2}),
             1),
      "[2] 0 2");
  EXPECT_EQ(floats(OpRunner("DynamicStitch").list({ints({2, 0}), ints({1})}).list({iota({2}), iota({1})})),
            "[3] 1 0 0");
}

TINYTF_TEST(broadcast_args_ops) {
  const auto over = [](Ints a, Ints b, int i) {
    return result<int32_t>(OpRunner("BroadcastGradientArgs").input(ints(a)).input(ints(b)), i);
  };
  EXPECT_EQ(over({2, 3}, {3}, 0), "[0]");
  EXPECT_EQ(over({2, 3}, {3}, 1), "[1] 0");
  EXPECT_EQ(over({2, 1, 1}, {1, 3, 1}, 0), "[2] 1 2");
  EXPECT_EQ(over({2, 1, 1}, {1, 3, 1}, 1), "[2] 0 2");
  EXPECT_EQ(over({1, 2}, {1, 2}, 0), "[0]");
  EXPECT_EQ(over({2}, {3}, 0), "Incompatible shapes: [2] vs. [3]");
  EXPECT_EQ(result<int32_t>(OpRunner("BroadcastArgs").input(ints({2, 1})).input(ints({3}))), "[2] 2 3");
}

TINYTF_TEST(text_ops) {
  Slot out[1];
  EXPECT_EQ(OpRunner("Assert")
                .input(tensor<bool>({}, {false}))
                .list({tensor<int32_t>({2, 2}, {1, 2, 3, 4}), letters({})})
                .compute(out)
                .message(),
            "assertion failed: [[1 2][3...]...] [a]");
  EXPECT_EQ(strings(OpRunner("StringJoin")
                        .list({letters({2}), tensor<std::string>({}, {"x"})})
                        .attr("separator", std::string("-"))),
            "[2] a-x b-x");
  EXPECT_EQ(strings(OpRunner("AsString").input(tensor<float>({2}, {1.5f, 1e10f})).attr("precision", int64_t{2})),
            "[2] 1.50 10000000000.00");
  EXPECT_EQ(
      strings(OpRunner("AsString").input(ints({1, -20})).attr("width", int64_t{5}).attr("fill", std::string("0"))),
      "[2] 00001 -0020");
}

TINYTF_TEST(block_ops) {
  EXPECT_EQ(floats(OpRunner("SpaceToDepth").input(iota({1, 2, 2, 1})).attr("block_size", int64_t{2})),
            "[1,1,1,4] 0 1 2 3");
  EXPECT_EQ(floats(OpRunner("DepthToSpace").input(iota({1, 1, 2, 4})).attr("block_size", int64_t{2})),
            "[1,2,4,1] 0 1 4 5 2 3 6 7");
  EXPECT_EQ(floats(OpRunner("SpaceToDepth")
                       .input(iota({1, 1, 2, 4}))
                       .attr("block_size", int64_t{2})
                       .attr("data_format", std::string("NCHW"))),
            "[1,4,1,2] 0 2 1 3 4 6 5 7");
  EXPECT_EQ(
      floats(OpRunner("SpaceToBatchND").input(iota({1, 3})).input(ints({2})).input(tensor<int32_t>({1, 2}, {1, 0}))),
      "[2,2] 0 1 0 2");
  EXPECT_EQ(
      floats(OpRunner("BatchToSpaceND").input(iota({2, 2})).input(ints({2})).input(tensor<int32_t>({1, 2}, {1, 0}))),
      "[1,3] 2 1 3");
}

TINYTF_TEST(diagonal_ops) {
  EXPECT_EQ(floats(OpRunner("Diag").input(iota({2}))), "[2,2] 0 0 0 1");
  EXPECT_EQ(floats(OpRunner("DiagPart").input(iota({2, 2}))), "[2] 0 3");
  EXPECT_EQ(floats(OpRunner("MatrixDiag").input(iota({2, 2}))), "[2,2,2] 0 0 0 1 2 0 0 3");
  EXPECT_EQ(floats(OpRunner("MatrixDiagPart").input(iota({2, 2, 3}))), "[2,2] 0 4 6 10");
  EXPECT_EQ(floats(OpRunner("MatrixSetDiag").input(iota({2, 2})).input(tensor<float>({2}, {8, 9}))), "[2,2] 8 1 2 9");
  EXPECT_EQ(floats(OpRunner("MatrixBandPart")
                       .input(iota({3, 3}))
                       .input(tensor<int64_t>({}, {0}))
                       .input(tensor<int64_t>({}, {-1}))),
            "[3,3] 0 1 2 0 4 5 0 0 8");
}

TINYTF_TEST(set_ops) {
  EXPECT_EQ(result<int32_t>(OpRunner("Unique").input(ints({4, 2, 4})), 1), "[3] 0 1 0");
  EXPECT_EQ(strings(OpRunner("Unique").input(tensor<std::string>({3}, {"b", "a", "b"}))), "[2] b a");
  EXPECT_EQ(floats(OpRunner("Unique").input(tensor<float>({3}, {0.f, -0.f, 1.f}))), "[2] 0 1");
  EXPECT_EQ(
      floats(OpRunner("UniqueV2").input(tensor<float>({2, 3}, {1, 2, 1, 3, 4, 3})).input(tensor<int64_t>({1}, {1}))),
      "[2,2] 1 2 3 4");
  EXPECT_EQ(result<int32_t>(OpRunner("ListDiff").input(ints({1, 2, 3})).input(ints({2})), 1), "[2] 0 2");
  EXPECT_EQ(result<int32_t>(OpRunner("Bitcast").input(tensor<float>({1}, {1})).attr("type", DType::kInt32)),
            "[1] 1065353216");
  Slot out[1];
  EXPECT_EQ(OpRunner("CheckNumerics")
                .input(tensor<float>({1}, {NAN}))
                .attr("message", std::string("m"))
                .compute(out)
                .message(),
            "m : Tensor had NaN values");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
