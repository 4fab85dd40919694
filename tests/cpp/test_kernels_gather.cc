#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/table.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

namespace TINYTF_FILE {

using namespace tinytf;
using kernels::GatherTable;
using kernels::Indices;
using kernels::kAllInRange;

template <class Body>
void at_each_level(const Body& body) {
  kernels::for_each_isa([&] { body(kernels::table().gather); });
}

Indices of(const std::vector<int32_t>& values) {
  return {values.data(), DType::kInt32, static_cast<int64_t>(values.size())};
}
Indices of(const std::vector<int64_t>& values) {
  return {values.data(), DType::kInt64, static_cast<int64_t>(values.size())};
}

uint32_t next_random() {
  static uint32_t state = 99;
  return (state = state * 1664525u + 1013904223u) >> 8;
}

template <class T>
double plain(T value) {
  return static_cast<double>(
      static_cast<std::conditional_t<sizeof(T) == 2 && !std::is_integral_v<T>, float, T>>(value));
}

/// Small integers, exact in every type and for every order of summation.
template <class T>
std::vector<T> small_numbers(int64_t n) {
  std::vector<T> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<T>(static_cast<float>(next_random() % 5 + 1)));
  return values;
}

TINYTF_TEST(gather_rows_batches_and_bad_indices) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    for (const int64_t inner : {1, 2, 4, 8, 12, 16, 32, 64, 100}) {
      const int64_t batch = 2, outer = 3, limit = 7, count = 21;
      std::vector<char> params(static_cast<size_t>(batch * outer * limit * inner));
      for (char& byte : params) byte = static_cast<char>(next_random());
      std::vector<int64_t> index(static_cast<size_t>(batch * count));
      for (int64_t& i : index) i = next_random() % limit;
      const std::vector<int32_t> narrow(index.begin(), index.end());
      std::vector<char> got(static_cast<size_t>(batch * outer * count * inner)), want, again(got.size());
      for (int64_t b = 0; b < batch; ++b) {
        for (int64_t o = 0; o < outer; ++o) {
          for (int64_t i = 0; i < count; ++i) {
            const auto from =
                params.begin() + ((b * outer + o) * limit + index[static_cast<size_t>(b * count + i)]) * inner;
            want.insert(want.end(), from, from + inner);
          }
        }
      }
      EXPECT_EQ(table.gather(params.data(), batch, outer, limit, inner, of(index), got.data(), uneven), kAllInRange);
      EXPECT_EQ(table.gather(params.data(), batch, outer, limit, inner, of(narrow), again.data(), uneven), kAllInRange);
      EXPECT(got == want && again == want);
      index[30] = limit;
      index[35] = -1;
      EXPECT_EQ(table.gather(params.data(), batch, outer, limit, inner, of(index), got.data(), uneven), int64_t{30});
    }
    EXPECT_EQ(table.gather(nullptr, 1, 1, 0, 4, of(std::vector<int32_t>{}), nullptr, uneven), kAllInRange);
    EXPECT_EQ(table.check(of(std::vector<int32_t>{0}), 0, uneven), int64_t{0});
  });
}

TINYTF_TEST(gather_flatten_nd) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    const int64_t dims[] = {3, 4, 5};
    std::vector<int32_t> at;
    std::vector<int64_t> want, rows(1000);
    for (int i = 0; i < 1000; ++i) {
      const int32_t a = static_cast<int32_t>(next_random() % 3), b = static_cast<int32_t>(next_random() % 4),
                    c = static_cast<int32_t>(next_random() % 5);
      at.insert(at.end(), {a, b, c});
      want.push_back((a * 4 + b) * 5 + c);
    }
    Indices coordinates = of(at);
    coordinates.count = 1000;
    EXPECT_EQ(table.flatten_nd(coordinates, 3, dims, rows.data(), uneven), kAllInRange);
    EXPECT(rows == want);
    at[3 * 900 + 1] = 4;
    at[3 * 300] = -1;
    EXPECT_EQ(table.flatten_nd(coordinates, 3, dims, rows.data(), uneven), int64_t{300});
  });
}

