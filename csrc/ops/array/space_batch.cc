#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

/// The block shape and the margins (paddings or crops) of the M spatial dimensions that follow the batch dimension.
struct Blocks {
  Dims size, before, after;
  int64_t product = 1;

  int count() const { return static_cast<int>(size.size()); }
  /// Size of spatial dimension i with its margins added (padded), or of its blocks with the margins cropped (cropped).
  Size padded(int64_t space, int i) const { return Size(space) + before[i] + after[i]; }
  Size cropped(int64_t blocks, int i) const { return Size(blocks) * size[i] - before[i] - after[i]; }

  Status read(const Tensor& block, const Tensor& margins, const char* what) {
    if (block.rank() != 1) return invalid_argument("block_shape rank should be 1 instead of ", block.rank());
    const int64_t m = block.dim(0);
    if (margins.rank() != 2 || margins.dim(0) != m || margins.dim(1) != 2) {
      return invalid_argument(what, " should have shape [", m, ", 2] instead of ", margins.shape().to_string());
    }
    Size all = 1;
    for (int64_t i = 0; i < m; ++i) {
      size.push_back(block.int_at(i));
      before.push_back(margins.int_at(2 * i));
      after.push_back(margins.int_at(2 * i + 1));
      if (size[i] < 1) return invalid_argument("block_shape must be positive");
      if (before[i] < 0 || after[i] < 0) return invalid_argument(what, " must be non-negative");
      all *= size[i];
    }
    if (!all.ok()) return invalid_argument("Product of block sizes must be positive, got ", to_string(all));
    product = all.value();
    return Status();
  }
};

/// Copies elements between `space` [batch, P…, rest] and `blocks` [product * batch, S…, rest], for which p = s * size +
/// offset - before. Elements without a counterpart are left alone. `to_blocks` gives the direction.
void copy_blocks(const void* src, void* dst, size_t bytes, const Blocks& b, const Shape& space, const Shape& blocks,
                 bool to_blocks, Parallel& parallel) {
  const int m = b.count(), rank = m + 2;
  const int64_t batch = space.dim(0);
  Dims dims(static_cast<size_t>(rank), 1), space_strides(static_cast<size_t>(rank), 1), block_strides = space_strides;
  dims[0] = batch;
  dims[m + 1] = space.product(m + 1, space.rank());
  for (int d = m; d >= 0; --d) {
    space_strides[d] = space_strides[d + 1] * (d == m ? dims[m + 1] : space.dim(d + 1));
    block_strides[d] = block_strides[d + 1] * (d == m ? dims[m + 1] : blocks.dim(d + 1));
  }
  const int64_t block_batch = block_strides[0];
  Dims step = space_strides;
  for (int d = 1; d <= m; ++d) step[d] *= b.size[d - 1];
  const auto copy_block = [&](int64_t block) {
    int64_t space_at = 0, block_at = block * batch * block_batch, rest = block;
    bool empty = false;
    for (int d = m; d >= 1; --d) {
      const int64_t size = b.size[d - 1], shift = rest % size - b.before[d - 1];
      rest /= size;
      const int64_t first = shift >= 0 ? 0 : (-shift + size - 1) / size;  // the least s with p >= 0
      const int64_t room = space.dim(d) - shift;                          // s * size must be less than this
      const int64_t last = std::min(blocks.dim(d), room <= 0 ? 0 : (room + size - 1) / size);
      empty |= last <= first;
      dims[d] = last - first;
      space_at += (first * size + shift) * space_strides[d];
      block_at += first * block_strides[d];
    }
    if (empty) return;
    const auto element = static_cast<int64_t>(bytes);
    const int64_t from = (to_blocks ? space_at : block_at) * element, to = (to_blocks ? block_at : space_at) * element;
    kernels::table().copy.strided(static_cast<const char*>(src) + from, static_cast<char*>(dst) + to, bytes, rank,
                                  dims.data(), to_blocks ? step.data() : block_strides.data(),
                                  to_blocks ? block_strides.data() : step.data(), parallel);
  };
  const double cost = kMoveCost * static_cast<double>(batch) * static_cast<double>(block_batch);
  parallel.run_in_order(b.product, cost, [&](int64_t block, int64_t end) {
    for (; block < end; ++block) copy_block(block);
  });
}

class SpaceBatchKernel final : public Kernel {
 public:
  SpaceBatchKernel(KernelInit&, bool to_batch) : to_batch_(to_batch) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    Blocks b;
    TINYTF_RETURN_IF_ERROR(b.read(ctx.input(1), ctx.input(2), to_batch_ ? "paddings" : "crops"));
    if (input.rank() < 1 + b.count()) {
      return invalid_argument("input rank should be >= ", 1 + b.count(), " instead of ", input.rank());
    }
    Shape shape = input.shape();
    if (!to_batch_ && input.dim(0) % b.product != 0) {
      return invalid_argument("Input batch dimension (", input.dim(0), ") is not divisible by product of block sizes (",
                              b.product, ")");
    }
    shape.set_dim(0, to_batch_ ? (Size(input.dim(0)) * b.product).value() : input.dim(0) / b.product);
    for (int d = 1; d <= b.count(); ++d) {
      const int64_t size = b.size[d - 1];
      if (to_batch_) {
        const Size padded = b.padded(input.dim(d), d - 1);
        if ((padded % size).value() != 0) {
          return invalid_argument("padded_shape[", d - 1, "]=", to_string(padded), " is not divisible by block_shape[",
                                  d - 1, "]=", size);
        }
        shape.set_dim(d, (padded / size).value());
      } else {
        const Size cropped = b.cropped(input.dim(d), d - 1);
        if (cropped.value() < 0) {
          return invalid_argument("cropped_shape[", d - 1, "]=", to_string(cropped), " must be non-negative");
        }
        shape.set_dim(d, cropped.value());
      }
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const size_t element = dtype_size(input.dtype());
    if (to_batch_) kernels::table().copy.fill(out->raw(), kZeroElement, element, out->num_elements(), ctx.parallel());
    if (out->num_elements() == 0 || input.num_elements() == 0) return Status();  // else memory bounds all sizes
    copy_blocks(input.raw(), out->raw(), element, b, to_batch_ ? input.shape() : shape,
                to_batch_ ? shape : input.shape(), to_batch_, ctx.parallel());
    return Status();
  }

