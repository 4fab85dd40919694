#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/read_once.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"
#include "ops/math/shared/arithmetic_type.h"
#include "ops/math/shared/segment_ids.h"

namespace tinytf::ops {
namespace {

/// How the sum of the rows of a segment is scaled.
enum class Combine : uint8_t { kSum, kMean, kSqrtN };

double weight(Combine combine, int64_t rows) {
  const double n = static_cast<double>(std::max<int64_t>(rows, 1));
  return combine == Combine::kSum ? 1.0 : (combine == Combine::kMean ? 1.0 / n : 1.0 / std::sqrt(n));
}

Status check_ids(const Tensor& indices, const Tensor& ids) {
  if (indices.rank() != 1) return invalid_argument("indices should be a vector.");
  if (ids.rank() != 1) return invalid_argument("segment_ids should be a vector.");
  if (indices.num_elements() != ids.num_elements()) {
    return invalid_argument("segment_ids and indices should have same size.");
  }
  return Status();
}

Status sparse_segment_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  TINYTF_RETURN_IF_ERROR(c.input(1).merge(c.input(2)).status());
  int64_t segments = kUnknownDim;
  if (c.num_inputs() == 4) {
    TINYTF_RETURN_IF_ERROR(c.with_rank(3, 0));
    if (const Tensor* count = c.input_tensor(3)) {
      segments = count->int_at(0);
      if (segments < 0) return invalid_argument("Cannot specify a negative value for num_segments");
    }
  }
  c.set_output(0, PartialShape::vector(segments).concatenate(c.input(0).slice(1)));
  return Status();
}

constexpr double kRowCost = 2;  // nanoseconds, in addition to one per element

template <class T>
class SparseSegmentKernel final : public Kernel {
 public:
  SparseSegmentKernel(KernelInit&, Combine combine) : combine_(combine) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& data = ctx.input(0);
    const Tensor& indices = ctx.input(1);
    const Tensor& segment_ids = ctx.input(2);
    TINYTF_RETURN_IF_ERROR(check_ids(indices, segment_ids));
    if (data.rank() == 0) return invalid_argument("Shape must be at least rank 1 but is rank 0");
    const int32_t* ids = segment_ids.data<int32_t>();
    const int32_t* rows = indices.data<int32_t>();
    const int64_t count = indices.num_elements();
    int64_t segments = count > 0 ? ids[count - 1] + int64_t{1} : 0;
    if (ctx.num_inputs() == 4) {
      const Tensor& given = ctx.input(3);
      if (given.rank() != 0) {
        return invalid_argument("num_segments should be a scalar, not shape ", given.shape().to_string());
      }
      if (segments > given.int_at(0)) return invalid_argument("segment ids must be < num_segments");
      segments = given.int_at(0);
    }
    const auto id_at = [&](int64_t i) { return int64_t{read_once(ids + i)}; };
    const auto rows_exist = [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int32_t row = read_once(rows + i);
        if (row < 0 || row >= data.dim(0)) {
          return invalid_argument("Bad: indices[", i, "] == ", row, " out of range [0, ", data.dim(0), ")");
        }
      }
      return Status();
    };
    TINYTF_RETURN_IF_ERROR(check_segments(count, segments, id_at, rows_exist, ctx.parallel()));
    Shape shape = data.shape();
    shape.set_dim(0, segments);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    if (output->num_elements() == 0) return Status();
    const int64_t inner = data.shape().product(1, data.rank());
    const double row_cost = kRowCost + static_cast<double>(inner);
    const double cost = row_cost * static_cast<double>(count) / static_cast<double>(segments);
    const int64_t limit = data.dim(0);
    std::atomic<bool> changed{false};  // the memory of a fed value may be changed concurrently
    ctx.parallel().run(segments, 1, cost, [&](int64_t begin, int64_t end) {
      int64_t at = std::lower_bound(ids, ids + count, begin) - ids;
      for (int64_t segment = begin; segment < end; ++segment) {
        T* out = output->data<T>() + segment * inner;
        std::fill_n(out, inner, T(0));
        const int64_t first = at;
        while (at < count && ids[at] == segment) ++at;
        ctx.parallel().run_in_order(at - first, row_cost, [&](int64_t i, int64_t last) {
          for (; i < last; ++i) {
            const int64_t row = read_once(rows + first + i);
            if (row >= 0 && row < limit) {
              add_row(data.data<T>() + row * inner, inner, out);
            } else {
              changed = true;
            }
          }
        });
        if (combine_ != Combine::kSum) scale(out, inner, weight(combine_, at - first));
      }
    });
    return changed ? invalid_argument("indices were changed by another thread while the operation read them")
                   : Status();
  }

 private:
  static void add_row(const T* row, int64_t n, T* out) {
    for (int64_t j = 0; j < n; ++j) {
      out[j] = static_cast<T>(static_cast<Wrapping<T>>(out[j]) + static_cast<Wrapping<T>>(row[j]));
    }
  }
  static void scale(T* out, int64_t n, double by) {
    for (int64_t j = 0; j < n; ++j) {
      out[j] = static_cast<T>(static_cast<Arithmetic<T>>(out[j]) * static_cast<Arithmetic<T>>(by));
    }
  }

  const Combine combine_;
};

