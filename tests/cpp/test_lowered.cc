#include "op/lowered.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(lowered_nodes_are_those_whose_attr_says_so) {
  NodeInfo node;
  EXPECT(!is_lowered(node));
  node.attrs.set("_lower_using_switch_merge", false);
  EXPECT(!is_lowered(node));
  node.attrs.set("_lower_using_switch_merge", true);
  EXPECT(is_lowered(node));
}

TINYTF_TEST(lowered_nodes_have_an_attr_of_type_bool) {
  NodeInfo node;
  node.attrs.set("_lower_using_switch_merge", int64_t{1});
  EXPECT(!is_lowered(node));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
