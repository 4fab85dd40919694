// LSTM gradients: each step is one pass over its gates and one product of their gradients with the weights of h. The
// gradients of x and of the weights, on which no step depends, are computed in one product for many steps.

#include <utility>

#include "kernels/isa/recurrent_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// The values and the incoming gradients of one row, as floats.
struct GradientRow {
  LstmValues<const float*> values;
  const float* cs_before;
  const float* cs_gradient;
  const float* h_gradient;
};

struct Seen {
  const float* input = nullptr;
  const float* forget = nullptr;
  const float* output = nullptr;
};

/// `carried_cs` is the gradient of cs from the following step; it is replaced by the gradient for the preceding step.
template <bool kSees>
__attribute__((noinline)) void gate_units_back(const GradientRow& row, const Seen& seen, const float* carried_h,
                                               float* carried_cs, int64_t n, const GateColumns& columns, float* gates) {
  const float* __restrict i = row.values.i, * __restrict f = row.values.f, * __restrict o = row.values.o;
  const float* __restrict ci = row.values.ci, * __restrict co = row.values.co;
  const float* __restrict before = row.cs_before, * __restrict from_cs = row.cs_gradient;
  const float* __restrict from_h = row.h_gradient, * __restrict later_h = carried_h;
  float* __restrict cs = carried_cs, * __restrict d_input = gates + columns.input;
  float* __restrict d_fresh = gates + columns.fresh, * __restrict d_forget = gates + columns.forget;
  float* __restrict d_output = gates + columns.output;
  TINYTF_IVDEP
  for (int64_t j = 0; j < n; ++j) {
    const float dh = from_h[j] + later_h[j];
    const float out = o[j], shown = co[j], open = i[j], kept = f[j], news = ci[j];
    const float to_output = out * (1.0f - out) * dh * shown;
    float dc = (1.0f - shown * shown) * dh * out + (from_cs[j] + cs[j]);
    if (kSees) dc += to_output * seen.output[j];
    const float to_input = open * (1.0f - open) * dc * news;
    const float to_forget = kept * (1.0f - kept) * dc * before[j];
    d_input[j] = to_input;
    d_fresh[j] = (1.0f - news * news) * dc * open;
    d_forget[j] = to_forget;
    d_output[j] = to_output;
    float left = dc * kept;
    if (kSees) left += to_input * seen.input[j] + to_forget * seen.forget[j];
    cs[j] = left;
  }
}

/// The values and the incoming gradients of a step, in rows of `units`.
template <class T>
struct StepBack {
  LstmValues<const T*> values;
  const T* cs_before;
  const T* cs_gradient;
  const T* h_gradient;
};

template <class T>
void gate_row_back(const StepBack<T>& step, const LstmWeights& weights, int64_t units, int64_t row,
                   const float* carried_h, float* carried_cs, float* gates) {
  const GateColumns columns(weights.order, units);
  constexpr int64_t kRoom = kIsFloat<T> ? 1 : kUnitBlock;
  float rooms[11][kRoom];
  for (int64_t j = 0; j < units;) {
    const int64_t n = kIsFloat<T> ? units : std::min(kUnitBlock, units - j);
    const auto part = [&](const T* from, int room) { return floats(from + row * units + j, n, rooms[room]); };
    const auto& v = step.values;
    GradientRow of;
    of.values = {part(v.i, 0), nullptr, part(v.f, 1), part(v.o, 2), part(v.ci, 3), part(v.co, 4), nullptr};
    of.cs_before = part(step.cs_before, 5);
    of.cs_gradient = part(step.cs_gradient, 6);
    of.h_gradient = part(step.h_gradient, 7);
    if (weights.see_input != nullptr) {
      const auto see = [&](const void* all, int room) {
        return floats(static_cast<const T*>(all) + j, n, rooms[room]);
      };
      const Seen seen{see(weights.see_input, 8), see(weights.see_forget, 9), see(weights.see_output, 10)};
      gate_units_back<true>(of, seen, carried_h + j, carried_cs + j, n, columns, gates + j);
    } else {
      gate_units_back<false>(of, {}, carried_h + j, carried_cs + j, n, columns, gates + j);
    }
    j += n;
  }
}

