#include "kernels/isa/reduce_fill.h"
#include "kernels/isa/reduce_loops.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
struct All {
  using Acc = T;
  static Acc identity() { return 1; }
  static Acc load(Acc x) { return x; }
  static Acc combine(Acc a, Acc b) { return a & b; }
  static Acc finish(Acc a, int64_t) { return a; }
};

template <class T>
struct Any {
  using Acc = T;
  static Acc identity() { return 0; }
  static Acc load(Acc x) { return x; }
  static Acc combine(Acc a, Acc b) { return a | b; }
  static Acc finish(Acc a, int64_t) { return a; }
};

}  // namespace

void fill_reduce_bools(ReduceTable& table) {
  add_reduction<All, bool>(table, Reduction::kAll);
  add_reduction<Any, bool>(table, Reduction::kAny);
}

}  // namespace tinytf::kernels::TINYTF_ISA
