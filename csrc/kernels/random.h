#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/parallel.h"

namespace tinytf::kernels {

/// Philox4x32-10: a key and a 128-bit counter (low word first). Every call yields four words and adds one to the
/// counter, so the n-th call can be reached at once by skip(n). A plain value: copy it, then advance the original by
/// what the copy may consume. Not thread-safe; the op that owns it guards it.
struct Philox {
  uint32_t counter[4] = {0, 0, 0, 0};
  uint32_t key[2] = {0, 0};

  /// The stream of a stateful op; both seeds 0 draw a stream from the operating system.
  static Philox from_seeds(int64_t seed, int64_t seed2);
  /// The stream of a stateless op with seed pair (s0, s1).
  static Philox stateless(uint64_t s0, uint64_t s1);

  void skip(uint64_t calls);
  void next(uint32_t words[4]);
};

/// Calls that one output may consume: a stateful fill of n elements advances its generator by n * kPhiloxReserved
/// calls.
inline constexpr uint64_t kPhiloxReserved = 256;

/// Writes a random permutation of 0 .. n-1: output row i of a shuffle is input row index[i].
/// Consumes ceil((n - 1) / 4) calls.
void shuffle_index(Philox generator, int64_t n, int64_t* index, Parallel& parallel);

/// Fills n elements. Values depend only on the generator: not on threads, and for uniform values not on the ISA level.
using RandomFill = void (*)(const Philox& generator, void* out, int64_t n, Parallel&);

/// Uniform integers in [low, high); low < high. For int32 both bounds are int32 values.
using RandomIntFill = void (*)(const Philox& generator, int64_t low, int64_t high, void* out, int64_t n, Parallel&);

/// Class numbers drawn from unnormalized log-probabilities: logits [batch, classes], out [batch, samples] of int32 or
/// int64 (`out_type`). Infinite and NaN logits have no weight. A single stream runs through the rows in order. The op
/// advances its generator by kPhiloxReserved * batch * 2 * (samples rounded up to a multiple of 4).
using MultinomialFill = void (*)(const Philox& generator, const void* logits, int64_t batch, int64_t classes,
                                 int64_t samples, DType out_type, void* out, Parallel&);

/// Gamma(alpha, 1) variates: alpha [alphas] > 0, out [samples, alphas]. The op advances its generator by
/// kPhiloxReserved * samples * alphas.
using GammaFill = void (*)(const Philox& generator, const void* alpha, int64_t alphas, int64_t samples, void* out,
                           Parallel&);

/// Indexed by DType; null if there is no loop.
struct RandomTable {
  RandomFill uniform[kDTypeCount];           // [0, 1): half, bfloat16, float, double.
  RandomFill normal[kDTypeCount];            // Mean 0, deviation 1: the same types.
  RandomFill truncated_normal[kDTypeCount];  // The same, values beyond two deviations redrawn.
  RandomIntFill uniform_int[kDTypeCount];    // int32, int64
  MultinomialFill multinomial[kDTypeCount];  // half, bfloat16, float, double logits
  GammaFill gamma[kDTypeCount];              // half, bfloat16, float, double
};

}  // namespace tinytf::kernels