/// sums[j] += the sum of a[r, j] over rows, or of a[r, j] * b[r, j].
template <class T>
void add_columns(const float* a, int64_t a_row, const T* b, int64_t b_row, int64_t rows, int64_t columns, float* sums,
                 Parallel& parallel) {
  constexpr int64_t kBlock = 64;
  parallel.run(columns, kBlock, 0.2 * static_cast<double>(rows), [&](int64_t begin, int64_t end) {
    float room[kBlock];
    for (int64_t j = begin; j < end; j += kBlock) {
      const int64_t n = std::min(kBlock, end - j);
      for (int64_t r = 0; r < rows; ++r) {
        const float* const from = a + r * a_row + j;
        if (b == nullptr) {
          for (int64_t k = 0; k < n; ++k) sums[j + k] += from[k];
        } else {
          const float* const by = floats(b + r * b_row + j, n, room);
          for (int64_t k = 0; k < n; ++k) sums[j + k] += from[k] * by[k];
        }
      }
    }
  });
}

/// Sums up the gradients of the peephole weights.
template <class T>
class SeenGradient {
 public:
  SeenGradient(const LstmWeights& weights, int64_t units, float* sums)
      : columns_(weights.order, units), units_(units), sums_(weights.see_input != nullptr ? sums : nullptr) {
    std::fill_n(sums, 3 * units, 0.0f);
  }

  /// Adds `rows` rows: the gates' gradients, and the cell states before and after the step.
  void add(const float* gates, const T* cs_before, const T* cs, int64_t rows, Parallel& parallel) {
    if (sums_ == nullptr) return;
    const auto one = [&](int64_t column, const T* seen, float* sums) {
      add_columns(gates + column, 4 * units_, seen, units_, rows, units_, sums, parallel);
    };
    one(columns_.input, cs_before, sums_);
    one(columns_.forget, cs_before, sums_ + units_);
    one(columns_.output, cs, sums_ + 2 * units_);
  }

 private:
  const GateColumns columns_;
  const int64_t units_;
  float* const sums_;
};

template <class T>
void store_three(const float* sums, int64_t units, void* input, void* forget, void* output) {
  store_floats(sums, units, static_cast<T*>(input));
  store_floats(sums + units, units, static_cast<T*>(forget));
  store_floats(sums + 2 * units, units, static_cast<T*>(output));
}

template <class T>
const T* at(const void* all, int64_t offset) {
  return static_cast<const T*>(all) + offset;
}

template <class T>
LstmValues<const T*> values_at(const LstmValues<const void*>& v, int64_t offset) {
  return {at<T>(v.i, offset),
          at<T>(v.cs, offset),
          at<T>(v.f, offset),
          at<T>(v.o, offset),
          at<T>(v.ci, offset),
          at<T>(v.co, offset),
          nullptr};
}

constexpr double kBackCost = 2;  // Nanoseconds per unit.

template <class T>
void cell_gradient(const LstmCellGradient& g, Parallel& parallel) {
  const int64_t batch = g.sizes.batch, units = g.sizes.units;
  const StepBack<T> step{values_at<T>(g.values, 0), at<T>(g.cs_before, 0), at<T>(g.cs_gradient, 0),
                         at<T>(g.h_gradient, 0)};
  const bool sees = g.weights.see_input != nullptr;
  Scratch scratch((3 * units + (sees && !kIsFloat<T> ? batch * 4 * units : 0)) * sizeof(float));
  float* const sums = scratch.as<float>();
  float* const all_gates = sums + 3 * units;
  parallel.run(batch, 1, kBackCost * static_cast<double>(units), [&](int64_t begin, int64_t end) {
    Scratch rooms((kIsFloat<T> ? units : 6 * units) * sizeof(float));
    float* const no_h = rooms.as<float>();
    std::fill_n(no_h, units, 0.0f);
    for (int64_t r = begin; r < end; ++r) {
      T* const cs_gradient = static_cast<T*>(g.cs_before_gradient) + r * units;
      T* const gates_gradient = static_cast<T*>(g.gates_gradient) + r * 4 * units;
      float* const cs = place(cs_gradient, no_h + units);
      float* const gates = place(gates_gradient, sees ? all_gates + r * 4 * units : no_h + 2 * units);
      std::fill_n(cs, units, 0.0f);
      gate_row_back(step, g.weights, units, r, no_h, cs, gates);
      store_floats(cs, units, cs_gradient);
      store_floats(gates, 4 * units, gates_gradient);
    }
  });
  SeenGradient<T> seen(g.weights, units, sums);
  seen.add(place(static_cast<T*>(g.gates_gradient), all_gates), step.cs_before, step.values.cs, batch, parallel);
  store_three<T>(sums, units, g.see_input_gradient, g.see_forget_gradient, g.see_output_gradient);
}