template <class T>
void check_scatter(const GatherTable& table) {
  kernels::UnevenParallel uneven;
  for (const int64_t inner : {1, 3, 40, 1100}) {
    const int64_t limit = 6;
    const std::vector<int64_t> index = {5, 0, 5, 2, 0, 0};
    const auto before = small_numbers<T>(limit * inner);
    const auto updates = small_numbers<T>(static_cast<int64_t>(index.size()) * inner);
    for (int op = 0; op < kernels::kScatterCount; ++op) {
      for (const bool scalar : {false, true}) {
        auto got = before;
        const auto fn = table.scatter[op][static_cast<int>(dtype_of<T>)];
        EXPECT_EQ(fn(got.data(), limit, inner, of(index), updates.data(), scalar, uneven), kAllInRange);
        std::vector<double> want;
        for (const T value : before) want.push_back(plain(value));
        for (size_t i = 0; i < index.size(); ++i) {
          for (int64_t k = 0; k < inner; ++k) {
            double& at = want[static_cast<size_t>(index[i] * inner + k)];
            const double by = plain(updates[scalar ? 0 : i * static_cast<size_t>(inner) + static_cast<size_t>(k)]);
            switch (static_cast<kernels::Scatter>(op)) {
              case kernels::Scatter::kAdd: at += by; break;
              case kernels::Scatter::kSub: at -= by; break;
              case kernels::Scatter::kMul: at *= by; break;
              case kernels::Scatter::kDiv: at = std::is_integral_v<T> ? std::trunc(at / by) : at / by; break;
              case kernels::Scatter::kMin: at = std::min(at, by); break;
              case kernels::Scatter::kMax: at = std::max(at, by); break;
            }
          }
        }
        bool good = true;
        for (size_t i = 0; i < want.size(); ++i) {
          double expected = want[i];
          if constexpr (std::is_integral_v<T>)
            expected = static_cast<double>(static_cast<T>(static_cast<int64_t>(expected)));
          const double tolerance = std::is_integral_v<T> ? 0 : sizeof(T) == 2 ? 0.03 : 1e-6;
          good &= std::abs(plain(got[i]) - expected) <= tolerance * (1 + std::abs(expected));
        }
        EXPECT(good);
        auto untouched = before;
        EXPECT_EQ(fn(untouched.data(), 5, inner, of(index), updates.data(), scalar, uneven), int64_t{0});
        EXPECT(std::memcmp(untouched.data(), before.data(), before.size() * sizeof(T)) == 0);
      }
    }
  }
}

TINYTF_TEST(gather_scatter_arithmetic) {
  at_each_level([](const GatherTable& table) {
    check_scatter<float>(table);
    check_scatter<double>(table);
    check_scatter<Half>(table);
    check_scatter<BFloat16>(table);
    check_scatter<int32_t>(table);
    check_scatter<int64_t>(table);
    check_scatter<int8_t>(table);
    check_scatter<uint16_t>(table);
    SerialParallel serial;
    int32_t value = std::numeric_limits<int32_t>::min();
    const std::vector<int32_t> row = {0};
    const int32_t minus_one = -1, zero = 0;
    const auto divide = table.scatter[static_cast<int>(kernels::Scatter::kDiv)][static_cast<int>(DType::kInt32)];
    divide(&value, 1, 1, of(row), &minus_one, false, serial);
    EXPECT_EQ(value, std::numeric_limits<int32_t>::min());
    divide(&value, 1, 1, of(row), &zero, false, serial);
    EXPECT_EQ(value, 0);
    std::complex<float> z(1, 2);
    const std::complex<float> by(3, 4);
    table.scatter[static_cast<int>(kernels::Scatter::kMul)][static_cast<int>(DType::kComplex64)](&z, 1, 1, of(row), &by,
                                                                                                 true, serial);
    EXPECT(z == std::complex<float>(-5, 10));
  });
}

TINYTF_TEST(gather_scatter_update_last_wins) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    for (const int64_t inner : {1, 7, 4000}) {
      std::vector<int32_t> rows(static_cast<size_t>(5 * inner), -1), want = rows, filled = rows;
      const std::vector<int32_t> index = {3, 1, 3};
      std::vector<int32_t> updates(static_cast<size_t>(3 * inner));
      std::iota(updates.begin(), updates.end(), 0);
      for (int64_t k = 0; k < inner; ++k) {
        want[static_cast<size_t>(inner + k)] = static_cast<int32_t>(inner + k);
        want[static_cast<size_t>(3 * inner + k)] = static_cast<int32_t>(2 * inner + k);
      }
      EXPECT_EQ(table.scatter_update(rows.data(), 5, inner * 4, of(index), updates.data(), 0, uneven), kAllInRange);
      EXPECT(rows == want);
      const int32_t nine = 9;
      EXPECT_EQ(table.scatter_update(filled.data(), 5, inner * 4, of(index), &nine, 4, uneven), kAllInRange);
      for (int64_t i = 0; i < 5 * inner; ++i) {
        EXPECT_EQ(filled[static_cast<size_t>(i)], i / inner == 1 || i / inner == 3 ? 9 : -1);
      }
    }
  });
}

