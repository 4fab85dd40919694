#include "op/registration.h"

namespace tinytf::ops {
namespace {

class BitcastKernel final : public Kernel {
 public:
  explicit BitcastKernel(KernelInit& init)
      : to_(init.output_type(0)),
        from_size_(static_cast<int64_t>(dtype_size(init.input_type(0)))),
        to_size_(static_cast<int64_t>(dtype_size(to_))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    Shape shape = input.shape();
    if (to_size_ < from_size_) {
      shape.add_dim(from_size_ / to_size_);
    } else if (to_size_ > from_size_) {
      const int64_t ratio = to_size_ / from_size_;
      if (shape.rank() < 1 || shape.dim(shape.rank() - 1) != ratio) {
        return invalid_argument("Cannot bitcast from ", static_cast<int>(input.dtype()), " to ", static_cast<int>(to_));
      }
      shape.remove_dim(shape.rank() - 1);
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor output, input.bitcast(to_, std::move(shape)));
    ctx.set_output(0, std::move(output));
    return Status();
  }

 private:
  const DType to_;
  const int64_t from_size_, to_size_;
};

Status bitcast_shape(ShapeContext& c) {
  const auto from = static_cast<int64_t>(dtype_size(c.attr<DType>("T")));
  const auto to = static_cast<int64_t>(dtype_size(c.attr<DType>("type")));
  PartialShape out = c.input(0);
  if (!out.known_rank()) return Status();
  if (to < from) {
    out.add_dim(from / to);
  } else if (to > from) {
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
    if (out.dim(-1) >= 0 && out.dim(-1) != to / from) {
      return invalid_argument("Cannot bitcast due to shape. ", out.dim(-1), " does not match ", to / from);
    }
    out = out.slice(0, -1);
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_bitcast) {
  using namespace tinytf::ops;
  constexpr const char* kTypes =
      "{bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, "
      "complex128, "
      "qint8, quint8, qint16, quint16, qint32}";
  ops.op("Bitcast")
      .input("input: T")
      .output("output: type")
      .attr(tinytf::str_cat("T: ", kTypes))
      .attr(tinytf::str_cat("type: ", kTypes))
      .shape(bitcast_shape)
      .no_gradient()
      .endpoint("bitcast")
      .doc(
          "Reinterprets the bytes of `input` as elements of `type`. If the element sizes differ, the last dimension is "
          "removed or a new one is added.");
  kernels.add<BitcastKernel>("Bitcast");
}
