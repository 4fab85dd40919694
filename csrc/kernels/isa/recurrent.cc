#include "kernels/recurrent.h"

#include "kernels/isa/recurrent_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill(RecurrentTable& table) {
  fill_lstm(table);
  fill_lstm_gradient(table);
  fill_gru(table.gru);
}

}  // namespace tinytf::kernels::TINYTF_ISA