template <class T>
void check_segments(const GatherTable& table) {
  kernels::UnevenParallel uneven;
  const int64_t segments = 6;
  for (const bool sorted : {true, false}) {
    const std::vector<int32_t> ids =
        sorted ? std::vector<int32_t>{0, 0, 2, 3, 3, 3, 5} : std::vector<int32_t>{3, 0, -1, 3, 5, 0, 3};
    for (const int64_t inner : {1, 5, 1100}) {
      const auto data = small_numbers<T>(static_cast<int64_t>(ids.size()) * inner);
      for (int op = 0; op < kernels::kSegmentCount; ++op) {
        const auto kind = static_cast<kernels::Segment>(op);
        const auto fn = sorted ? table.segment[op][static_cast<int>(dtype_of<T>)]
                               : table.unsorted_segment[op][static_cast<int>(dtype_of<T>)];
        EXPECT_EQ(fn == nullptr, !sorted && kind == kernels::Segment::kMean);
        if (fn == nullptr) continue;
        std::vector<T> got(static_cast<size_t>(segments * inner));
        EXPECT_EQ(fn(data.data(), inner, of(ids), segments, got.data(), uneven), kAllInRange);
        bool good = true;
        for (int64_t s = 0; s < segments; ++s) {
          for (int64_t k = 0; k < inner; ++k) {
            double want = kind == kernels::Segment::kProd ? 1 : 0, rows = 0;
            for (size_t i = 0; i < ids.size(); ++i) {
              if (ids[i] != s) continue;
              const double x = plain(data[i * static_cast<size_t>(inner) + static_cast<size_t>(k)]);
              const bool first = rows++ == 0;
              switch (kind) {
                case kernels::Segment::kSum:
                case kernels::Segment::kMean: want += x; break;
                case kernels::Segment::kProd: want *= x; break;
                case kernels::Segment::kMin: want = first ? x : std::min(want, x); break;
                case kernels::Segment::kMax: want = first ? x : std::max(want, x); break;
              }
            }
            if (kind == kernels::Segment::kMean && rows > 0) want /= rows;
            if (std::is_integral_v<T>) want = std::trunc(want);
            if (rows == 0 && !sorted && kind == kernels::Segment::kMin) {
              want = sizeof(T) == 2 && !std::is_integral_v<T> ? 65504 : plain(std::numeric_limits<T>::max());
            } else if (rows == 0 && !sorted && kind == kernels::Segment::kMax) {
              want = sizeof(T) == 2 && !std::is_integral_v<T> ? -65504 : plain(std::numeric_limits<T>::lowest());
            }
            good &= std::abs(plain(got[static_cast<size_t>(s * inner + k)]) - want) <= 2e-3 * std::abs(want);
          }
        }
        EXPECT(good);
        EXPECT_EQ(fn(data.data(), inner, of(ids), 5, got.data(), uneven), sorted ? int64_t{6} : int64_t{4});
      }
    }
  }
}

TINYTF_TEST(gather_segments) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    check_segments<float>(table);
    check_segments<double>(table);
    check_segments<Half>(table);
    check_segments<int32_t>(table);
    check_segments<int16_t>(table);
    EXPECT_EQ(table.check_sorted(of(std::vector<int32_t>{0, 0, 1, 4}), uneven), kAllInRange);
    EXPECT_EQ(table.check_sorted(of(std::vector<int64_t>{0, 2, 1, 4}), uneven), int64_t{2});
    EXPECT_EQ(table.check_sorted(of(std::vector<int64_t>{-1, 2}), uneven), int64_t{0});
  });
}

