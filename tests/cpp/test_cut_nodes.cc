#include "runtime/step/cut_nodes.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(cut_nodes_stand_behind_the_message_in_their_order) {
  const std::string first = "take", second = "put";
  CutNodes cut;
  EXPECT_EQ(cut.told(Status(Code::kDeadlineExceeded, "Over")).message(), "Over");
  cut.note(first);
  cut.note(second);
  const Status told = cut.told(Status(Code::kDeadlineExceeded, "Over"));
  EXPECT_EQ(told.message(), "Over\n\t [[{{node take}}]]\n\t [[put]]");
  EXPECT(told.code() == Code::kDeadlineExceeded);
}

TINYTF_TEST(cut_nodes_beyond_the_first_few_are_not_named) {
  const std::string name = "n";
  CutNodes cut;
  for (size_t i = 0; i < CutNodes::kMost + 2; ++i) cut.note(name);
  EXPECT_EQ(cut.told(Status(Code::kDeadlineExceeded, "")).message(), "\n\t [[{{node n}}]]\n\t [[n]]\n\t [[n]]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
