#include "kernels/random.h"

#include <random>
#include <utility>

namespace tinytf::kernels {

namespace {

uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

}  // namespace

Philox Philox::from_seeds(int64_t seed, int64_t seed2) {
  uint64_t key = static_cast<uint64_t>(seed);
  uint64_t stream = static_cast<uint64_t>(seed2);
  if (key == 0 && stream == 0) {
    std::random_device device;
    key = static_cast<uint64_t>(device()) << 32 | device();
    stream = static_cast<uint64_t>(device()) << 32 | device();
  }
  Philox philox;
  philox.key[0] = low(key);
  philox.key[1] = high(key);
  philox.counter[2] = low(stream);
  philox.counter[3] = high(stream);
  return philox;
}

Philox Philox::stateless(uint64_t s0, uint64_t s1) {
  // The pair is scrambled by one call, so that neighboring seeds give unrelated streams.
  Philox scrambler;
  scrambler.key[0] = 0x3EC8F720u;
  scrambler.key[1] = 0x02461E29u;
  scrambler.counter[0] = low(s0);
  scrambler.counter[1] = high(s0);
  scrambler.counter[2] = low(s1);
  scrambler.counter[3] = high(s1);
  uint32_t mix[4];
  scrambler.next(mix);
  Philox philox;
  philox.key[0] = mix[0];
  philox.key[1] = mix[1];
  philox.counter[2] = mix[2];
  philox.counter[3] = mix[3];
  return philox;
}

void Philox::skip(uint64_t calls) {
  const uint64_t before = static_cast<uint64_t>(counter[1]) << 32 | counter[0];
  const uint64_t after = before + calls;
  counter[0] = low(after);
  counter[1] = high(after);
  if (after < before && ++counter[2] == 0) ++counter[3];
}

void Philox::next(uint32_t words[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53u} * c0;
    const uint64_t p1 = uint64_t{0xCD9E8D57u} * c2;
    c0 = high(p1) ^ c1 ^ k0;
    c1 = low(p1);
    c2 = high(p0) ^ c3 ^ k1;
    c3 = low(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
  skip(1);
}

void shuffle_index(Philox generator, int64_t n, int64_t* index, Parallel& parallel) {
  constexpr double kNumberCost = 0.5, kSwapCost = 10;  // Nanoseconds.
  parallel.run_in_order(n, kNumberCost, [&](int64_t i, int64_t end) {
    for (; i < end; ++i) index[i] = i;
  });
  uint32_t words[4];
  int left = 0;
  parallel.run_in_order(n - 1, kSwapCost, [&](int64_t i, int64_t end) {
    for (; i < end; ++i) {
      if (left == 0) {
        generator.next(words);
        left = 4;
      }
      std::swap(index[i], index[i + words[4 - left] % static_cast<uint64_t>(n - i)]);
      --left;
    }
  });
}

}  // namespace tinytf::kernels
