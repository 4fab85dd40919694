#include "ops/math/shared/elementwise.h"
#include "ops/math/shared/string_binary.h"

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

/// Shape of an equality op. With incompatible_shape_error = false, shapes that do not broadcast give a scalar, so the
/// shape is only inferred if both inputs are fully defined.
Status equality_shape(ShapeContext& c) {
  if (c.attr<bool>("incompatible_shape_error")) return shapes::broadcast_binary(c);
  if (!c.input(0).fully_defined() || !c.input(1).fully_defined()) return Status();
  Result<PartialShape> shape = shapes::broadcast(c.input(0), c.input(1));
  c.set_output(0, shape.ok() ? std::move(shape.value()) : PartialShape::scalar());
  return Status();
}

/// Runs `equality` on operands that broadcast; other operands are never equal.
class LenientEqualityKernel final : public Kernel {
 public:
  LenientEqualityKernel(std::unique_ptr<Kernel> equality, bool differing)
      : equality_(std::move(equality)), differing_(differing) {}

  Status compute(KernelContext& ctx) override {
    if (shapes::broadcast(ctx.input(0).shape(), ctx.input(1).shape()).ok()) return equality_->compute(ctx);
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, ctx.allocate_output(0, Shape()));
    *z->data<bool>() = differing_;
    return Status();
  }

 private:
  const std::unique_ptr<Kernel> equality_;
  const bool differing_;
};

/// Declares the op `name`, Equal or NotEqual. `differing` is its result for operands that differ.
template <bool (*OfStrings)(const std::string&, const std::string&)>
void equality(OpRegistry& ops, KernelRegistry& kernels, const char* name, kernels::Binary loop, bool differing) {
  comparison(ops, name,
             "{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, quint8, qint8, qint32, "
             "string, bool, complex128}")
      .attr("incompatible_shape_error: bool = true")
      .shape(equality_shape)
      .commutative()
      .doc(str_cat(differing ? "Computes x != y" : "Computes x == y",
                   " element-wise, with broadcasting. Shapes that do not broadcast are an error, or give a scalar ",
                   differing ? "True" : "False", " if `incompatible_shape_error` is False."));
  const auto lenient = [differing](KernelInit& init, std::unique_ptr<Kernel> kernel) -> std::unique_ptr<Kernel> {
    if (init.attr<bool>("incompatible_shape_error")) return kernel;
    return std::make_unique<LenientEqualityKernel>(std::move(kernel), differing);
  };
  const auto is_strict = [](const NodeInfo& node) { return *node.attrs.get<bool>("incompatible_shape_error"); };
  kernels.add(name, [=](KernelInit& init) { return lenient(init, std::make_unique<BinaryKernel>(init, loop)); })
      .elementwise(elementwise_loop(loop), is_strict)
      .where("T", any_of({kFloats, kBfloat16, kComplexes, kInts32And64, kSigned8And16, {DType::kUint8}, kBool}));
  kernels
      .add(name,
           [=](KernelInit& init) { return lenient(init, std::make_unique<StringBinaryKernel<bool, OfStrings>>(init)); })
      .where("T", {DType::kString});
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_compare) {
  using kernels::Binary;
  equality<same>(ops, kernels, "Equal", Binary::kEqual, false);
  equality<different>(ops, kernels, "NotEqual", Binary::kNotEqual, true);

  comparison(ops, "Less", "realnumbertype")
      .endpoint("math.less")
      .endpoint("less")
      .trait(Trait::kIsLess)
      .doc("Computes x < y element-wise, with broadcasting.");
  comparison(ops, "LessEqual", "realnumbertype")
      .endpoint("math.less_equal")
      .endpoint("less_equal")
      .doc("Computes x <= y element-wise, with broadcasting.");
  comparison(ops, "Greater", "realnumbertype")
      .endpoint("math.greater")
      .endpoint("greater")
      .doc("Computes x > y element-wise, with broadcasting.");
  comparison(ops, "GreaterEqual", "realnumbertype")
      .endpoint("math.greater_equal")
      .endpoint("greater_equal")
      .doc("Computes x >= y element-wise, with broadcasting.");
  const auto ordered_types = any_of({kFloats, kBfloat16, kInts32And64, kSigned8And16, {DType::kUint8}});
  add_binary_kernel(kernels, "Less", Binary::kLess, ordered_types);
  add_binary_kernel(kernels, "LessEqual", Binary::kLessEqual, ordered_types);
  add_binary_kernel(kernels, "Greater", Binary::kGreater, ordered_types);
  add_binary_kernel(kernels, "GreaterEqual", Binary::kGreaterEqual, ordered_types);
}
