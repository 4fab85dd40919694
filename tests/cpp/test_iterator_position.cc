#include "data/iterator_position.h"

#include "ops/io/shared/variant_codec.h"
#include "tests/cpp/data_fixture.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::tensor;

IteratorState some_state() {
  IteratorState state;
  StateWriter writer(state);
  writer.put_int("at", 3);
  writer.inside("input").put_text("name", "x@y");
  writer.inside("input").put("rows", tensor<float>({2}, {1, 2}));
  return state;
}

TINYTF_TEST(positions_as_variants) {
  const IteratorPosition position(some_state());
  EXPECT_EQ(position.type_name(), "tensorflow::Iterator");
  EXPECT_EQ(position.debug_string(), "IteratorPosition of 3 values");
  EXPECT(position.bytes() > 16);
  EXPECT_EQ(position.state().size(), 3u);
}

TINYTF_TEST(positions_have_a_stored_form) {
  const VariantForm form = iterator_position_form();
  const VariantParts parts = form.parts(IteratorPosition(some_state()));
  EXPECT_EQ(parts.metadata, "at@@input/name@@input/rows@@");
  EXPECT_EQ(parts.tensors.size(), 3u);
  const Variant again = form.value(parts).take();
  const IteratorState& state = again.get<IteratorPosition>()->state();
  EXPECT_EQ(StateReader(state).get_int("at").value(), 3);
  EXPECT_EQ(StateReader(state).inside("input").get_text("name").value(), "x@y");
  EXPECT_EQ(form.parts(IteratorPosition({})).metadata, "");
  EXPECT(form.value({"", {}}).value().get<IteratorPosition>()->state().empty());
}

TINYTF_TEST(damaged_stored_positions) {
  const VariantForm form = iterator_position_form();
  const Tensor one = Tensor::scalar(1.f);
  const std::vector<VariantParts> damaged = {
      {"a@@", {}},
      {"", {one}},
      {"a@@", {one, one}},
      {"a@@b", {one, one}},
      {"a@@a@@", {one, one}},
      {"@", {one}},
      {"a@@@@@", {one, one}},
  };
  for (const VariantParts& parts : damaged) EXPECT_EQ(form.value(parts).status().code(), Code::kDataLoss);
}

TINYTF_TEST(positions_in_checkpoints) {
  const VariantCodec& codec = ops::variant_codec();
  const std::string bytes = codec.encode(Variant{make_ref<IteratorPosition>(some_state())}).take();
  const Variant again = codec.decode(bytes).take();
  EXPECT_EQ(codec.encode(again).value(), bytes);
  for (size_t length = 1; length < bytes.size(); ++length) {
    const auto part = codec.decode(bytes.substr(0, length));
    EXPECT(!part.ok() || part.value().get<IteratorPosition>()->state().size() < 3);
  }
}

TINYTF_TEST(positions_do_not_nest) {
  const VariantForm form = iterator_position_form();
  for (const DType dtype : {DType::kVariant, DType::kResource}) {
    const Tensor tensor = Tensor::allocate(Allocator::process(), dtype, Shape()).take();
    EXPECT_EQ(form.value({"a@@", {tensor}}).status().code(), Code::kDataLoss);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
