#include "ops/data/shared/fastest_choice.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using ops::FastestChoice;

TINYTF_TEST(the_first_candidate_is_chosen_without_measurements) { EXPECT_EQ(FastestChoice(3).fastest(), 0u); }

TINYTF_TEST(a_measurement_lasts_from_its_first_begin) {
  FastestChoice choice(2);
  choice.begin();
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() == begin) {
  }
  choice.begin();  // Of a pull that was pending.
  choice.end(0);
  EXPECT_EQ(choice.fastest(), 1u);  // It was not measured.
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
