#include "kernels/conv.h"

#include "kernels/isa/conv_dense.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill_depthwise(ConvTable& table);

namespace {

template <class T>
void add(ConvTable& table) {
  constexpr int kType = static_cast<int>(dtype_of<T>);
  table.forward[kType] = conv_forward<T>;
  table.backprop_input[kType] = conv_backprop_input<T>;
  table.backprop_filter[kType] = conv_backprop_filter<T>;
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
