#include "base/read_once.h"
#include "base/wrapping.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

/// x + y; 16-bit floats are computed in float, integers wrap around.
template <class T>
T sum_of(T x, T y) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return static_cast<T>(static_cast<float>(x) + static_cast<float>(y));
  } else {
    return wrapping_add(x, y);
  }
}

template <class T>
class SparseTensorDenseAddKernel final : public Kernel {
 public:
  explicit SparseTensorDenseAddKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1), &dense = ctx.input(3);
    TINYTF_RETURN_IF_ERROR(check(indices, values, ctx.input(2), dense));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(3, 0, dense.shape()));
    if (out->raw() != dense.raw()) {
      ctx.parallel().run(dense.num_elements(), 1024, 0.5,
                         [&](int64_t begin, int64_t end) { copy_elements(dense, begin, *out, begin, end - begin); });
    }
    return indices.dtype() == DType::kInt64 ? add<int64_t>(ctx, indices, values, *out)
                                            : add<int32_t>(ctx, indices, values, *out);
  }

 private:
  static Status check(const Tensor& indices, const Tensor& values, const Tensor& shape, const Tensor& dense) {
    if (indices.rank() != 2) {
      return invalid_argument("Input a_indices should be a matrix but received shape: ", indices.shape().to_string());
    }
    if (values.rank() != 1 || shape.rank() != 1) {
      return invalid_argument("Inputs a_values and a_shape should be vectors but received shapes: ",
                              values.shape().to_string(), " and ", shape.shape().to_string());
    }
    if (indices.dim(0) != values.dim(0) || indices.dim(1) != shape.dim(0)) {
      return invalid_argument(
          "a_indices should have a row for each value and a column for each dimension of a_shape, but received "
          "shapes: ",
          indices.shape().to_string(), ", ", values.shape().to_string(), " and ", shape.shape().to_string());
    }
    if (shape.dim(0) != dense.rank()) {
      return invalid_argument("Two operands have different ranks; received: ", shape.dim(0), " and ", dense.rank());
    }
    for (int d = 0; d < dense.rank(); ++d) {
      if (const int64_t size = shape.int_at(d); size != dense.dim(d)) {
        return invalid_argument("Dimension ", d, " does not equal (no broadcasting is supported): sparse side ", size,
                                " vs dense side ", dense.dim(d));
      }
    }
    if (dense.rank() < 1 || dense.rank() > 5) {
      return invalid_argument("Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: ",
                              dense.rank());
    }
    return Status();
  }

  template <class Index>
  static Status add(KernelContext& ctx, const Tensor& indices, const Tensor& values, Tensor& out) {
    const int rank = out.rank();
    const auto* const index = indices.data<Index>();
    const T* const value = values.data<T>();
    T* const sum = out.data<T>();
    const auto add_value = [&](int64_t i) -> Status {
      int64_t at = 0;
      for (int d = 0; d < rank; ++d) {
        const int64_t coordinate = read_once(index + i * rank + d), size = out.dim(d);
        if (coordinate < 0 || coordinate >= size) {
          return invalid_argument("Sparse tensor has some invalid index on dimension ", d,
                                  "; dense tensor shape: ", out.shape().to_string());
        }
        at = at * size + coordinate;
      }
      sum[at] = sum_of(sum[at], value[i]);
      return Status();
    };
    Status status;
    ctx.parallel().run_in_order(values.dim(0), 3.0 + rank, [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) status = add_value(i);
    });
    return status;
  }
};

Status dense_add_shape(ShapeContext& c) {
  c.set_output(0, c.input(3));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_dense_add) {
  using namespace tinytf;
  using namespace tinytf::ops;
  ops.op("SparseTensorDenseAdd")
      .input("a_indices: Tindices")
      .input("a_values: T")
      .input("a_shape: Tindices")
      .input("b: T")
      .output("output: T")
      .attr("T: numbertype")
      .attr("Tindices: {int32, int64}")
      .shape(dense_add_shape)
      .doc(
          "Adds the values of a SparseTensor to the tensor `b` of the same shape, which has up to 5 dimensions. Values "
          "with equal indices are all added.");
  kernels.add_typed<SparseTensorDenseAddKernel, Half, BFloat16, float, double, int8_t, int16_t, int32_t, int64_t,
                    uint8_t, uint16_t, std::complex<float>, std::complex<double>>("SparseTensorDenseAdd", "T");
}
