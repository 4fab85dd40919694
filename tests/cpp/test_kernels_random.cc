#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

namespace TINYTF_FILE {

using namespace tinytf;
using kernels::Philox;

template <class T>
std::vector<T> draw(kernels::RandomFill fill, const Philox& generator, int64_t n, Parallel& parallel) {
  std::vector<T> out(static_cast<size_t>(n) + 1);
  const T guard(7);
  out.back() = guard;
  fill(generator, out.data(), n, parallel);
  EXPECT(std::memcmp(&out.back(), &guard, sizeof guard) == 0);  // nothing is written beyond the end
  out.pop_back();
  return out;
}

int dtype(DType type) { return static_cast<int>(type); }

/// The generator of a stateful op in a graph without a seed: the default graph seed and the op's seed.
Philox op_seed(int64_t seed) { return Philox::from_seeds(87654321, seed); }

float ulps(float a, float b) { return std::abs(a - b) / (std::nextafter(std::abs(b), HUGE_VALF) - std::abs(b)); }

void expect_values(const std::vector<float>& got, std::initializer_list<float> want, float tolerance) {
  size_t i = 0;
  for (const float value : want) EXPECT(ulps(got[i++], value) <= tolerance);
}

TINYTF_TEST(random_uniform_known_answers) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    const auto& random = kernels::table().random;
    expect_values(draw<float>(random.uniform[dtype(DType::kFloat)], op_seed(1), 8, serial),
                  {0.2390374f, 0.92039955f, 0.05051243f, 0.49574447f, 0.8355223f, 0.02647042f, 0.08811307f, 0.4566604f},
                  1);
    Philox second_run = op_seed(1);
    second_run.skip(kernels::kPhiloxReserved);
    expect_values(draw<float>(random.uniform[dtype(DType::kFloat)], second_run, 1, serial), {0.22267115f}, 1);
    expect_values(draw<float>(random.uniform[dtype(DType::kFloat)], Philox::from_seeds(1234, 3), 4, serial),
                  {0.96046877f, 0.58115160f, 0.64159f, 0.96217656f}, 1);
    expect_values(draw<float>(random.uniform[dtype(DType::kFloat)], Philox::stateless(1, 2), 4, serial),
                  {0.84406042f, 0.19204533f, 0.99622321f, 0.16038740f}, 1);
    const auto doubles = draw<double>(random.uniform[dtype(DType::kDouble)], op_seed(1), 2, serial);
    EXPECT_EQ(doubles[0], 0.9122999234504989);
    EXPECT_EQ(doubles[1], 0.4040997484619626);
  });
}

TINYTF_TEST(random_normal_known_answers) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    const auto& random = kernels::table().random;
    expect_values(draw<float>(random.normal[dtype(DType::kFloat)], op_seed(1), 6, serial),
                  {-0.81131822f, 1.48459876f, 0.06532937f, -2.4427042f, 0.0992484f, 0.59122431f}, 2);
    expect_values(draw<float>(random.truncated_normal[dtype(DType::kFloat)], op_seed(2), 4, serial),
                  {-0.85811085f, -0.19662298f, 0.13895047f, -1.22127676f}, 2);
  });
}

TINYTF_TEST(random_uniform_int_known_answers) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    const int32_t want[] = {27, 59, 93, 22, 77, 94, 86, 33};
    int32_t got[8];
    kernels::table().random.uniform_int[dtype(DType::kInt32)](op_seed(1), 0, 100, got, 8, serial);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(got[i], want[i]);
    // The largest ranges of both types.
    kernels::table().random.uniform_int[dtype(DType::kInt32)](op_seed(1), INT32_MIN, INT32_MAX, got, 8, serial);
    int64_t wide[8];
    kernels::table().random.uniform_int[dtype(DType::kInt64)](op_seed(1), INT64_MIN, INT64_MAX, wide, 8, serial);
    Philox words = op_seed(1);
    for (int i = 0; i < 8; i += 4) {
      uint32_t w[4];
      words.next(w);
      for (int k = 0; k < 4; ++k) EXPECT_EQ(static_cast<uint32_t>(got[i + k]), 0x80000000u + w[k] % 0xFFFFFFFFu);
      for (int k = 0; k < 2; ++k) {
        const uint64_t word = static_cast<uint64_t>(w[2 * k + 1]) << 32 | w[2 * k];
        EXPECT_EQ(static_cast<uint64_t>(wide[i / 2 + k]), (uint64_t{1} << 63) + word % UINT64_MAX);
      }
    }
  });
}

