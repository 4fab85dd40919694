#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

namespace tinytf::kernels {
namespace TINYTF_FILE {

template <class T>
struct Case {
  int64_t m, n, k;
  MatrixOp op_a, op_b;
  bool accumulate, bias, relu;
  int64_t pad;  // unused elements after each row
};

template <class T>
Wide<T> conjugate_if(bool yes, Wide<T> value) {
  if constexpr (is_complex_v<T>) return yes ? std::conj(value) : value;
  return value;
}

template <class T>
void check(const Case<T>& t, Parallel& parallel) {
  const bool ta = static_cast<int>(t.op_a) & 1, tb = static_cast<int>(t.op_b) & 1;
  const bool ca = static_cast<int>(t.op_a) & 2, cb = static_cast<int>(t.op_b) & 2;
  const int64_t lda = (ta ? t.m : t.k) + t.pad, ldb = (tb ? t.k : t.n) + t.pad, ldc = t.n + t.pad;
  const auto a = random_values<T>((ta ? t.k : t.m) * lda, 1), b = random_values<T>((tb ? t.n : t.k) * ldb, 2);
  const auto before = random_values<T>(t.m * ldc, 3), bias = random_values<T>(t.n, 4);
  auto c = before;

  GemmArgs args;
  args.m = t.m, args.n = t.n, args.k = t.k;
  args.a = a.data(), args.lda = lda, args.b = b.data(), args.ldb = ldb, args.c = c.data(), args.ldc = ldc;
  args.op_a = t.op_a, args.op_b = t.op_b, args.accumulate = t.accumulate, args.relu = t.relu;
  args.bias = t.bias ? bias.data() : nullptr;
  table().gemm.gemm[static_cast<int>(dtype_of<T>)](args, parallel);

  double worst = 0;
  bool untouched = true;
  for (int64_t i = 0; i < t.m; ++i) {
    for (int64_t j = 0; j < ldc; ++j) {
      if (j >= t.n) {
        untouched = untouched && std::memcmp(&c[i * ldc + j], &before[i * ldc + j], sizeof(T)) == 0;
        continue;
      }
      Wide<T> sum = t.accumulate ? wide(before[i * ldc + j]) : Wide<T>();
      for (int64_t p = 0; p < t.k; ++p) {
        sum += conjugate_if<T>(ca, wide(a[ta ? p * lda + i : i * lda + p])) *
               conjugate_if<T>(cb, wide(b[tb ? j * ldb + p : p * ldb + j]));
      }
      if (t.bias) sum += wide(bias[j]);
      if constexpr (!is_complex_v<T>) {
        if (t.relu) sum = std::max(sum, Wide<T>());
      }
      worst = std::max(worst, distance<T>(c[i * ldc + j], sum));
    }
  }
  EXPECT(untouched);
  EXPECT(worst <= tolerance<T>(t.k));
}

template <class T>
void check_all() {
  constexpr bool kComplex = is_complex_v<T>;
  constexpr bool kFloating = !std::is_integral_v<T> && !kComplex;
  const int64_t shapes[][3] = {{1, 1, 1},     {1, 7, 5},    {1, 65, 33},   {9, 1, 40},     {70, 1, 3},    {3, 5, 0},
                               {2, 2, 2},     {5, 17, 9},   {12, 32, 16},  {13, 33, 17},   {31, 31, 31},  {32, 32, 32},
                               {50, 47, 100}, {40, 70, 65}, {129, 10, 45}, {24, 300, 257}, {100, 131, 90}};
  for_each_isa([&] {
    UnevenParallel parallel;
    int turn = 0;
    for (const auto& s : shapes) {
      for (int op = 0; op < 16; ++op) {
        const int op_a = op & 3, op_b = op >> 2;
        if (!kComplex && ((op_a | op_b) & 2) != 0) continue;
        ++turn;
        check<T>({s[0], s[1], s[2], static_cast<MatrixOp>(op_a), static_cast<MatrixOp>(op_b), turn % 3 == 0,
                  turn % 4 == 1, kFloating && turn % 5 == 2, turn % 2 * 3},
                 parallel);
      }
    }
  });
}

TINYTF_TEST(gemm_float) { check_all<float>(); }
TINYTF_TEST(gemm_double) { check_all<double>(); }
TINYTF_TEST(gemm_half) { check_all<Half>(); }
TINYTF_TEST(gemm_bfloat16) { check_all<BFloat16>(); }
TINYTF_TEST(gemm_int32) { check_all<int32_t>(); }
TINYTF_TEST(gemm_int64) { check_all<int64_t>(); }
TINYTF_TEST(gemm_complex64) { check_all<std::complex<float>>(); }
TINYTF_TEST(gemm_complex128) { check_all<std::complex<double>>(); }

TINYTF_TEST(gemm_of_many_blocks) {
  for_each_isa([] {
    UnevenParallel parallel;
    check<float>({61, 530, 900, MatrixOp::kNone, MatrixOp::kNone, false, true, true, 0}, parallel);
    check<float>({61, 530, 900, MatrixOp::kTranspose, MatrixOp::kTranspose, true, false, false, 1}, parallel);
    check<double>({61, 530, 600, MatrixOp::kTranspose, MatrixOp::kNone, true, true, true, 0}, parallel);
    check<Half>({400, 530, 420, MatrixOp::kNone, MatrixOp::kTranspose, false, true, false, 0}, parallel);
    check<std::complex<float>>({200, 210, 220, MatrixOp::kAdjoint, MatrixOp::kNone, false, true, false, 0}, parallel);
  });
}

template <class T>
void check_few(std::initializer_list<int64_t> counts) {
  constexpr bool kFloating = !std::is_integral_v<T> && !is_complex_v<T>;
  UnevenParallel parallel;
  int turn = 0;
  for (const int64_t few : counts) {
    for (const bool columns : {false, true}) {
      for (int op = 0; op < 4; ++op, ++turn) {
        const int64_t many = op % 2 == 0 ? 343 : 261;
        check<T>(
            {columns ? many : few, columns ? few : many, 531, static_cast<MatrixOp>(op & 1),
             static_cast<MatrixOp>(op >> 1), turn % 3 == 0, turn % 4 == 1, kFloating && turn % 5 == 2, turn % 2 * 3},
            parallel);
      }
    }
  }
}

TINYTF_TEST(gemm_of_few_rows_and_columns) {
  for_each_isa([] {
    check_few<float>({2, 3, 4, 5, 7, 8, 9, 15, 16, 17});
    check_few<double>({2, 3, 5, 8, 16});
    check_few<int32_t>({2, 5, 16});
    check_few<Half>({3});
    check_few<std::complex<float>>({3});
  });
}

// The result is bitwise the same for any number of threads and any split of ranges.
template <class T>
void check_threads(int64_t m, int64_t n, int64_t k, MatrixOp op_a, MatrixOp op_b) {
  const auto a = random_values<T>(m * k, 1), b = random_values<T>(k * n, 2);
  std::vector<T> serial(m * n), cut(m * n);
  GemmArgs args;
  args.m = m, args.n = n, args.k = k, args.op_a = op_a, args.op_b = op_b;
  args.a = a.data(), args.lda = static_cast<int>(op_a) & 1 ? m : k;
  args.b = b.data(), args.ldb = static_cast<int>(op_b) & 1 ? k : n;
  args.ldc = n;
  const auto gemm = table().gemm.gemm[static_cast<int>(dtype_of<T>)];
  SerialParallel one;
  args.c = serial.data();
  gemm(args, one);
  for (int threads : {2, 3, 8}) {
    UnevenParallel many(threads);
    args.c = cut.data();
    gemm(args, many);
    EXPECT(std::memcmp(serial.data(), cut.data(), serial.size() * sizeof(T)) == 0);
  }
}

TINYTF_TEST(gemm_does_not_depend_on_threads) {
  for_each_isa([] {
    for (int op = 0; op < 4; ++op) {
      const MatrixOp op_a = static_cast<MatrixOp>(op & 1), op_b = static_cast<MatrixOp>(op >> 1);
      check_threads<float>(257, 263, 401, op_a, op_b);
      check_threads<float>(1, 1031, 203, op_a, op_b);
      check_threads<double>(1031, 1, 203, op_a, op_b);
      check_threads<float>(3, 1031, 203, op_a, op_b);
      check_threads<float>(16, 613, 203, op_a, op_b);
      check_threads<double>(613, 4, 303, op_a, op_b);
      check_threads<Half>(77, 263, 401, op_a, op_b);
      check_threads<std::complex<double>>(77, 95, 201, op_a, op_b);
    }
  });
}

TINYTF_TEST(gemm_batched) {
  for_each_isa([] {
    for (int64_t count : {0, 1, 2, 7}) {
      const int64_t m = 5, n = 19, k = 8;
      const auto a = random_values<float>(3 * m * k, 1), b = random_values<float>(k * n, 2);
      std::vector<float> c(count * m * n, 9.f);
      std::vector<int64_t> a_offsets(count);
      for (int64_t i = 0; i < count; ++i) a_offsets[i] = i % 3 * m * k;
      GemmArgs args;
      args.m = m, args.n = n, args.k = k;
      args.a = a.data(), args.lda = k, args.b = b.data(), args.ldb = n, args.c = c.data(), args.ldc = n;
      GemmBatch batch;
      batch.count = count, batch.a_offsets = a_offsets.data(), batch.c_stride = m * n;
      UnevenParallel parallel(4);
      table().gemm.batched[static_cast<int>(DType::kFloat)](args, batch, parallel);
      double worst = 0;
      for (int64_t i = 0; i < count * m * n; ++i) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p) {
          sum += double{a[a_offsets[i / (m * n)] + i / n % m * k + p]} * b[p * n + i % n];
        }
        worst = std::max(worst, std::fabs(sum - c[i]));
      }
      EXPECT(worst < 1e-5);
    }
  });
}

