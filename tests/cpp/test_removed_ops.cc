#include "op/removed_ops.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(removed_ops_are_those_of_later_versions) {
  EXPECT(find_removed_op("TopKV2") == nullptr && find_removed_op("") == nullptr && find_removed_op("zz") == nullptr);
  EXPECT_EQ(find_removed_op("AdjustContrast")->version, 2);
  EXPECT_EQ(find_removed_op("NegTrain")->version, 19);
  EXPECT_EQ(find_removed_op("Skipgram")->version, 19);
  EXPECT_EQ(find_removed_op("TopK")->version, 7);
  EXPECT(check_not_removed("TopK", 6).ok() && check_not_removed("TopK", 0).ok() && check_not_removed("Add", 99).ok());
  EXPECT_EQ(
      check_not_removed("TopK", 7).to_string(),
      "Unimplemented: Op TopK is not available in GraphDef version 7. It has been removed in version 7. Use TopKV2 "
      "instead.");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
