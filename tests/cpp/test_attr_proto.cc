#include "graph/attr_proto.h"

#include <deque>

#include "op/compact_constant.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;
using testing::tensor;

std::string written(const AttrValue& value) {
  std::string out;
  WireWriter to(&out);
  EXPECT_OK(write_attr(to, value));
  return out;
}

AttrContent content_of(std::string bytes) {
  static std::deque<std::string> kept;  // contents are views of it
  auto content = read_attr_content(kept.emplace_back(std::move(bytes)));
  EXPECT_OK(content.status());
  return content.ok() ? content.take() : AttrContent();
}

TINYTF_TEST(attr_proto_keeps_values_of_every_kind) {
  const FuncRef func{"f", {{"T", written(DType::kFloat)}, {"n", ""}}};
  const std::pair<const char*, AttrValue> kinds[] = {
      {"", AttrValue()},
      {"string", "a\xFF\x00"s},
      {"int", int64_t{-3}},
      {"int", int64_t{0}},
      {"float", 1.5f},
      {"bool", false},
      {"type", DType::kHalf},
      {"shape", PartialShape({2, kUnknownDim})},
      {"shape", PartialShape()},
      {"tensor", tensor<int32_t>({2}, {1, 2})},
      {"func", func},
      {"list(string)", std::vector<std::string>{"a", ""}},
      {"list(int)", std::vector<int64_t>{-1, 0, 1}},
      {"list(float)", std::vector<float>{0.5f, 0}},
      {"list(bool)", std::vector<bool>{true, false}},
      {"list(type)", std::vector<DType>{DType::kFloat, DType::kString}},
      {"list(shape)", std::vector<PartialShape>{{}, PartialShape({3}), PartialShape::scalar()}},
      {"list(tensor)", std::vector<Tensor>{Tensor::scalar<float>(1)}},
      {"list(func)", std::vector<FuncRef>{func, {}}},
  };
  for (const auto& [kind, value] : kinds) {
    const AttrContent content = content_of(written(value));
    EXPECT_EQ(content.kind(), kind);
    auto found = read_attr(content);
    EXPECT_OK(found.status());
    EXPECT(found.ok() && attr_equal(found.value(), value));
  }
}

TINYTF_TEST(attr_proto_of_an_empty_list_is_of_any_kind) {
  const AttrContent content = content_of(written(std::vector<int64_t>()));
  EXPECT_EQ(content.kind(), "list");
  for (int kind = 0; kind <= static_cast<int>(AttrKind::kFunc); ++kind) {
    auto found = read_attr(content, static_cast<AttrKind>(kind), true);
    EXPECT_OK(found.status());
    EXPECT_EQ(found.value().index(), static_cast<size_t>(9 + kind));
  }
  auto undeclared = read_attr(content);
  EXPECT(undeclared.ok() && attr_equal(undeclared.value(), std::vector<std::string>()));
}

TINYTF_TEST(attr_proto_of_several_contents_has_the_last) {
  const std::string bytes = written(int64_t{3}) + written(true);
  EXPECT_EQ(content_of(bytes).kind(), "bool");
  const std::string lists = written(std::vector<int64_t>{3}) + written(std::vector<int64_t>{4});
  auto joined = read_attr(content_of(lists));
  EXPECT(joined.ok() && attr_equal(joined.value(), std::vector<int64_t>{3, 4}));
  auto last = read_attr(content_of(lists + written("x"s) + written(std::vector<int64_t>{5})));
  EXPECT(last.ok() && attr_equal(last.value(), std::vector<int64_t>{5}));
  auto strings = read_attr(content_of(written("x"s) + written("y"s)));
  EXPECT(strings.ok() && attr_equal(strings.value(), "y"s));
}

TINYTF_TEST(attr_proto_lists_of_several_kinds_are_none) {
  const AttrContent content = content_of(written(std::vector<float>{1}) + written(std::vector<int64_t>{3}));
  EXPECT_EQ(content.kind(), "list of several kinds");
  auto found = read_attr(content);
  EXPECT(found.ok() && attr_equal(found.value(), std::vector<int64_t>{3}));
}

TINYTF_TEST(attr_proto_placeholders_are_strings_that_no_declaration_takes) {
  const AttrContent content = content_of("\x4A\x01T");
  EXPECT_EQ(content.kind(), "placeholder");
  auto found = read_attr(content);
  EXPECT(found.ok() && attr_equal(found.value(), "T"s));
}

TINYTF_TEST(attr_proto_types_must_be_types_where_they_are_declared) {
  const AttrContent reference = content_of("\x30\x65"), none = content_of("\x30\x00"s), bad = content_of("\x30\x63");
  auto base = read_attr(reference, AttrKind::kType, false);
  EXPECT(base.ok() && attr_equal(base.value(), DType::kFloat));
  EXPECT_EQ(read_attr(none, AttrKind::kType, false).status().message(),
            "Cannot convert value 0 to a TensorFlow DType.");
  EXPECT_EQ(read_attr(bad, AttrKind::kType, false).status().message(),
            "Cannot convert value 99 to a TensorFlow DType.");
  auto as_it_is = read_attr(reference);
  EXPECT(as_it_is.ok());
  EXPECT_EQ(written(as_it_is.value()), "\x30\x65");
  EXPECT(!read_attr(content_of(written(std::vector<DType>{DType::kInvalid}))).ok());
}

TINYTF_TEST(attr_proto_keeps_constants_of_few_elements) {
  auto constant = CompactConstant::make(tensor<float>({1}, {2}), Shape({int64_t{1} << 40}));
  EXPECT_OK(constant.status());
  const std::string bytes = written(constant.value().attr());
  auto found = read_attr(content_of(bytes), AttrKind::kTensor, false);
  EXPECT_OK(found.status());
  EXPECT(CompactConstant::of(found.value()).has_value());
  EXPECT_EQ(written(found.value()), bytes);
  const auto in_list = [&] {
    std::string out;
    WireWriter to(&out);
    to.nested(1, [&] { out += bytes; });
    return out;
  }();
  EXPECT_EQ(read_attr(content_of(in_list)).status().message(), "a tensor in a list has fewer elements than its shape");
}

TINYTF_TEST(attr_proto_damage_is_found) {
  EXPECT(!read_attr_content("\x18").ok());
  EXPECT(!read_attr(content_of("\x52\x03\x0A\x01\xFF")).ok());      // the name of a function is not UTF-8
  EXPECT(!read_attr(content_of("\x52\x04\x12\x02\x0A\x05")).ok());  // its attr is truncated
  EXPECT(!read_attr(content_of("\x3A\x01\x12")).ok());
  EXPECT(!read_attr(content_of("\x0A\x04\x1A\x01\x80\x12"), AttrKind::kInt, true).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
