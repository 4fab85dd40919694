#include "ops/data/shared/element_ring.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using data::Element;
using ops::ElementRing;

Status push(ElementRing& ring, Element element, int64_t most = INT64_MAX) {
  TINYTF_RETURN_IF_ERROR(ring.reserve(Allocator::process(), most));
  return ring.push(Allocator::process(), element);
}

Element taken(ElementRing& ring, int64_t i) {
  Element element;
  EXPECT_OK(ring.take(Allocator::process(), i, element));
  return element;
}

void push_numbers(ElementRing& ring, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) EXPECT_OK(push(ring, {Tensor::scalar(i)}));
}

/// A text or a number: texts are not packed.
Element element_of(int64_t i, bool is_text) {
  return {is_text ? Tensor::scalar(std::to_string(i)) : Tensor::scalar(i)};
}

int64_t value_of(const Element& element) {
  const Tensor& tensor = element.at(0);
  return tensor.dtype() == DType::kString ? std::stoll(*tensor.data<std::string>()) : *tensor.data<int64_t>();
}

TINYTF_TEST(a_ring_keeps_its_order_when_it_grows) {
  for (const bool is_text : {false, true}) {
    ElementRing ring;
    for (int64_t i = 0; i < 16; ++i) EXPECT_OK(push(ring, element_of(i, is_text)));
    for (int64_t i = 0; i < 10; ++i) EXPECT_EQ(value_of(taken(ring, 0)), i);
    for (int64_t i = 16; i < 60; ++i) EXPECT_OK(push(ring, element_of(i, is_text)));  // Turned by ten places.
    EXPECT_EQ(ring.size(), 50);
    for (int64_t i = 10; i < 60; ++i) EXPECT_EQ(value_of(taken(ring, 0)), i);
    EXPECT_EQ(ring.size(), 0);
  }
}

TINYTF_TEST(the_first_element_of_a_ring_takes_the_place_of_one_that_is_taken) {
  for (const bool is_text : {false, true}) {
    ElementRing ring;
    for (int64_t i = 0; i < 5; ++i) EXPECT_OK(push(ring, element_of(i, is_text), 5));
    EXPECT_EQ(value_of(taken(ring, 3)), 3);  // 1 2 0 4
    EXPECT_OK(push(ring, element_of(5, is_text), 5));
    EXPECT_EQ(value_of(taken(ring, 2)), 0);  // 2 1 4 5
    EXPECT_EQ(value_of(taken(ring, 3)), 5);  // 1 4 2
    EXPECT_EQ(value_of(taken(ring, 0)), 1);
    EXPECT_EQ(value_of(taken(ring, 1)), 2);
    EXPECT_EQ(value_of(taken(ring, 0)), 4);
  }
}

TINYTF_TEST(an_element_of_another_kind_turns_the_rows_of_a_ring_into_tensors) {
  ElementRing ring;
  push_numbers(ring, 0, 20);
  for (int64_t i = 0; i < 7; ++i) EXPECT_EQ(value_of(taken(ring, 0)), i);
  EXPECT_OK(push(ring, {Tensor::scalar(std::string("20"))}));
  push_numbers(ring, 21, 40);
  for (int64_t i = 7; i < 40; ++i) {
    EXPECT_EQ(value_of(ring.copy(Allocator::process(), 0).take()), i);
    EXPECT_EQ(value_of(taken(ring, 0)), i);
  }
}

TINYTF_TEST(a_ring_that_ran_empty_takes_elements_of_any_kind) {
  ElementRing ring;
  for (int64_t round = 0; round < 6; ++round) {
    for (int64_t i = 0; i < 20; ++i) EXPECT_OK(push(ring, element_of(i, round % 2 == 0)));
    for (int64_t i = 0; i < 20; ++i) EXPECT_EQ(value_of(taken(ring, 0)), i);
  }
}