/// c [m, n] += the product of the transpose of a [k, m] with b [k, n].
template <class T>
void add_product(const T* a, int64_t m, const float* b, int64_t n, int64_t k, float* c, Parallel& parallel) {
  if (m == 0 || n == 0 || k == 0) return;
  const MatrixB<float> columns{b, n, false, false};
  split_output<float>(m, n, k, parallel, [&](int64_t m0, int64_t m1, int64_t n0, int64_t n1) {
    float* const to = c + m0 * n + n0;
    if constexpr (kIsFloat<T>) {
      multiply<float>(m0, m1, n0, n1, k, MatrixA<float>{a, m, true, false}, columns, to, n, {true, nullptr, false});
    } else {
      multiply<float>(m0, m1, n0, n1, k, NarrowMatrix<T>{a, m, true}, columns, to, n, {true, nullptr, false});
    }
  });
}

/// Backpropagation through a sequence, a few steps at a time.
template <class T>
class WayBack {
 public:
  WayBack(const LstmGradient& net, Parallel& parallel)
      : net_(net),
        parallel_(parallel),
        steps_(net.sizes.steps),
        batch_(net.sizes.batch),
        inputs_(net.sizes.inputs),
        units_(net.sizes.units),
        at_a_time_(even_piece(steps_, std::max<int64_t>(1, kGates / std::max<int64_t>(1, batch_ * 4 * units_)), 1)),
        to_x_{at<T>(net.weights.w, 0), 4 * units_, 4 * units_, inputs_, true},
        to_h_{at<T>(net.weights.w, inputs_ * 4 * units_), 4 * units_, 4 * units_, units_, true},
        scratch_(room() * sizeof(float)) {
    float* free = scratch_.template as<float>();
    const auto take = [&](int64_t n) { return std::exchange(free, free + n); };
    gates_ = take(at_a_time_ * batch_ * 4 * units_);
    carried_h_ = take(batch_ * units_);
    carried_cs_ = take(batch_ * units_);
    seen_ = take(3 * units_);
    for_x_ = to_x_.pack(take(to_x_.room()), parallel);
    for_h_ = to_h_.pack(take(to_h_.room()), parallel);
    if constexpr (kIsFloat<T>) {
      w_ = static_cast<T*>(net.w_gradient);
      bias_ = static_cast<T*>(net.bias_gradient);
    } else {
      w_ = take(w_size());
      bias_ = take(4 * units_);
    }
  }

  void run() {
    std::fill_n(carried_h_, batch_ * units_, 0.0f);
    std::fill_n(carried_cs_, batch_ * units_, 0.0f);
    std::fill_n(w_, w_size(), 0.0f);
    std::fill_n(bias_, 4 * units_, 0.0f);
    SeenGradient<T> seen(net_.weights, units_, seen_);
    for (int64_t last = steps_; last > 0;) {
      const int64_t first = std::max<int64_t>(0, last - at_a_time_);
      back(first, last);
      const int64_t rows = (last - first) * batch_;
      x_gradient(first, rows);
      w_gradient(first, last);
      add_columns<T>(gates_, 4 * units_, nullptr, 0, rows, 4 * units_, bias_, parallel_);
      if (first == 0) {
        seen.add(gates_, at<T>(net_.cs_before, 0), at<T>(net_.values.cs, 0), batch_, parallel_);
      }
      const int64_t skipped = first == 0 ? batch_ : 0;
      const int64_t row = first * batch_ + skipped;
      if (rows > skipped) {
        seen.add(gates_ + skipped * 4 * units_, at<T>(net_.values.cs, (row - batch_) * units_),
                 at<T>(net_.values.cs, row * units_), rows - skipped, parallel_);
      }
      last = first;
    }
    store_floats(carried_cs_, batch_ * units_, static_cast<T*>(net_.cs_before_gradient));
    store_floats(carried_h_, batch_ * units_, static_cast<T*>(net_.h_before_gradient));
    store_floats(w_, w_size(), static_cast<T*>(net_.w_gradient));
    store_floats(bias_, 4 * units_, static_cast<T*>(net_.bias_gradient));
    store_three<T>(seen_, units_, net_.see_input_gradient, net_.see_forget_gradient, net_.see_output_gradient);
  }

 private:
  // Maximum number of gate gradients, which limits the steps processed at a time.
  static constexpr int64_t kGates = 512 << 10;

  int64_t w_size() const { return (inputs_ + units_) * 4 * units_; }
  int64_t room() const {
    const int64_t always = at_a_time_ * batch_ * 4 * units_ + 2 * batch_ * units_ + 3 * units_;
    return always + to_x_.room() + to_h_.room() + (kIsFloat<T> ? 0 : w_size() + 4 * units_);
  }