template <class T>
void check_top_k(const GatherTable& table) {
  kernels::UnevenParallel uneven;
  for (const int64_t cols : {1, 5, 33, 1000, 4001}) {
    const int64_t rows = 3;
    std::vector<T> in;
    for (int64_t i = 0; i < rows * cols; ++i) in.push_back(static_cast<T>(static_cast<float>(next_random() % 97)));
    if constexpr (std::is_floating_point_v<T>) {
      for (size_t i = 0; i < in.size(); i += 5) in[i] = std::numeric_limits<T>::quiet_NaN();
      for (size_t i = 1; i < in.size(); i += 11) in[i] = i % 2 == 0 ? T(0) : -T(0);
      for (size_t i = 2; i < in.size(); i += 13) in[i] = -std::numeric_limits<T>::infinity();
    } else if constexpr (std::is_integral_v<T>) {
      in[0] = std::numeric_limits<T>::lowest();
      in.back() = std::numeric_limits<T>::max();
    }
    for (const int64_t k : {int64_t{0}, int64_t{1}, int64_t{4}, int64_t{50}, cols / 2, cols}) {
      if (k > cols) continue;
      std::vector<T> values(static_cast<size_t>(rows * k));
      std::vector<int32_t> indices(static_cast<size_t>(rows * k));
      table.top_k[static_cast<int>(dtype_of<T>)](in.data(), rows, cols, k, values.data(), indices.data(), uneven);
      bool good = true;
      for (int64_t row = 0; row < rows; ++row) {
        const T* x = in.data() + row * cols;
        std::vector<int32_t> order(static_cast<size_t>(cols));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
          const double p = plain(x[a]), q = plain(x[b]);
          return std::isnan(q) ? !std::isnan(p) : p > q;
        });
        for (int64_t i = 0; i < k; ++i) {
          const size_t at = static_cast<size_t>(row * k + i);
          good &= indices[at] == order[static_cast<size_t>(i)];
          good &= std::memcmp(&values[at], x + order[static_cast<size_t>(i)], sizeof(T)) == 0;
        }
      }
      EXPECT(good);
    }
  }
}

TINYTF_TEST(gather_top_k) {
  at_each_level([](const GatherTable& table) {
    check_top_k<float>(table);
    check_top_k<double>(table);
    check_top_k<Half>(table);
    check_top_k<BFloat16>(table);
    check_top_k<int8_t>(table);
    check_top_k<uint8_t>(table);
    check_top_k<int32_t>(table);
    check_top_k<int64_t>(table);
    check_top_k<uint64_t>(table);
  });
}

TINYTF_TEST(gather_top_k_of_a_long_row) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    const int64_t cols = 300000;
    std::vector<int32_t> in;
    for (int64_t i = 0; i < cols; ++i) in.push_back(static_cast<int32_t>(next_random() % 1000));
    std::vector<int32_t> order(in.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return in[a] > in[b]; });
    for (const int64_t k : {cols / 6, cols / 2, cols}) {
      std::vector<int32_t> values(static_cast<size_t>(k)), indices(static_cast<size_t>(k));
      table.top_k[static_cast<int>(DType::kInt32)](in.data(), 1, cols, k, values.data(), indices.data(), uneven);
      EXPECT(std::equal(indices.begin(), indices.end(), order.begin()));
    }
  });
}

TINYTF_TEST(gather_in_top_k) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    const float inf = HUGE_VALF;
    const std::vector<float> predictions = {0.1f, 0.5f, 0.4f, 0.3f, 0.3f, 0.3f, inf, 0.2f, 0.1f, 0.1f, 0.2f, 0.3f};
    const std::vector<int32_t> targets = {2, 0, 1, 7};
    bool out[4];
    table.in_top_k(predictions.data(), 3, of(targets), 1, out, uneven);
    EXPECT(!out[0] && out[1] && !out[2] && !out[3]);
    table.in_top_k(predictions.data(), 3, of(targets), 2, out, uneven);
    EXPECT(out[0] && out[1] && !out[2] && !out[3]);
  });
}

template <class T>
void check_where(const GatherTable& table) {
  kernels::UnevenParallel uneven;
  SerialParallel serial;
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{}, {0}, {7}, {100000}, {3, 0, 2}, {3, 5, 7}, {300, 200, 3}}) {
    int64_t n = 1;
    for (const int64_t d : dims) n *= d;
    std::vector<char> bytes(static_cast<size_t>(n) * sizeof(T) + 1, 0);
    T* in = reinterpret_cast<T*>(bytes.data());
    std::vector<int64_t> want;
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (next_random() % 3 != 0) continue;
      in[i] = static_cast<T>(1.0f);
      ++count;
      std::vector<int64_t> at(dims.size());
      int64_t rest = i;
      for (size_t k = dims.size(); k-- > 0;) {
        at[k] = rest % dims[k];
        rest /= dims[k];
      }
      want.insert(want.end(), at.begin(), at.end());
    }
    const int type = static_cast<int>(dtype_of<T>);
    EXPECT_EQ(table.count_true[type](in, n, uneven), count);
    for (Parallel* parallel : {static_cast<Parallel*>(&uneven), static_cast<Parallel*>(&serial)}) {
      std::vector<int64_t> got(want.size());
      table.where[type](in, static_cast<int>(dims.size()), dims.data(), got.data(), *parallel);
      EXPECT(got == want);
    }
  }
}

