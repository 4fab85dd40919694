#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/isa/compiler.h"
#include "kernels/random.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Many Philox calls at once: one call per 64-bit lane, every word in the lane's low half. The widening multiply ignores
// the upper half, which may hold garbage between rounds.
namespace tinytf::kernels::TINYTF_ISA {

#if defined(__AVX512F__)
inline constexpr int kPhiloxLanes = 8;
#elif defined(__AVX2__)
inline constexpr int kPhiloxLanes = 4;
#else
inline constexpr int kPhiloxLanes = 2;
#endif

typedef uint64_t PhiloxLanes __attribute__((vector_size(8 * kPhiloxLanes)));

/// Products of the low halves of a and b.
static inline PhiloxLanes widening_multiply(PhiloxLanes a, PhiloxLanes b) {
#if defined(__AVX512F__)
  return (PhiloxLanes)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (PhiloxLanes)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (PhiloxLanes)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
  return (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
#endif
}

/// Stores pairs of lanes (a0, b0), (a1, b1), … in memory order.
static inline void store_interleaved(PhiloxLanes a, PhiloxLanes b, uint32_t* out) {
#if defined(__AVX512F__)
  const PhiloxLanes first = shuffle<0, 8, 1, 9, 2, 10, 3, 11>(a, b);
  const PhiloxLanes second = shuffle<4, 12, 5, 13, 6, 14, 7, 15>(a, b);
#elif defined(__AVX2__)
  const PhiloxLanes first = shuffle<0, 4, 1, 5>(a, b);
  const PhiloxLanes second = shuffle<2, 6, 3, 7>(a, b);
#else
  const PhiloxLanes first = shuffle<0, 2>(a, b);
  const PhiloxLanes second = shuffle<1, 3>(a, b);
#endif
  std::memcpy(out, &first, sizeof first);
  std::memcpy(out + sizeof first / 4, &second, sizeof second);
}

/// Computes the words of calls number offsets[0 .. n) after `generator`, four per call.
static inline void philox_calls(const Philox& generator, const uint64_t* offsets, int n, uint32_t* words) {
  const uint64_t base = static_cast<uint64_t>(generator.counter[1]) << 32 | generator.counter[0];
  int i = 0;
  uint64_t greatest = 0;
  for (int k = 0; k < n; ++k) greatest = offsets[k] > greatest ? offsets[k] : greatest;
  if (base + greatest >= base) {  // No carry into the upper half of the counter.
    for (; i + 2 * kPhiloxLanes <= n; i += 2 * kPhiloxLanes) {
      PhiloxLanes c0[2], c1[2], c2[2], c3[2];  // Two chains hide the latency of the multiply.
      PhiloxLanes k0 = generator.key[0] - PhiloxLanes{}, k1 = generator.key[1] - PhiloxLanes{};
      const PhiloxLanes m0 = 0xD2511F53u - PhiloxLanes{}, m1 = 0xCD9E8D57u - PhiloxLanes{};
      for (int h = 0; h < 2; ++h) {
        std::memcpy(&c0[h], offsets + i + h * kPhiloxLanes, sizeof c0[h]);
        c0[h] += base;
        c1[h] = c0[h] >> 32;
        c2[h] = generator.counter[2] - PhiloxLanes{};
        c3[h] = generator.counter[3] - PhiloxLanes{};
      }
#pragma GCC unroll 10
      for (int round = 0; round < 10; ++round) {
        for (int h = 0; h < 2; ++h) {
          const PhiloxLanes p0 = widening_multiply(c0[h], m0), p1 = widening_multiply(c2[h], m1);
          c0[h] = (p1 >> 32) ^ c1[h] ^ k0;
          c1[h] = p1;
          c2[h] = (p0 >> 32) ^ c3[h] ^ k1;
          c3[h] = p0;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
      }
      for (int h = 0; h < 2; ++h) {
        store_interleaved((c0[h] & 0xFFFFFFFFu) | (c1[h] << 32), (c2[h] & 0xFFFFFFFFu) | (c3[h] << 32),
                          words + 4 * (i + h * kPhiloxLanes));
      }
    }
  }
  for (; i < n; ++i) {
    Philox one = generator;
    one.skip(offsets[i]);
    one.next(words + 4 * i);
  }
}

/// Computes the words of calls number first .. first + n.
static inline void philox_calls(const Philox& generator, uint64_t first, int n, uint32_t* words) {
  constexpr int kChunk = 64;
  uint64_t offsets[kChunk];
  for (int done = 0; done < n; done += kChunk) {
    const int count = n - done < kChunk ? n - done : kChunk;
    for (int i = 0; i < kChunk; ++i) offsets[i] = first + done + i;
    philox_calls(generator, offsets, count, words + 4 * done);
  }
}

}  // namespace tinytf::kernels::TINYTF_ISA
