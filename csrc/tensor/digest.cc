#include "tensor/digest.h"

#include <cstring>
#include <string>

namespace tinytf {

namespace {

constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;

uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * kMultiplier;
  return hash ^ (hash >> 32);
}

uint64_t word_at(const unsigned char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Uses four independent lanes, because one lane would wait for each multiplication.
uint64_t hash_bytes(uint64_t hash, const void* data, size_t n) {
  constexpr size_t kLanes = 4;
  constexpr size_t kWord = sizeof(uint64_t);
  const auto* bytes = static_cast<const unsigned char*>(data);
  hash = mix(hash, n);
  uint64_t lanes[kLanes] = {hash, hash + 1, hash + 2, hash + 3};
  for (; n >= kLanes * kWord; n -= kLanes * kWord, bytes += kLanes * kWord) {
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = mix(lanes[i], word_at(bytes + i * kWord));
  }
  for (uint64_t lane : lanes) hash = mix(hash, lane);
  for (; n >= kWord; n -= kWord, bytes += kWord) hash = mix(hash, word_at(bytes));
  uint64_t rest = 0;
  for (size_t i = 0; i < n; ++i) rest |= uint64_t{bytes[i]} << (8 * i);
  return mix(hash, rest);
}

}  // namespace

uint64_t digest(const Tensor& tensor) {
  if (!tensor.valid()) return 0;
  uint64_t hash = mix(kMultiplier, static_cast<uint64_t>(tensor.dtype()));
  for (int64_t dim : tensor.shape().dims()) hash = mix(hash, static_cast<uint64_t>(dim));
  if (dtype_size(tensor.dtype()) != 0) return hash_bytes(hash, tensor.raw(), tensor.bytes());
  if (tensor.dtype() == DType::kString) {
    for (int64_t i = 0; i < tensor.num_elements(); ++i) {
      const std::string& element = tensor.data<std::string>()[i];
      hash = hash_bytes(hash, element.data(), element.size());
    }
  }
  return hash;
}

}  // namespace tinytf
