#include "ops/math/shared/elementwise.h"
#include "ops/math/shared/string_binary.h"

namespace tinytf::ops {
namespace {

std::string joined(const std::string& x, const std::string& y) { return x + y; }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_add) {
  binary_op(ops, "Add",
            "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string}")
      .trait(Trait::kSums)
      .endpoint("math.add")
      .endpoint("add")
      .doc("Computes x + y element-wise, with broadcasting. Strings are concatenated.");
  binary_op(ops, "AddV2", "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}")
      .commutative()
      .aggregate()
      .trait(Trait::kSums)
      .doc("Computes x + y element-wise, with broadcasting. The operator + creates this op.");

  for (const char* op : {"Add", "AddV2"}) {
    add_binary_kernel(kernels, op, kernels::Binary::kAdd,
                      any_of({kFloats, kBfloat16, kComplexes, kInts32And64, kSigned8And16, {DType::kUint8}}));
  }
  kernels.add<StringBinaryKernel<std::string, joined>>("Add").where("T", {DType::kString});
}
