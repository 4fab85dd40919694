#include "io/tensor_proto.h"

#include <complex>
#include <cstring>
#include <functional>

#include "base/dtype.h"
#include "graph/attr_proto.h"
#include "op/compact_constant.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;
using testing::tensor;
using testing::values;

std::string message(const std::function<void(WireWriter&)>& write) {
  std::string out;
  WireWriter to(&out);
  write(to);
  return out;
}

/// A TensorProto of a dtype and shape, with the fields that `write` adds.
std::string proto(int dtype, const std::vector<int64_t>& sizes, const std::function<void(WireWriter&)>& write = {}) {
  return message([&](WireWriter& to) {
    to.varint(1, static_cast<uint64_t>(dtype));
    to.nested(2, [&] {
      for (const int64_t size : sizes) {
        to.nested(2, [&] { to.int64(1, size); });
      }
    });
    if (write) write(to);
  });
}

Tensor read(const std::string& bytes) {
  auto value = read_tensor(bytes);
  EXPECT_OK(value.status());
  Tensor* found = value.ok() ? std::get_if<Tensor>(&value.value()) : nullptr;
  EXPECT(found != nullptr);
  return found ? *found : Tensor();
}

std::string error(const std::string& bytes) { return read_tensor(bytes).status().message(); }

std::string round_trip(const Tensor& value) {
  const std::string bytes = message([&](WireWriter& to) { EXPECT_OK(write_tensor(to, value, value.shape())); });
  EXPECT(attr_equal(read(bytes), value));
  return bytes;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TINYTF_TEST(tensors_are_written_as_memory) {
  for (const Tensor& value : {tensor<float>({2}, {1, 2}), tensor<std::complex<float>>({1}, {{1, 2}}),
                              tensor<std::string>({2, 1}, {"a", "text"}), tensor<std::string>({0}, {})}) {
    const std::string bytes = message([&](WireWriter& to) { EXPECT_OK(write_tensor_memory(to, value)); });
    EXPECT_EQ(read(bytes).summary(10), value.summary(10));
  }
  EXPECT_EQ(message([](WireWriter& to) { EXPECT_OK(write_tensor_memory(to, tensor<std::string>({1}, {"ab"}))); }),
            "\x08\x07\x12\x04\x12\x02\x08\x01\x42\x02"
            "ab"s);
  const Tensor handle = Tensor::allocate(Allocator::process(), DType::kResource, Shape()).take();
  std::string out;
  WireWriter to(&out);
  EXPECT_EQ(write_tensor_memory(to, handle).code(), Code::kInvalidArgument);
}

TINYTF_TEST(tensor_proto_keeps_values_of_every_type) {
  EXPECT(contains(round_trip(tensor<float>({2}, {1, -0.0f})), "\x22\x08"));  // as raw bytes
  EXPECT(contains(round_trip(Tensor::scalar<float>(1.5f)), "\x2A\x04"));     // as a repeated field
  round_trip(tensor<double>({1, 1}, {1e300}));
  round_trip(tensor<double>({2}, {1, 2}));
  for (const int64_t number : {int64_t{-1}, int64_t{0}, int64_t{127}, int64_t{-128}}) {
    round_trip(Tensor::scalar<int8_t>(static_cast<int8_t>(number)));
    round_trip(Tensor::scalar<int16_t>(static_cast<int16_t>(number)));
    round_trip(Tensor::scalar<int32_t>(static_cast<int32_t>(number)));
    round_trip(Tensor::scalar<int64_t>(number * (int64_t{1} << 55)));
    round_trip(Tensor::scalar<uint8_t>(static_cast<uint8_t>(number)));
    round_trip(Tensor::scalar<uint16_t>(static_cast<uint16_t>(number)));
    round_trip(Tensor::scalar<uint32_t>(static_cast<uint32_t>(number)));
    round_trip(Tensor::scalar<uint64_t>(static_cast<uint64_t>(number)));
  }
  EXPECT(contains(round_trip(tensor<uint16_t>({3}, {1, 2, 65535})), "\x3A\x05"s));  // never as raw bytes
  round_trip(tensor<bool>({2}, {true, false}));
  round_trip(tensor<std::string>({3}, {"a", "", "\xFF\x00"s}));
  round_trip(tensor<std::complex<float>>({2}, {{1, 2}, {3, -4}}));
  round_trip(tensor<std::complex<double>>({1}, {{1, 2}}));
  round_trip(tensor<float>({0, 3}, {}));
}

TINYTF_TEST(tensor_proto_keeps_types_that_are_only_stored) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kQint8, DType::kQuint8, DType::kQint32,
                            DType::kQint16, DType::kQuint16, kFloat8E4m3fn}) {
    for (const int64_t count : {1, 3}) {
      auto value = Tensor::allocate(Allocator::process(), dtype, Shape({count}));
      TINYTF_CHECK(value.ok());
      std::memset(value.value().raw(), 0x9A, value.value().bytes());
      round_trip(value.value());
    }
  }
}