TINYTF_TEST(gather_where) {
  at_each_level([](const GatherTable& table) {
    check_where<bool>(table);
    check_where<float>(table);
    check_where<Half>(table);
    check_where<int64_t>(table);
    check_where<std::complex<double>>(table);
  });
}

TINYTF_TEST(gather_invert_permutation) {
  at_each_level([](const GatherTable& table) {
    kernels::UnevenParallel uneven;
    const std::vector<int32_t> in = {2, 0, 3, 1};
    std::vector<int32_t> out(4);
    EXPECT_EQ(table.invert_permutation(of(in), out.data(), uneven), kAllInRange);
    EXPECT(out == (std::vector<int32_t>{1, 3, 0, 2}));
    std::vector<int64_t> wide(3);
    EXPECT_EQ(table.invert_permutation(of(std::vector<int64_t>{0, 2, 2}), wide.data(), uneven), int64_t{2});
    EXPECT_EQ(table.invert_permutation(of(std::vector<int64_t>{0, 3, 1}), wide.data(), uneven), int64_t{1});
  });
}

/// The gradient is the adjoint of the padding: <pad(x), y> = <x, grad(y)>.
TINYTF_TEST(gather_mirror_pad_grad) {
  at_each_level([](const GatherTable& table) {
    SerialParallel serial;
    const std::vector<int64_t> dims = {3, 4, 5};
    for (int skip = 0; skip < 2; ++skip) {
      const std::vector<int64_t> before = {2, 0, 1}, after = {1, 3, 4};
      const auto x = small_numbers<float>(3 * 4 * 5);
      const auto y = small_numbers<float>(6 * 7 * 10);
      std::vector<float> padded(y.size()), gradient(x.size());
      kernels::table().copy.mirror_pad(x.data(), padded.data(), 4, 3, dims.data(), before.data(), after.data(), skip,
                                       serial);
      table.mirror_pad_grad[static_cast<int>(DType::kFloat)](y.data(), gradient.data(), 3, dims.data(), before.data(),
                                                             after.data(), skip, serial);
      EXPECT_EQ(std::inner_product(padded.begin(), padded.end(), y.begin(), 0.0),
                std::inner_product(x.begin(), x.end(), gradient.begin(), 0.0));
    }
  });
}

/// Small integers, so that every order of summation gives the same.
template <class T>
void expect_sparse_product(const GatherTable& table, DType dtype) {
  kernels::UnevenParallel uneven;
  constexpr int64_t kRows = 7, kColumns = 5, kCount = 40;
  std::vector<int64_t> places;
  for (int64_t i = 0; i < kCount; ++i) {
    places.push_back(next_random() % kRows);
    places.push_back(next_random() % kColumns);
  }
  const auto values = small_numbers<T>(kCount);
  for (const int64_t n : {1, 3, 64, 1100}) {
    for (const bool transposed : {false, true}) {
      const int64_t rows = transposed ? kColumns : kRows, inner = transposed ? kRows : kColumns;
      const auto b = small_numbers<T>(inner * n);
      std::vector<T> want(static_cast<size_t>(rows * n)), got(want);
      for (size_t i = 0; i < values.size(); ++i) {
        const int64_t row = places[2 * i + (transposed ? 1 : 0)], other = places[2 * i + (transposed ? 0 : 1)];
        for (int64_t j = 0; j < n; ++j) {
          T& sum = want[static_cast<size_t>(row * n + j)];
          sum = static_cast<T>(sum + values[i] * b[static_cast<size_t>(other * n + j)]);
        }
      }
      table.sparse_product[static_cast<int>(dtype)]({places.data(), values.data(), kCount, transposed}, b.data(), rows,
                                                    n, got.data(), uneven);
      EXPECT(got == want);
    }
  }
}

TINYTF_TEST(gather_sparse_product) {
  at_each_level([](const GatherTable& table) {
    expect_sparse_product<float>(table, DType::kFloat);
    expect_sparse_product<int32_t>(table, DType::kInt32);
    expect_sparse_product<uint8_t>(table, DType::kUint8);
    expect_sparse_product<std::complex<double>>(table, DType::kComplex128);
  });
}

}  // namespace TINYTF_FILE
