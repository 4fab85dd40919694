#pragma once

#include "kernels/cast.h"
#include "kernels/conv.h"
#include "kernels/copy.h"
#include "kernels/elementwise.h"
#include "kernels/gather.h"
#include "kernels/gemm.h"
#include "kernels/normalize.h"
#include "kernels/pool.h"
#include "kernels/random.h"
#include "kernels/recurrent.h"
#include "kernels/reduce.h"
#include "kernels/resize.h"
#include "kernels/softmax.h"
#include "kernels/update.h"

// List of all families of loops: X(family, Table). For example, family `gemm` has its contract in kernels/gemm.h
// (struct GemmTable, a plain struct of function pointers) and its loops in kernels/isa/gemm.cc (void fill(GemmTable&)),
// compiled once per level.
#define TINYTF_KERNEL_FAMILIES(X)  \
  X(gemm, GemmTable)               \
  X(conv, ConvTable)               \
  X(pool, PoolTable)               \
  X(elementwise, ElementwiseTable) \
  X(cast, CastTable)               \
  X(reduce, ReduceTable)           \
  X(resize, ResizeTable)           \
  X(softmax, SoftmaxTable)         \
  X(normalize, NormalizeTable)     \
  X(random, RandomTable)           \
  X(copy, CopyTable)               \
  X(gather, GatherTable)           \
  X(recurrent, RecurrentTable)     \
  X(update, UpdateTable)

namespace tinytf::kernels {

/// All loops of one instruction-set level.
struct KernelTable {
#define TINYTF_X(family, Table) Table family;
  TINYTF_KERNEL_FAMILIES(TINYTF_X)
#undef TINYTF_X
};

/// The table of the active level. Chosen at first use: the best level of this CPU, or the one that the environment
/// variable TINYTF_ISA names (generic, avx2, avx512). Thread-safe; a kernel object may keep pointers into it.
const KernelTable& table();

/// Name of the active level.
const char* isa();
/// Makes another level active for kernel objects created from now on. Returns false if this machine or build lacks it.
bool set_isa(const char* name);
/// Whether this machine and build have the level.
bool has_isa(const char* name);

}  // namespace tinytf::kernels
