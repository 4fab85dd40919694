// LSTMs: each step is one product of [x, h] with the weights, and one pass over its gates.

#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/recurrent_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

/// The gates of one row before their activation, and its cell state before the step, as floats.
struct GateRow {
  const float* input;
  const float* fresh;
  const float* forget;
  const float* output;
  const float* cs_before;
};

struct Seen {
  const float* input;
  const float* forget;
  const float* output;
};

template <bool kSees>
__attribute__((noinline)) void gate_units(const GateRow& row, const Seen& seen, float forget_bias, float clip,
                                          int64_t n, const LstmValues<float*>& to) {
  const float* __restrict input = row.input;
  const float* __restrict fresh = row.fresh;
  const float* __restrict forget = row.forget;
  const float* __restrict output = row.output;
  const float* __restrict before = row.cs_before;
  float* __restrict i = to.i, * __restrict cs = to.cs, * __restrict f = to.f, * __restrict o = to.o;
  float* __restrict ci = to.ci, * __restrict co = to.co, * __restrict h = to.h;
  TINYTF_IVDEP
  for (int64_t j = 0; j < n; ++j) {
    const float remembered = before[j];
    float to_input = input[j], to_forget = forget[j] + forget_bias, to_output = output[j];
    if (kSees) {
      to_input += remembered * seen.input[j];
      to_forget += remembered * seen.forget[j];
    }
    const float open = sigmoid(to_input), kept = sigmoid(to_forget), news = tanh(fresh[j]);
    float c = news * open + kept * remembered;
    c = c > clip ? clip : c;
    c = c < -clip ? -clip : c;
    if (kSees) to_output += c * seen.output[j];
    const float out = sigmoid(to_output), shown = tanh(c);
    i[j] = open;
    f[j] = kept;
    ci[j] = news;
    cs[j] = c;
    o[j] = out;
    co[j] = shown;
    h[j] = shown * out;
  }
}

/// The pass over the gates of one row. The gates are floats; all other values are of type T.
template <class T>
void gate_row(const LstmForward& net, const float* gates, const T* cs_before, int64_t at) {
  const int64_t units = net.sizes.units;
  const GateColumns columns(net.weights.order, units);
  const float clip = net.clip > 0 ? net.clip : kInf;
  const bool sees = net.weights.see_input != nullptr;
  constexpr int64_t kRoom = kIsFloat<T> ? 1 : kUnitBlock;
  float rooms[11][kRoom];
  for (int64_t j = 0; j < units;) {
    const int64_t n = kIsFloat<T> ? units : std::min(kUnitBlock, units - j);
    const auto part = [&](const void* from, int room) {
      return floats(static_cast<const T*>(from) + j, n, rooms[room]);
    };
    const GateRow row{gates + columns.input + j, gates + columns.fresh + j, gates + columns.forget + j,
                      gates + columns.output + j, part(cs_before, 0)};
    const auto to = [&](void* all, int room) { return place(static_cast<T*>(all) + at + j, rooms[room]); };
    const auto& v = net.values;
    const LstmValues<float*> values{to(v.i, 1),  to(v.cs, 2), to(v.f, 3), to(v.o, 4),
                                    to(v.ci, 5), to(v.co, 6), to(v.h, 7)};
    if (sees) {
      const Seen seen{part(net.weights.see_input, 8), part(net.weights.see_forget, 9),
                      part(net.weights.see_output, 10)};
      gate_units<true>(row, seen, net.forget_bias, clip, n, values);
    } else {
      gate_units<false>(row, {}, net.forget_bias, clip, n, values);
    }
    if constexpr (!kIsFloat<T>) {
      const auto put = [&](const float* from, void* all) { store_floats(from, n, static_cast<T*>(all) + at + j); };
      put(values.i, v.i);
      put(values.cs, v.cs);
      put(values.f, v.f);
      put(values.o, v.o);
      put(values.ci, v.ci);
      put(values.co, v.co);
      put(values.h, v.h);
    }
    j += n;
  }
}

