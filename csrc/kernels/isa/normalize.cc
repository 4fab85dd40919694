#include "kernels/normalize.h"

namespace tinytf::kernels::TINYTF_ISA {

void fill_batch_normalization(NormalizeTable& table);
void fill_local_response(NormalizeTable& table);

void fill(NormalizeTable& table) {
  fill_batch_normalization(table);
  fill_local_response(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
