#include "kernels/isa/gather_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

int64_t scatter_rows(void* rows, int64_t limit, int64_t inner, int64_t size, const Indices& indices,
                     const void* updates, bool scalar, RowFn combine, Parallel& parallel) {
  const int64_t bad = check_indices(indices, limit, parallel);
  if (bad != kAllInRange) return bad;
  constexpr double kCost = 0.3;  // Nanoseconds per element.
  char* target = static_cast<char*>(rows);
  const char* source = static_cast<const char*>(updates);
  with_indices(indices, [&](const auto* index) {
    cut_target(limit, inner, indices.count, kCost, parallel,
               [&](int64_t row_begin, int64_t row_end, int64_t begin, int64_t end) {
                 parallel.run_in_order(indices.count, row_cost(kCost, end - begin),
                                       [=, n = indices.count](int64_t first, int64_t last) {
                                         for (int64_t i = first; i < last; ++i) {
                                           const int64_t row = read_once(index + i);
                                           if (i + kPrefetchRows < n) {
                                             prefetch_row<1>(target + begin * size, limit, inner * size,
                                                             read_once(index + i + kPrefetchRows));
                                           }
                                           if (row < row_begin || row >= row_end) continue;
                                           const char* from = scalar ? source : source + (i * inner + begin) * size;
                                           combine(target + (row * inner + begin) * size, from, end - begin, scalar);
                                         }
                                       });
               });
    return 0;
  });
  return kAllInRange;
}

template <class T, class Op>
int64_t scatter(void* rows, int64_t limit, int64_t inner, const Indices& indices, const void* updates, bool scalar,
                Parallel& parallel) {
  return scatter_rows(rows, limit, inner, sizeof(T), indices, updates, scalar, combine_row<T, Op>, parallel);
}

template <class T>
void fill_type(GatherTable& table, int dtype) {
  using W = typename Wrapping<T>::type;
  table.scatter[static_cast<int>(Scatter::kAdd)][dtype] = scatter<W, Add>;
  table.scatter[static_cast<int>(Scatter::kSub)][dtype] = scatter<W, Sub>;
  table.scatter[static_cast<int>(Scatter::kMul)][dtype] = scatter<W, Mul>;
  table.scatter[static_cast<int>(Scatter::kDiv)][dtype] = scatter<T, Div>;
  if constexpr (!IsComplex<T>::value) {
    table.scatter[static_cast<int>(Scatter::kMin)][dtype] = scatter<T, Min>;
    table.scatter[static_cast<int>(Scatter::kMax)][dtype] = scatter<T, Max>;
  }
}

}  // namespace

void fill_scatters(GatherTable& table) {
#define TINYTF_X(constant, number, name, type) \
  if constexpr (!std::is_same_v<type, bool>) fill_type<type>(table, number);
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
}

}  // namespace tinytf::kernels::TINYTF_ISA