  /// Computes the gates' gradients of steps [first, last).
  void back(int64_t first, int64_t last) {
    const double row_cost =
        static_cast<double>(units_) * (4 * static_cast<double>(units_) / kProductsPerNs + kBackCost);
    const auto steps = last - first;
    parallel_.run_in_order(steps, row_cost * static_cast<double>(batch_), [&](int64_t from, int64_t to) {
      parallel_.run(batch_, kTileRows, row_cost * static_cast<double>(to - from), [&](int64_t begin, int64_t end) {
        for (int64_t i = from; i < to; ++i) step_back(last - 1 - i, first, begin, end);
      });
    });
  }

  void step_back(int64_t step, int64_t first, int64_t begin, int64_t end) {
    const int64_t offset = step * batch_ * units_;
    const T* const before = step == 0 ? at<T>(net_.cs_before, 0) : at<T>(net_.values.cs, offset - batch_ * units_);
    const StepBack<T> of{values_at<T>(net_.values, offset), before, at<T>(net_.cs_gradient, offset),
                         at<T>(net_.h_gradient, offset)};
    float* const gates = gates_ + (step - first) * batch_ * 4 * units_;
    // Number of rows whose gates stay in cache between their pass and their product.
    constexpr int64_t kTogether = 64 << 10;
    const int64_t most = std::max<int64_t>(4, kTogether / std::max<int64_t>(1, 4 * units_) / kTileRows) * kTileRows;
    for (int64_t row = begin; row < end; row += most) {
      const int64_t stop = std::min(end, row + most);
      for (int64_t r = row; r < stop; ++r) {
        gate_row_back(of, net_.weights, units_, r, carried_h_ + r * units_, carried_cs_ + r * units_,
                      gates + r * 4 * units_);
      }
      multiply<float>(row, stop, 0, units_, 4 * units_, rows_of(gates), for_h_, carried_h_ + row * units_, units_, {});
    }
  }

  MatrixA<float> rows_of(const float* gates) const { return {gates, 4 * units_, false, false}; }

  void x_gradient(int64_t first, int64_t rows) {
    if (inputs_ == 0) return;
    T* const to = static_cast<T*>(net_.x_gradient) + first * batch_ * inputs_;
    MatrixA<float> gates = rows_of(gates_);
    gates.direct = inputs_ <= 2 * kTileColumns<float>;
    const double cost = 4 * static_cast<double>(units_) * static_cast<double>(inputs_) / kProductsPerNs;
    parallel_.run(rows, kTileRows, cost, [&](int64_t begin, int64_t end) {
      T* const c = to + begin * inputs_;
      if constexpr (kIsFloat<T>) {
        multiply<float>(begin, end, 0, inputs_, 4 * units_, gates, for_x_, c, inputs_, {});
      } else {
        multiply_rounded<T>(begin, end, 0, inputs_, 4 * units_, gates, for_x_, c, inputs_, {});
      }
    });
  }

  void w_gradient(int64_t first, int64_t last) {
    const int64_t rows = (last - first) * batch_, columns = 4 * units_;
    add_product(at<T>(net_.x, first * batch_ * inputs_), inputs_, gates_, columns, rows, w_, parallel_);
    float* const of_h = w_ + inputs_ * columns;
    const int64_t skipped = first == 0 ? batch_ : 0;
    if (first == 0) add_product(at<T>(net_.h_before, 0), units_, gates_, columns, batch_, of_h, parallel_);
    const int64_t row = first * batch_ + skipped - batch_;
    if (rows > skipped) {
      add_product(at<T>(net_.values.h, row * units_), units_, gates_ + skipped * columns, columns, rows - skipped, of_h,
                  parallel_);
    }
  }

  const LstmGradient& net_;
  Parallel& parallel_;
  const int64_t steps_, batch_, inputs_, units_;
  const int64_t at_a_time_;
  const Columns<T> to_x_, to_h_;
  Scratch scratch_;
  ReadyColumns for_x_, for_h_;
  float *gates_, *carried_h_, *carried_cs_, *seen_, *w_, *bias_;
};

template <class T>
void lstm_gradient(const LstmGradient& net, Parallel& parallel) {
  WayBack<T>(net, parallel).run();
}

}  // namespace

void fill_lstm_gradient(RecurrentTable& table) {
  table.lstm_cell_gradient[static_cast<int>(DType::kFloat)] = cell_gradient<float>;
  table.lstm_cell_gradient[static_cast<int>(DType::kHalf)] = cell_gradient<Half>;
  table.lstm_gradient[static_cast<int>(DType::kFloat)] = lstm_gradient<float>;
  table.lstm_gradient[static_cast<int>(DType::kHalf)] = lstm_gradient<Half>;
}

}  // namespace tinytf::kernels::TINYTF_ISA
