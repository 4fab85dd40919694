#include "ops/math/elementwise.h"
#include "ops/math/string_binary.h"

namespace tinytf::ops {
namespace {

bool same(const std::string& x, const std::string& y) { return x == y; }
bool different(const std::string& x, const std::string& y) { return x != y; }

OpDefBuilder comparison(OpRegistry& ops, const char* name, const char* types) {
  return ops.op(name)
      .input("x: T")
      .input("y: T")
      .output("z: bool")
      .attr(str_cat("T: ", types))
      .shape(shapes::broadcast_binary)
      .not_differentiable();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_compare) {
  using kernels::Binary;
  constexpr const char* kEqualityText =
      "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, quint8, qint8, qint32, string, "
      "bool, complex128}";

  comparison(ops, "Equal", kEqualityText)
      .commutative()
      .endpoint("math.equal")
      .endpoint("equal")
      .doc("x == y element-wise, with broadcasting.");
  comparison(ops, "NotEqual", kEqualityText)
      .commutative()
      .endpoint("math.not_equal")
      .endpoint("not_equal")
      .doc("x != y element-wise, with broadcasting.");
  const auto equality_types =
      any_of({kFloats, kBfloat16, kComplexes, kInts32And64, kSigned8And16, {DType::kUint8}, kBool});
  add_binary_kernel(kernels, "Equal", Binary::kEqual, equality_types);
  add_binary_kernel(kernels, "NotEqual", Binary::kNotEqual, equality_types);
  kernels.add<StringBinaryKernel<bool, same>>("Equal").where("T", {DType::kString});
  kernels.add<StringBinaryKernel<bool, different>>("NotEqual").where("T", {DType::kString});

  comparison(ops, "Less", "realnumbertype")
      .endpoint("math.less")
      .endpoint("less")
      .doc("x < y element-wise, with broadcasting.");
  comparison(ops, "LessEqual", "realnumbertype")
      .endpoint("math.less_equal")
      .endpoint("less_equal")
      .doc("x <= y element-wise, with broadcasting.");
  comparison(ops, "Greater", "realnumbertype")
      .endpoint("math.greater")
      .endpoint("greater")
      .doc("x > y element-wise, with broadcasting.");
  comparison(ops, "GreaterEqual", "realnumbertype")
      .endpoint("math.greater_equal")
      .endpoint("greater_equal")
      .doc("x >= y element-wise, with broadcasting.");
  const auto ordered_types = any_of({kFloats, kBfloat16, kInts32And64, kSigned8And16, {DType::kUint8}});
  add_binary_kernel(kernels, "Less", Binary::kLess, ordered_types);
  add_binary_kernel(kernels, "LessEqual", Binary::kLessEqual, ordered_types);
  add_binary_kernel(kernels, "Greater", Binary::kGreater, ordered_types);
  add_binary_kernel(kernels, "GreaterEqual", Binary::kGreaterEqual, ordered_types);
}
