#include "base/dtype.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

struct Known {
  DType dtype;
  int number;
  const char* name;
  size_t size;
};
// Duplicated from TensorFlow's types.proto on purpose, because GraphDefs and checkpoints contain these numbers.
constexpr Known kKnown[] = {
    {DType::kFloat, 1, "float", 4},
    {DType::kDouble, 2, "double", 8},
    {DType::kInt32, 3, "int32", 4},
    {DType::kUint8, 4, "uint8", 1},
    {DType::kInt16, 5, "int16", 2},
    {DType::kInt8, 6, "int8", 1},
    {DType::kString, 7, "string", 0},
    {DType::kComplex64, 8, "complex64", 8},
    {DType::kInt64, 9, "int64", 8},
    {DType::kBool, 10, "bool", 1},
    {DType::kQint8, 11, "qint8", 1},
    {DType::kQuint8, 12, "quint8", 1},
    {DType::kQint32, 13, "qint32", 4},
    {DType::kBfloat16, 14, "bfloat16", 2},
    {DType::kQint16, 15, "qint16", 2},
    {DType::kQuint16, 16, "quint16", 2},
    {DType::kUint16, 17, "uint16", 2},
    {DType::kComplex128, 18, "complex128", 16},
    {DType::kHalf, 19, "half", 2},
    {DType::kResource, 20, "resource", 0},
    {DType::kVariant, 21, "variant", 0},
    {DType::kUint32, 22, "uint32", 4},
    {DType::kUint64, 23, "uint64", 8},
    {kFloat8E5m2, 24, "float8_e5m2", 1},
    {kFloat8E4m3fn, 25, "float8_e4m3fn", 1},
    {kFloat8E4m3fnuz, 26, "float8_e4m3fnuz", 1},
    {kFloat8E4m3b11fnuz, 27, "float8_e4m3b11fnuz", 1},
    {kFloat8E5m2fnuz, 28, "float8_e5m2fnuz", 1},
};

TINYTF_TEST(dtype_numbers_names_and_sizes_are_tensorflows) {
  for (const Known& known : kKnown) {
    EXPECT_EQ(static_cast<int>(known.dtype), known.number);
    EXPECT_EQ(dtype_name(known.dtype), known.name);
    EXPECT_EQ(dtype_from_name(known.name), known.dtype);
    EXPECT_EQ(dtype_size(known.dtype), known.size);
    EXPECT(is_float8(known.dtype) == (known.number >= kDTypeCount));
  }
  EXPECT_EQ(std::size(kKnown), static_cast<size_t>(kStoredDTypeCount - 1));
}

TINYTF_TEST(dtype_other_names) {
  EXPECT_EQ(dtype_from_name("float32"), DType::kFloat);
  EXPECT_EQ(dtype_from_name("float64"), DType::kDouble);
  EXPECT_EQ(dtype_from_name("float16"), DType::kHalf);
  for (const char* wrong : {"", "Float", "invalid", "int", "float_ref", " float"}) {
    EXPECT_EQ(dtype_from_name(wrong), DType::kInvalid);
  }
  for (const int number : {0, kStoredDTypeCount, 101, 255}) {
    EXPECT_EQ(dtype_name(static_cast<DType>(number)), "invalid");
    EXPECT_EQ(dtype_size(static_cast<DType>(number)), size_t{0});
  }
}

TINYTF_TEST(dtype_families_do_not_overlap) {
  int floating = 0, complex = 0, integers = 0;
  for (const Known& known : kKnown) {
    const int families = is_floating(known.dtype) + is_complex(known.dtype) + is_integer(known.dtype);
    EXPECT(families <= 1);
    floating += is_floating(known.dtype);
    complex += is_complex(known.dtype);
    integers += is_integer(known.dtype);
  }
  EXPECT_EQ(floating, 4);
  EXPECT_EQ(complex, 2);
  EXPECT_EQ(integers, 8);
  EXPECT(!is_integer(DType::kBool) && !is_integer(DType::kQint8) && !is_floating(DType::kInvalid));
}

TINYTF_TEST(dtype_of_a_cpp_type) {
  static_assert(dtype_of<float> == DType::kFloat);
  static_assert(dtype_of<bool> == DType::kBool);
  static_assert(dtype_of<Half> == DType::kHalf);
  static_assert(dtype_of<std::complex<double>> == DType::kComplex128);
#define TINYTF_X(constant, number, name, type) EXPECT_EQ(dtype_size(dtype_of<type>), sizeof(type));
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

TINYTF_TEST(stored_dtypes_lie_in_memory_as_others) {
  EXPECT(storage_type(DType::kQint8) == DType::kInt8);
  EXPECT(storage_type(DType::kQuint8) == DType::kUint8);
  EXPECT(storage_type(DType::kQint16) == DType::kInt16);
  EXPECT(storage_type(DType::kQuint16) == DType::kUint16);
  EXPECT(storage_type(DType::kQint32) == DType::kInt32);
  for (const DType dtype : {DType::kFloat, DType::kString, DType::kInt8, kFloat8E5m2, kFloat8E5m2fnuz}) {
    EXPECT(storage_type(dtype) == dtype);
  }
}

TINYTF_TEST(stored_dtypes_of_eight_bits_lie_beyond_the_tables_of_loops) {
  for (int number = 0; number < kStoredDTypeCount; ++number) {
    EXPECT_EQ(is_float8(static_cast<DType>(number)), number >= static_cast<int>(kFloat8E5m2));
  }
  EXPECT(static_cast<int>(kFloat8E5m2) >= kDTypeCount);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
