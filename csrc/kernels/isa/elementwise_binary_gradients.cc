// Gradients for which TensorFlow has ops. For complex arguments the derivative is conjugated.

#include "kernels/isa/elementwise_fill.h"
#include "kernels/isa/elementwise_loops.h"
#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/elementwise_special.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
T conj(T x) {
  if constexpr (kIsCplx<T>) {
    return {x.re, -x.im};
  } else {
    return x;
  }
}

template <class T>
T real(double value) {
  if constexpr (kIsCplx<T>) {
    return {static_cast<decltype(T{}.re)>(value), 0};
  } else {
    return static_cast<T>(value);
  }
}

struct TanhGrad {
  template <class T>
  static T run(T y, T dy) {
    return dy * (real<T>(1) - y * y);  // No conjugate: the caller passes conj(y).
  }
};

struct SigmoidGrad {
  template <class T>
  static T run(T y, T dy) {
    return dy * (y * (real<T>(1) - y));  // As above.
  }
};

// A gradient of 0 stays 0 where the derivative is infinite.
struct ReciprocalGrad {
  template <class T>
  static T run(T y, T dy) {
    const T c = conj(y);
    const T result = -c * dy * c;
    return dy == T{} ? T{} : result;
  }
};

struct SqrtGrad {  // As above.
  template <class T>
  static T run(T y, T dy) {
    const T result = real<T>(0.5) * dy / conj(y);
    return dy == T{} ? T{} : result;
  }
};

struct RsqrtGrad {  // As above.
  template <class T>
  static T run(T y, T dy) {
    const T c = conj(y);
    const T result = real<T>(-0.5) * (dy * c) * (c * c);
    return dy == T{} ? T{} : result;
  }
};

struct ReluGrad {  // A product, so that non-finite gradients propagate, as in TensorFlow.
  template <class T>
  static T run(T gradient, T feature) {
    return static_cast<T>(gradient * static_cast<T>(feature > T{0}));
  }
};

struct Relu6Grad {  // As above.
  template <class T>
  static T run(T gradient, T feature) {
    return static_cast<T>(gradient * static_cast<T>((feature > T{0}) & (feature < T{6})));
  }
};

struct EluGrad {
  template <class T>
  static T run(T gradient, T output) {
    const T scaled = (output + T{1}) * gradient;
    return output < T{0} ? scaled : gradient;
  }
};

struct SeluGrad {
  template <class T>
  static T run(T gradient, T output) {
    const T scaled = gradient * (output + static_cast<T>(kSeluScale * kSeluAlpha));
    return output < T{0} ? scaled : gradient * static_cast<T>(kSeluScale);
  }
};

struct SoftplusGrad {
  static float run(float gradient, float feature) { return gradient * sigmoid(feature); }
  static double run(double gradient, double feature) { return gradient / (__builtin_exp(-feature) + 1); }
};

struct SoftsignGrad {
  template <class T>
  static T run(T gradient, T feature) {
    const T d = T{1} + (feature < T{0} ? -feature : feature);
    return gradient / (d * d);
  }
};

template <class Op>
void add_function(ElementwiseTable& table, Binary op, float cost) {
  add_binary<Op, BFloat16, Half, float, double, std::complex<float>, std::complex<double>>(table, op, cost);
}

template <class Op>
void add_activation(ElementwiseTable& table, Binary op, float cost) {
  add_binary<Op, BFloat16, Half, float, double>(table, op, cost);
}

}  // namespace

void fill_binary_gradients(ElementwiseTable& table) {
  constexpr float kCheap = 0.3f;
  add_function<TanhGrad>(table, Binary::kTanhGrad, kCheap);
  add_function<SigmoidGrad>(table, Binary::kSigmoidGrad, kCheap);
  add_function<ReciprocalGrad>(table, Binary::kReciprocalGrad, kCheap);
  add_function<SqrtGrad>(table, Binary::kSqrtGrad, 0.5f);
  add_function<RsqrtGrad>(table, Binary::kRsqrtGrad, kCheap);
  add_activation<ReluGrad>(table, Binary::kReluGrad, kCheap);
  add_activation<Relu6Grad>(table, Binary::kRelu6Grad, kCheap);
  add_binary<ReluGrad, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(table, Binary::kReluGrad, kCheap);
  add_binary<Relu6Grad, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(table, Binary::kRelu6Grad, kCheap);
  add_activation<EluGrad>(table, Binary::kEluGrad, kCheap);
  add_activation<SeluGrad>(table, Binary::kSeluGrad, kCheap);
  add_activation<SoftsignGrad>(table, Binary::kSoftsignGrad, 0.5f);
  add_activation<SoftplusGrad>(table, Binary::kSoftplusGrad, 1);
}

}  // namespace tinytf::kernels::TINYTF_ISA
