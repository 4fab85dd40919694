#include "op/gradient_name.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(the_name_of_a_gradient_tells_of_what) {
  const FuncRef function{"f", {{"T", "\x30\x01"}}};
  const FuncRef gradient = gradient_name(function);
  EXPECT(gradient.name != function.name);
  EXPECT(derived_from(gradient) == std::optional<FuncRef>(function));
  EXPECT(derived_from(gradient_name(gradient)) == std::optional<FuncRef>(gradient));
}

TINYTF_TEST(other_names_are_of_no_gradient) {
  for (const char* name : {"", "f", "gradient", ";gradien", ";gradient_1"}) {
    EXPECT(!derived_from({name, {}}).has_value());
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
