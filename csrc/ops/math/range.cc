#include <cmath>
#include <type_traits>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Number of values in the half-open range from `start` to `limit` in steps of `delta`.
template <class T>
Result<int64_t> range_size(T start, T limit, T delta) {
  if (delta == T(0)) return invalid_argument("Requires delta != 0");
  if (delta > T(0) && start > limit) {
    return invalid_argument("Requires start <= limit when delta > 0: ", start, "/", limit);
  }
  if (delta < T(0) && start < limit) {
    return invalid_argument("Requires start >= limit when delta < 0: ", start, "/", limit);
  }
  if constexpr (std::is_integral_v<T>) {
    // Unsigned, because the distance may overflow T.
    const uint64_t distance = start < limit ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
                                            : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
    const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : ~static_cast<uint64_t>(delta) + 1;
    const uint64_t size = distance / step + (distance % step != 0);
    if (size > INT64_MAX) return invalid_argument("Requires ((limit - start) / delta) <= ", INT64_MAX);
    return static_cast<int64_t>(size);
  } else {
    const double size = std::ceil(std::abs((static_cast<double>(limit) - start) / delta));
    if (!(size < 9.2e18)) return invalid_argument("Requires ((limit - start) / delta) <= ", INT64_MAX);
    return static_cast<int64_t>(size);
  }
}

/// The type in which a Range of T is computed: float for bfloat16.
template <class T>
using Computed = std::conditional_t<std::is_same_v<T, BFloat16>, float, T>;

template <class T>
Result<int64_t> range_size(const Tensor& start, const Tensor& limit, const Tensor& delta) {
  using C = Computed<T>;
  return range_size(C(*start.data<T>()), C(*limit.data<T>()), C(*delta.data<T>()));
}

Status range_shape(ShapeContext& c) {
  for (int i = 0; i < 3; ++i) {
    Status scalar = c.with_rank(i, 0);
    if (!scalar.ok()) {
      const char* const names[] = {"start", "limit", "delta"};
      return invalid_argument(scalar.message(), "\n\t for '", names[i], "'");
    }
  }
  const Tensor* start = c.input_tensor(0);
  const Tensor* limit = c.input_tensor(1);
  const Tensor* delta = c.input_tensor(2);
  c.set_output(0, PartialShape::unknown_of_rank(1));
  if (start == nullptr || limit == nullptr || delta == nullptr) return Status();
  const auto known = [&](auto size) -> Status {
    TINYTF_ASSIGN_OR_RETURN(const int64_t n, std::move(size));
    c.set_output(0, PartialShape::vector(n));
    return Status();
  };
  switch (start->dtype()) {
    case DType::kInt32: return known(range_size<int32_t>(*start, *limit, *delta));
    case DType::kInt64: return known(range_size<int64_t>(*start, *limit, *delta));
    case DType::kFloat: return known(range_size<float>(*start, *limit, *delta));
    case DType::kDouble: return known(range_size<double>(*start, *limit, *delta));
    case DType::kBfloat16: return known(range_size<BFloat16>(*start, *limit, *delta));
    default: return Status();
  }
}

constexpr double kCost = 1;  // nanoseconds

template <class T>
class RangeKernel final : public Kernel {
 public:
  explicit RangeKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const char* const names[] = {"start", "limit", "delta"};
    for (int i = 0; i < 3; ++i) {
      if (ctx.input(i).rank() != 0) {
        return invalid_argument(names[i], " must be a scalar, not shape ", ctx.input(i).shape().to_string());
      }
    }
    using C = Computed<T>;
    C value(*ctx.input(0).data<T>());
    const C delta(*ctx.input(2).data<T>());
    // The message of the shape function lacks the value.
    if (delta == C(0)) return invalid_argument("Requires delta != 0: ", delta);
    TINYTF_ASSIGN_OR_RETURN(const int64_t n, range_size<T>(ctx.input(0), ctx.input(1), ctx.input(2)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, Shape{n}));
    T* out = output->data<T>();
    ctx.parallel().run_in_order(n, kCost, [&](int64_t i, int64_t end) {
      C next = value;
      for (; i < end; ++i) {
        out[i] = T(next);
        // Repeated addition rounds as in TensorFlow, but in bfloat16 the sum would stop advancing.
        if (i + 1 < n) next += delta;
      }
      value = next;
    });
    return Status();
  }
};

Status lin_space_shape(ShapeContext& c) {
  for (int i = 0; i < 3; ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  c.set_output(0, PartialShape::unknown_of_rank(1));
  if (const Tensor* num = c.input_tensor(2)) {
    if (num->int_at(0) <= 0) return invalid_argument("Requires num > 0: ", num->int_at(0));
    c.set_output(0, PartialShape::vector(num->int_at(0)));
  }
  return Status();
}

template <class T>
class LinSpaceKernel final : public Kernel {
 public:
  explicit LinSpaceKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const char* const names[] = {"start", "stop", "num"};
    for (int i = 0; i < 3; ++i) {
      if (ctx.input(i).rank() != 0) {
        return invalid_argument(names[i], " must be a scalar, not shape ", ctx.input(i).shape().to_string());
      }
    }
    const T start = *ctx.input(0).data<T>();
    const T stop = *ctx.input(1).data<T>();
    const int64_t n = ctx.input(2).int_at(0);
    if (n <= 0) return invalid_argument("Requires num > 0: ", n);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, Shape{n}));
    T* out = output->data<T>();
    const T step = n > 1 ? (stop - start) / static_cast<T>(n - 1) : T(0);
    out[0] = start;  // 0 * step would be NaN if a bound is not finite
    ctx.parallel().run(n - 2, 64, kCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin + 1; i <= end; ++i) out[i] = start + step * static_cast<T>(i);
    });
    if (n > 1) out[n - 1] = stop;
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_range) {
  ops.op("Range")
      .input("start: Tidx")
      .input("limit: Tidx")
      .input("delta: Tidx")
      .output("output: Tidx")
      .attr("Tidx: {bfloat16, float, double, int32, int64} = DT_INT32")
      .shape(range_shape)
      .not_differentiable()
      .doc(
          "Returns the vector start, start + delta, … up to but not including `limit`. `delta` may be negative but not "
          "0.");
  kernels.add_typed<RangeKernel, float, double, int32_t, int64_t, BFloat16>("Range", "Tidx");

  ops.op("LinSpace")
      .input("start: T")
      .input("stop: T")
      .input("num: Tidx")
      .output("output: T")
      .attr("T: {bfloat16, float, double}")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .shape(lin_space_shape)
      .not_differentiable()
      .endpoint("linspace")
      .endpoint("lin_space")
      .doc("Returns a vector of `num` evenly spaced values from `start` to `stop`, both included.");
  kernels.add_typed<LinSpaceKernel, float, double>("LinSpace", "T");
}