TINYTF_TEST(tensor_proto_refuses_values_without_a_form) {
  auto value = Tensor::allocate(Allocator::process(), DType::kResource, Shape({1}));
  TINYTF_CHECK(value.ok());
  std::string out;
  WireWriter to(&out);
  EXPECT_EQ(write_tensor(to, value.value(), value.value().shape()).message(),
            "Values of type resource cannot be stored in a TensorProto");
  EXPECT_EQ(error(proto(20, {1})), "Unsupported tensor type: 20");
  EXPECT_EQ(error(proto(0, {1})), "Cannot convert value 0 to a TensorFlow DType.");
  EXPECT_EQ(error(proto(29, {1})), "Cannot convert value 29 to a TensorFlow DType.");
  EXPECT_EQ(error(proto(-1, {1})), "Cannot convert value -1 to a TensorFlow DType.");
}

TINYTF_TEST(tensor_proto_repeats_the_last_element) {
  const auto floats = [](WireWriter& to) {
    to.float32(5, 1);
    to.float32(5, 2);
  };
  EXPECT(values<float>(read(proto(1, {2, 2}, floats))) == (std::vector<float>{1, 2, 2, 2}));
  EXPECT(values<float>(read(proto(1, {1}, floats))) == (std::vector<float>{1}));  // surplus values are ignored
  EXPECT(values<float>(read(proto(1, {0}, floats))).empty());
  EXPECT(values<float>(read(proto(1, {2}))) == (std::vector<float>{0, 0}));
  EXPECT(values<std::string>(read(proto(7, {2}))) == (std::vector<std::string>{"", ""}));
  EXPECT(values<float>(read(proto(101, {2}, floats))) == (std::vector<float>{1, 2}));  // a reference dtype
  const auto words = [](WireWriter& to) {
    to.bytes(8, "a");
    to.bytes(8, "b");
  };
  EXPECT(values<std::string>(read(proto(7, {3}, words))) == (std::vector<std::string>{"a", "b", "b"}));
}

TINYTF_TEST(tensor_proto_numbers_wrap_and_odd_parts_are_dropped_as_in_tensorflow) {
  const auto ints = [](WireWriter& to) {
    to.varint(7, 300);
    to.int64(7, -1);
  };
  EXPECT(values<uint8_t>(read(proto(4, {2}, ints))) == (std::vector<uint8_t>{44, 255}));
  const auto parts = [](WireWriter& to) {
    for (const float part : {1.0f, 2.0f, 3.0f}) to.float32(9, part);
  };
  EXPECT(values<std::complex<float>>(read(proto(8, {2}, parts))) == (std::vector<std::complex<float>>{{1, 2}, {1, 2}}));
  EXPECT(values<bool>(read(proto(10, {1}, [](WireWriter& to) { to.varint(11, 256); }))) == (std::vector<bool>{true}));
}

TINYTF_TEST(tensor_proto_memory_must_fit) {
  const auto content = [](std::string_view bytes) { return [bytes](WireWriter& to) { to.bytes(4, bytes); }; };
  EXPECT_EQ(error(proto(1, {3}, content("1"))), "buffer size of 1 bytes does not fit float of shape [3]");
  EXPECT_EQ(error(proto(1, {int64_t{1} << 61}, content("1"))).substr(0, 19), "buffer size of 1 by");
  EXPECT(values<uint8_t>(read(proto(4, {2}, content("ab")))) == (std::vector<uint8_t>{'a', 'b'}));
  EXPECT(values<std::string>(read(proto(7, {2}, content("\x01\x02xyz")))) == (std::vector<std::string>{"x", "yz"}));
  EXPECT_EQ(error(proto(7, {2}, content("\x01\x03xyz"))), "buffer size is too small for its strings");
  EXPECT_EQ(error(proto(7, {2}, content("\x01\x80"))), "buffer size is too small for the lengths of its strings");
  EXPECT_EQ(error(proto(7, {int64_t{1} << 40}, content("\x01z"))), "buffer size is too small for the shape");
}

