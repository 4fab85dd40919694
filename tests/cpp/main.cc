#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace testing {
namespace {

std::atomic<int> failures{0};

/// Whether the case passed. An exception that escapes the case is a failure and does not end the run.
bool run_case(const Case& test) {
  const int before = failures;
  try {
    test.body();
  } catch (const std::exception& error) {
    fail(test.file, 0, str_cat("exception: ", error.what()));
  }
  const bool passed = failures == before;
  std::printf("%s %s\n", passed ? "PASS" : "FAIL", test.name);
  std::fflush(stdout);
  return passed;
}

}  // namespace

void fail(const char* file, int line, const std::string& text) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  ++failures;
  std::printf("%s:%d: %s\n", file, line, text.c_str());
}

}  // namespace testing
}  // namespace tinytf

#define TINYTF_SANITIZER_OPTIONS extern "C" __attribute__((visibility("default"))) const char*
// Some cases request more memory than there is, and expect an error. Forked children start threads.
TINYTF_SANITIZER_OPTIONS __asan_default_options() { return "allocator_may_return_null=1"; }
TINYTF_SANITIZER_OPTIONS __tsan_default_options() { return "allocator_may_return_null=1:die_after_fork=0"; }

int main(int argc, char** argv) {
  using tinytf::testing::cases;
  using tinytf::testing::run_case;
  std::sort(cases().begin(), cases().end(), [](auto& a, auto& b) { return std::strcmp(a.name, b.name) < 0; });
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const auto& test : cases()) std::printf("%s\n", test.name);
    return 0;
  }
  if (argc > 1 && (std::strcmp(argv[1], "--run") != 0 || argc == 2)) {
    std::fprintf(stderr, "usage: %s [--list | --run NAME ...]\n", argv[0]);
    return 2;
  }
  bool passed = true;
  if (argc == 1) {
    for (const auto& test : cases()) passed &= run_case(test);
  }
  for (int i = 2; i < argc; ++i) {
    auto found =
        std::find_if(cases().begin(), cases().end(), [&](auto& c) { return std::strcmp(c.name, argv[i]) == 0; });
    if (found == cases().end()) {
      std::fprintf(stderr, "no case named '%s'\n", argv[i]);
      return 2;
    }
    passed &= run_case(*found);
  }
  return passed ? 0 : 1;
}