TINYTF_TEST(elements_of_a_ring_do_not_share_memory_with_those_that_were_pushed) {
  ElementRing ring;
  Element element = {Tensor::scalar(int64_t{1})};
  EXPECT_OK(ring.reserve(Allocator::process(), 4));
  EXPECT_OK(ring.push(Allocator::process(), element));
  *element[0].data<int64_t>() = 2;
  EXPECT_EQ(value_of(taken(ring, 0)), 1);
}

TINYTF_TEST(a_ring_without_memory_keeps_its_elements) {
  const auto allocator = make_ref<Allocator>();
  ElementRing ring;
  for (int64_t i = 0; i < 16; ++i) {
    Element element = {Tensor::scalar(i)};
    EXPECT_OK(ring.reserve(*allocator, 100));
    EXPECT_OK(ring.push(*allocator, element));
  }
  allocator->set_limit(1);
  EXPECT_EQ(ring.reserve(*allocator, 100).code(), Code::kResourceExhausted);
  Element element;
  EXPECT_EQ(ring.take(*allocator, 3, element).code(), Code::kResourceExhausted);
  EXPECT_EQ(ring.size(), 16);
  Element text = {Tensor::scalar(std::string("16"))};
  allocator->set_limit(0);
  EXPECT_OK(ring.reserve(*allocator, 100));
  allocator->set_limit(1);
  EXPECT_EQ(ring.push(*allocator, text).code(), Code::kResourceExhausted);
  EXPECT_EQ(ring.size(), 16);
  for (int64_t i = 0; i < 16; ++i) EXPECT_EQ(value_of(taken(ring, 0)), i);
}

TINYTF_TEST(saved_rings) {
  for (const bool is_text : {false, true}) {
    ElementRing ring, other;
    for (int64_t i = 0; i < 20; ++i) EXPECT_OK(push(ring, element_of(i, is_text)));
    for (int64_t i = 0; i < 13; ++i) (void)taken(ring, 0);
    for (int64_t i = 20; i < 30; ++i) EXPECT_OK(push(ring, element_of(i, is_text)));
    data::IteratorState state;
    data::StateWriter writer(state);
    EXPECT_OK(ring.save(Allocator::process(), writer));
    const data::ElementSpec spec{{is_text ? DType::kString : DType::kInt64}, {PartialShape::scalar()}};
    EXPECT_OK(other.restore(Allocator::process(), data::StateReader(state), spec, 17));
    for (int64_t i = 13; i < 30; ++i) EXPECT_EQ(value_of(taken(other, 0)), i);

    const auto code_of = [&](const data::IteratorState& damaged, int64_t most) {
      return ElementRing().restore(Allocator::process(), data::StateReader(damaged), spec, most).code();
    };
    EXPECT_EQ(code_of(state, 16), Code::kDataLoss);
    for (const char* key : {"size", "has_rows", is_text ? "3/0" : "rows/0"}) {
      data::IteratorState damaged = state;
      damaged.erase(key);
      EXPECT_EQ(code_of(damaged, 17), Code::kDataLoss);
    }
    data::IteratorState damaged = state;
    damaged["size"] = Tensor::scalar(int64_t{18});
    EXPECT_EQ(code_of(damaged, 18), Code::kDataLoss);
    damaged["size"] = Tensor::scalar(int64_t{16});
    EXPECT_EQ(code_of(damaged, 18), is_text ? Code::kOk : Code::kDataLoss);
  }
}

TINYTF_TEST(a_ring_takes_no_more_memory_than_its_elements_may) {
  const auto allocator = make_ref<Allocator>();
  ElementRing ring;
  constexpr int64_t kMost = 100000;
  for (int64_t i = 0; i < kMost; ++i) {
    Element element = {Tensor::scalar(i)};
    EXPECT_OK(ring.reserve(*allocator, kMost));
    EXPECT_OK(ring.push(*allocator, element));
  }
  EXPECT(allocator->stats().live_bytes < kMost * 12);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
