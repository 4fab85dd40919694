#include "data/packed_elements.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;

Tensor filled(DType dtype, const Shape& shape) {
  Tensor tensor = Tensor::allocate(Allocator::process(), dtype, shape).take();
  std::memset(tensor.raw(), 7, tensor.bytes());
  return tensor;
}

TINYTF_TEST(packed_elements_come_back_as_they_were) {
  const Element element = {Tensor::scalar(int64_t{-5}), filled(DType::kFloat, Shape({2, 3})),
                           filled(DType::kBool, Shape({0, 4})), Tensor::scalar(true)};
  const std::optional<PackedLayout> layout = PackedLayout::of(element);
  EXPECT(layout.has_value());
  EXPECT_EQ(layout->row_bytes(), 8u + 24u + 1u);
  EXPECT(layout->fits(element));
  std::vector<std::byte> row(layout->row_bytes());
  layout->pack(element, row.data());
  Element copy;
  EXPECT_OK(layout->prepare(Allocator::process(), copy));
  layout->unpack(row.data(), copy);
  EXPECT(layout->fits(copy));
  EXPECT_EQ(*copy[0].data<int64_t>(), -5);
  EXPECT_EQ(std::memcmp(copy[1].raw(), element[1].raw(), 24), 0);
  EXPECT(*copy[3].data<bool>());
}

TINYTF_TEST(a_prepared_element_keeps_memory_of_its_own_only) {
  const PackedLayout layout = *PackedLayout::of({Tensor::scalar(int64_t{1})});
  Element element = {Tensor::scalar(int64_t{2})};
  const void* const own = element[0].raw();
  EXPECT_OK(layout.prepare(Allocator::process(), element));
  EXPECT_EQ(element[0].raw(), own);
  const Tensor other = element[0];
  EXPECT_OK(layout.prepare(Allocator::process(), element));
  EXPECT(element[0].raw() != own);
  EXPECT_EQ(*other.data<int64_t>(), 2);
}

TINYTF_TEST(elements_of_another_kind_do_not_fit) {
  const Element element = {Tensor::scalar(int64_t{1}), filled(DType::kFloat, Shape({2}))};
  const PackedLayout layout = *PackedLayout::of(element);
  EXPECT(!layout.fits({element[0]}));
  EXPECT(!layout.fits({element[0], element[1], element[1]}));
  EXPECT(!layout.fits({Tensor::scalar(1.0), element[1]}));
  EXPECT(!layout.fits({element[0], filled(DType::kFloat, Shape({3}))}));
  EXPECT(!layout.fits({element[0], filled(DType::kFloat, Shape({2, 1}))}));
}

TINYTF_TEST(large_elements_objects_and_nothing_have_no_layout) {
  EXPECT(!PackedLayout::of({}).has_value());
  EXPECT(!PackedLayout::of({Tensor()}).has_value());
  EXPECT(!PackedLayout::of({Tensor::scalar(std::string("text"))}).has_value());
  EXPECT(!PackedLayout::of({filled(DType::kFloat, Shape({0}))}).has_value());
  EXPECT(PackedLayout::of({filled(DType::kInt8, Shape({128}))}).has_value());
  EXPECT(!PackedLayout::of({filled(DType::kInt8, Shape({129}))}).has_value());
  EXPECT(!PackedLayout::of({filled(DType::kInt8, Shape({100})), filled(DType::kInt8, Shape({29}))}).has_value());
}

TINYTF_TEST(a_prepared_element_without_memory) {
  const PackedLayout layout = *PackedLayout::of({Tensor::scalar(int64_t{1})});
  const auto allocator = make_ref<Allocator>();
  allocator->set_limit(1);
  Element element;
  EXPECT_EQ(layout.prepare(*allocator, element).code(), Code::kResourceExhausted);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
