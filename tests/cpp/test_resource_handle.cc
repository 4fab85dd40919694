#include "tensor/resource_handle.h"

#include "tensor/tensor.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

class Thing final : public Resource {
 public:
  explicit Thing(int& alive) : alive_(alive) { ++alive_; }
  ~Thing() override { --alive_; }
  std::string debug_string() const override { return "thing"; }

 private:
  int& alive_;
};

Tensor handle_to(RefPtr<Resource> resource) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kResource, {}).take();
  *tensor.data<ResourceHandle>() = {"localhost", "v", "Thing", std::move(resource)};
  return tensor;
}

TINYTF_TEST(resource_handle_keeps_its_resource_alive) {
  int alive = 0;
  Tensor first = handle_to(make_ref<Thing>(alive));
  Tensor shared = first;
  Tensor copy = first.clone(Allocator::process()).take();
  EXPECT_EQ(copy.data<ResourceHandle>()->name, "v");
  EXPECT_EQ(copy.data<ResourceHandle>()->resource->debug_string(), "thing");
  first = Tensor();
  shared = Tensor();
  EXPECT_EQ(alive, 1);
  copy = Tensor();
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(resource_handles_are_rows_like_other_elements) {
  int alive = 0;
  Tensor pair = Tensor::allocate(Allocator::process(), DType::kResource, {2}).take();
  EXPECT(!pair.data<ResourceHandle>()[0].resource);
  copy_elements(handle_to(make_ref<Thing>(alive)), 0, pair, 1, 1);
  const Tensor second = pair.rows(1, 2).take();
  EXPECT_EQ(second.data<ResourceHandle>()->type_name, "Thing");
  pair.data<ResourceHandle>()[1] = ResourceHandle();
  EXPECT_EQ(alive, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