Status sparse_segment_grad_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  PartialShape indices;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &indices));
  TINYTF_RETURN_IF_ERROR(c.input(2).merge(indices).status());
  TINYTF_RETURN_IF_ERROR(c.with_rank(3, 0));
  const Tensor* rows = c.input_tensor(3);
  if (rows != nullptr && rows->int_at(0) < 0)
    return invalid_argument("Cannot specify a negative value for output_dim0");
  c.set_output(0, PartialShape::vector(rows ? rows->int_at(0) : kUnknownDim).concatenate(c.input(0).slice(1)));
  return Status();
}

template <class T>
class SparseSegmentGradKernel final : public Kernel {
 public:
  SparseSegmentGradKernel(KernelInit&, Combine combine) : combine_(combine) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& grad = ctx.input(0);
    const Tensor& indices = ctx.input(1);
    const Tensor& segment_ids = ctx.input(2);
    const Tensor& rows_tensor = ctx.input(3);
    TINYTF_RETURN_IF_ERROR(check_ids(indices, segment_ids));
    if (rows_tensor.rank() != 0) return invalid_argument("output_dim0 should be a scalar.");
    const int64_t rows = rows_tensor.int_at(0);
    if (rows < 0 || grad.rank() == 0) return invalid_argument("Cannot specify a negative value for output_dim0");
    const int64_t segments = grad.dim(0), count = indices.num_elements();
    Shape shape = grad.shape();
    shape.set_dim(0, rows);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    kernels::table().copy.fill(output->raw(), kZeroElement, sizeof(T), output->num_elements(), ctx.parallel());
    if (rows == 0 || count == 0) return Status();
    // The order of the checks is that of TensorFlow.
    if (int64_t{read_once(segment_ids.data<int32_t>() + count - 1)} + 1 > segments) {
      return invalid_argument("Invalid number of segments");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor counts, ctx.allocate(DType::kInt64, Shape({segments})));
    int64_t* sizes = counts.data<int64_t>();
    std::fill_n(sizes, segments, int64_t{0});
    Status status;
    ctx.parallel().run_in_order(count, kRowCost, [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) {
        const int32_t segment = read_once(segment_ids.data<int32_t>() + i);
        if (segment >= 0 && segment < segments) {
          ++sizes[segment];
        } else {
          status = invalid_argument("Segment id ", segment, " out of range [0, ", segments, ").");
        }
      }
    });
    TINYTF_RETURN_IF_ERROR(status);
    ctx.parallel().run_in_order(count, kRowCost, [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) {
        const int32_t row = read_once(indices.data<int32_t>() + i);
        if (row < 0 || row >= rows) status = invalid_argument("Index ", row, " out of range [0, ", rows, ").");
      }
    });
    TINYTF_RETURN_IF_ERROR(status);
    const int64_t inner = grad.shape().product(1, grad.rank());
    const auto add_row = [&](int64_t i) -> Status {
      const int32_t segment = read_once(segment_ids.data<int32_t>() + i);
      const int32_t row = read_once(indices.data<int32_t>() + i);
      if (segment < 0 || segment >= segments || row < 0 || row >= rows) {
        return invalid_argument("indices were changed by another thread while the operation read them");
      }
      const T by = static_cast<T>(weight(combine_, sizes[segment]));
      const T* from = grad.data<T>() + segment * inner;
      T* to = output->data<T>() + row * inner;
      for (int64_t j = 0; j < inner; ++j) to[j] += from[j] * by;
      return Status();
    };
    ctx.parallel().run_in_order(count, kRowCost + static_cast<double>(inner), [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) status = add_row(i);
    });
    return status;
  }

 private:
  const Combine combine_;
};

