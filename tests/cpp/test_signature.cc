#include "runtime/plan/signature.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(keys_tell_signatures_apart) {
  testing::GraphFixture g;
  Node* x = g.placeholder("x");
  Node* y = g.placeholder("y");
  const auto key = [](std::vector<Endpoint> feeds, std::vector<Endpoint> fetches, std::vector<Node*> targets,
                      bool is_partial) {
    return key_of(RunSignature{std::move(feeds), std::move(fetches), std::move(targets), is_partial});
  };
  EXPECT(key({{x, 0}}, {{y, 0}}, {}, false) == key({{x, 0}}, {{y, 0}}, {}, false));
  EXPECT(key({{x, 0}}, {{y, 0}}, {}, false) != key({{y, 0}}, {{x, 0}}, {}, false));
  EXPECT(key({{x, 0}, {y, 0}}, {}, {}, false) != key({{x, 0}}, {{y, 0}}, {}, false));
  EXPECT(key({}, {{x, 0}}, {}, false) != key({}, {}, {x}, false));
  EXPECT(key({{x, 0}}, {{y, 0}}, {}, false) != key({{x, 0}}, {{y, 0}}, {}, true));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
