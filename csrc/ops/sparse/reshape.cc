#include "base/checked.h"
#include "base/read_once.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

class SparseReshapeKernel final : public Kernel {
 public:
  explicit SparseReshapeKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &indices = ctx.input(0), &input_shape = ctx.input(1), &new_shape = ctx.input(2);
    TINYTF_RETURN_IF_ERROR(check(indices, input_shape, new_shape));
    TINYTF_ASSIGN_OR_RETURN(const Shape from, sizes_of(input_shape));
    TINYTF_ASSIGN_OR_RETURN(const Shape to, target(from, new_shape));
    TINYTF_ASSIGN_OR_RETURN(Tensor * shape, ctx.allocate_output(1, Shape({to.rank()})));
    for (int d = 0; d < to.rank(); ++d) shape->data<int64_t>()[d] = to.dim(d);
    if (from == to) {
      ctx.set_output(0, indices);
      return Status();
    }
    const int64_t n = indices.dim(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * moved, ctx.allocate_output(0, Shape({n, to.rank()})));
    const auto* const before = indices.data<int64_t>();
    auto* const after = moved->data<int64_t>();
    ctx.parallel().run(n, 256, 3.0 * (from.rank() + to.rank()), [&](int64_t i, int64_t end) {
      for (; i < end; ++i) move(from, before + i * from.rank(), to, after + i * to.rank());
    });
    return Status();
  }

 private:
  static Status check(const Tensor& indices, const Tensor& input_shape, const Tensor& new_shape) {
    if (indices.rank() != 2) {
      return invalid_argument("Input indices should be a matrix but received shape ", indices.shape().to_string());
    }
    if (input_shape.rank() != 1) {
      return invalid_argument("Input shape should be a vector but received shape ", input_shape.shape().to_string());
    }
    if (new_shape.rank() != 1) {
      return invalid_argument("Target shape should be a vector but received shape ", new_shape.shape().to_string());
    }
    if (indices.dim(1) != input_shape.dim(0)) {
      return invalid_argument("Input indices should have a column for each of the ", input_shape.dim(0),
                              " sizes of the input shape, but received shape ", indices.shape().to_string());
    }
    return Status();
  }

  static Result<Shape> sizes_of(const Tensor& shape) {
    if (shape.dim(0) > Shape::kMaxRank) return invalid_argument("Shape has ", shape.dim(0), " dimensions");
    Dims dims;
    for (int64_t d = 0; d < shape.dim(0); ++d) dims.push_back(shape.int_at(d));
    return Shape::checked(std::move(dims));
  }

  /// The new shape, in which a size of -1 is computed from the others.
  static Result<Shape> target(const Shape& from, const Tensor& new_shape) {
    if (new_shape.dim(0) > Shape::kMaxRank) return invalid_argument("Shape has ", new_shape.dim(0), " dimensions");
    const int64_t elements = from.num_elements();
    Shape to;
    int unknown = -1;
    Size known = 1;
    for (int d = 0; d < new_shape.dim(0); ++d) {
      const int64_t size = new_shape.int_at(d);
      if (size == -1) {
        if (unknown >= 0) {
          return invalid_argument("only one output dimension may be -1, not both ", unknown, " and ", d);
        }
        unknown = d;
        to.add_dim(1);
        continue;
      }
      if (size < 0) return invalid_argument("size ", d, " must be non-negative, not ", size);
      known *= size;
      to.add_dim(size);
    }
    if (unknown >= 0) {
      if (known.value() <= 0) {
        return invalid_argument(
            "reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are "
            "non-zero");
      }
      if (elements % known.value() != 0) {
        return invalid_argument("Input to reshape is a SparseTensor with ", elements,
                                " dense values, but the requested shape requires a multiple of ", known.value(),
                                ". input_shape=", from.to_string(), " output_shape=", to.to_string());
      }
      to.set_dim(unknown, elements / known.value());
    }
    TINYTF_RETURN_IF_ERROR(to.check());
    if (to.num_elements() != elements) {
      return invalid_argument("Input to reshape is a tensor with ", elements,
                              " dense values, but the requested shape has ", to.num_elements(),
                              ". input_shape=", from.to_string(), " output_shape=", to.to_string());
    }
    return to;
  }

  /// As in TensorFlow, indices are not checked against the shape: an index out of range gives a meaningless result but
  /// no error, and arithmetic wraps around.
  static void move(const Shape& from, const int64_t* index, const Shape& to, int64_t* moved) {
    uint64_t place = 0;
    for (int d = 0; d < from.rank(); ++d) {
      place = place * static_cast<uint64_t>(from.dim(d)) + static_cast<uint64_t>(read_once(index + d));
    }
    auto rest = static_cast<int64_t>(place);
    for (int d = to.rank() - 1; d >= 0; --d) {
      const int64_t size = d > 0 ? to.dim(d) : 0;  // any excess stays in the first dimension
      moved[d] = size > 0 ? rest % size : rest;
      rest = size > 0 ? rest / size : 0;
    }
  }
};

Status reshape_shape(ShapeContext& c) {
  PartialShape indices, new_shape;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &indices));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1, &new_shape));
  c.set_output(0, PartialShape::matrix(indices.dim(0), new_shape.dim(0)));
  c.set_output(1, new_shape.known_rank() ? new_shape : PartialShape::vector(kUnknownDim));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_reshape) {
  using namespace tinytf::ops;
  ops.op("SparseReshape")
      .input("input_indices: int64")
      .input("input_shape: int64")
      .input("new_shape: int64")
      .output("output_indices: int64")
      .output("output_shape: int64")
      .shape(reshape_shape)
      .no_gradient()
      .doc(
          "Computes the indices and the shape of a SparseTensor that is reshaped to `new_shape`, which must have the "
          "same number of elements. One size in `new_shape` may be -1; it is computed from the others.");
  kernels.add<SparseReshapeKernel>("SparseReshape");
}
