#include "op/compact_constant.h"

#include "op/node_info.h"
#include "op/op_registry.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::tensor;

Tensor whole(Tensor elements, const Shape& shape) {
  return CompactConstant::make(std::move(elements), shape).value().materialise(Allocator::process()).take();
}

TINYTF_TEST(compact_constants_repeat_their_last_element) {
  const Tensor value = whole(tensor<int32_t>({2}, {7, 8}), Shape({3, 2}));
  EXPECT(value.shape() == Shape({3, 2}));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(value.data<int32_t>()[i], i == 0 ? 7 : 8);
  const Tensor one = whole(tensor<double>({1}, {0.5}), Shape({1001}));
  for (int i = 0; i < 1001; ++i) EXPECT_EQ(one.data<double>()[i], 0.5);
  EXPECT_EQ(whole(tensor<int32_t>({2}, {7, 8}), Shape({2})).data<int32_t>()[1], 8);
}

TINYTF_TEST(compact_constants_without_elements_are_zeros) {
  const Tensor value = whole(tensor<float>({0}, {}), Shape({5}));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(value.data<float>()[i], 0.0f);
  EXPECT_EQ(whole(tensor<float>({0}, {}), Shape({0, 3})).num_elements(), 0);
}

TINYTF_TEST(compact_constants_of_strings) {
  Tensor text = Tensor::allocate(Allocator::process(), DType::kString, Shape({1})).take();
  EXPECT_EQ(whole(text, Shape({3})).data<std::string>()[2], "");
  text.data<std::string>()[0] = "long enough to be no short string";
  const Tensor value = whole(text, Shape({3}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(value.data<std::string>()[i], text.data<std::string>()[0]);
  EXPECT_EQ(whole(Tensor::allocate(Allocator::process(), DType::kString, Shape({0})).take(), Shape({2}))
                .data<std::string>()[1],
            "");
}

TINYTF_TEST(compact_constants_are_checked) {
  EXPECT(!CompactConstant::make(tensor<float>({2}, {1, 2}), Shape({1})).ok());
  EXPECT(!CompactConstant::make(Tensor::scalar(1.0f), Shape({2})).ok());
  EXPECT(!CompactConstant::make(tensor<float>({1}, {1}), Shape({int64_t{1} << 40, int64_t{1} << 40})).ok());
  const auto large = CompactConstant::make(tensor<float>({1}, {1}), Shape({int64_t{1} << 50}));
  EXPECT_EQ(large.value().materialise(Allocator::process()).status().code(), Code::kResourceExhausted);
}

TINYTF_TEST(compact_constants_are_attrs_of_constants_only) {
  const AttrValue attr = CompactConstant::make(tensor<float>({1}, {1}), Shape({1000, 1000})).value().attr();
  const auto found = CompactConstant::of(attr);
  EXPECT(found && found->shape() == Shape({1000, 1000}) && found->elements().data<float>()[0] == 1);
  EXPECT(attr_equal(attr, found->attr()));
  for (const AttrValue& other :
       {AttrValue(Tensor::scalar(1.0f)), AttrValue(int64_t{3}), AttrValue(std::vector<Tensor>()),
        AttrValue(std::vector<Tensor>(2, tensor<float>({1}, {1})))}) {
    EXPECT(!CompactConstant::of(other));
  }
  NodeInfo node;
  node.name = "n";
  node.op = OpRegistry::global().find("Const");
  node.attrs.set("value", attr);
  node.attrs.set("dtype", DType::kFloat);
  EXPECT(complete_node(node, {}).ok());
  node.attrs.set("value", std::vector<Tensor>());
  EXPECT(!complete_node(node, {}).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
