#pragma once

#include <cstdint>
#include <string>

namespace tinytf {

// Integers of fixed size in files: little-endian on every processor.

template <class T>
T read_fixed(const char* from) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<unsigned char>(from[i])) << (8 * i);
  return value;
}

template <class T>
void append_fixed(std::string& to, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) to.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

}  // namespace tinytf
