#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Sizes of nets that run over `steps` inputs [batch, inputs] and keep a state [batch, units]. Sequences are stored
/// step by step; everything is row-major and of one type unless noted otherwise. Any size may be 0; the sizes of all
/// buffers fit in int64.
struct RecurrentSizes {
  int64_t steps = 0;
  int64_t batch = 0;
  int64_t inputs = 0;
  int64_t units = 0;
};

/// Order of the gates of an LSTM, in blocks of `units` columns: input, new, forget, output; or input, forget, new,
/// output.
enum class GateOrder : uint8_t { kNewSecond, kForgetSecond };

struct LstmWeights {
  const void* w = nullptr;  // [inputs + units, 4 * units]
  GateOrder order = GateOrder::kNewSecond;
  /// [units]: peephole weights of the input, forget and output gates for the cell state. All null without peepholes.
  const void* see_input = nullptr;
  const void* see_forget = nullptr;
  const void* see_output = nullptr;
};

/// Values that an LSTM computes in each step, by TensorFlow's names.
template <class Pointer>
struct LstmValues {
  Pointer i = nullptr;   // Input gate.
  Pointer cs = nullptr;  // Cell state.
  Pointer f = nullptr;   // Forget gate.
  Pointer o = nullptr;   // Output gate.
  Pointer ci = nullptr;  // Cell input.
  Pointer co = nullptr;  // tanh(cs)
  Pointer h = nullptr;   // Output.
};

struct LstmForward {
  RecurrentSizes sizes;
  const void* x = nullptr;          // [steps, batch, inputs]
  const void* cs_before = nullptr;  // [batch, units]
  const void* h_before = nullptr;
  LstmWeights weights;
  const void* bias = nullptr;  // [4 * units]
  float forget_bias = 0;
  float clip = 0;            // If positive, cs is clipped to [-clip, clip].
  LstmValues<void*> values;  // [steps, batch, units] each
};

/// Gradient of one step, up to the gates before their activation.
struct LstmCellGradient {
  RecurrentSizes sizes;  // Steps and inputs are ignored.
  const void* cs_before = nullptr;
  LstmWeights weights;             // w is not read.
  LstmValues<const void*> values;  // h is not read.
  const void* cs_gradient = nullptr;
  const void* h_gradient = nullptr;
  void* cs_before_gradient = nullptr;
  void* gates_gradient = nullptr;      // [batch, 4 * units]
  void* see_input_gradient = nullptr;  // [units]; zeros without peepholes.
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
  void* see_input_gradient = nullptr;  // [units]; zeros without peepholes.
  void* see_forget_gradient = nullptr;
  void* see_output_gradient = nullptr;
};

/// The element-wise parts of a GRU's step, in float. An output may be the same memory as an input.
struct GruTable {
  /// r = sigmoid(r), u = sigmoid(u) of the gates [batch, 2 * units], r first; reset = h_before * r.
  void (*gates)(const float* gates, const float* h_before, float* r, float* u, float* reset, int64_t batch,
                int64_t units, Parallel&);
  /// c = tanh(c); h = u * h_before + (1 - u) * c.
  void (*output)(const float* u, const float* h_before, float* c, float* h, int64_t n, Parallel&);
  /// Gradients of the inputs of tanh (`dc`) and of the update gate's sigmoid (second halves of `gates` [batch, 2 *
  /// units]).
  void (*output_gradient)(const float* dh, const float* u, const float* h_before, const float* c, float* dc,
                          float* gates, int64_t batch, int64_t units, Parallel&);
  /// Gradient of the input of the reset gate's sigmoid (first halves of `gates`); dh_before = d_reset * r + dh * u.
  void (*reset_gradient)(const float* dh, const float* d_reset, const float* r, const float* u, const float* h_before,
                         float* gates, float* dh_before, int64_t batch, int64_t units, Parallel&);
};

/// Indexed by DType: float, and half, which computes in float and rounds its results. Thread-safe; the work is split by
/// rows of the batch and columns of weights; the order of sums depends only on sizes. Weights are packed once for all
/// steps.
struct RecurrentTable {
  void (*lstm[kDTypeCount])(const LstmForward&, Parallel&);
  void (*lstm_cell_gradient[kDTypeCount])(const LstmCellGradient&, Parallel&);
  void (*lstm_gradient[kDTypeCount])(const LstmGradient&, Parallel&);
  GruTable gru;
};

}  // namespace tinytf::kernels
