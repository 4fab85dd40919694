// Cross entropy of softmax, with its gradient: labels as distributions and as indices.

#include "kernels/isa/softmax_fill.h"
#include "kernels/isa/softmax_row.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
void store_number(Number<T> value, T* out) {
  if constexpr (kViaFloat<T>) {
    store_floats(&value, out, 1);
  } else {
    *out = value;
  }
}

/// lanes += labels * (log_sum - distance), except where the label is 0; gradient = softmax - labels. `x` and `labels`
/// have `n` numbers; `gradient` may be `x`.
template <class N>
void cross_entropy_block(const N* x, const N* labels, int64_t n, N shift, N log_sum, N scale, N* gradient, N* lanes) {
  alignas(64) N tile[kTile], label_tile[kTile], gradient_tile[kTile];
  for (int64_t i = 0; i < n; i += kTile) {
    const N *at = x + i, *label = labels + i;
    N* out = gradient + i;
    const int64_t left = n - i;
    if (left < kTile) {
      pad(at, left, tile);
      for (int64_t j = 0; j < kTile; ++j) label_tile[j] = 0;
      for (int64_t j = 0; j < left; ++j) label_tile[j] = label[j];
      at = tile, label = label_tile, out = gradient_tile;
    }
    TINYTF_IVDEP
    for (int64_t j = 0; j < kTile; ++j) {
      const N distance = at[j] - shift;
      const N term = label[j] * (log_sum - distance);
      lanes[j] += label[j] == 0 ? N{0} : term;
      out[j] = exp(distance) * scale - label[j];
    }
    if (left < kTile) {
      for (int64_t j = 0; j < left; ++j) gradient[i + j] = gradient_tile[j];
    }
  }
}

template <class T>
void cross_entropy_run(const void* logits, Strides2D logits_strides, const void* labels, Strides2D labels_strides,
                       void* loss, void* backprop, int64_t rows, int64_t cols) {
  using N = Number<T>;
  for (int64_t i = 0; i < rows; ++i) {
    const T* row = static_cast<const T*>(logits) + i * logits_strides.row;
    const T* label = static_cast<const T*>(labels) + i * labels_strides.row;
    T* gradient = static_cast<T*>(backprop) + i * cols;
    const N shift = max_of_row(row, logits_strides.col, cols);
    const N sum = exp_sum_of_row(row, logits_strides.col, cols, shift);
    const N log_sum = log(sum), scale = 1 / sum;
    alignas(64) N lanes[kTile] = {};
    alignas(64) N label_buffer[kFloatBlock], row_buffer[kFloatBlock];
    for (int64_t begin = 0; begin < cols; begin += kFloatBlock) {
      const int64_t n = cols - begin < kFloatBlock ? cols - begin : kFloatBlock;
      const N* x = numbers(row, logits_strides.col, begin, n, row_buffer);
      const N* p = numbers(label, labels_strides.col, begin, n, label_buffer);
      if constexpr (kViaFloat<T>) {
        alignas(64) float results[kFloatBlock];
        cross_entropy_block(x, p, n, shift, log_sum, scale, results, lanes);
        store_floats(results, gradient + begin, n);
      } else {
        cross_entropy_block(x, p, n, shift, log_sum, scale, gradient + begin, lanes);
      }
    }
    store_number<T>(sum_of_lanes(lanes), static_cast<T*>(loss) + i);
  }
}

template <class T>
void sparse_cross_entropy_run(const void* logits, const int64_t* labels, void* loss, void* backprop, int64_t rows,
                              int64_t cols) {
  using N = Number<T>;
  const auto* row = static_cast<const T*>(logits);
  auto* gradient = static_cast<T*>(backprop);
  for (int64_t i = 0; i < rows; ++i, row += cols, gradient += cols) {
    const N shift = max_of_row(row, 1, cols);
    N chosen;
    chosen = *numbers(row + labels[i], 1, 0, 1, &chosen);
    const N distance = chosen - shift;
    const N sum = softmax_of_row(row, cols, shift, gradient);
    store_number<T>(log(sum) - distance, static_cast<T*>(loss) + i);
    store_number<T>(exp(distance) / sum - 1, gradient + labels[i]);
  }
}

template <class... T>
void add(SoftmaxTable& table) {
  ((table.cross_entropy[static_cast<int>(dtype_of<T>)] = cross_entropy_run<T>), ...);
  ((table.sparse_cross_entropy[static_cast<int>(dtype_of<T>)] = sparse_cross_entropy_run<T>), ...);
}

}  // namespace

void fill_cross_entropy(SoftmaxTable& table) { add<float, double, Half, BFloat16>(table); }

}  // namespace tinytf::kernels::TINYTF_ISA