TINYTF_TEST(random_shuffle_known_answer) {
  kernels::UnevenParallel uneven;
  const int64_t want[] = {7, 9, 3, 6, 5, 1, 8, 4, 0, 2};
  int64_t got[10];
  kernels::shuffle_index(op_seed(1), 10, got, uneven);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(got[i], want[i]);
  kernels::shuffle_index(op_seed(1), 1, got, uneven);
  EXPECT_EQ(got[0], 0);
  kernels::shuffle_index(op_seed(1), 0, got, uneven);
}

TINYTF_TEST(random_philox_skip_carries) {
  for (const uint64_t distance : {uint64_t{3}, uint64_t{1} << 32, UINT64_MAX}) {
    Philox stepwise;
    stepwise.counter[0] = 0xFFFFFFFEu;
    stepwise.counter[1] = stepwise.counter[2] = 0xFFFFFFFFu;
    Philox skipped = stepwise;
    skipped.skip(distance);
    const unsigned __int128 start = (static_cast<unsigned __int128>(0xFFFFFFFFu) << 64) | 0xFFFFFFFFFFFFFFFEu;
    const unsigned __int128 end = start + distance;
    for (int i = 0; i < 4; ++i) EXPECT_EQ(skipped.counter[i], static_cast<uint32_t>(end >> (32 * i)));
  }
  // A fill across the carry of the counter reads the same words as single calls.
  kernels::for_each_isa([] {
    SerialParallel serial;
    Philox generator = op_seed(5);
    generator.counter[0] = 0xFFFFFFF0u;
    generator.counter[1] = 0xFFFFFFFFu;
    const auto got = draw<float>(kernels::table().random.uniform[dtype(DType::kFloat)], generator, 400, serial);
    for (int i = 0; i < 400; i += 4) {
      uint32_t words[4];
      generator.next(words);
      for (int k = 0; k < 4; ++k) EXPECT_EQ(got[i + k], static_cast<float>(words[k] & 0x7FFFFFu) / 8388608.0f);
    }
  });
}

/// Checks values, moments and independence of the split, for one type and distribution.
template <class T>
void check_stream(kernels::RandomFill fill, double mean, double deviation, double tolerance) {
  SerialParallel serial;
  kernels::UnevenParallel uneven;
  for (const int64_t n : {0, 1, 3, 4, 5, 1023, 1024, 1027, 50000}) {
    const auto one = draw<T>(fill, op_seed(11), n, serial);
    const auto cut = draw<T>(fill, op_seed(11), n, uneven);
    EXPECT(std::memcmp(one.data(), cut.data(), one.size() * sizeof(T)) == 0);
    if (n < 50000) continue;
    double sum = 0, squares = 0;
    for (const T value : one) {
      const double x = static_cast<double>(static_cast<std::conditional_t<sizeof(T) == 8, double, float>>(value));
      sum += x;
      squares += x * x;
    }
    const double average = sum / static_cast<double>(n);
    EXPECT_NEAR(average, mean, tolerance);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(n) - average * average), deviation, tolerance);
  }
}

template <class T>
void check_streams() {
  const auto& random = kernels::table().random;
  const int type = dtype(dtype_of<T>);
  check_stream<T>(random.uniform[type], 0.5, 0.288675, 0.01);
  check_stream<T>(random.normal[type], 0.0, 1.0, 0.02);
  check_stream<T>(random.truncated_normal[type], 0.0, 0.8796, 0.02);
}

TINYTF_TEST(random_streams_do_not_depend_on_ranges) {
  kernels::for_each_isa([] {
    check_streams<float>();
    check_streams<double>();
    check_streams<Half>();
    check_streams<BFloat16>();
  });
}

#if defined(__GLIBC__)
TINYTF_TEST(random_normal_has_the_bits_of_the_c_library) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    const int64_t n = (1 << 20) + 2;
    const auto got = draw<float>(kernels::table().random.normal[dtype(DType::kFloat)], op_seed(3), n, serial);
    Philox generator = op_seed(3);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i += 4) {
      uint32_t words[4];
      generator.next(words);
      for (int k = 0; k < 4 && i + k < n; k += 2) {
        const float u = std::max(static_cast<float>(words[k] & 0x7FFFFFu) / 8388608.0f, 1e-7f);
        const float v = static_cast<float>(2.0 * M_PI * (static_cast<float>(words[k + 1] & 0x7FFFFFu) / 8388608.0f));
        const float radius = std::sqrt(-2.0f * std::log(u));
        wrong += got[i + k] != std::sin(v) * radius;
        wrong += got[i + k + 1] != std::cos(v) * radius;
      }
    }
    EXPECT_EQ(wrong, 0);
  });
}
#endif

