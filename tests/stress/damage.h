#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

namespace tinytf {
namespace testing {

/// Changes a few bytes: flips bits, sets special values, inserts, removes or repeats bytes, or truncates.
inline void damage(std::string& bytes, std::mt19937& random) {
  for (uint32_t i = random() % 4 + 1; i > 0; --i) {
    const size_t at = bytes.empty() ? 0 : random() % bytes.size();
    const size_t length = std::min<size_t>(random() % 8, bytes.size() - at);
    static constexpr char kSpecial[] = {'\0', '\x01', '\x7f', '\x80', '\xff'};
    switch (random() % 6) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = kSpecial[random() % sizeof kSpecial];
        break;
      case 2: bytes.insert(at, 1 + random() % 10, kSpecial[random() % sizeof kSpecial]); break;
      case 3: bytes.erase(at, length); break;
      case 4: bytes.insert(at, bytes.substr(at, length)); break;
      default:
        if (random() % 8 == 0) bytes.resize(at);
    }
  }
}

}  // namespace testing
}  // namespace tinytf
