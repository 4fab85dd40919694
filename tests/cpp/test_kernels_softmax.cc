#include "kernels/softmax.h"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"

// Softmax and its losses compared with the definition in double.
namespace TINYTF_FILE {

using namespace tinytf;
using namespace tinytf::kernels;

/// The log-softmax of each row.
template <class T>
std::vector<double> reference(const std::vector<T>& x, int64_t rows, int64_t cols) {
  std::vector<double> y(x.size());
  for (int64_t i = 0; i < rows; ++i) {
    double top = -INFINITY, sum = 0;
    for (int64_t j = 0; j < cols; ++j) top = std::max(top, wide(x[i * cols + j]));
    for (int64_t j = 0; j < cols; ++j) sum += std::exp(wide(x[i * cols + j]) - top);
    for (int64_t j = 0; j < cols; ++j) y[i * cols + j] = wide(x[i * cols + j]) - top - std::log(sum);
  }
  return y;
}

template <class T>
void expect_softmax(int64_t rows, int64_t cols) {
  auto x = random_values<T>(rows * cols, 3);
  for (T& v : x) v = static_cast<T>(static_cast<float>(wide(v)) * 10);
  const auto log_p = reference(x, rows, cols);
  const auto d = static_cast<int>(dtype_of<T>);
  std::vector<T> p = x, log_out(x.size());
  UnevenParallel uneven;
  run_softmax(table().softmax.softmax[d], dtype_of<T>, p.data(), p.data(), rows, cols, uneven);
  run_softmax(table().softmax.log_softmax[d], dtype_of<T>, x.data(), log_out.data(), rows, cols, uneven);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(wide(p[i]) - std::exp(log_p[i])));
    worst = std::max(worst, distance(log_out[i], log_p[i]));
  }
  EXPECT_NEAR(worst, 0, tolerance<T>(4));

  std::vector<int64_t> labels(rows);
  for (int64_t i = 0; i < rows; ++i) labels[i] = i * 5 % cols;
  std::vector<T> loss(rows), gradient = x, dense(x.size()), dense_loss(rows), dense_gradient = x;
  EXPECT_EQ(run_sparse_cross_entropy(table().softmax.sparse_cross_entropy[d], dtype_of<T>, gradient.data(),
                                     DType::kInt64, labels.data(), loss.data(), gradient.data(), rows, cols, uneven),
            -1);
  for (int64_t i = 0; i < rows; ++i) dense[i * cols + labels[i]] = static_cast<T>(1.f);
  run_cross_entropy(table().softmax.cross_entropy[d], dtype_of<T>, dense_gradient.data(), {cols, 1}, dense.data(),
                    {cols, 1}, dense_loss.data(), dense_gradient.data(), rows, cols, uneven);
  for (int64_t i = 0; i < rows; ++i) {
    EXPECT_NEAR(distance(loss[i], -log_p[i * cols + labels[i]]), 0, tolerance<T>(4));
    EXPECT_NEAR(distance(dense_loss[i], -log_p[i * cols + labels[i]]), 0, tolerance<T>(4));
    for (int64_t j = 0; j < cols; ++j) {
      const double expected = std::exp(log_p[i * cols + j]) - (j == labels[i] ? 1 : 0);
      worst = std::max({worst, std::abs(wide(gradient[i * cols + j]) - expected),
                        std::abs(wide(dense_gradient[i * cols + j]) - expected)});
    }
  }
  EXPECT_NEAR(worst, 0, tolerance<T>(4));
}

TINYTF_TEST(softmax_rows_of_all_lengths) {
  for_each_isa([] {
    for (int64_t cols : {1, 2, 10, 16, 17, 63, 64, 100, 256, 257, 1000}) {
      expect_softmax<float>(5, cols);
      expect_softmax<double>(5, cols);
      expect_softmax<Half>(5, cols);
      expect_softmax<BFloat16>(3, cols);
    }
  });
}

TINYTF_TEST(softmax_special_values) {
  for_each_isa([] {
    SerialParallel serial;
    std::vector<float> x = {1000, 1000, -INFINITY, 0, NAN, 0, 3, -INFINITY, 3}, y(9);
    run_softmax(table().softmax.softmax[1], DType::kFloat, x.data(), y.data(), 3, 3, serial);
    EXPECT(y[0] == 0.5f && y[1] == 0.5f && y[2] == 0.f);
    EXPECT(std::isnan(y[3]) && std::isnan(y[4]) && std::isnan(y[5]));
    EXPECT(y[6] == 0.5f && y[7] == 0.f);
  });
}

TINYTF_TEST(softmax_cross_entropy_broadcasts) {
  for_each_isa([] {
    SerialParallel serial;
    const auto x = random_values<float>(40, 1);
    const std::vector<float> uniform(1, 0.1f), row(10, 0.1f);
    std::vector<float> loss(4), gradient(40), loss2(4), gradient2(40), logits_loss(4), logits_gradient(40);
    const auto loop = table().softmax.cross_entropy[1];
    run_cross_entropy(loop, DType::kFloat, x.data(), {10, 1}, uniform.data(), {0, 0}, loss.data(), gradient.data(), 4,
                      10, serial);
    run_cross_entropy(loop, DType::kFloat, x.data(), {10, 1}, row.data(), {0, 1}, loss2.data(), gradient2.data(), 4, 10,
                      serial);
    EXPECT(loss == loss2 && gradient == gradient2);
    run_cross_entropy(loop, DType::kFloat, uniform.data(), {0, 0}, row.data(), {0, 1}, logits_loss.data(),
                      logits_gradient.data(), 4, 10, serial);
    for (float v : logits_loss) EXPECT_NEAR(v, std::log(10), 1e-6);
    for (float v : logits_gradient) EXPECT_NEAR(v, 0, 1e-7);
  });
}

TINYTF_TEST(softmax_sparse_labels_outside) {
  SerialParallel serial;
  std::vector<float> x(30), loss(3, 7.f), gradient(30);
  const std::vector<int32_t> labels = {0, 10, -1};
  EXPECT_EQ(run_sparse_cross_entropy(table().softmax.sparse_cross_entropy[1], DType::kFloat, x.data(), DType::kInt32,
                                     labels.data(), loss.data(), gradient.data(), 3, 10, serial),
            1);
  EXPECT_EQ(loss[0], 7.f);
}

}  // namespace TINYTF_FILE