template <template <class> class K, class... Ts>
void add_combining(KernelRegistry& kernels, const std::string& op, Combine combine) {
  (kernels.add(op, [combine](KernelInit& init) { return std::make_unique<K<Ts>>(init, combine); })
       .where("T", {dtype_of<Ts>})
       .where("Tidx", {DType::kInt32}),
   ...);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_sparse_segment) {
  const auto declare = [&](const std::string& name, const char* type, Combine combine, const char* doc) {
    for (const char* suffix : {"", "WithNumSegments"}) {
      const bool counted = *suffix != '\0';
      const std::string op = name + suffix;
      auto builder = ops.op(op).input("data: T").input("indices: Tidx").input("segment_ids: int32");
      if (counted) builder.input("num_segments: Tnumsegments");
      builder.output("output: T").attr(str_cat("T: ", type)).attr("Tidx: {int32, int64} = DT_INT32");
      if (counted) builder.attr("Tnumsegments: {int32, int64} = DT_INT32");
      builder.shape(sparse_segment_shape)
          .doc(str_cat(doc, counted ? " `output` has `num_segments` rows."
                                    : " The number of rows of `output` is the last id + 1."));
      if (combine == Combine::kSum) {
        add_combining<SparseSegmentKernel, float, double, Half, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t,
                      uint16_t>(kernels, op, combine);
      } else {
        add_combining<SparseSegmentKernel, float, double>(kernels, op, combine);
      }
    }
  };
  declare("SparseSegmentSum", "realnumbertype", Combine::kSum,
          "Selects the rows of `data` at `indices` and sums the ones with equal ids: row s of `output` is the sum of "
          "the selected rows whose entry in `segment_ids` is s. The ids must be sorted.");
  declare("SparseSegmentMean", "{float, double}", Combine::kMean,
          "Computes the means of the rows that SparseSegmentSum would sum.");
  declare("SparseSegmentSqrtN", "{float, double}", Combine::kSqrtN,
          "Computes the sums of SparseSegmentSum, divided by the square root of the number of summed rows.");

  const auto gradient = [&](const char* op, Combine combine, const char* doc) {
    ops.op(op)
        .input("grad: T")
        .input("indices: Tidx")
        .input("segment_ids: int32")
        .input("output_dim0: int32")
        .output("output: T")
        .attr("T: {float, double}")
        .attr("Tidx: {int32, int64} = DT_INT32")
        .shape(sparse_segment_grad_shape)
        .no_gradient()
        .doc(doc);
    add_combining<SparseSegmentGradKernel, float, double>(kernels, op, combine);
  };
  gradient(
      "SparseSegmentMeanGrad", Combine::kMean,
      "Computes the gradient of SparseSegmentMean with respect to its input `data`, which has `output_dim0` rows.");
  gradient(
      "SparseSegmentSqrtNGrad", Combine::kSqrtN,
      "Computes the gradient of SparseSegmentSqrtN with respect to its input `data`, which has `output_dim0` rows.");
}
