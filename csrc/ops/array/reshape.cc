#include "base/checked.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Sets output 0 to input 0 under another shape, sharing the memory.
Status share(KernelContext& ctx, Shape shape) {
  TINYTF_ASSIGN_OR_RETURN(Tensor output, ctx.input(0).view(0, std::move(shape)));
  ctx.set_output(0, std::move(output));
  return Status();
}

/// The product of the positive sizes.
Size without_zeros(const Dims& dims) {
  Size product = 1;
  for (const int64_t size : dims) {
    if (size > 0) product *= size;
  }
  return product;
}

class ReshapeKernel final : public Kernel {
 public:
  explicit ReshapeKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& sizes = ctx.input(1);
    if (sizes.rank() != 1) return invalid_argument("sizes input must be 1-D, not ", sizes.shape().to_string());
    if (sizes.dim(0) > Shape::kMaxRank) return invalid_argument("Too many dimensions");
    const int rank = static_cast<int>(sizes.dim(0));
    const int64_t elements = ctx.input(0).num_elements();
    Dims dims;
    dims.resize(rank);
    int open = -1;
    Size product = 1;
    for (int i = 0; i < rank; ++i) {
      const int64_t size = dims[i] = sizes.int_at(i);
      if (size == -1) {
        if (open >= 0) return invalid_argument("Only one input size may be -1, not both ", open, " and ", i);
        open = i;
      } else if (size < 0) {
        return invalid_argument("Size ", i, " must be non-negative, not ", size);
      } else {
        product *= size;
      }
    }
    if (!product.ok()) {
      return invalid_argument("Shape ", Shape(dims).to_string(), " would have more than 2**63 - 1 elements");
    }
    if (open >= 0) {
      if (product.value() == 0 && elements == 0) {
        // As in TensorFlow, the open dimension is computed from the dimensions that are not 0.
        dims[open] = ctx.input(0).shape().extent() / without_zeros(dims).value();
        return share(ctx, Shape(std::move(dims)));
      }
      if (product.value() == 0) {
        return invalid_argument("Input to reshape is a tensor with ", elements,
                                " values, but the requested shape has 0");
      }
      if (elements % product.value() != 0) {
        return invalid_argument("Input to reshape is a tensor with ", elements,
                                " values, but the requested shape requires a multiple of ", product.value());
      }
      dims[open] = elements / product.value();
    } else if (product.value() != elements) {
      return invalid_argument("Input to reshape is a tensor with ", elements, " values, but the requested shape has ",
                              product.value());
    }
    return share(ctx, Shape(std::move(dims)));
  }
};

Status reshape_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  PartialShape out = c.input_as_shape(1);
  if (!out.known_rank() && c.input(1).rank() == 1 && c.input(1).dim(0) >= 0) {
    out = PartialShape::unknown_of_rank(c.input(1).dim(0));
  }
  const int64_t elements = c.input(0).num_elements();
  if (out.known_rank() && elements >= 0) {
    int open = -1, unknown = 0;
    Size known = 1;
    for (int i = 0; i < out.rank(); ++i) {
      if (out.dim(i) < 0) {
        open = i;
        ++unknown;
      } else {
        known *= out.dim(i);
      }
    }
    if ((unknown == 0 || known.value() == 0) && known.value() != elements) {
      return invalid_argument("Cannot reshape a tensor with ", elements, " elements to shape ", out.to_string(), " (",
                              to_string(known), " elements)");
    }
    if (unknown == 1 && known.value() != 0) {
      const Size left = Size(elements) % known;
      if (left.value() != 0) {
        return invalid_argument("Dimension size must be evenly divisible by ", to_string(known), " but is ", elements);
      }
      out.set_dim(open, elements / known.value());
    }
  }
  c.set_output(0, std::move(out));
  return Status();
}

class ExpandDimsKernel final : public Kernel {
 public:
  explicit ExpandDimsKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (ctx.input(1).num_elements() != 1) return invalid_argument("'dim' must be a tensor with a single value");
    int64_t axis = ctx.input(1).int_at(0);
    if (axis < -1 - input.rank() || axis > input.rank()) {
      return invalid_argument("Tried to expand dim index ", axis, " for tensor with ", input.rank(), " dimensions.");
    }
    if (axis < 0) axis += input.rank() + 1;
    Shape shape = input.shape();
    shape.insert_dim(static_cast<int>(axis), 1);
    return share(ctx, std::move(shape));
  }
};

