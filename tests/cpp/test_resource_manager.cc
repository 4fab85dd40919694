#include "services/resource_manager.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

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
  EXPECT(first.value()->unique() == false);  // the two results still hold it, the manager does not
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

TINYTF_TEST(resource_that_could_not_be_made_is_not_there) {
  ResourceManager manager;
  const auto fail = []() -> Result<RefPtr<Resource>> { return internal_error("no luck"); };
  EXPECT_EQ(manager.find_or_create("a", "Thing", "v", fail).status().message(), "no luck");
  EXPECT_EQ(manager.find("a", "Thing", "v").status().code(), Code::kNotFound);
  EXPECT_EQ(manager.remove("a", "Thing", "v").code(), Code::kNotFound);
  const auto make = []() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<Thing>()); };
  EXPECT(manager.find_or_create("a", "Thing", "v", make).value());
}

TINYTF_TEST(resource_errors_have_tensorflows_texts) {
  ResourceManager manager;
  EXPECT_EQ(manager.find("a", "Thing", "v").status().message(),
            "Container a does not exist. (Could not find resource: a/v)");
  const auto make = []() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<Thing>()); };
  EXPECT(manager.find_or_create("a", "Thing", "v", make).ok());
  EXPECT_EQ(manager.find("a", "Thing", "w").status().message(), "Resource a/w/Thing does not exist.");
}

/// Counts its stops, during which it uses its manager.
class Stoppable final : public Resource {
 public:
  explicit Stoppable(ResourceManager& manager) : manager_(manager) {}
  std::string debug_string() const override { return "stoppable"; }
  void stop() override {
    (void)manager_.find("a", "Thing", "v");
    ++stops;
  }
  int stops = 0;

 private:
  ResourceManager& manager_;
};

TINYTF_TEST(resources_are_stopped_before_they_go) {
  ResourceManager manager;
  const auto a = make_ref<Stoppable>(manager), b = make_ref<Stoppable>(manager);
  const auto put = [&](const char* container, const RefPtr<Stoppable>& resource) {
    const auto make = [&] { return Result<RefPtr<Resource>>(RefPtr<Resource>(resource)); };
    EXPECT(manager.find_or_create(container, "Stoppable", "s", make).ok());
  };
  put("a", a);
  put("b", b);
  manager.stop_all();
  EXPECT(a->stops == 1 && b->stops == 1);
  EXPECT(manager.find("a", "Stoppable", "s").ok());
  manager.clear_container("a");
  EXPECT(a->stops == 2 && b->stops == 1);
  manager.clear();
  EXPECT(a->stops == 2 && b->stops == 1);
  EXPECT(a->unique() && b->unique());
}

/// Queries its manager in its destructor, as a queue does that closes waiting operations.
class Curious final : public Resource {
 public:
  explicit Curious(ResourceManager& manager) : manager_(manager) {}
  ~Curious() override { EXPECT(!manager_.find("a", "Curious", "v").ok()); }
  std::string debug_string() const override { return "curious"; }

 private:
  ResourceManager& manager_;
};

TINYTF_TEST(resources_are_destroyed_outside_the_lock) {
  ResourceManager manager;
  const auto make = [&]() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<Curious>(manager)); };
  const auto refill = [&] { EXPECT(manager.find_or_create("a", "Curious", "v", make).ok()); };
  refill();
  EXPECT_OK(manager.remove("a", "Curious", "v"));
  refill();
  manager.clear_container("a");
  refill();
  manager.clear();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