TINYTF_TEST(tensor_proto_shapes_must_be_shapes) {
  EXPECT_EQ(error(proto(1, {-3})), "the shape of the tensor is not fully defined: [?]");
  EXPECT_EQ(error(message([](WireWriter& to) {
              to.varint(1, 1);
              to.nested(2, [&] { to.varint(3, 1); });
            })),
            "the shape of the tensor is not fully defined: unknown rank");
  EXPECT_EQ(error(proto(1, {int64_t{1} << 40, int64_t{1} << 40})),
            "Shape [1099511627776,1099511627776] has too many elements");
  EXPECT_EQ(error(proto(1, std::vector<int64_t>(300, 1))), "Too many dimensions");
  EXPECT_EQ(read(proto(1, {}, [](WireWriter& to) { to.float32(5, 1); })).rank(), 0);
}

TINYTF_TEST(tensor_proto_of_few_elements_stays_small) {
  const std::string bytes = proto(1, {int64_t{1} << 40}, [](WireWriter& to) { to.nested(5, [&] { to.fixed(1.5f); }); });
  auto value = read_tensor(bytes);
  EXPECT_OK(value.status());
  const auto constant = CompactConstant::of(value.value());
  EXPECT(constant.has_value());
  EXPECT_EQ(constant->shape(), Shape({int64_t{1} << 40}));
  EXPECT_EQ(message([&](WireWriter& to) { EXPECT_OK(write_tensor(to, constant->elements(), constant->shape())); }),
            bytes);
}

TINYTF_TEST(tensor_proto_elements_are_a_vector) {
  auto found = read_tensor_elements(proto(3, {2, 2}, [](WireWriter& to) { to.varint(7, 5); }));
  EXPECT_OK(found.status());
  EXPECT(values<int32_t>(found.value().elements) == (std::vector<int32_t>{5}));
  EXPECT_EQ(found.value().shape, Shape({2, 2}));
  auto memory = read_tensor_elements(proto(4, {1, 2}, [](WireWriter& to) { to.bytes(4, "ab"); }));
  EXPECT(memory.ok() && memory.value().elements.shape() == Shape({2}));
  EXPECT_EQ(read_tensor_elements(proto(21, {})).status().code(), Code::kUnimplemented);
}

TINYTF_TEST(tensor_proto_damage_is_found) {
  EXPECT_EQ(error("\x08"), "the TensorProto is damaged");
  EXPECT_EQ(error(proto(3, {1}, [](WireWriter& to) { to.bytes(7, "\x80"); })), "the TensorProto is damaged");
  EXPECT_EQ(error(message([](WireWriter& to) {
              to.varint(1, 1);
              to.bytes(2, "\x12\x02\x08");
            })),
            "the TensorShapeProto is damaged");
}

TINYTF_TEST(shape_proto_keeps_what_is_known) {
  for (const PartialShape& shape :
       {PartialShape(), PartialShape::scalar(), PartialShape({2, 0, 3}), PartialShape({kUnknownDim, 5})}) {
    const std::string bytes = message([&](WireWriter& to) { write_shape(to, shape); });
    auto found = read_shape(bytes);
    EXPECT_OK(found.status());
    EXPECT(found.value() == shape);
  }
  EXPECT_EQ(message([](WireWriter& to) { write_shape(to, PartialShape({kUnknownDim})); }),
            "\x12\x0B\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s);
  auto negative = read_shape("\x12\x0B\x08\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
  EXPECT(negative.ok() && negative.value() == PartialShape({kUnknownDim}));
}

TINYTF_TEST(dtype_numbers_are_those_of_types_and_references) {
  EXPECT(dtype_of_number(1) == DType::kFloat && dtype_of_number(101) == DType::kFloat);
  EXPECT(dtype_of_number(28) == kFloat8E5m2fnuz);
  for (const int64_t number : {0, -1, 29, 100, 129, 255, 257}) EXPECT(!dtype_of_number(number));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
