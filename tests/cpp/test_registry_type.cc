#include "tensor/registry_type.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(classes_are_registered_by_their_mangled_names) {
  EXPECT_EQ(registry_type_of("tensorflow::Var"), std::string("N10tensorflow3VarE"));
  EXPECT_EQ(registry_type_of("tensorflow::barrier::Barrier"), std::string("N10tensorflow7barrier7BarrierE"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
