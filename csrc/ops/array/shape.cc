#include <limits>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

Status write_shape(KernelContext& ctx, int i, const Shape& shape, bool wide) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, Shape({shape.rank()})));
  for (int d = 0; d < shape.rank(); ++d) {
    const int64_t size = shape.dim(d);
    if (wide) {
      out->data<int64_t>()[d] = size;
    } else if (size <= std::numeric_limits<int32_t>::max()) {
      out->data<int32_t>()[d] = static_cast<int32_t>(size);
    } else {
      return invalid_argument("Shape output type is 32-bit  but dim ", d, " is ", size);
    }
  }
  return Status();
}

/// Kernel of Shape and ShapeN.
class ShapeKernel final : public Kernel {
 public:
  explicit ShapeKernel(KernelInit& init) : wide_(init.output_type(0) == DType::kInt64) {}

  Status compute(KernelContext& ctx) override {
    const int n = ctx.num_outputs();
    for (int i = 0; i < n; ++i) TINYTF_RETURN_IF_ERROR(write_shape(ctx, i, ctx.input(i).shape(), wide_));
    return Status();
  }

 private:
  const bool wide_;
};

Status shape_shape(ShapeContext& c) {
  for (int i = 0; i < c.num_outputs(); ++i) {
    c.set_output(i, PartialShape::vector(c.input(i).known_rank() ? c.input(i).rank() : kUnknownDim));
  }
  return Status();
}

class SizeKernel final : public Kernel {
 public:
  explicit SizeKernel(KernelInit& init) : wide_(init.output_type(0) == DType::kInt64) {}

  Status compute(KernelContext& ctx) override {
    const int64_t size = ctx.input(0).num_elements();
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    if (wide_) {
      *out->data<int64_t>() = size;
    } else if (size <= std::numeric_limits<int32_t>::max()) {
      *out->data<int32_t>() = static_cast<int32_t>(size);
    } else {
      return invalid_argument("Number of elements was larger than representable by 32-bit output type");
    }
    return Status();
  }

 private:
  const bool wide_;
};

class RankKernel final : public Kernel {
 public:
  explicit RankKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<int32_t>() = ctx.input(0).rank();
    return Status();
  }
};

std::optional<ShapeFact> sizes_of(const PartialShape& input) {
  if (!input.fully_defined()) return std::nullopt;
  return ShapeFact{{input.dims().begin(), input.dims().end()}, Shape({input.rank()})};
}

std::optional<ShapeFact> size_of(const PartialShape& input) {
  if (!input.fully_defined()) return std::nullopt;
  return ShapeFact{{input.num_elements()}, Shape()};
}

std::optional<ShapeFact> rank_of(const PartialShape& input) {
  if (!input.known_rank()) return std::nullopt;
  return ShapeFact{{input.rank()}, Shape()};
}

PartialShape shape_entries(ShapeContext& c) { return c.input(0); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_shape) {
  using namespace tinytf;
  using namespace tinytf::ops;
  ops.op("Shape")
      .input("input: T")
      .output("output: out_type")
      .attr("T: type")
      .attr("out_type: {int32, int64} = DT_INT32")
      .shape(shape_shape)
      .shape_only(sizes_of)
      .entries(shape_entries)
      .not_differentiable()
      .doc("Returns the shape of `input` as a vector.");
  kernels.add<ShapeKernel>("Shape");

  ops.op("ShapeN")
      .input("input: N * T")
      .output("output: N * out_type")
      .attr("N: int >= 1")
      .attr("T: type")
      .attr("out_type: {int32, int64} = DT_INT32")
      .shape(shape_shape)
      .shape_only(sizes_of)
      .not_differentiable()
      .doc("Returns the shapes of the N tensors in `input` as vectors.");
  kernels.add<ShapeKernel>("ShapeN");

  ops.op("Size")
      .input("input: T")
      .output("output: out_type")
      .attr("T: type")
      .attr("out_type: {int32, int64} = DT_INT32")
      .shape(shapes::scalar)
      .shape_only(size_of)
      .not_differentiable()
      .doc("Returns the number of elements of `input`.");
  kernels.add<SizeKernel>("Size");

  ops.op("Rank")
      .input("input: T")
      .output("output: int32")
      .attr("T: type")
      .shape(shapes::scalar)
      .shape_only(rank_of)
      .not_differentiable()
      .doc("Returns the number of dimensions of `input`.");
  kernels.add<RankKernel>("Rank");
}
