#include "base/function_ref.h"

#include <memory>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

int call(FunctionRef<int(int)> callable, int argument) { return callable(argument); }
int negated(int value) { return -value; }

TINYTF_TEST(function_ref_borrows_any_callable) {
  int calls = 0;
  const auto counting = [&calls](int value) {
    ++calls;
    return value + 1;
  };
  EXPECT_EQ(call(counting, 1), 2);
  EXPECT_EQ(call([](int value) { return 2 * value; }, 4), 8);
  EXPECT_EQ(call(&negated, 4), -4);
  EXPECT_EQ(calls, 1);
  static_assert(sizeof(FunctionRef<int(int)>) == 2 * sizeof(void*));
}

TINYTF_TEST(function_ref_calls_the_object_itself) {
  struct Counter {
    int count = 0;
    int operator()() { return ++count; }
  } counter;
  const FunctionRef<int()> borrowed = counter;
  const FunctionRef<int()> copy = borrowed;  // of the reference, not a reference to the reference
  borrowed();
  copy();
  EXPECT_EQ(counter.count, 2);
  counter.count = 10;
  EXPECT_EQ(copy(), 11);
}

TINYTF_TEST(function_ref_passes_arguments_as_they_are) {
  std::string text = "a";
  const auto append = [](std::string& target, std::unique_ptr<int> piece) -> std::string& {
    target += std::to_string(*piece);
    return target;
  };
  const FunctionRef<std::string&(std::string&, std::unique_ptr<int>)> borrowed = append;
  EXPECT_EQ(&borrowed(text, std::make_unique<int>(7)), &text);
  EXPECT_EQ(text, "a7");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
