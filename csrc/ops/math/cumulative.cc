#include <algorithm>

#include "op/registration.h"
#include "ops/math/shared/arithmetic_type.h"

namespace tinytf::ops {
namespace {

/// A running sum or product along the middle axis of [outer, n, inner].
struct Scan {
  int64_t outer, n, inner;
  bool exclusive, reverse;
};

template <class T>
struct SumOf {
  static T identity() { return T(0); }
  static T apply(T a, T b) { return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b)); }
};

template <class T>
struct ProductOf {
  static T identity() { return T(1); }
  static T apply(T a, T b) { return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b)); }
};

/// Scans columns [begin, end) of one outer index; `x` and `out` point to its first element.
template <class T, class Op>
void scan_columns(const Scan& scan, const T* x, T* out, int64_t begin, int64_t end, Parallel& parallel) {
  const int64_t step = scan.reverse ? -scan.inner : scan.inner;
  const int64_t start = scan.reverse ? (scan.n - 1) * scan.inner : 0;
  if (scan.exclusive) {
    for (int64_t j = begin; j < end; ++j) out[start + j] = Op::identity();
  } else {
    for (int64_t j = begin; j < end; ++j) out[start + j] = Op::apply(Op::identity(), x[start + j]);
  }
  parallel.run_in_order(scan.n - 1, static_cast<double>(end - begin), [=](int64_t first, int64_t last) {
    int64_t at = start + first * step;
    for (int64_t i = first; i < last; ++i) {
      const int64_t previous = at;
      at += step;
      const T* next = x + (scan.exclusive ? previous : at);
      for (int64_t j = begin; j < end; ++j) out[at + j] = Op::apply(out[previous + j], next[j]);
    }
  });
}

template <class T, class Op>
class ScanKernel final : public Kernel {
 public:
  explicit ScanKernel(KernelInit& init)
      : exclusive_(init.attr<bool>("exclusive")), reverse_(init.attr<bool>("reverse")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& axis_tensor = ctx.input(1);
    if (axis_tensor.rank() != 0) {
      return invalid_argument("ScanOp: axis must be a scalar, not ", axis_tensor.shape().to_string());
    }
    const int64_t given = axis_tensor.int_at(0);
    const int64_t axis = given < 0 ? given + x.rank() : given;
    if (axis < 0 || axis >= x.rank()) {
      return invalid_argument("ScanOp: Expected scan axis in the range [", -x.rank(), ", ", x.rank(), "), but got ",
                              axis);
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, x.shape()));
    if (x.num_elements() == 0) return Status();
    const int at = static_cast<int>(axis);
    const Scan scan{x.shape().product(0, at), x.dim(at), x.shape().product(at + 1, x.rank()), exclusive_, reverse_};
    constexpr int64_t kColumns = 256;
    const int64_t blocks = (scan.inner + kColumns - 1) / kColumns;
    const double cost = static_cast<double>(scan.n) * static_cast<double>(std::min(scan.inner, kColumns));
    Parallel& parallel = ctx.parallel();
    parallel.run(scan.outer * blocks, 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i % blocks * kColumns;
        const int64_t offset = i / blocks * scan.n * scan.inner;
        scan_columns<T, Op>(scan, x.data<T>() + offset, out->data<T>() + offset, first,
                            std::min(first + kColumns, scan.inner), parallel);
      }
    });
    return Status();
  }

 private:
  const bool exclusive_;
  const bool reverse_;
};

template <class T>
using CumsumKernel = ScanKernel<T, SumOf<T>>;
template <class T>
using CumprodKernel = ScanKernel<T, ProductOf<T>>;

template <template <class> class K>
void add_scan(KernelRegistry& kernels, const char* op) {
  kernels.add_typed<K, float, double, Half, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                    std::complex<float>, std::complex<double>>(op, "T");
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_cumulative) {
  const auto declare = [&ops](const char* name, const char* doc) {
    ops.op(name)
        .input("x: T")
        .input("axis: Tidx")
        .output("out: T")
        .attr("exclusive: bool = false")
        .attr("reverse: bool = false")
        .attr("T: numbertype")
        .attr("Tidx: {int32, int64} = DT_INT32")
        .shape(shapes::unchanged)
        .doc(doc);
  };
  declare("Cumsum",
          "Computes the running sums of `x` along `axis`. `exclusive` excludes each element from its own sum; "
          "`reverse` sums from the end.");
  add_scan<CumsumKernel>(kernels, "Cumsum");
  declare("Cumprod",
          "Computes the running products of `x` along `axis`. `exclusive` excludes each element from its own product; "
          "`reverse` multiplies from the end.");
  add_scan<CumprodKernel>(kernels, "Cumprod");
}
