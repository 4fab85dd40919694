#pragma once

// The test harness: cases register themselves by name; failures are printed and counted, and the case continues.
//   TINYTF_TEST(shape_equality) { EXPECT_EQ(a.rank(), 2); }
//   tinytf_cpp_tests --list | --run NAME … | (nothing: every case)

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "base/status.h"

/// The namespace of a test file; empty unless several files are compiled as one.
#ifndef TINYTF_FILE
#define TINYTF_FILE
#endif

namespace tinytf {
namespace testing {

struct Case {
  const char* name;
  const char* file;
  void (*body)();
};

/// Every case of the binary, in the order of registration.
inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
inline bool add_case(const char* name, const char* file, void (*body)()) {
  cases().push_back({name, file, body});
  return true;
}

/// Prints "file:line: text" and marks the running case as failed. Thread-safe. Defined in main.cc.
void fail(const char* file, int line, const std::string& text);

template <class T, class = void>
struct Printable : std::false_type {};
template <class T>
struct Printable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>> : std::true_type {
};

/// The value as text: numbers in full precision, enums as their number, one-byte integers as numbers.
template <class T>
std::string show(const T& value) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (std::is_enum_v<T>) {
    out << static_cast<long long>(value);
  } else if constexpr (std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
    out << static_cast<int>(value);
  } else if constexpr (Printable<T>::value) {
    out << value;
  } else {
    out << "(a value of " << sizeof(T) << " bytes)";
  }
  return out.str();
}

template <class A, class B>
void expect_eq(const A& a, const B& b, const char* a_text, const char* b_text, const char* file, int line) {
  if (!(a == b)) fail(file, line, str_cat(a_text, " == ", b_text, ": ", show(a), " against ", show(b)));
}

inline void expect_near(double a, double b, double tolerance, const char* a_text, const char* file, int line) {
  const bool near = (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= tolerance;
  if (!near) fail(file, line, str_cat(a_text, " is ", show(a), ", not within ", show(tolerance), " of ", show(b)));
}

}  // namespace testing
}  // namespace tinytf

#define TINYTF_TEST(name)                                               \
  static void tinytf_test_##name();                                     \
  [[maybe_unused]] static const bool tinytf_added_##name =              \
      ::tinytf::testing::add_case(#name, __FILE__, tinytf_test_##name); \
  static void tinytf_test_##name()

#define EXPECT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::tinytf::testing::fail(__FILE__, __LINE__, #condition))
/// a == b; compiler warnings about mixed signedness apply.
#define EXPECT_EQ(a, b) ::tinytf::testing::expect_eq((a), (b), #a, #b, __FILE__, __LINE__)
/// |a - b| <= tolerance; two NaNs and equal infinities are near.
#define EXPECT_NEAR(a, b, tolerance) ::tinytf::testing::expect_near((a), (b), (tolerance), #a, __FILE__, __LINE__)
/// `status` is a Status.
#define EXPECT_OK(expression)                                                                              \
  do {                                                                                                     \
    const ::tinytf::Status tinytf_expected_ = (expression);                                                \
    if (!tinytf_expected_.ok()) ::tinytf::testing::fail(__FILE__, __LINE__, tinytf_expected_.to_string()); \
  } while (0)
