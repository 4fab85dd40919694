#include <type_traits>

#include "base/read_once.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

enum class Cwise : uint8_t { kAdd, kMul, kDiv };

/// x op y in the arithmetic of T: 16-bit floats are computed in float, integers wrap around.
template <Cwise kOp, class T>
T apply(T x, T y) {
  using R = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;
  using U = std::conditional_t<std::is_same_v<T, int32_t>, uint32_t,
                               std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, R>>;
  if constexpr (kOp == Cwise::kDiv) {
    if constexpr (std::is_signed_v<R> && std::is_integral_v<R>) {
      if (y == T(-1)) return static_cast<T>(U(0) - static_cast<U>(x));
    }
    return static_cast<T>(static_cast<R>(static_cast<R>(x) / static_cast<R>(y)));
  }
  // uint16_t would be promoted to int, whose product may overflow.
  using V = std::conditional_t<std::is_same_v<U, uint16_t>, uint32_t, U>;
  const V a = static_cast<V>(static_cast<R>(x)), b = static_cast<V>(static_cast<R>(y));
  return static_cast<T>(static_cast<R>(kOp == Cwise::kAdd ? a + b : a * b));
}

template <Cwise kOp, class T>
class SparseDenseCwiseKernel final : public Kernel {
 public:
  explicit SparseDenseCwiseKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& indices = ctx.input(0);
    const Tensor& values = ctx.input(1);
    const Tensor& shape = ctx.input(2);
    const Tensor& dense = ctx.input(3);
    TINYTF_RETURN_IF_ERROR(check(indices, values, shape));
    const int rank = static_cast<int>(shape.dim(0));
    TINYTF_ASSIGN_OR_RETURN(const Dims strides, dense_strides(shape, dense.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(1, 0, values.shape()));
    const int64_t* index = indices.data<int64_t>();
    const int64_t* sizes = shape.data<int64_t>();
    const T* x = values.data<T>();
    const T* y = dense.data<T>();
    T* result = out->data<T>();
    const auto elements = static_cast<uint64_t>(dense.num_elements());
    const auto compute_value = [&](int64_t i) -> Status {
      uint64_t at = 0;
      bool inside = true;
      for (int d = 0; d < rank; ++d) {
        const int64_t coordinate = read_once(index + i * rank + d);
        inside = inside && coordinate >= 0 && coordinate < sizes[d];
        at += static_cast<uint64_t>(coordinate) * static_cast<uint64_t>(strides[d]);
      }
      // The shape, too, may be in memory that is changed concurrently.
      if (!inside || at >= elements) {
        return invalid_argument("Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape");
      }
      if constexpr (kOp == Cwise::kDiv && std::is_integral_v<T>) {
        if (y[at] == 0) return invalid_argument("Integer division by zero");
      }
      result[i] = apply<kOp>(x[i], y[at]);
      return Status();
    };
    Status status;
    ctx.parallel().run_in_order(values.dim(0), 5.0 + rank, [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) status = compute_value(i);
    });
    return status;
  }

 private:
  static Status check(const Tensor& indices, const Tensor& values, const Tensor& shape) {
    if (indices.rank() != 2) {
      return invalid_argument("Input sp_indices should be a matrix but received shape: ", indices.shape().to_string());
    }
    if (values.rank() != 1 || shape.rank() != 1) {
      return invalid_argument("Inputs sp_values and sp_shape should be vectors but received shapes: ",
                              values.shape().to_string(), " and ", shape.shape().to_string());
    }
    if (indices.dim(0) != values.dim(0) || indices.dim(1) != shape.dim(0)) {
      return invalid_argument(
          "sp_indices should have a row for each value and a column for each dimension of sp_shape, "
          "but received shapes: ",
          indices.shape().to_string(), ", ", values.shape().to_string(), " and ", shape.shape().to_string());
    }
    return Status();
  }

  /// Stride in the dense operand of each dimension of the sparse operand; 0 where the dense operand is broadcast.
  static Result<Dims> dense_strides(const Tensor& sparse, const Shape& dense) {
    const int rank = static_cast<int>(sparse.dim(0));
    bool fits = dense.rank() <= rank;
    Dims strides(rank, 0);
    int64_t stride = 1;
    for (int i = 1; fits && i <= dense.rank(); ++i) {
      const int64_t size = dense.dim(dense.rank() - i), sparse_size = sparse.int_at(rank - i);
      fits = size == sparse_size || (size == 1 && sparse_size > 1);
      if (size != 1) strides[rank - i] = stride;
      stride *= size;
    }
    if (fits) return strides;
    const auto join = [](int n, auto size) {
      std::string text;
      for (int i = 0; i < n; ++i) text += str_cat(i > 0 ? "," : "", size(i));
      return text;
    };
    return invalid_argument("SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: [",
                            join(rank, [&](int i) { return sparse.int_at(i); }), "] vs. [",
                            join(dense.rank(), [&](int i) { return dense.dim(i); }), "]");
  }
};

Status sparse_values_shape(ShapeContext& c) {
  PartialShape indices;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &indices));
  c.set_output(0, PartialShape::vector(indices.dim(0)));
  return Status();
}

template <Cwise kOp>
struct KernelsOf {
  template <class T>
  using Type = SparseDenseCwiseKernel<kOp, T>;
};

template <Cwise kOp>
void declare(OpRegistry& ops, KernelRegistry& kernels, const char* name, const char* formula) {
  ops.op(name)
      .input("sp_indices: int64")
      .input("sp_values: T")
      .input("sp_shape: int64")
      .input("dense: T")
      .output("output: T")
      .attr("T: numbertype")
      .shape(sparse_values_shape)
      .doc(str_cat("Computes the values ", formula,
                   " at the elements of a sparse tensor (indices [n, rank], values [n], shape [rank]), with `dense` "
                   "broadcast to its shape. Elements that the sparse tensor does not hold stay zero."));
  kernels.add_typed<KernelsOf<kOp>::template Type, Half, BFloat16, float, double, int8_t, int16_t, int32_t, int64_t,
                    uint8_t, uint16_t>(name, "T");
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_dense_cwise) {
  declare<Cwise::kAdd>(ops, kernels, "SparseDenseCwiseAdd", "sparse + dense");
  declare<Cwise::kMul>(ops, kernels, "SparseDenseCwiseMul", "sparse * dense");
  declare<Cwise::kDiv>(ops, kernels, "SparseDenseCwiseDiv", "sparse / dense");
}