Status expand_dims_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  const Tensor* dim = c.input_tensor(1);
  if (dim == nullptr) return Status();  // As in TensorFlow, not even the rank is known.
  if (dim->num_elements() != 1) {
    return invalid_argument("'dim' input must be a tensor with a single value but got shape ",
                            dim->shape().to_string());
  }
  int64_t axis = dim->int_at(0);
  if (axis < -1 - input.rank() || axis > input.rank()) {
    return invalid_argument("dim ", axis, " not in the interval [", -1 - input.rank(), ", ", input.rank(), "].");
  }
  if (axis < 0) axis += input.rank() + 1;
  Dims dims = input.dims();
  dims.insert(axis, 1);
  c.set_output(0, PartialShape(std::move(dims)));
  return Status();
}

class SqueezeKernel final : public Kernel {
 public:
  explicit SqueezeKernel(KernelInit& init) : axes_(init.attr<std::vector<int64_t>>("squeeze_dims")) {
    for (const int64_t axis : axes_) init.fail(check_int32_attr("squeeze_dims", axis));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int rank = input.rank();
    InlinedVector<bool, 8> squeezed(rank, axes_.empty());
    for (int64_t axis : axes_) {
      if (axis < -rank || axis >= rank) {
        return invalid_argument("Tried to squeeze dim index ", axis, " for tensor with ", rank, " dimensions.");
      }
      const auto i = static_cast<int>(axis < 0 ? axis + rank : axis);
      if (input.dim(i) != 1) {
        return invalid_argument("Can not squeeze dim[", i, "], expected a dimension of 1, got ", input.dim(i));
      }
      squeezed[i] = true;
    }
    Dims dims;
    for (int i = 0; i < rank; ++i) {
      if (!squeezed[i] || input.dim(i) != 1) dims.push_back(input.dim(i));
    }
    return share(ctx, Shape(std::move(dims)));
  }

 private:
  const std::vector<int64_t> axes_;
};

Status squeeze_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  const auto& axes = c.attr<std::vector<int64_t>>("squeeze_dims");
  const int rank = input.rank();
  InlinedVector<bool, 8> squeezed(rank, axes.empty());
  for (int64_t axis : axes) {
    TINYTF_RETURN_IF_ERROR(check_int32_attr("squeeze_dims", axis));
    if (axis < -rank || axis >= rank) {
      return invalid_argument("squeeze_dims[", axis, "] not in [", -rank, ",", rank, ").");
    }
    squeezed[axis < 0 ? axis + rank : axis] = true;
  }
  Dims dims;
  for (int i = 0; i < rank; ++i) {
    const int64_t size = input.dim(i);
    if (!squeezed[i] || (axes.empty() && size > 1) || (axes.empty() && size == 0)) {
      dims.push_back(size);
    } else if (size < 0 && axes.empty()) {
      return Status();  // unknown whether the dimension is 1 and goes
    } else if (size >= 0 && size != 1) {
      return invalid_argument("Can not squeeze dim[", i, "], expected a dimension of 1, got ", size);
    }
  }
  c.set_output(0, PartialShape(std::move(dims)));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_reshape) {
  using namespace tinytf::ops;
  ops.op("Reshape")
      .input("tensor: T")
      .input("shape: Tshape")
      .output("output: T")
      .attr("T: type")
      .attr("Tshape: {int32, int64} = DT_INT32")
      .shape(reshape_shape)
      .endpoint("reshape")
      .endpoint("manip.reshape")
      .doc(
          "Returns `tensor` with the given `shape`, which must have the same number of elements. One size may be -1; "
          "it is computed from the others. The output shares the memory of `tensor`.");
  kernels.add<ReshapeKernel>("Reshape");

  ops.op("ExpandDims")
      .input("input: T")
      .input("dim: Tdim")
      .parameter("dim", "axis")
      .output("output: T")
      .attr("T: type")
      .attr("Tdim: {int32, int64} = DT_INT32")
      .shape(expand_dims_shape)
      .doc("Inserts a dimension of size 1 into the shape of `input` at `dim`, which lies in [-rank - 1, rank].");
  kernels.add<ExpandDimsKernel>("ExpandDims");

  ops.op("Squeeze")
      .input("input: T")
      .output("output: T")
      .attr("T: type")
      .attr("squeeze_dims: list(int) >= 0 = []")
      .parameter("squeeze_dims", "axis")
      .shape(squeeze_shape)
      .doc(
          "Removes the dimensions of size 1 from `input`: all of them if `squeeze_dims` is empty, else the named ones, "
          "whose size must be 1.");
  kernels.add<SqueezeKernel>("Squeeze");
}
