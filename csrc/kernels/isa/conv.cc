#include "kernels/conv.h"

#include <type_traits>

#include "kernels/isa/conv_dense.h"
#include "kernels/isa/convert_float.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill_depthwise(ConvTable& table);

namespace {

/// An array of T in the type of the computation: for half and bfloat16 a copy in float, which `write` rounds back.
template <class T>
class Computed {
 public:
  static constexpr bool kNarrow = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
  using Value = std::conditional_t<kNarrow, float, T>;

  explicit Computed(int64_t size) : size_(size), room_(kNarrow ? size * sizeof(Value) : 0) {}
  Computed(const void* data, int64_t size, Parallel& parallel) : Computed(data == nullptr ? 0 : size) {
    if constexpr (kNarrow) {
      if (data != nullptr)
        parallel.run(size_, 4096, 0.2, [&](int64_t begin, int64_t end) {
          to_float(static_cast<const T*>(data) + begin, end - begin, room_.as<float>() + begin);
        });
    }
    data_ = data;
  }

  const Value* get() const {
    if constexpr (kNarrow) return data_ == nullptr ? nullptr : room_.as<float>();
    return static_cast<const Value*>(data_);
  }
  /// The memory in which to compute the array that belongs at `target`.
  Value* room_for(void* target) const {
    if constexpr (kNarrow) return room_.as<float>();
    return static_cast<Value*>(target);
  }
  void write([[maybe_unused]] void* target, [[maybe_unused]] Parallel& parallel) const {
    if constexpr (kNarrow) {
      parallel.run(size_, 4096, 0.2, [&](int64_t begin, int64_t end) {
        from_float(room_.as<float>() + begin, end - begin, static_cast<T*>(target) + begin);
      });
    }
  }

 private:
  int64_t size_;
  Scratch room_;
  const void* data_ = nullptr;
};

int64_t input_size(const ConvShape& s) { return s.batch * s.window.in_points() * s.in_channels; }
int64_t output_size(const ConvShape& s) { return s.batch * s.window.out_points() * s.out_channels; }
int64_t filter_size(const ConvShape& s) { return s.window.taps() * s.in_channels * s.out_channels; }

template <class T>
void forward(const ConvShape& shape, const void* input, const void* filter, void* output, const ConvEpilogue& epilogue,
             Parallel& parallel) {
  const Computed<T> in(input, input_size(shape), parallel), taps(filter, filter_size(shape), parallel);
  const Computed<T> bias(epilogue.bias, shape.out_channels, parallel), out(output_size(shape));
  conv_forward(shape, in.get(), taps.get(), out.room_for(output), bias.get(), epilogue.relu, parallel);
  out.write(output, parallel);
}

template <class T>
void backprop_input(const ConvShape& shape, const void* filter, const void* out_backprop, void* in_backprop,
                    Parallel& parallel) {
  const Computed<T> taps(filter, filter_size(shape), parallel), errors(out_backprop, output_size(shape), parallel);
  const Computed<T> out(input_size(shape));
  conv_backprop_input(shape, taps.get(), errors.get(), out.room_for(in_backprop), parallel);
  out.write(in_backprop, parallel);
}

template <class T>
void backprop_filter(const ConvShape& shape, const void* input, const void* out_backprop, void* filter_backprop,
                     Parallel& parallel) {
  const Computed<T> in(input, input_size(shape), parallel), errors(out_backprop, output_size(shape), parallel);
  const Computed<T> out(filter_size(shape));
  conv_backprop_filter(shape, in.get(), errors.get(), out.room_for(filter_backprop), parallel);
  out.write(filter_backprop, parallel);
}

template <class T>
void add(ConvTable& table) {
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table.forward[kType] = forward<T>;
  table.backprop_input[kType] = backprop_input<T>;
  table.backprop_filter[kType] = backprop_filter<T>;
}

}  // namespace

void fill(ConvTable& table) {
  add<float>(table);
  add<double>(table);
  add<Half>(table);
  add<BFloat16>(table);
  fill_depthwise(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
