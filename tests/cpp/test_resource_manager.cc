#include "services/resource_manager.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

class Thing final : public Resource {
 public:
  std::string debug_string() const override { return "thing"; }
};

TINYTF_TEST(resources_are_found_made_and_removed) {
  ResourceManager manager;
  EXPECT_EQ(manager.find("localhost", "Thing", "v").status().code(), Code::kNotFound);
  int made = 0;
  const auto make = [&]() -> Result<RefPtr<Resource>> {
    ++made;
    return RefPtr<Resource>(make_ref<Thing>());
  };
  const auto first = manager.find_or_create("localhost", "Thing", "v", make);
  const auto second = manager.find_or_create("localhost", "Thing", "v", make);
  EXPECT(first.ok() && second.ok() && first.value() == second.value());
  EXPECT_EQ(made, 1);
  EXPECT(manager.find("localhost", "Thing", "v").ok());
  EXPECT(!manager.find("localhost", "Other", "v").ok());
  EXPECT_OK(manager.remove("localhost", "Thing", "v"));
  EXPECT_EQ(manager.remove("localhost", "Thing", "v").code(), Code::kNotFound);
  EXPECT(first.value()->unique() == false);  // two results hold it, the manager no longer does
}

TINYTF_TEST(containers_are_cleared_alone) {
  ResourceManager manager;
  const auto make = []() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<Thing>()); };
  EXPECT(manager.find_or_create("a", "Thing", "v", make).ok());
  EXPECT(manager.find_or_create("b", "Thing", "v", make).ok());
  manager.clear_container("a");
  EXPECT(!manager.find("a", "Thing", "v").ok());
  EXPECT(manager.find("b", "Thing", "v").ok());
  manager.clear();
  EXPECT(!manager.find("b", "Thing", "v").ok());
}

}  // namespace
}  // namespace tinytf