/// The definition word by word: one sequence per group, pairs in order, values kept below two deviations.
TINYTF_TEST(random_truncated_normal_follows_the_rule) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    const int64_t n = 4000;
    const auto& random = kernels::table().random;
    const auto floats = draw<float>(random.truncated_normal[dtype(DType::kFloat)], op_seed(9), n, serial);
    const auto doubles = draw<double>(random.truncated_normal[dtype(DType::kDouble)], op_seed(9), n, serial);
    for (int64_t group = 0; group < n / 4; ++group) {
      Philox generator = op_seed(9);
      generator.skip(static_cast<uint64_t>(group) * 256);
      for (int kept = 0; kept < 4;) {
        float z[4];
        random.normal[dtype(DType::kFloat)](generator, z, 4, serial);
        generator.skip(1);
        for (int k = 0; k < 4 && kept < 4; ++k) {
          if (std::abs(z[k]) < 2) EXPECT_EQ(floats[group * 4 + kept++], z[k]);
        }
      }
    }
    for (int64_t group = 0; group < n / 2; ++group) {
      Philox generator = op_seed(9);
      generator.skip(static_cast<uint64_t>(group) * 128);
      for (int kept = 0; kept < 2;) {
        double z[2];
        random.normal[dtype(DType::kDouble)](generator, z, 2, serial);
        generator.skip(1);
        for (int k = 0; k < 2 && kept < 2; ++k) {
          if (std::abs(z[k]) < 2) EXPECT_EQ(doubles[group * 2 + kept++], z[k]);
        }
      }
    }
  });
}

TINYTF_TEST(random_multinomial_weights_and_ranges) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    kernels::UnevenParallel uneven;
    const int64_t batch = 5, classes = 4, samples = 7001;
    std::vector<float> logits(batch * classes);
    for (int64_t i = 0; i < batch; ++i) {
      logits[i * classes] = std::log(0.1f) + static_cast<float>(i);
      logits[i * classes + 1] = -HUGE_VALF;
      logits[i * classes + 2] = std::log(0.6f) + static_cast<float>(i);
      logits[i * classes + 3] = std::log(0.3f) + static_cast<float>(i);
    }
    const auto draw_classes = kernels::table().random.multinomial[dtype(DType::kFloat)];
    std::vector<int64_t> one(batch * samples);
    std::vector<int32_t> cut(batch * samples);
    draw_classes(op_seed(4), logits.data(), batch, classes, samples, DType::kInt64, one.data(), serial);
    draw_classes(op_seed(4), logits.data(), batch, classes, samples, DType::kInt32, cut.data(), uneven);
    double share[4] = {};
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i], static_cast<int64_t>(cut[i]));
      EXPECT(one[i] >= 0 && one[i] < classes);
      share[one[i]] += 1.0 / static_cast<double>(one.size());
    }
    EXPECT_EQ(share[1], 0.0);
    EXPECT_NEAR(share[0], 0.1, 0.01);
    EXPECT_NEAR(share[2], 0.6, 0.01);
  });
}

TINYTF_TEST(random_gamma_moments) {
  kernels::for_each_isa([] {
    SerialParallel serial;
    kernels::UnevenParallel uneven;
    const double alpha[] = {0.4, 1.0, 7.5};
    const int64_t samples = 20000;
    std::vector<double> out(3 * samples), cut(3 * samples);
    const auto draw_gamma = kernels::table().random.gamma[dtype(DType::kDouble)];
    draw_gamma(op_seed(8), alpha, 3, samples, out.data(), serial);
    draw_gamma(op_seed(8), alpha, 3, samples, cut.data(), uneven);
    EXPECT(out == cut);
    for (int k = 0; k < 3; ++k) {
      double sum = 0, squares = 0;
      for (int64_t i = 0; i < samples; ++i) {
        sum += out[i * 3 + k];
        squares += out[i * 3 + k] * out[i * 3 + k];
      }
      const double mean = sum / samples;
      EXPECT_NEAR(mean, alpha[k], 0.05 * alpha[k]);
      EXPECT_NEAR(squares / samples - mean * mean, alpha[k], 0.08 * alpha[k]);
    }
  });
}

}  // namespace TINYTF_FILE
