#include "tensor/object_buffer.h"

#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(object_buffer_constructs_and_destroys_its_elements) {
  struct Counted : RefCounted {
    explicit Counted(int& alive) : alive(alive) { ++alive; }
    ~Counted() override { --alive; }
    int& alive;
  };
  int alive = 0;
  RefPtr<Buffer> buffer = ObjectBuffer<RefPtr<Counted>>::make(3);
  EXPECT_EQ(buffer->size(), 3 * sizeof(RefPtr<Counted>));
  auto* items = static_cast<RefPtr<Counted>*>(buffer->data());
  EXPECT(!items[0] && !items[2]);
  items[1] = make_ref<Counted>(alive);
  EXPECT_EQ(alive, 1);
  buffer.reset();
  EXPECT_EQ(alive, 0);
  EXPECT(!ObjectBuffer<std::string>::make(~size_t{0} / 8));
  EXPECT_EQ(ObjectBuffer<std::string>::make(0)->size(), size_t{0});
}

TINYTF_TEST(object_buffer_is_counted_with_what_its_strings_own) {
  const auto allocator = make_ref<Allocator>();
  RefPtr<Buffer> buffer = ObjectBuffer<std::string>::make(2, allocator.get());
  const int64_t empty = allocator->stats().live_bytes;
  EXPECT(empty >= static_cast<int64_t>(2 * sizeof(std::string)) && empty <= 256);
  EXPECT(buffer->is_charged_to(*allocator) && !buffer->is_charged_to(Allocator::process()));
  auto* items = static_cast<std::string*>(buffer->data());
  items[0].assign(1000, 'x');
  for (int i = 0; i < 2; ++i) {  // charged only once
    EXPECT(buffer->charge_contents());
    EXPECT(allocator->stats().live_bytes >= empty + 1000 && allocator->stats().live_bytes <= empty + 1100);
  }
  std::string().swap(items[0]);
  EXPECT(buffer->charge_contents());
  EXPECT_EQ(allocator->stats().live_bytes, empty);
  items[1].assign(1000, 'x');
  allocator->set_limit(500);
  EXPECT(!buffer->charge_contents());
  EXPECT(!ObjectBuffer<std::string>::make(1, allocator.get()));
  buffer.reset();
  EXPECT_EQ(allocator->stats().live_bytes, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
