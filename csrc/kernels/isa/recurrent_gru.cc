// The element-wise parts of GRUs.

#include "kernels/isa/elementwise_math.h"
#include "kernels/isa/recurrent_parts.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr double kGateCost = 1.5;  // Nanoseconds per unit.

void gates_run(const float* gates, const float* h_before, float* r, float* u, float* reset, int64_t batch,
               int64_t units, Parallel& parallel) {
  parallel.run(batch, 1, kGateCost * static_cast<double>(units), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* const to_reset = gates + row * 2 * units;
      const float* const to_update = to_reset + units;
      const int64_t at = row * units;
      TINYTF_IVDEP
      for (int64_t j = 0; j < units; ++j) {
        const float open = sigmoid(to_reset[j]);
        r[at + j] = open;
        u[at + j] = sigmoid(to_update[j]);
        reset[at + j] = h_before[at + j] * open;
      }
    }
  });
}

void output_run(const float* u, const float* h_before, float* c, float* h, int64_t n, Parallel& parallel) {
  parallel.run(n, 256, kGateCost, [&](int64_t begin, int64_t end) {
    TINYTF_IVDEP
    for (int64_t j = begin; j < end; ++j) {
      const float candidate = tanh(c[j]), kept = u[j];
      c[j] = candidate;
      h[j] = kept * h_before[j] + (1.0f - kept) * candidate;
    }
  });
}

void output_gradient_run(const float* dh, const float* u, const float* h_before, const float* c, float* dc,
                         float* gates, int64_t batch, int64_t units, Parallel& parallel) {
  parallel.run(batch, 1, kGateCost * static_cast<double>(units), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* const update = gates + row * 2 * units + units;
      const int64_t at = row * units;
      TINYTF_IVDEP
      for (int64_t j = 0; j < units; ++j) {
        const float got = dh[at + j], kept = u[at + j], candidate = c[at + j];
        const float fresh = got * (1.0f - kept);
        dc[at + j] = fresh * (1.0f - candidate * candidate);
        update[j] = fresh * kept * (h_before[at + j] - candidate);
      }
    }
  });
}

void reset_gradient_run(const float* dh, const float* d_reset, const float* r, const float* u, const float* h_before,
                        float* gates, float* dh_before, int64_t batch, int64_t units, Parallel& parallel) {
  parallel.run(batch, 1, kGateCost * static_cast<double>(units), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* const reset = gates + row * 2 * units;
      const int64_t at = row * units;
      TINYTF_IVDEP
      for (int64_t j = 0; j < units; ++j) {
        const float open = r[at + j], through = d_reset[at + j] * open;
        dh_before[at + j] = through + dh[at + j] * u[at + j];
        reset[j] = through * (1.0f - open) * h_before[at + j];
      }
    }
  });
}

}  // namespace

void fill_gru(GruTable& table) { table = {gates_run, output_run, output_gradient_run, reset_gradient_run}; }

}  // namespace tinytf::kernels::TINYTF_ISA
