#pragma once

#include <string>

#include "kernels/recurrent.h"
#include "op/kernel.h"
#include "op/op_def.h"

// Checks of the inputs of LSTM ops, in the order and with the messages of TensorFlow.
namespace tinytf::ops {

/// Fails with "{name} must be {rank}D" for another rank.
inline Status check_rank(const Tensor& t, const char* name, int rank) {
  if (t.rank() == rank) return Status();
  return invalid_argument(name, " must be ", rank, "D");
}

/// Fails with "{name}.{dims}({axis}) != {what}: a vs. b" for another size.
inline Status check_dim(const Tensor& t, const char* name, const char* dims, int axis, const char* what, Size wanted) {
  if (Size(t.dim(axis)).within(wanted.value(), wanted.value())) return Status();
  return invalid_argument(name, ".", dims, "(", axis, ") != ", what, ": ", t.dim(axis), " vs. ", to_string(wanted));
}

/// Checks that a tensor is a [batch, units] matrix.
inline Status check_state(const Tensor& t, const char* name, int64_t batch, int64_t units) {
  TINYTF_RETURN_IF_ERROR(check_rank(t, name, 2));
  TINYTF_RETURN_IF_ERROR(check_dim(t, name, "dims", 0, "batch_size", batch));
  return check_dim(t, name, "dims", 1, "cell_size", units);
}

/// Checks the inputs common to all LSTM ops, x, cs_prev, h_prev, w, wci, wcf, wco and b, of which the first is input
/// `first`, and returns their sizes. x is [steps, batch, inputs] if `is_sequence`, else [batch, inputs].
inline Result<kernels::RecurrentSizes> lstm_sizes(const KernelContext& ctx, int first, bool is_sequence) {
  const Tensor& x = ctx.input(first);
  TINYTF_RETURN_IF_ERROR(check_rank(x, "x", is_sequence ? 3 : 2));
  kernels::RecurrentSizes sizes;
  sizes.steps = is_sequence ? x.dim(0) : 1;
  sizes.batch = x.dim(x.rank() - 2);
  sizes.inputs = x.dim(x.rank() - 1);
  const Tensor& cs_prev = ctx.input(first + 1);
  TINYTF_RETURN_IF_ERROR(check_rank(cs_prev, "cs_prev", 2));
  TINYTF_RETURN_IF_ERROR(check_dim(cs_prev, "cs_prev", "dims", 0, "batch_size", sizes.batch));
  sizes.units = cs_prev.dim(1);
  TINYTF_RETURN_IF_ERROR(check_state(ctx.input(first + 2), "h_prev", sizes.batch, sizes.units));
  const Tensor& w = ctx.input(first + 3);
  TINYTF_RETURN_IF_ERROR(check_rank(w, "w", 2));
  TINYTF_RETURN_IF_ERROR(check_dim(w, "w", "dim_size", 0, "input_size + cell_size", Size(sizes.inputs) + sizes.units));
  TINYTF_RETURN_IF_ERROR(check_dim(w, "w", "dim_size", 1, "cell_size * 4", Size(sizes.units) * 4));
  constexpr const char* kSeen[] = {"wci", "wcf", "wco"};
  for (int k = 0; k < 3; ++k) {
    const Tensor& seen = ctx.input(first + 4 + k);
    TINYTF_RETURN_IF_ERROR(check_rank(seen, kSeen[k], 1));
    TINYTF_RETURN_IF_ERROR(check_dim(seen, kSeen[k], "dim_size", 0, "cell_size", sizes.units));
  }
  const Tensor& b = ctx.input(first + 7);
  TINYTF_RETURN_IF_ERROR(check_rank(b, "b", 1));
  TINYTF_RETURN_IF_ERROR(check_dim(b, "b", "dim_size", 0, "cell_size * 4", Size(sizes.units) * 4));
  return sizes;
}

/// The weights among these inputs; `sees` tells whether peepholes are used.
inline kernels::LstmWeights lstm_weights(const KernelContext& ctx, int first, bool sees, kernels::GateOrder order) {
  kernels::LstmWeights weights;
  weights.w = ctx.input(first + 3).raw();
  weights.order = order;
  if (sees) {
    weights.see_input = ctx.input(first + 4).raw();
    weights.see_forget = ctx.input(first + 5).raw();
    weights.see_output = ctx.input(first + 6).raw();
  }
  return weights;
}

/// The names of an LSTM's values, as outputs of the ops and, with or without h, as inputs of their gradients.
inline constexpr const char* kLstmValues[] = {"i", "cs", "f", "o", "ci", "co", "h"};

template <class Pointer>
kernels::LstmValues<Pointer> lstm_values(const Pointer (&at)[7]) {
  return {at[0], at[1], at[2], at[3], at[4], at[5], at[6]};
}

/// Declares the outputs. Gradients flow only through cs and h.
inline void declare_lstm_outputs(OpDefBuilder& op) {
  for (const std::string value : kLstmValues) {
    op.output(value + ": T");
    if (value != "cs" && value != "h") op.ignores_gradient(value);
  }
}

/// Declarations of the common inputs.
inline constexpr const char* kLstmInputs[] = {"x: T",   "cs_prev: T", "h_prev: T", "w: T",
                                              "wci: T", "wcf: T",     "wco: T",    "b: T"};

}  // namespace tinytf::ops
