#include "ops/math/shared/elementwise.h"

namespace tinytf::ops {
namespace {

/// Adds the kernels of `op`, which maps a complex dtype to the dtype of its parts.
void add_part_kernel(KernelRegistry& kernels, const char* op, kernels::Unary function) {
  add_loop_kernel<UnaryKernel>(kernels, op, function).where("T", {DType::kComplex64}).where("Tout", {DType::kFloat});
  add_loop_kernel<UnaryKernel>(kernels, op, function).where("T", {DType::kComplex128}).where("Tout", {DType::kDouble});
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_complex) {
  using kernels::Unary;
  ops.op("Complex")
      .input("real: T")
      .input("imag: T")
      .output("out: Tout")
      .attr("T: {float, double} = DT_FLOAT")
      .attr("Tout: {complex64, complex128} = DT_COMPLEX64")
      .shape(shapes::broadcast_binary)
      .doc(
          "Builds complex numbers from the real parts `real` and the imaginary parts `imag` element-wise, with "
          "broadcasting.");
  const auto add_complex = [&] { return add_loop_kernel<BinaryKernel>(kernels, "Complex", kernels::Binary::kComplex); };
  add_complex().where("T", {DType::kFloat}).where("Tout", {DType::kComplex64});
  add_complex().where("T", {DType::kDouble}).where("Tout", {DType::kComplex128});

  const auto part = [&](const char* name, const char* input, const char* output, Unary function, const char* doc) {
    ops.op(name)
        .input(input)
        .output(output)
        .attr("T: {complex64, complex128} = DT_COMPLEX64")
        .attr("Tout: {float, double} = DT_FLOAT")
        .shape(shapes::unchanged)
        .doc(doc);
    add_part_kernel(kernels, name, function);
  };
  part("Real", "input: T", "output: Tout", Unary::kReal, "Returns the real part of each complex number in `input`.");
  part("Imag", "input: T", "output: Tout", Unary::kImag,
       "Returns the imaginary part of each complex number in `input`.");
  part("Angle", "input: T", "output: Tout", Unary::kAngle,
       "Computes the argument of each complex number in `input`, in [-pi, pi].");
  part("ComplexAbs", "x: T", "y: Tout", Unary::kComplexAbs,
       "Computes the absolute value of each complex number in `x`.");

  ops.op("Conj")
      .input("input: T")
      .output("output: T")
      .attr("T: {complex64, complex128, variant} = DT_COMPLEX64")
      .shape(shapes::unchanged)
      .doc("Computes the complex conjugate of `input` element-wise.");
  add_unary_kernel(kernels, "Conj", Unary::kConj, any_of({kComplexes}));
}
