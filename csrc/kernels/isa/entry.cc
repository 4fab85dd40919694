#include "kernels/table.h"

namespace tinytf::kernels::TINYTF_ISA {

#define TINYTF_X(family, Table) void fill(Table&);
TINYTF_KERNEL_FAMILIES(TINYTF_X)
#undef TINYTF_X

/// The only symbol of this ISA level that other code may use.
void fill_table(KernelTable& table) {
#define TINYTF_X(family, Table) fill(table.family);
  TINYTF_KERNEL_FAMILIES(TINYTF_X)
#undef TINYTF_X
}

}  // namespace tinytf::kernels::TINYTF_ISA