TINYTF_TEST(gemm_keeps_nan_and_rounds_once) {
  for_each_isa([] {
    const float nan = std::nanf("");
    const float a[2] = {nan, 1.f}, b[2] = {1.f, -2.f};
    float c[4];
    GemmArgs args;
    args.m = 2, args.n = 2, args.k = 1;
    args.a = a, args.lda = 1, args.b = b, args.ldb = 2, args.c = c, args.ldc = 2, args.relu = true;
    SerialParallel serial;
    table().gemm.gemm[static_cast<int>(DType::kFloat)](args, serial);
    EXPECT(std::isnan(c[0]) && std::isnan(c[1]));
    EXPECT(c[2] == 1.f && c[3] == 0.f);
  });
}

/// Runs nothing, only records the estimated time of a block.
struct BlockTime final : Parallel {
  explicit BlockTime(int count) : count(count) {}
  int threads() const override { return count; }
  void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)>) override {
    ns = static_cast<double>(std::min(n, block)) * cost;
  }
  void run_in_order(int64_t, double, FunctionRef<void(int64_t, int64_t)>) override {}
  int count;
  double ns = 0;
};

TINYTF_TEST(large_products_are_cut_into_blocks_that_end_soon) {
  for_each_isa([&] {
    for (DType dtype : {DType::kFloat, DType::kDouble, DType::kComplex64}) {
      for (const auto& s : {std::array<int64_t, 3>{5000, 5000, 5000}, {40, 100000, 5000}, {100000, 300, 8000}}) {
        for (int threads : {1, 16}) {
          GemmArgs args;
          args.m = s[0], args.n = args.ldb = args.ldc = s[1], args.k = args.lda = s[2];
          BlockTime parallel(threads);
          table().gemm.gemm[static_cast<int>(dtype)](args, parallel);
          EXPECT(parallel.ns > 0 && parallel.ns < 40e6);
        }
      }
    }
  });
}

