#include "graph/colocation.h"

#include "tests/cpp/harness.h"

using tinytf::group_class;
using tinytf::group_name;

TINYTF_TEST(classes_that_are_groups_have_names) {
  EXPECT_EQ(*group_name("loc:@a/b"), "a/b");
  EXPECT_EQ(*group_name("loc:@"), "");
  EXPECT_EQ(*group_name(group_class("x")), "x");
}

TINYTF_TEST(other_classes_are_no_groups) {
  for (const char* entry : {"", "loc:", "loc", "LOC:@a", " loc:@a", "@a", "a"}) EXPECT(!group_name(entry));
}
