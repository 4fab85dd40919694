#include <algorithm>

#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"

namespace tinytf::ops {
namespace {

class TileKernel final : public Kernel {
 public:
  explicit TileKernel(KernelInit&) : tile_(kernels::table().copy.tile) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& multiples = ctx.input(1);
    const int rank = input.rank();
    if (multiples.rank() != 1) {
      return invalid_argument("Expected multiples to be 1-D, but got shape ", multiples.shape().to_string());
    }
    if (multiples.dim(0) != rank) {
      return invalid_argument("Expected multiples argument to be a vector of length ", rank, " but got length ",
                              multiples.dim(0));
    }
    Dims times, dims;
    bool once = true;
    for (int d = 0; d < rank; ++d) {
      const int64_t n = multiples.int_at(d);
      if (n < 0) return invalid_argument("Expected multiples[", d, "] >= 0, but got ", n);
      once &= n == 1;
      times.push_back(n);
      dims.push_back((Size(input.dim(d)) * n).value());
    }
    if (once) {
      ctx.set_output(0, input);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(dims));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      tile_(src, dst, bytes, rank, input.shape().dims().data(), times.data(), ctx.parallel());
    });
  }

 private:
  decltype(kernels::CopyTable::tile) const tile_;
};

Status tile_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const PartialShape& vector = c.input(1);
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  int64_t rank = input.rank();
  if (vector.known_rank() && vector.dim(0) >= 0) {
    if (rank >= 0 && rank != vector.dim(0)) {
      return invalid_argument("Shape must be rank ", rank, " but is rank ", vector.dim(0));
    }
    rank = vector.dim(0);
  }
  if (rank < 0) return Status();
  const PartialShape times = c.input_as_shape(1);
  PartialShape out = PartialShape::unknown_of_rank(rank);
  for (int d = 0; d < rank; ++d) {
    const int64_t size = input.dim(d), n = times.rank() == rank ? times.dim(d) : kUnknownDim;
    if (size == 0 || n == 0) {
      out.set_dim(d, 0);
    } else if (size > 0 && n > 0) {
      out.set_dim(d, (Size(size) * n).value());
    }
  }
  c.set_output(0, std::move(out));
  return Status();
}

class BroadcastToKernel final : public Kernel {
 public:
  explicit BroadcastToKernel(KernelInit&) : broadcast_(kernels::table().copy.broadcast) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& sizes = ctx.input(1);
    if (sizes.rank() != 1) {
      return invalid_argument("shape must be a vector of {int32,int64}, got shape ", sizes.shape().to_string());
    }
    Dims dims;
    for (int64_t i = 0; i < sizes.num_elements(); ++i) dims.push_back(sizes.int_at(i));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(dims));
    if (shape == input.shape()) {
      ctx.set_output(0, input);
      return Status();
    }
    if (input.rank() > shape.rank()) {
      return invalid_argument("Rank of input (", input.rank(), ") must be no greater than rank of output shape (",
                              shape.rank(), ").");
    }
    TINYTF_ASSIGN_OR_RETURN(const Shape joined, shapes::broadcast(input.shape(), shape));
    if (joined != shape) {
      return invalid_argument("Unable to broadcast tensor of shape ", input.shape().to_string(), " to tensor of shape ",
                              shape.to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      broadcast_(src, input.rank(), input.shape().dims().data(), dst, bytes, shape.rank(), shape.dims().data(),
                 ctx.parallel());
    });
  }

 private:
  decltype(kernels::CopyTable::broadcast) const broadcast_;
};

Status broadcast_to_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  const PartialShape& input = c.input(0);
  const int64_t rank = c.input(1).known_rank() ? c.input(1).dim(0) : kUnknownDim;
  if (rank >= 0 && input.known_rank() && input.rank() > rank) {
    return invalid_argument("Shape must be at most rank ", rank, " but is rank ", input.rank());
  }
  PartialShape out = c.input_as_shape(1);
  if (!out.known_rank() && rank >= 0) out = PartialShape::unknown_of_rank(static_cast<int>(rank));
  if (out.known_rank() && input.known_rank()) {
    for (int i = 1; i <= std::min(input.rank(), out.rank()); ++i) {
      const int64_t from = input.dim(-i), to = out.dim(-i);
      if (from <= 1) continue;
      if (to >= 0 && from != to) return invalid_argument("Dimensions must be equal, but are ", from, " and ", to);
      out.set_dim(-i, from);
    }
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_tile) {
  using namespace tinytf::ops;
  ops.op("Tile")
      .input("input: T")
      .input("multiples: Tmultiples")
      .output("output: T")
      .attr("T: type")
      .attr("Tmultiples: {int32, int64} = DT_INT32")
      .shape(tile_shape)
      .endpoint("tile")
      .endpoint("manip.tile")
      .doc("Repeats `input` `multiples[i]` times along each dimension i.");
  kernels.add<TileKernel>("Tile");

  ops.op("BroadcastTo")
      .input("input: T")
      .input("shape: Tidx")
      .output("output: T")
      .attr("T: type")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .shape(broadcast_to_shape)
      .endpoint("broadcast_to")
      .doc("Broadcasts `input` to `shape` by the rules of NumPy.");
  kernels.add<BroadcastToKernel>("BroadcastTo");
}
