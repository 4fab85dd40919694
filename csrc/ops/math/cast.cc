#include "kernels/float8.h"
#include "kernels/table.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Converts between dtypes. If both have the same representation, the output shares the memory of the input.
class CastKernel : public Kernel {
 public:
  explicit CastKernel(KernelInit& init)
      : source_(storage_type(init.input_type(0))),
        destination_(storage_type(init.output_type(0))),
        type_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    if (x.dtype() == type_) {
      ctx.set_output(0, x);
    } else if (source_ == destination_) {
      TINYTF_ASSIGN_OR_RETURN(Tensor same, x.bitcast(type_, x.shape()));
      ctx.set_output(0, std::move(same));
    } else {
      TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.allocate_output(0, x.shape()));
      convert(x.raw(), y->raw(), x.num_elements(), ctx.parallel());
    }
    return Status();
  }

 protected:
  /// Converts n elements between two different storage types.
  virtual void convert(const void* x, void* y, int64_t n, Parallel& parallel) const = 0;
  void check_loop(KernelInit& init, kernels::CastLoop loop) const {
    if (source_ == destination_ || loop != nullptr) return;
    init.fail(unimplemented("Cast ", dtype_name(init.input_type(0)), " to ", dtype_name(type_), " is not supported"));
  }

  const DType source_;
  const DType destination_;

 private:
  const DType type_;
};

class NumberCastKernel final : public CastKernel {
 public:
  explicit NumberCastKernel(KernelInit& init) : CastKernel(init) {
    const kernels::CastTable& table = kernels::table().cast;
    if (init.attr<bool>("Truncate")) {
      loop_ = table.truncate[static_cast<int>(source_)][static_cast<int>(destination_)];
    }
    if (loop_ == nullptr) loop_ = table.loop(source_, destination_);
    check_loop(init, loop_);
  }

 private:
  void convert(const void* x, void* y, int64_t n, Parallel& parallel) const override {
    kernels::run_cast(loop_, source_, destination_, x, y, n, parallel);
  }

  kernels::CastLoop loop_ = nullptr;
};

/// Converts float8 to every numeric dtype, through float, and floating-point dtypes to float8, through double.
class Float8CastKernel final : public CastKernel {
 public:
  explicit Float8CastKernel(KernelInit& init) : CastKernel(init) {
    const kernels::CastTable& table = kernels::table().cast;
    const DType middle = is_float8(source_) ? DType::kFloat : source_;
    if (!is_float8(destination_)) {
      loop_ = table.loop(middle, destination_);
    } else if (is_float8(source_) || is_floating(source_)) {
      loop_ = table.loop(middle, DType::kDouble);
    }
    check_loop(init, loop_);
  }

 private:
  static constexpr int64_t kBlock = 256;

  void convert(const void* x, void* y, int64_t n, Parallel& parallel) const override {
    const auto in_size = static_cast<int64_t>(dtype_size(source_));
    const auto out_size = static_cast<int64_t>(dtype_size(destination_));
    constexpr double kCost = 2;
    parallel.run(n, 1024, kCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += kBlock) {
        convert_block(static_cast<const char*>(x) + i * in_size, static_cast<char*>(y) + i * out_size,
                      end - i < kBlock ? end - i : kBlock);
      }
    });
  }

  void convert_block(const void* x, void* y, int64_t n) const {
    alignas(64) float floats[kBlock];
    alignas(64) double doubles[kBlock];
    const void* middle = x;
    if (is_float8(source_)) {
      kernels::float8_to_float(source_, static_cast<const uint8_t*>(x), floats, n);
      middle = floats;
    }
    if (is_float8(destination_)) {
      loop_(middle, doubles, n);
      kernels::float8_from_double(destination_, doubles, static_cast<uint8_t*>(y), n);
    } else {
      loop_(middle, y, n);
    }
  }

  kernels::CastLoop loop_ = nullptr;
};

/// Whether the loop of the dtypes does the whole conversion.
bool casts_by_loop(const NodeInfo& node) {
  const DType source = storage_type(node.inputs[0].dtype), destination = storage_type(node.outputs[0].dtype);
  return source != destination && !*node.attrs.get<bool>("Truncate") &&
         kernels::table().cast.loop(source, destination) != nullptr;
}

std::unique_ptr<Kernel> make_cast(KernelInit& init) {
  if (is_float8(init.input_type(0)) || is_float8(init.output_type(0))) return std::make_unique<Float8CastKernel>(init);
  return std::make_unique<NumberCastKernel>(init);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_cast) {
  using namespace tinytf::ops;

  ops.op("Cast")
      .input("x: SrcT")
      .output("y: DstT")
      .attr("SrcT: type")
      .attr("DstT: type")
      .attr("Truncate: bool = false")
      .trait(Trait::kPassesValue)
      .shape(shapes::unchanged)
      .doc(
          "Converts x to another numeric dtype `DstT`. Floating-point numbers are truncated to integers; complex "
          "numbers are reduced to their real part. If `Truncate` is true, the bits that do not fit into half or "
          "bfloat16 are dropped instead of rounded.");
  kernels.add("Cast", make_cast).elementwise({ElementwiseLoop::kCast}, casts_by_loop);
}
