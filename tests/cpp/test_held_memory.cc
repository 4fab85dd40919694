#include "ops/state/shared/held_memory.h"

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using ops::Change;
using ops::hold_value;
using ops::memory_to_change;
using testing::tensor_of;

Allocator& memory() { return Allocator::process(); }

TINYTF_TEST(held_values_do_not_see_changes) {
  for (const Change change : {Change::kSome, Change::kNothing}) {
    RefVariable variable;
    variable.tensor = tensor_of<float>({2}, {1, 2});
    const void* before = variable.tensor.raw();
    const Tensor held = hold_value(variable), again = hold_value(variable);
    EXPECT(held.raw() == before && again.raw() == before);
    Tensor changed = memory_to_change(variable, false, memory(), change).take();
    EXPECT(changed.raw() != before && variable.tensor.raw() == changed.raw());
    if (change == Change::kSome) EXPECT_EQ(changed.data<float>()[1], 2.0f);
    changed.data<float>()[0] = 5;
    EXPECT_EQ(held.data<float>()[0], 1.0f);
    EXPECT(memory_to_change(variable, false, memory(), change).value().raw() == changed.raw());  // no longer held
  }
}

TINYTF_TEST(values_that_nobody_holds_any_more_are_not_copied) {
  RefVariable variable;
  variable.tensor = tensor_of<float>({2}, {1, 2});
  const void* before = variable.tensor.raw();
  static_cast<void>(hold_value(variable));
  EXPECT(!variable.tensor.writable_in_place());
  const std::lock_guard lock(variable.mutex);
  EXPECT(memory_to_change(variable, true, memory()).value().raw() == before);
  EXPECT(variable.tensor.buffer()->writable());
}

TINYTF_TEST(what_is_held_of_other_shape_keeps_it) {
  RefVariable variable;
  variable.tensor = tensor_of<float>({2}, {1, 2});
  static_cast<void>(hold_value(variable));
  variable.tensor = variable.tensor.reshaped({1, 2});
  EXPECT_EQ(memory_to_change(variable, false, memory()).value().rank(), 2);
}

TINYTF_TEST(a_variable_without_a_value_holds_none) {
  RefVariable variable;
  EXPECT(!hold_value(variable).valid());
}

TINYTF_TEST(strings_can_be_held) {
  RefVariable variable;
  variable.tensor = testing::strings_of({1}, {"text"});
  const Tensor held = hold_value(variable);
  *memory_to_change(variable, false, memory()).value().data<std::string>() = "other";
  EXPECT_EQ(*held.data<std::string>(), "text");
  EXPECT_EQ(*variable.tensor.data<std::string>(), "other");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