/// Computes the gates of rows [begin, end), which are few, from weights that are read in place.
template <class T>
void few_gates(const JoinedRows<T>& rows, int64_t begin, int64_t end, const ReadyColumns& weights, const float* bias,
               const RecurrentSizes& sizes, float* gates) {
  const int64_t k = sizes.inputs + sizes.units, columns = 4 * sizes.units, count = end - begin;
  Scratch joined(count * panel_row<float>(k) * sizeof(float));
  const PanelA<float> x = rows.panel(begin, static_cast<int>(count), 0, k, joined.as<float>());
  sum_all<float>({count,
                  columns,
                  k,
                  x.data,
                  x.row,
                  weights.data,
                  weights.step,
                  false,
                  gates,
                  columns,
                  1,
                  {false, bias, false},
                  0,
                  1},
                 0, columns);
}

/// Computes rows [begin, end) of one step.
template <class T>
void run_rows(const LstmForward& net, const ReadyColumns& weights, const float* bias, int64_t step, int64_t begin,
              int64_t end, float* gates) {
  const auto [steps, batch, inputs, units] = net.sizes;
  const int64_t before = (step - 1) * batch * units;
  const T* const h = step == 0 ? static_cast<const T*>(net.h_before) : static_cast<const T*>(net.values.h) + before;
  const T* const cs = step == 0 ? static_cast<const T*>(net.cs_before) : static_cast<const T*>(net.values.cs) + before;
  const JoinedRows<T> rows{static_cast<const T*>(net.x) + step * batch * inputs, inputs, h, units};
  if (weights.by_few_rows) {
    few_gates(rows, begin, end, weights, bias, net.sizes, gates);
  } else {
    multiply<float>(begin, end, 0, 4 * units, inputs + units, rows, weights, gates, 4 * units, {false, bias, false});
  }
  for (int64_t r = begin; r < end; ++r) {
    gate_row(net, gates + (r - begin) * 4 * units, cs + r * units, (step * batch + r) * units);
  }
}

template <class T>
void lstm(const LstmForward& net, Parallel& parallel) {
  // Plain variables, because lambdas of C++17 cannot capture structured bindings; g++ lets them, clang does not.
  const int64_t steps = net.sizes.steps, batch = net.sizes.batch, inputs = net.sizes.inputs, units = net.sizes.units;
  if (steps == 0 || batch == 0 || units == 0) return;
  const Columns<T> columns{static_cast<const T*>(net.weights.w), 4 * units, inputs + units, 4 * units, false};
  const bool stays = columns.stays(steps * batch);
  Scratch scratch((stays ? 0 : columns.room() + 4 * units) * sizeof(float));
  ReadyColumns weights = stays ? columns.in_place() : columns.pack(scratch.as<float>(), parallel);
  weights.by_few_rows = stays && is_few<float>(steps * batch, columns.n, columns.k, false);
  float* const room = stays ? nullptr : scratch.as<float>() + columns.room();
  const float* const bias = floats(static_cast<const T*>(net.bias), 4 * units, room);

  // Number of rows whose gates stay in cache between their product and their pass.
  constexpr int64_t kGates = 64 << 10;
  const int64_t most = std::max<int64_t>(4, kGates / (4 * units) / kTileRows) * kTileRows;
  constexpr double kGateCost = 6;
  const double row_cost =
      static_cast<double>(units) * (4 * static_cast<double>(inputs + units) / kProductsPerNs + kGateCost);
  parallel.run_in_order(steps, row_cost * static_cast<double>(batch), [&](int64_t first, int64_t last) {
    const double cost = row_cost * static_cast<double>(last - first);
    parallel.run(batch, kTileRows, cost, [&](int64_t begin, int64_t end) {
      Scratch gates(std::min(most, end - begin) * 4 * units * sizeof(float));
      for (int64_t step = first; step < last; ++step) {
        for (int64_t r = begin; r < end; r += most) {
          run_rows<T>(net, weights, bias, step, r, std::min(end, r + most), gates.as<float>());
        }
      }
    });
  });
}

}  // namespace

void fill_lstm(RecurrentTable& table) {
  table.lstm[static_cast<int>(DType::kFloat)] = lstm<float>;
  table.lstm[static_cast<int>(DType::kHalf)] = lstm<Half>;
}

}  // namespace tinytf::kernels::TINYTF_ISA
