#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Of nets that run over `steps` inputs [batch, inputs], and of what they keep, [batch, units]. Sequences lie step by
/// step, everything is row-major and of one type unless it says otherwise. Any size may be 0; products of sizes that
/// buffers have fit int64.
struct RecurrentSizes {
  int64_t steps = 0;
  int64_t batch = 0;
  int64_t inputs = 0;
  int64_t units = 0;
};

/// Where the gates of an LSTM stand, in blocks of `units` columns: input, new, forget, output; or input, forget, new,
/// output.
enum class GateOrder : uint8_t { kNewSecond, kForgetSecond };

struct LstmWeights {
  const void* w = nullptr;  // [inputs + units, 4 * units]
  GateOrder order = GateOrder::kNewSecond;
  /// [units]: how much the input, the forget and the output gate see of what is remembered. All null: nothing.
  const void* see_input = nullptr;
  const void* see_forget = nullptr;
  const void* see_output = nullptr;
};

/// What an LSTM computes in each step, by TensorFlow's names.
template <class Pointer>
struct LstmValues {
  Pointer i = nullptr;   // input gate
  Pointer cs = nullptr;  // what is remembered
  Pointer f = nullptr;   // forget gate
  Pointer o = nullptr;   // output gate
  Pointer ci = nullptr;  // what is new
  Pointer co = nullptr;  // tanh(cs)
  Pointer h = nullptr;   // output
};

struct LstmForward {
  RecurrentSizes sizes;
  const void* x = nullptr;          // [steps, batch, inputs]
  const void* cs_before = nullptr;  // [batch, units]
  const void* h_before = nullptr;
  LstmWeights weights;
  const void* bias = nullptr;  // [4 * units]
  float forget_bias = 0;
  float clip = 0;            // the largest magnitude of cs, if it is above 0
  LstmValues<void*> values;  // [steps, batch, units] each
};

/// One step back, up to what the gates get.
struct LstmCellGradient {
  RecurrentSizes sizes;  // steps and inputs do not matter
  const void* cs_before = nullptr;
  LstmWeights weights;             // w is not read
  LstmValues<const void*> values;  // h is not read
  const void* cs_gradient = nullptr;
  const void* h_gradient = nullptr;
  void* cs_before_gradient = nullptr;
  void* gates_gradient = nullptr;      // [batch, 4 * units]
  void* see_input_gradient = nullptr;  // [units]; zeros where nothing is seen
  void* see_forget_gradient = nullptr;
  void* see_output_gradient = nullptr;
};

struct LstmGradient {
  RecurrentSizes sizes;
  const void* x = nullptr;
  const void* cs_before = nullptr;
  const void* h_before = nullptr;
  LstmWeights weights;
  LstmValues<const void*> values;
  const void* cs_gradient = nullptr;  // [steps, batch, units]
  const void* h_gradient = nullptr;
  void* x_gradient = nullptr;
  void* cs_before_gradient = nullptr;
  void* h_before_gradient = nullptr;
  void* w_gradient = nullptr;
  void* bias_gradient = nullptr;
  void* see_input_gradient = nullptr;  // [units]; zeros where nothing is seen
  void* see_forget_gradient = nullptr;
  void* see_output_gradient = nullptr;
};

/// The element-wise parts of a GRU's step, n elements of float each. Outputs may be inputs, at the same place.
struct GruTable {
  /// r = sigmoid(r), u = sigmoid(u) of the gates [batch, 2 * units], r first; reset = h_before * r.
  void (*gates)(const float* gates, const float* h_before, float* r, float* u, float* reset, int64_t batch,
                int64_t units, Parallel&);
  /// c = tanh(c); h = u * h_before + (1 - u) * c.
  void (*output)(const float* u, const float* h_before, float* c, float* h, int64_t n, Parallel&);
  /// Of what tanh and the update gate's sigmoid get; the latter to the second halves of `gates` [batch, 2 * units].
  void (*output_gradient)(const float* dh, const float* u, const float* h_before, const float* c, float* dc,
                          float* gates, int64_t batch, int64_t units, Parallel&);
  /// Of what the reset gate's sigmoid gets, to the first halves of `gates`; dh_before = d_reset * r + dh * u.
  void (*reset_gradient)(const float* dh, const float* d_reset, const float* r, const float* u, const float* h_before,
                         float* gates, float* dh_before, int64_t batch, int64_t units, Parallel&);
};

/// By type: float and half, which computes in float and rounds what it yields. Thread-safe; rows of a batch and columns
/// of weights go to threads, sums are in an order that depends on sizes only. Weights are packed once for all steps.
struct RecurrentTable {
  void (*lstm[kDTypeCount])(const LstmForward&, Parallel&);
  void (*lstm_cell_gradient[kDTypeCount])(const LstmCellGradient&, Parallel&);
  void (*lstm_gradient[kDTypeCount])(const LstmGradient&, Parallel&);
  GruTable gru;
};

}  // namespace tinytf::kernels
