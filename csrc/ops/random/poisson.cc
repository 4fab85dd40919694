#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/random/shared/generator.h"

namespace tinytf::ops {
namespace {

/// Uniform doubles in [0, 1) with 52 random bits, two for each call of the generator; the second one is used first.
class Uniform {
 public:
  explicit Uniform(const kernels::Philox& stream) : stream_(stream) {}

  double next() {
    if (left_ == 0) {
      stream_.next(words_);
      left_ = 2;
    }
    --left_;
    const uint64_t high = words_[2 * left_] & 0xFFFFFu;
    return std::ldexp(static_cast<double>(high << 32 | words_[2 * left_ + 1]), -52);
  }

 private:
  kernels::Philox stream_;
  uint32_t words_[4];
  int left_ = 0;
};

/// log(k!) for integers k >= 0 by Stirling's series; std::lgamma is not thread-safe, as it writes a global.
double log_factorial(double k) {
  double product = 1, x = k + 1;
  for (; x < 10; ++x) product *= x;
  const double inverse = 1 / x, square = inverse * inverse;
  const double series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return (x - 0.5) * std::log(x) - x + 0.91893853320467274178 + series - std::log(product);
}

/// Draws a variate for a finite rate: by Knuth's products of uniforms below 10, else by Hörmann's transformed rejection
/// (PTRS). Values above `highest` are rejected.
double poisson_variate(Uniform uniform, double rate, double highest) {
  if (rate < 10) {
    const double limit = std::exp(-rate);
    double product = 1;
    for (double x = 0;; ++x) {
      product *= uniform.next();
      if (product <= limit && x <= highest) return x;
    }
  }
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double log_rate = std::log(rate);
  for (;;) {
    const double u = uniform.next() - 0.5;
    const double v = uniform.next();
    const double distance = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / distance + b) * u + rate + 0.43);
    if (k > highest) continue;
    if (distance >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return k;
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    if (std::log(v * inverse_alpha / (a / (distance * distance) + b)) <= -rate + k * log_rate - log_factorial(k)) {
      return k;
    }
  }
}

/// The largest value to draw for T; it is exact as a double.
template <class T>
double highest_of() {
  if constexpr (std::is_same_v<T, Half>) {
    return 65504;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return std::nextafter(0x1p63, 0.0);
  } else {
    return std::numeric_limits<T>::max();
  }
}

/// A rate beyond T's range gives the limit: infinity for floats, the largest integer for integers. NaN gives NaN or the
/// lowest integer.
template <class T>
T poisson(const kernels::Philox& stream, double rate) {
  using Real = std::conditional_t<std::is_same_v<T, Half>, float, T>;
  using Limits = std::numeric_limits<Real>;
  if (std::isnan(rate)) return static_cast<T>(std::is_integral_v<T> ? Limits::lowest() : Limits::quiet_NaN());
  const double highest = highest_of<T>();
  if (rate > highest) return static_cast<T>(std::is_integral_v<T> ? Limits::max() : Limits::infinity());
  return static_cast<T>(static_cast<Real>(poisson_variate(Uniform(stream), rate, highest)));
}

template <class T>
class RandomPoissonKernel final : public GeneratorKernel {
 public:
  explicit RandomPoissonKernel(KernelInit& init)
      : GeneratorKernel(init), to_double_(kernels::table().cast.loop(init.input_type(1), DType::kDouble)) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Shape shape, shape_from(ctx.input(0)));
    const Tensor& rate = ctx.input(1);
    const int64_t samples = shape.num_elements(), rates = rate.num_elements();
    for (int64_t size : rate.shape().dims()) shape.add_dim(size);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t n = shape.num_elements();
    if (n == 0) return Status();
    TINYTF_ASSIGN_OR_RETURN(Tensor wide, ctx.allocate(DType::kDouble, rate.shape()));
    to_double_(rate.raw(), wide.raw(), rates);
    const double* means = wide.data<double>();
    T* to = out->data<T>();
    const kernels::Philox generator = generator_.reserve_elements(n);
    ctx.parallel().run(n, 16, 150.0, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        // Streams are numbered in the order of rates, but outputs are in the order of samples.
        const int64_t which = i / samples, sample = i % samples;
        kernels::Philox stream = generator;
        stream.skip(kernels::kPhiloxReserved * static_cast<uint64_t>(i));
        to[sample * rates + which] = poisson<T>(stream, means[which]);
      }
    });
    return Status();
  }

 private:
  const kernels::CastLoop to_double_;
};

Status poisson_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(random_shape(c));
  c.set_output(0, c.output(0).concatenate(c.input(1)));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(random_poisson) {
  ops.op("RandomPoissonV2")
      .input("shape: S")
      .input("rate: R")
      .output("output: dtype")
      .attr("seed: int = 0")
      .attr("seed2: int = 0")
      .attr("S: {int32, int64}")
      .attr("R: {half, float, double, int32, int64} = DT_DOUBLE")
      .attr("dtype: {half, float, double, int32, int64} = DT_INT64")
      .stateful()
      .trait(Trait::kRandom)
      .shape(poisson_shape)
      .no_gradient()
      .doc(
          "Draws samples from the Poisson distributions with means `rate`. `output` has the shape `shape` + "
          "rate.shape. Equal nonzero seeds give equal streams; if `seed` and `seed2` are 0 the stream is "
          "unpredictable.");
  kernels.add_typed<RandomPoissonKernel, Half, float, double, int32_t, int64_t>("RandomPoissonV2", "dtype");
}
