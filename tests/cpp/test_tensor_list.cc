#include "ops/data_flow/shared/tensor_list.h"

#include "ops/variant_elements.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

using testing::tensor;
using testing::values;

RefPtr<TensorList> floats(const std::vector<float>& elements) {
  auto list = make_ref<TensorList>(TensorList::Spec{DType::kFloat, PartialShape::scalar()});
  for (const float element : elements) EXPECT_OK(list->push_back(Tensor::scalar(element)));
  return list;
}

/// The elements; -1 for elements that are not set.
std::vector<float> elements_of(const TensorList& list) {
  std::vector<float> elements;
  for (int64_t i = 0; i < list.size(); ++i) elements.push_back(list.at(i).valid() ? *list.at(i).data<float>() : -1);
  return elements;
}

const TensorList& list_in(const Variant& variant) {
  const auto* list = variant.get<TensorList>();
  TINYTF_CHECK(list != nullptr);
  return *list;
}

Tensor handle_of(RefPtr<const VariantValue> value) {
  Tensor handle = Tensor::allocate(Allocator::process(), DType::kVariant, Shape()).take();
  handle.data<Variant>()->value = std::move(value);
  return handle;
}

TINYTF_TEST(a_list_has_what_is_put_into_it) {
  RefPtr<TensorList> list = floats({1, 2});
  EXPECT_EQ(list->debug_string(), "TensorList<float>[2]");
  EXPECT_EQ(list->type_name(), "tensorflow::TensorList");
  EXPECT_OK(list->resize(4));
  EXPECT_EQ(elements_of(*list), (std::vector<float>{1, 2, -1, -1}));
  EXPECT_OK(list->set(3, Tensor::scalar(5.0f)));
  EXPECT_EQ(*list->pop_back().data<float>(), 5.0f);
  EXPECT(!list->pop_back().valid());
  EXPECT_OK(list->resize(1));
  EXPECT_OK(list->resize(2));
  EXPECT_EQ(elements_of(*list), (std::vector<float>{1, -1}));
  EXPECT_EQ(list->bytes(), static_cast<int64_t>(sizeof(Tensor) + sizeof(float)));
}

TINYTF_TEST(copies_of_a_list_share_elements_and_change_apart) {
  RefPtr<TensorList> list = floats({1, 2});
  RefPtr<TensorList> copy = list->copy();
  EXPECT(copy->at(0).buffer() == list->at(0).buffer());
  EXPECT_OK(copy->set(0, Tensor::scalar(7.0f)));
  EXPECT_OK(copy->push_back(Tensor::scalar(8.0f)));
  EXPECT_EQ(elements_of(*list), (std::vector<float>{1, 2}));
  EXPECT_EQ(elements_of(*copy), (std::vector<float>{7, 2, 8}));
  EXPECT_OK(list->append(*copy));
  EXPECT_EQ(elements_of(*list), (std::vector<float>{1, 2, 7, 2, 8}));
}

TINYTF_TEST(no_list_is_larger_than_its_length_tells) {
  RefPtr<TensorList> list = floats({1});
  EXPECT(!list->resize(TensorList::kMaxSize + 1).ok());
  EXPECT_OK(list->resize(TensorList::kMaxSize));  // allocates no memory
  EXPECT(!list->push_back(Tensor::scalar(1.0f)).ok());
  EXPECT(!list->append(*floats({1})).ok());
  EXPECT_OK(list->set(TensorList::kMaxSize - 1, Tensor::scalar(2.0f)));
  EXPECT_EQ(*list->pop_back().data<float>(), 2.0f);
}

TINYTF_TEST(lists_are_added_element_by_element) {
  RefPtr<TensorList> a = floats({1, 2, 3});
  RefPtr<TensorList> b = make_ref<TensorList>(TensorList::Spec{DType::kFloat, PartialShape()}, 3);
  EXPECT_OK(b->set(1, Tensor::scalar(10.0f)));
  Allocator& allocator = Allocator::process();
  const Variant sum = b->plus(*a, allocator).take();
  EXPECT_EQ(elements_of(list_in(sum)), (std::vector<float>{1, 12, 3}));
  EXPECT(list_in(sum).at(0).buffer() == a->at(0).buffer());
  EXPECT(list_in(sum).spec().element_shape == PartialShape::scalar());
  EXPECT_EQ(elements_of(*b), (std::vector<float>{-1, 10, -1}));
  const Variant zeros = b->zeros_like(allocator).take();
  EXPECT_EQ(elements_of(list_in(zeros)), (std::vector<float>{-1, 0, -1}));
  EXPECT(!a->plus(*floats({1}), allocator).ok());
}

TINYTF_TEST(zeros_of_a_list_share_their_memory) {
  const Variant zeros = floats({1, 2})->zeros_like(Allocator::process()).take();
  EXPECT(list_in(zeros).at(0).buffer() == list_in(zeros).at(1).buffer());
}

TINYTF_TEST(elements_tell_their_common_shape) {
  auto list = make_ref<TensorList>(TensorList::Spec{DType::kFloat, PartialShape()}, 1);
  EXPECT_OK(list->push_back(tensor<float>({1, 2}, {1, 2})));
  EXPECT(list->merged_shape(PartialShape{kUnknownDim, 2}).take() == (PartialShape{1, 2}));
  EXPECT(!list->merged_shape(PartialShape{2, 2}).ok());
}

TINYTF_TEST(lists_within_lists_are_not_too_deep) {
  const TensorList::Spec spec{DType::kVariant, PartialShape::scalar()};
  RefPtr<TensorList> list = make_ref<TensorList>(spec);
  for (int depth = 2; depth <= kMostVariantDepth; ++depth) {
    RefPtr<TensorList> outer = make_ref<TensorList>(spec);
    EXPECT_OK(outer->push_back(handle_of(list)));
    EXPECT_EQ(outer->depth(), depth);
    list = outer;
  }
  RefPtr<TensorList> outer = make_ref<TensorList>(spec, 1);
  const Tensor handle = handle_of(list);
  EXPECT_EQ(outer->push_back(handle).code(), Code::kInvalidArgument);
  EXPECT_EQ(outer->set(0, handle).code(), Code::kInvalidArgument);
  EXPECT_EQ(outer->size(), 1);
  EXPECT_OK(list->zeros_like(Allocator::process()).status());
  EXPECT_OK(list->plus(*list, Allocator::process()).status());
}

TINYTF_TEST(lists_of_variants_add_what_they_hold) {
  const TensorList::Spec spec{DType::kVariant, PartialShape::scalar()};
  RefPtr<TensorList> a = make_ref<TensorList>(spec), b = make_ref<TensorList>(spec);
  EXPECT_OK(a->push_back(handle_of(floats({1, 2}))));
  EXPECT_OK(b->push_back(handle_of(floats({3, 4}))));
  const Variant sum = a->plus(*b, Allocator::process()).take();
  EXPECT_EQ(elements_of(list_in(*list_in(sum).at(0).data<Variant>())), (std::vector<float>{4, 6}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops
