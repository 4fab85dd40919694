#include "data/iterator_state.h"

#include <climits>

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::tensor;

TINYTF_TEST(states_have_paths) {
  IteratorState state;
  StateWriter writer(state);
  writer.put_int("at", 5);
  StateWriter inner = writer.inside("input").inside("input");
  inner.put_text("name", "x");
  inner.put_int("at", -1);
  EXPECT_EQ(state.size(), 3u);
  EXPECT_EQ(state.count("input/input/name"), 1u);
  const StateReader reader(state);
  EXPECT_EQ(reader.get_int("at").value(), 5);
  const StateReader part = reader.inside("input").inside("input");
  EXPECT_EQ(part.get_int("at").value(), -1);
  EXPECT_EQ(part.get_text("name").value(), "x");
  EXPECT(part.has("at") && !part.has("input") && !reader.inside("input").has("at"));
}

TINYTF_TEST(damaged_values_of_a_state) {
  const IteratorState state = {{"text", Tensor::scalar(std::string("5"))},
                               {"small", Tensor::scalar(int32_t{5})},
                               {"vector", tensor<int64_t>({1}, {5})},
                               {"empty", tensor<int64_t>({0}, {})},
                               {"invalid", Tensor()},
                               {"number", Tensor::scalar(int64_t{5})}};
  const StateReader reader(state);
  for (const char* key : {"text", "small", "vector", "empty", "invalid", "missing"}) {
    EXPECT_EQ(reader.get_int(key).status().code(), Code::kDataLoss);
  }
  for (const char* key : {"number", "empty", "invalid", "missing"}) {
    EXPECT_EQ(reader.get_text(key).status().code(), Code::kDataLoss);
  }
  EXPECT_EQ(reader.get("missing").status().code(), Code::kDataLoss);
  EXPECT_EQ(reader.get_int("number", 5, 5).value(), 5);
  EXPECT_EQ(reader.get_int("number", 6, INT64_MAX).status().code(), Code::kDataLoss);
  EXPECT_EQ(reader.get_int("number", INT64_MIN, 4).status().code(), Code::kDataLoss);
}

const ElementSpec kPair{{DType::kFloat, DType::kInt64}, {PartialShape({kUnknownDim}), PartialShape::scalar()}};

TINYTF_TEST(elements_in_a_state) {
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(writer.put_element("one", {tensor<float>({2}, {1, 2}), Tensor::scalar(int64_t{7})}));
  EXPECT_OK(writer.put_element("none", {}));
  const StateReader reader(state);
  EXPECT_EQ(reader.get_element("one", kPair).value()[1].int_at(0), 7);
  EXPECT(reader.get_element("none", ElementSpec()).value().empty());
  for (const char* key : {"none", "missing"}) {
    EXPECT_EQ(reader.get_element(key, kPair).status().code(), Code::kDataLoss);
  }
  IteratorState damaged = state;
  damaged["one/1"] = Tensor::scalar(1.f);
  EXPECT_EQ(StateReader(damaged).get_element("one", kPair).status().code(), Code::kDataLoss);
  damaged["one/1"] = Tensor();
  EXPECT_EQ(StateReader(damaged).get_element("one", kPair).status().code(), Code::kDataLoss);
  damaged.erase("one/1");
  EXPECT_EQ(StateReader(damaged).get_element("one", kPair).status().code(), Code::kDataLoss);
  damaged["one/components"] = Tensor::scalar(int64_t{1} << 60);
  EXPECT_EQ(StateReader(damaged).get_element("one", kPair).status().code(), Code::kDataLoss);
}

TINYTF_TEST(elements_that_no_state_can_have) {
  IteratorState state;
  StateWriter writer(state);
  const Tensor resource = Tensor::allocate(Allocator::process(), DType::kResource, Shape()).take();
  EXPECT_EQ(writer.put_element("one", {resource}).code(), Code::kUnimplemented);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
