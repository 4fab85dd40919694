#include "kernels/gemm.h"

#include "kernels/isa/gemm_complex.h"
#include "kernels/isa/gemm_narrow.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

template <class T>
Product<T> product_of(const GemmArgs& g) {
  return {g.m,
          g.n,
          g.k,
          static_cast<const T*>(g.a),
          g.lda,
          transposes(g.op_a),
          static_cast<const T*>(g.b),
          g.ldb,
          transposes(g.op_b),
          static_cast<T*>(g.c),
          g.ldc,
          {g.accumulate, static_cast<const T*>(g.bias), g.relu},
          static_cast<const T*>(g.panels)};
}

template <class T>
void real(const GemmArgs& args, Parallel& parallel) {
  multiply(product_of<T>(args), parallel);
}

template <class T>
int64_t real_panel_bytes(const GemmArgs& args) {
  return panel_bytes(product_of<T>(args));
}

template <class T>
void pack_real(const GemmArgs& args, void* panels, Parallel& parallel) {
  const Product<T> g = product_of<T>(args);
  pack_columns(MatrixB<T>{g.b, g.ldb, g.transpose_b, false}, g.k, g.n, static_cast<T*>(panels), parallel);
}

template <class T>
void narrow(const GemmArgs& args, Parallel& parallel) {
  multiply_narrow(product_of<T>(args), parallel);
}

template <class T, GemmTable::Gemm gemm>
void batched(const GemmArgs& args, const GemmBatch& batch, Parallel& parallel) {
  const auto one = [&](int64_t i, Parallel& threads) {
    GemmArgs item = args;
    if (batch.a_offsets != nullptr) item.a = static_cast<const T*>(args.a) + batch.a_offsets[i];
    if (batch.b_offsets != nullptr) item.b = static_cast<const T*>(args.b) + batch.b_offsets[i];
    item.c = static_cast<T*>(args.c) + i * batch.c_stride;
    gemm(item, threads);
  };
  const double cost = static_cast<double>(args.m) * args.n * args.k * sizeof(T) / 4 / kProductsPerNs;
  if (batch.count < parallel.threads() || cost > kRangeNs) {
    for (int64_t i = 0; i < batch.count; ++i) one(i, parallel);
    return;
  }
  parallel.run(batch.count, 1, cost, [&](int64_t begin, int64_t end) {
    SerialParallel serial;
    for (int64_t i = begin; i < end; ++i) one(i, serial);
  });
}

template <class T, GemmTable::Gemm gemm, class Stored = T>
void add(GemmTable& table) {
  table.gemm[static_cast<int>(dtype_of<Stored>)] = gemm;
  table.batched[static_cast<int>(dtype_of<Stored>)] = batched<T, gemm>;
}

template <class T>
void add_panels(GemmTable& table) {
  table.panel_bytes[static_cast<int>(dtype_of<T>)] = real_panel_bytes<T>;
  table.pack[static_cast<int>(dtype_of<T>)] = pack_real<T>;
}

}  // namespace

void fill(GemmTable& table) {
  add<float, real<float>>(table);
  add<double, real<double>>(table);
  add_panels<float>(table);
  add_panels<double>(table);
  add<Half, narrow<Half>>(table);
  add<BFloat16, narrow<BFloat16>>(table);
  add<uint32_t, real<uint32_t>, int32_t>(table);  // Unsigned arithmetic wraps, signed must not overflow.
  add<uint64_t, real<uint64_t>, int64_t>(table);
  add<std::complex<float>, multiply_complex<float>>(table);
  add<std::complex<double>, multiply_complex<double>>(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
