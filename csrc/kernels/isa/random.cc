#include "kernels/random.h"

#include <type_traits>

#include "kernels/isa/random_draws.h"
#include "kernels/isa/random_normal.h"
#include "kernels/isa/random_philox.h"

namespace tinytf::kernels::TINYTF_ISA {

namespace {

constexpr int kBlockCalls = 256;  // 4 KiB of words: the block stays in L1.

/// Outputs of one generator call.
template <class T>
constexpr int kGroup = sizeof(T) == 8 ? 2 : 4;

/// Calls make(first_call, calls, block) for blocks of whole calls and stores the first n results.
template <class T, class Make>
void fill_blocks(T* out, int64_t n, double cost, Parallel& parallel, const Make& make) {
  constexpr int kOutputs = kBlockCalls * kGroup<T>;
  const auto body = [&](int64_t begin, int64_t end) {
    alignas(64) T block[kOutputs];
    for (int64_t i = begin; i < end; i += kOutputs) {
      const int count = static_cast<int>(end - i < kOutputs ? end - i : kOutputs);
      const int calls = (count + kGroup<T> - 1) / kGroup<T>;
      T* target = count == calls * kGroup<T> ? out + i : block;
      make(static_cast<uint64_t>(i / kGroup<T>), calls, target);
      if (target == block) {
        for (int k = 0; k < count; ++k) out[i + k] = block[k];
      }
    }
  };
  parallel.run(n, kOutputs, cost, body);
}

void convert_words(const uint32_t* __restrict words, int calls, float* __restrict out) {
  for (int i = 0; i < 4 * calls; ++i) out[i] = uniform_float(words[i]);
}

void convert_words(const uint32_t* words, int calls, double* out) {
  for (int i = 0; i < 2 * calls; ++i) out[i] = uniform_double(words[2 * i], words[2 * i + 1]);
}

void convert_words(const uint32_t* words, int calls, Half* out) {
  for (int i = 0; i < 4 * calls; ++i) {
    const float value = random_bits<float>((words[i] & 0x3FFu) << 13 | 0x3F800000u) - 1.0f;
    out[i] = Half(value);
  }
}

void convert_words(const uint32_t* words, int calls, BFloat16* out) {
  for (int i = 0; i < 4 * calls; ++i) {
    const float value = random_bits<float>((words[i] & 0x7Fu) << 16 | 0x3F800000u) - 1.0f;
    out[i].bits = static_cast<uint16_t>(random_bits<uint32_t>(value) >> 16);  // Exact.
  }
}

template <class T>
void uniform(const Philox& generator, void* out, int64_t n, Parallel& parallel) {
  fill_blocks<T>(static_cast<T*>(out), n, 0.8, parallel, [&](uint64_t first, int calls, T* block) {
    alignas(64) uint32_t words[4 * kBlockCalls];
    philox_calls(generator, first, calls, words);
    convert_words(words, calls, block);
  });
}

template <class T>
void uniform_int(const Philox& generator, int64_t low, int64_t high, void* out, int64_t n, Parallel& parallel) {
  fill_blocks<T>(static_cast<T*>(out), n, 3.0, parallel, [&](uint64_t first, int calls, T* block) {
    alignas(64) uint32_t words[4 * kBlockCalls];
    philox_calls(generator, first, calls, words);
    if constexpr (sizeof(T) == 4) {
      const uint32_t range = static_cast<uint32_t>(high) - static_cast<uint32_t>(low);
      for (int i = 0; i < 4 * calls; ++i) {
        block[i] = static_cast<T>(static_cast<uint32_t>(low) + words[i] % range);
      }
    } else {
      const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
      for (int i = 0; i < 2 * calls; ++i) {
        const uint64_t word = static_cast<uint64_t>(words[2 * i + 1]) << 32 | words[2 * i];
        block[i] = static_cast<T>(static_cast<uint64_t>(low) + word % range);
      }
    }
  });
}

template <class T>
void store_wide(const Real<T>* values, int n, T* out) {
  for (int i = 0; i < n; ++i) out[i] = static_cast<T>(values[i]);
}

template <class T>
void normal(const Philox& generator, void* out, int64_t n, Parallel& parallel) {
  fill_blocks<T>(static_cast<T*>(out), n, 4.0, parallel, [&](uint64_t first, int calls, T* block) {
    alignas(64) uint32_t words[4 * kBlockCalls];
    philox_calls(generator, first, calls, words);
    if constexpr (std::is_same_v<T, Real<T>>) {
      normal_block(words, 4 * calls, block);
    } else {
      alignas(64) Real<T> wide[4 * kBlockCalls];
      normal_block(words, 4 * calls, wide);
      store_wide<T>(wide, calls * kGroup<T>, block);
    }
  });
}

/// Each group of outputs has its own stream. A round makes one call for every group that still lacks outputs; most
/// groups are complete after the first.
template <class T>
void truncated_block(const Philox& generator, uint64_t first_group, int groups, T* block) {
  constexpr int kOutputs = kGroup<T>;
  constexpr uint64_t kStride = kOutputs * kPhiloxReserved / 4;
  alignas(64) uint32_t words[4 * kBlockCalls];
  alignas(64) uint64_t offsets[kBlockCalls];
  alignas(64) Real<T> wide[4 * kBlockCalls];
  int16_t group[kBlockCalls];
  int8_t have[kBlockCalls] = {};
  for (int i = 0; i < groups; ++i) {
    group[i] = static_cast<int16_t>(i);
    offsets[i] = (first_group + i) * kStride;
  }
  for (int open = groups; open > 0;) {
    philox_calls(generator, offsets, open, words);
    normal_block(words, 4 * open, wide);
    int still = 0;
    for (int i = 0; i < open; ++i) {
      const Real<T>* z = wide + i * kOutputs;
      T* target = block + group[i] * kOutputs;
      int count = have[i];
      bool all = count == 0;
      for (int k = 0; k < kOutputs; ++k) all &= z[k] < 2 && z[k] > -2;
      if (all) {
        for (int k = 0; k < kOutputs; ++k) target[k] = static_cast<T>(z[k]);
        continue;
      }
      for (int k = 0; k < kOutputs && count < kOutputs; ++k) {
        if (z[k] < 2 && z[k] > -2) target[count++] = static_cast<T>(z[k]);
      }
      if (count == kOutputs) continue;
      group[still] = group[i];
      have[still] = static_cast<int8_t>(count);
      offsets[still++] = offsets[i] + 1;
    }
    open = still;
  }
}

template <class T>
void truncated_normal(const Philox& generator, void* out, int64_t n, Parallel& parallel) {
  fill_blocks<T>(static_cast<T*>(out), n, 8.0, parallel,
                 [&](uint64_t first, int calls, T* block) { truncated_block<T>(generator, first, calls, block); });
}

template <class T>
void fill_floating(RandomTable& table) {
  constexpr int dtype = static_cast<int>(dtype_of<T>);
  table.uniform[dtype] = uniform<T>;
  table.normal[dtype] = normal<T>;
  table.truncated_normal[dtype] = truncated_normal<T>;
}

}  // namespace

void fill(RandomTable& table) {
  fill_floating<Half>(table);
  fill_floating<BFloat16>(table);
  fill_floating<float>(table);
  fill_floating<double>(table);
  table.uniform_int[static_cast<int>(DType::kInt32)] = uniform_int<int32_t>;
  table.uniform_int[static_cast<int>(DType::kInt64)] = uniform_int<int64_t>;
  fill_draws(table);
}

}  // namespace tinytf::kernels::TINYTF_ISA
