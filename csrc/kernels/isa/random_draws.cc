#include "kernels/isa/random_draws.h"

#include <cmath>

#include "kernels/isa/random_normal.h"
#include "kernels/isa/random_philox.h"
#include "kernels/isa/scratch.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// A stream of uniform doubles, two words each, that starts at any position.
class UniformStream {
 public:
  UniformStream(const Philox& generator, uint64_t position) : generator_(generator), odd_(position % 2 != 0) {
    generator_.skip(position / 2);
    if (odd_) generator_.next(words_);
  }

  double next() {
    if (odd_) {
      odd_ = false;
      return uniform_double(words_[2], words_[3]);
    }
    odd_ = true;
    generator_.next(words_);
    return uniform_double(words_[0], words_[1]);
  }

 private:
  Philox generator_;
  bool odd_;
  uint32_t words_[4];
};

template <class T>
void multinomial(const Philox& generator, const void* logits, int64_t batch, int64_t classes, int64_t samples,
                 DType out_type, void* out, Parallel& parallel) {
  constexpr double kClassCost = 12.0, kSampleCost = 30.0;  // Nanoseconds.
  const auto body = [&](int64_t begin, int64_t end) {
    const Scratch scratch(sizeof(double) * static_cast<size_t>(classes));
    double* cdf = scratch.as<double>();
    UniformStream stream(generator, static_cast<uint64_t>(begin * samples));
    for (int64_t row = begin; row < end; ++row) {
      const T* in = static_cast<const T*>(logits) + row * classes;
      double greatest = -HUGE_VAL;
      parallel.run_in_order(classes, 1.0, [&](int64_t j, int64_t last) {
        for (; j < last; ++j) {
          const double value = static_cast<double>(static_cast<Real<T>>(in[j]));
          if (std::isfinite(value) && value > greatest) greatest = value;
        }
      });
      double total = 0;
      parallel.run_in_order(classes, kClassCost, [&](int64_t j, int64_t last) {
        for (; j < last; ++j) {
          const double value = static_cast<double>(static_cast<Real<T>>(in[j]));
          if (std::isfinite(value)) total += std::exp(value - greatest);
          cdf[j] = total;
        }
      });
      parallel.run_in_order(samples, kSampleCost, [&](int64_t k, int64_t last) {
        for (; k < last; ++k) {
          const double wanted = stream.next() * total;
          int64_t first = 0;  // The first class whose cumulative weight exceeds `wanted`.
          for (int64_t count = classes; count > 0;) {
            const int64_t half = count / 2;
            const bool right = !(wanted < cdf[first + half]);
            first = right ? first + half + 1 : first;
            count = right ? count - half - 1 : half;
          }
          if (out_type == DType::kInt32) {
            static_cast<int32_t*>(out)[row * samples + k] = static_cast<int32_t>(first);
          } else {
            static_cast<int64_t*>(out)[row * samples + k] = first;
          }
        }
      });
    }
  };
  parallel.run(batch, 1, kClassCost * static_cast<double>(classes) + kSampleCost * static_cast<double>(samples), body);
}

/// Returns the doubles of pairs one by one, the second of a pair first.
template <class Pair>
class Backwards {
 public:
  double next(Philox& generator) {
    if (left_ == 0) {
      uint32_t words[4];
      generator.next(words);
      Pair::make(words, values_);
      left_ = 2;
    }
    return values_[--left_];
  }

 private:
  double values_[2];
  int left_ = 0;
};

struct UniformPair {
  static void make(const uint32_t* words, double* out) {
    out[0] = uniform_double(words[0], words[1]);
    out[1] = uniform_double(words[2], words[3]);
  }
};

struct NormalPair {
  static void make(const uint32_t* words, double* out) {
    box_muller(words[0], words[1], words[2], words[3], out, out + 1);
  }
};

/// Marsaglia and Tsang's squeeze; for alpha < 1, the variate of alpha + 1 times a power of a uniform number.
double gamma_variate(Philox generator, double alpha) {
  Backwards<UniformPair> uniform;
  if (alpha == 1.0) return -std::log1p(-uniform.next(generator));
  Backwards<NormalPair> normal;
  const bool below_one = alpha < 1.0;
  const double d = alpha + (below_one ? 2.0 / 3 : -1.0 / 3);
  const double c = 1.0 / 3 / std::sqrt(d);
  for (;;) {
    const double x = normal.next(generator);
    double v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    const double u = uniform.next(generator);
    if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v))) {
      const double result = d * v;
      return below_one ? result * std::pow(uniform.next(generator), 1 / alpha) : result;
    }
  }
}

template <class T>
void gamma(const Philox& generator, const void* alpha, int64_t alphas, int64_t samples, void* out, Parallel& parallel) {
  parallel.run(alphas * samples, 16, 120.0, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      // Streams are numbered alpha by alpha, although the outputs are stored sample by sample.
      const int64_t which = i / samples;
      const int64_t sample = i % samples;
      Philox stream = generator;
      stream.skip(kPhiloxReserved * static_cast<uint64_t>(i));
      const double value =
          gamma_variate(stream, static_cast<double>(static_cast<Real<T>>(static_cast<const T*>(alpha)[which])));
      static_cast<T*>(out)[sample * alphas + which] = static_cast<T>(static_cast<Real<T>>(value));
    }
  });
}

template <class T>
void fill_type(RandomTable& table) {
  constexpr int dtype = static_cast<int>(dtype_of<T>);
  table.multinomial[dtype] = multinomial<T>;
  table.gamma[dtype] = gamma<T>;
}

}  // namespace

void fill_draws(RandomTable& table) {
  fill_type<Half>(table);
  fill_type<BFloat16>(table);
  fill_type<float>(table);
  fill_type<double>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
