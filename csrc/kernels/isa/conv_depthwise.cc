#include "kernels/isa/conv_depthwise.h"

#include <type_traits>

namespace tinytf::kernels::TINYTF_ISA {

void fill_depthwise(ConvTable& table);

namespace {

/// Runs loop(a, b, out) on float copies of narrow tensors, or on the tensors themselves.
template <class T, class Loop>
void with_floats(const void* a, int64_t a_size, const void* b, int64_t b_size, void* out, int64_t out_size, Loop loop) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    Scratch scratch((a_size + b_size + out_size) * sizeof(float));
    float* const wide_a = scratch.as<float>();
    float* const wide_b = wide_a + a_size;
    float* const wide_out = wide_b + b_size;
    to_float(static_cast<const T*>(a), a_size, wide_a);
    to_float(static_cast<const T*>(b), b_size, wide_b);
    loop(wide_a, wide_b, wide_out);
    from_float(wide_out, out_size, static_cast<T*>(out));
  } else {
    loop(static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(out));
  }
}

int64_t input_size(const DepthwiseShape& s) { return s.batch * s.window.in_points() * s.channels; }
int64_t filter_size(const DepthwiseShape& s) { return s.window.taps() * s.channels * s.multiplier; }
int64_t output_size(const DepthwiseShape& s) { return s.batch * s.window.out_points() * s.channels * s.multiplier; }

template <class T>
void forward(const DepthwiseShape& s, const void* input, const void* filter, void* output, Parallel& parallel) {
  with_floats<T>(input, input_size(s), filter, filter_size(s), output, output_size(s),
                 [&](const auto* a, const auto* b, auto* out) { depthwise_forward(s, a, b, out, parallel); });
}

template <class T>
void backprop_input(const DepthwiseShape& s, const void* filter, const void* errors, void* in_backprop,
                    Parallel& parallel) {
  with_floats<T>(filter, filter_size(s), errors, output_size(s), in_backprop, input_size(s),
                 [&](const auto* a, const auto* b, auto* out) { depthwise_backprop_input(s, a, b, out, parallel); });
}

template <class T>
void backprop_filter(const DepthwiseShape& s, const void* input, const void* errors, void* filter_backprop,
                     Parallel& parallel) {
  with_floats<T>(input, input_size(s), errors, output_size(s), filter_backprop, filter_size(s),
                 [&](const auto* a, const auto* b, auto* out) { depthwise_backprop_filter(s, a, b, out, parallel); });
}

template <class T>
void add(ConvTable& table) {
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table.depthwise[kType] = forward<T>;
  table.depthwise_backprop_input[kType] = backprop_input<T>;
  table.depthwise_backprop_filter[kType] = backprop_filter<T>;
}

}  // namespace

void fill_depthwise(ConvTable& table) {
  add<float>(table);
  add<double>(table);
  add<Half>(table);
  add<BFloat16>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
