// Chooses the instruction-set level and fills its table.

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "kernels/table.h"

#ifdef TINYTF_X86_LEVELS
#include <cpuid.h>
#endif

namespace tinytf::kernels {

namespace generic {
void fill_table(KernelTable&);
}
#ifdef TINYTF_X86_LEVELS
namespace avx2 {
void fill_table(KernelTable&);
}
namespace avx512 {
void fill_table(KernelTable&);
}
#endif

namespace {

#ifdef TINYTF_X86_LEVELS
/// clang 14 does not know this feature by name.
bool has_f16c() {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

struct Level {
  const char* name;
  bool (*supported)();
  void (*fill)(KernelTable&);
};

// Best last.
constexpr Level kLevels[] = {
    {"generic", [] { return true; }, generic::fill_table},
#ifdef TINYTF_X86_LEVELS
    {"avx2",
     [] {
       return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
              __builtin_cpu_supports("bmi2") != 0 && has_f16c();
     },
     avx2::fill_table},
    {"avx512",
     [] {
       return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
              __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
     },
     avx512::fill_table},
#endif
};
constexpr int kLevelCount = sizeof kLevels / sizeof *kLevels;

struct Tables {
  std::array<KernelTable, kLevelCount> tables{};
  std::atomic<int> active{0};

  Tables() {
    const char* forced = std::getenv("TINYTF_ISA");
    for (int i = 0; i < kLevelCount; ++i) {
      if (!kLevels[i].supported()) continue;
      kLevels[i].fill(tables[i]);
      const bool forbidden = forced != nullptr && *forced != '\0' && std::strcmp(forced, kLevels[i].name) != 0;
      if (!forbidden) active = i;
    }
  }
};

Tables& tables() {
  static Tables tables;
  return tables;
}

int find(const char* name) {
  for (int i = 0; i < kLevelCount; ++i) {
    if (std::strcmp(kLevels[i].name, name) == 0 && kLevels[i].supported()) return i;
  }
  return -1;
}

}  // namespace

const KernelTable& table() { return tables().tables[tables().active.load(std::memory_order_relaxed)]; }

const char* isa() { return kLevels[tables().active.load(std::memory_order_relaxed)].name; }

bool has_isa(const char* name) { return find(name) >= 0; }

bool set_isa(const char* name) {
  const int level = find(name);
  if (level < 0) return false;
  tables().active = level;
  return true;
}

}  // namespace tinytf::kernels
