#include <algorithm>
#include <cmath>

#include "base/read_once.h"
#include "base/wrapping.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

Status bincount_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(0, PartialShape::unknown_of_rank(1));
  if (const Tensor* size = c.input_tensor(1)) {
    if (size->int_at(0) < 0) return invalid_argument("size (", size->int_at(0), ") must be non-negative");
    c.set_output(0, PartialShape::vector(size->int_at(0)));
  }
  return Status();
}

constexpr double kLookCost = 0.5, kBinCost = 3;  // nanoseconds per element: to read it, and to find its bin

template <class T>
class BincountKernel final : public Kernel {
 public:
  explicit BincountKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& arr = ctx.input(0);
    const Tensor& weights = ctx.input(2);
    if (ctx.input(1).num_elements() != 1) {
      return invalid_argument("Shape must be rank 0 but is rank ", ctx.input(1).rank());
    }
    const int64_t size = ctx.input(1).int_at(0);
    if (size < 0) return invalid_argument("size (", size, ") must be non-negative");
    const int64_t n = arr.num_elements();
    const bool weighted = weights.num_elements() > 0;
    if (weighted && weights.num_elements() != n) {
      return invalid_argument(
          "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts as ",
          "all weights equal to 1. Received ", weights.shape().to_string());
    }
    const int32_t* values = arr.data<int32_t>();
    bool negative = false;
    ctx.parallel().run_in_order(n, kLookCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; !negative && i < end; ++i) negative = read_once(values + i) < 0;
    });
    if (negative) return invalid_argument("Input arr must be non-negative!");
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, Shape{size}));
    T* bins = output->data<T>();
    std::fill_n(bins, size, T(0));
    const T* const added = weighted ? weights.data<T>() : nullptr;
    ctx.parallel().run_in_order(n, kBinCost,
                                [=](int64_t begin, int64_t end) { count(values, begin, end, added, size, bins); });
    return Status();
  }

 private:
  static void count(const int32_t* values, int64_t begin, int64_t end, const T* weights, int64_t size, T* bins) {
    for (int64_t i = begin; i < end; ++i) {
      const int32_t bin = read_once(values + i);
      if (bin >= 0 && bin < size) bins[bin] = wrapping_add(bins[bin], weights != nullptr ? weights[i] : T(1));
    }
  }
};

/// Finds the index of the bucket between sorted boundaries that contains each value.
template <class T>
class BucketizeKernel final : public Kernel {
 public:
  explicit BucketizeKernel(KernelInit& init) : boundaries_(init.attr<std::vector<float>>("boundaries")) {
    if (!std::is_sorted(boundaries_.begin(), boundaries_.end())) {
      init.fail(invalid_argument("Expected sorted boundaries"));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, input.shape()));
    const double cost = kBinCost * (1 + std::log2(1.0 + static_cast<double>(boundaries_.size())));
    ctx.parallel().run(input.num_elements(), 16, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto bucket = std::upper_bound(boundaries_.begin(), boundaries_.end(), input.data<T>()[i],
                                             [](T value, float boundary) { return value < boundary; });
        output->data<int32_t>()[i] = static_cast<int32_t>(bucket - boundaries_.begin());
      }
    });
    return Status();
  }

 private:
  const std::vector<float> boundaries_;
};

Status histogram_shape(ShapeContext& c) {
  PartialShape range;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &range));
  if (!merge_dims(range.dim(0), 2).ok()) return invalid_argument("Dimension must be 2 but is ", range.dim(0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  c.set_output(0, PartialShape::unknown_of_rank(1));
  if (const Tensor* bins = c.input_tensor(2)) {
    if (bins->int_at(0) <= 0) return invalid_argument("Requires nbins > 0: ", bins->int_at(0));
    c.set_output(0, PartialShape::vector(bins->int_at(0)));
  }
  return Status();
}

template <class T>
class HistogramFixedWidthKernel final : public Kernel {
 public:
  explicit HistogramFixedWidthKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& values = ctx.input(0);
    const Tensor& range = ctx.input(1);
    const Tensor& bins_tensor = ctx.input(2);
    if (range.shape() != Shape{2}) return invalid_argument("value_range should be a vector of 2 elements.");
    if (bins_tensor.rank() != 0) return invalid_argument("nbins should be a scalar.");
    const double low = static_cast<double>(range.data<T>()[0]);
    const double high = static_cast<double>(range.data<T>()[1]);
    if (!(low < high)) {
      return invalid_argument("value_range should satisfy value_range[0] < value_range[1], but got '[",
                              range.data<T>()[0], ", ", range.data<T>()[1], "]'");
    }
    const int64_t bins = bins_tensor.int_at(0);
    if (bins <= 0) return invalid_argument("nbins should be a positive number, but got '", bins, "'");
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, Shape{bins}));
    output->dtype() == DType::kInt64 ? count(values, low, high, bins, output->data<int64_t>(), ctx.parallel())
                                     : count(values, low, high, bins, output->data<int32_t>(), ctx.parallel());
    return Status();
  }

 private:
  template <class Count>
  static void count(const Tensor& values, double low, double high, int64_t bins, Count* counts, Parallel& parallel) {
    std::fill_n(counts, bins, Count(0));
    const double width = (high - low) / static_cast<double>(bins);
    const T* const value = values.data<T>();
    parallel.run_in_order(values.num_elements(), kBinCost, [=](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        const double at = (static_cast<double>(value[i]) - low) / width;
        const double clamped = std::min(std::max(0.0, at), static_cast<double>(bins - 1));
        ++counts[static_cast<int64_t>(clamped)];
      }
    });
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_bincount) {
  ops.op("Bincount")
      .input("arr: int32")
      .input("size: int32")
      .input("weights: T")
      .output("bins: T")
      .attr("T: {int32, int64, float, double}")
      .shape(bincount_shape)
      .no_gradient()
      .doc(
          "Counts how often each value in [0, size) occurs in `arr`, or sums the `weights` of its occurrences. "
          "`weights` has the shape of `arr` or is empty. Values of `size` and above are ignored; negative values are "
          "an error.");
  kernels.add_typed<BincountKernel, float, double, int32_t, int64_t>("Bincount", "T");

  ops.op("Bucketize")
      .input("input: T")
      .output("output: int32")
      .attr("T: {int32, int64, float, double}")
      .attr("boundaries: list(float)")
      .shape(shapes::unchanged)
      .no_gradient()
      .doc(
          "Computes the bucket of each element of `input`: the number of `boundaries` that are less than or equal to "
          "it. `boundaries` must be sorted.");
  kernels.add_typed<BucketizeKernel, float, double, int32_t, int64_t>("Bucketize", "T");

  ops.op("HistogramFixedWidth")
      .input("values: T")
      .input("value_range: T")
      .input("nbins: int32")
      .output("out: dtype")
      .attr("T: {int32, int64, float, double}")
      .attr("dtype: {int32, int64} = DT_INT32")
      .shape(histogram_shape)
      .no_gradient()
      .doc(
          "Counts `values` in `nbins` intervals of equal width between the two elements of `value_range`. Values "
          "outside the range are counted in the first or the last interval.");
  kernels.add_typed<HistogramFixedWidthKernel, float, double, int32_t, int64_t>("HistogramFixedWidth", "T");
}
