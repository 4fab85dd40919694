#include "data/stored_values.h"

#include "data/element_list.h"
#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::scripted_parts;
using testing::spec_of_int;
using testing::tensor;

/// A list of numbers, as the value of a scalar.
Tensor list_of(std::vector<int64_t> numbers) {
  auto elements = std::make_shared<std::vector<Element>>();
  for (const int64_t number : numbers) elements->push_back({Tensor::scalar(number)});
  return ElementList::tensor_of(scripted_parts().origin.node, spec_of_int(), std::move(elements)).take();
}

const ElementList& list_in(const Tensor& variant) { return *variant.data<Variant>()->get<ElementList>(); }

TINYTF_TEST(plain_values_are_stored_as_they_are) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_value(writer, "x", tensor<float>({2}, {1, 2})));
  EXPECT_EQ(state.size(), 1u);
  EXPECT_EQ(get_value(StateReader(state), "x").value().data<float>()[1], 2.f);
  EXPECT_EQ(get_value(StateReader(state), "y").status().code(), Code::kDataLoss);
}

TINYTF_TEST(lists_are_stored_with_their_elements) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_value(writer, "x", list_of({3, 1, 4})));
  const Tensor read = get_value(StateReader(state), "x").take();
  const ElementList& list = list_in(read);
  EXPECT_EQ(list.cardinality(), 3);
  EXPECT_EQ(list.elements()[2][0].int_at(0), 4);
  EXPECT(list.spec().types == spec_of_int()->types);
  EXPECT_EQ(list.origin().node->op->name, "RangeDataset");
}

TINYTF_TEST(tensors_of_variants_keep_their_shape) {
  Tensor variants = Tensor::allocate(Allocator::process(), DType::kVariant, Shape({2, 1})).take();
  variants.data<Variant>()[1] = *list_of({5}).data<Variant>();
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_value(writer, "x", variants));
  const Tensor read = get_value(StateReader(state), "x").take();
  EXPECT(read.shape() == variants.shape());
  EXPECT(!read.data<Variant>()[0].value);
  EXPECT_EQ(read.data<Variant>()[1].get<ElementList>()->cardinality(), 1);
}

TINYTF_TEST(values_without_a_stored_form) {
  IteratorState state;
  StateWriter writer(state);
  Tensor handle = Tensor::allocate(Allocator::process(), DType::kResource, Shape()).take();
  EXPECT_EQ(put_value(writer, "x", handle).code(), Code::kUnimplemented);
}

TINYTF_TEST(every_damaged_value_of_a_list_is_an_error) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(put_value(writer, "x", list_of({3, 1})));
  for (const auto& [key, value] : state) {
    IteratorState damaged = state;
    damaged[key] = Tensor::scalar(1.f);
    EXPECT(!get_value(StateReader(damaged), "x").ok() || key == "x/0/shape_0");
    damaged.erase(key);
    const Result<Tensor> read = get_value(StateReader(damaged), "x");
    EXPECT(!read.ok() || key == "x/0/shape_0");  // A shape of unknown rank is not stored.
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