/// Products of m rows with panels packed for `packed_for` rows are bitwise equal to products without panels.
template <class T>
void check_panels(int64_t m, int64_t n, int64_t k, bool transposed_b, int64_t packed_for) {
  const auto a = random_values<T>(m * k, 1), b = random_values<T>(k * n, 2), bias = random_values<T>(n, 3);
  const int type = static_cast<int>(dtype_of<T>);
  UnevenParallel parallel;
  GemmArgs args;
  args.m = packed_for, args.n = n, args.k = args.lda = k, args.ldb = transposed_b ? k : n, args.ldc = n;
  args.op_b = transposed_b ? MatrixOp::kTranspose : MatrixOp::kNone;
  args.a = a.data(), args.b = b.data();
  const int64_t bytes = table().gemm.panel_bytes[type](args);
  const bool has_panels = bytes >= static_cast<int64_t>(n * k * sizeof(T));
  EXPECT(has_panels);
  if (!has_panels) return;
  std::vector<T> panels(bytes / sizeof(T)), plain(m * n), kept(m * n);
  table().gemm.pack[type](args, panels.data(), parallel);
  args.m = m;
  for (const bool joined : {false, true}) {
    args.bias = joined ? bias.data() : nullptr;
    args.relu = joined;
    args.panels = nullptr;
    args.c = plain.data();
    table().gemm.gemm[type](args, parallel);
    args.panels = panels.data();
    args.c = kept.data();
    table().gemm.gemm[type](args, parallel);
    EXPECT(std::memcmp(plain.data(), kept.data(), plain.size() * sizeof(T)) == 0);
  }
}