 private:
  const bool to_batch_;
};

/// Fails if a known size of a block is not positive, or a known margin is negative.
Status check_known_blocks(const Tensor* block, const Tensor* margins, const char* what) {
  for (int64_t i = 0; block != nullptr && i < block->num_elements(); ++i) {
    if (block->int_at(i) < 1) return invalid_argument("block_shape must be positive");
  }
  for (int64_t i = 0; margins != nullptr && i < margins->num_elements(); ++i) {
    if (margins->int_at(i) < 0) return invalid_argument(what, " cannot be negative");
  }
  return Status();
}

Status space_batch_shape(ShapeContext& c, bool to_batch) {
  // TensorFlow needs to know the size of `block_shape`, too.
  if (c.input(1).rank() != 1) return invalid_argument("block_shape must have rank 1.");
  const int64_t m = c.input(1).dim(0);
  if (m < 0) return invalid_argument("block_shape must have known size.");
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, m + 1));
  TINYTF_RETURN_IF_ERROR(c.input(2).merge(PartialShape::matrix(m, 2)).status());
  PartialShape out = c.input(0);
  const Tensor* block = c.input_tensor(1);
  const Tensor* margins = c.input_tensor(2);
  const char* what = to_batch ? "paddings" : "crops";
  TINYTF_RETURN_IF_ERROR(check_known_blocks(block, margins, what));
  if (!out.known_rank()) return Status();
  Blocks b;
  if (block != nullptr && margins != nullptr) TINYTF_RETURN_IF_ERROR(b.read(*block, *margins, what));
  Size product = 1;
  for (int d = 1; d <= m; ++d) {
    const int64_t size = block != nullptr ? block->int_at(d - 1) : kUnknownDim;
    product = size < 0 ? Size::none() : product * size;
    const int64_t old = out.dim(d);
    out.set_dim(d, kUnknownDim);
    if (old < 0 || block == nullptr || margins == nullptr) continue;
    const Size whole = to_batch ? b.padded(old, d - 1) : b.cropped(old, d - 1);
    if (to_batch && (whole % size).value() != 0) {
      return invalid_argument("Dimension size must be evenly divisible by ", size, " but is ", to_string(whole));
    }
    if (!to_batch && whole.value() < 0) {
      return invalid_argument("cropped_shape[", d - 1, "]=", to_string(whole), " must be non-negative");
    }
    out.set_dim(d, to_batch ? (whole / size).value() : whole.value());
  }
  const int64_t batch = out.dim(0);
  out.set_dim(0, kUnknownDim);
  if (batch >= 0 && product.value() > 0) {
    if (!to_batch && batch % product.value() != 0) {
      return invalid_argument("Dimension size must be evenly divisible by ", product.value(), " but is ", batch);
    }
    out.set_dim(0, to_batch ? (Size(batch) * product).value() : batch / product.value());
  }
  c.set_output(0, std::move(out));
  return Status();
}

Status space_to_batch_shape(ShapeContext& c) { return space_batch_shape(c, true); }
Status batch_to_space_shape(ShapeContext& c) { return space_batch_shape(c, false); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_space_batch) {
  using namespace tinytf::ops;
  ops.op("SpaceToBatchND")
      .input("input: T")
      .input("block_shape: Tblock_shape")
      .input("paddings: Tpaddings")
      .output("output: T")
      .attr("T: type")
      .attr("Tblock_shape: {int32, int64} = DT_INT32")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .shape(space_to_batch_shape)
      .endpoint("space_to_batch_nd")
      .endpoint("manip.space_to_batch_nd")
      .doc(
          "Pads the spatial dimensions of `input` [batch, spatial…, rest…] with zeros by `paddings` and divides them "
          "into blocks of shape `block_shape`. The positions within a block become part of the batch dimension.");
  kernels.add("SpaceToBatchND", [](tinytf::KernelInit& init) { return std::make_unique<SpaceBatchKernel>(init, true); })
      .where("T", kPlain);

  ops.op("BatchToSpaceND")
      .input("input: T")
      .input("block_shape: Tblock_shape")
      .input("crops: Tcrops")
      .output("output: T")
      .attr("T: type")
      .attr("Tblock_shape: {int32, int64} = DT_INT32")
      .attr("Tcrops: {int32, int64} = DT_INT32")
      .shape(batch_to_space_shape)
      .endpoint("batch_to_space_nd")
      .endpoint("manip.batch_to_space_nd")
      .doc(
          "Moves positions within blocks of shape `block_shape` from the batch dimension of `input` back to the "
          "spatial dimensions, and crops these by `crops`. It is the inverse of SpaceToBatchND.");
  kernels
      .add("BatchToSpaceND", [](tinytf::KernelInit& init) { return std::make_unique<SpaceBatchKernel>(init, false); })
      .where("T", kPlain);
}