TINYTF_TEST(gemm_by_panels_that_were_kept) {
  for_each_isa([] {
    for (const bool transposed : {false, true}) {
      check_panels<float>(64, 70, 90, transposed, 64);
      check_panels<float>(33, 530, 700, transposed, 100);
      check_panels<float>(300, 257, 65, transposed, 40);
      check_panels<float>(1, 300, 400, transposed, 64);
      check_panels<float>(7, 300, 400, transposed, 64);
      check_panels<float>(40, 64, 48, transposed, 64);
      check_panels<double>(50, 131, 1300, transposed, 50);
    }
  });
}

TINYTF_TEST(gemm_tells_which_matrices_are_not_packed) {
  const auto bytes = [](int64_t m, int64_t n, int64_t k) {
    GemmArgs args;
    args.m = m, args.n = args.ldb = args.ldc = n, args.k = args.lda = k;
    return table().gemm.panel_bytes[static_cast<int>(DType::kFloat)](args);
  };
  for_each_isa([&] {
    EXPECT(bytes(1, 1000, 1000) == 0);
    EXPECT(bytes(8, 1000, 1000) == 0);
    EXPECT(bytes(64, 1000, 1000) >= 4'000'000);
    EXPECT(bytes(64, 1, 1000) == 0);
    EXPECT(bytes(64, 32, 32) == 0);
    EXPECT(bytes(1000, 1000, 1000) == 0);
    EXPECT(bytes(0, 1000, 1000) == 0 && bytes(64, 0, 1000) == 0 && bytes(64, 1000, 0) == 0);
  });
  EXPECT(table().gemm.pack[static_cast<int>(DType::kHalf)] == nullptr);
}

TINYTF_TEST(where_stripes_are_cut_does_not_change_a_product) {
  const int64_t m = 250, n = 700, k = 9000;
  const auto a = random_values<float>(m * k, 1), b = random_values<float>(k * n, 2);
  for_each_isa([&] {
    std::vector<float> whole(m * n), parts(m * n);
    SerialParallel serial;
    const auto multiply = [&](int64_t j, int64_t columns, float* c) {
      GemmArgs args;
      args.m = m, args.n = columns, args.k = args.lda = k, args.ldb = args.ldc = n;
      args.a = a.data(), args.b = b.data() + j, args.c = c + j;
      table().gemm.gemm[static_cast<int>(DType::kFloat)](args, serial);
    };
    multiply(0, n, whole.data());
    for (int64_t j = 0; j < n; j += 100) multiply(j, 100, parts.data());
    EXPECT(std::memcmp(whole.data(), parts.data(), whole.size() * sizeof(float)) == 0);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::kernels
