// PrefetchDataset, whose stage has no header.

#include "data/blocking_iterator.h"
#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;

TINYTF_TEST(an_exception_takes_the_place_of_a_prefetched_element) {
  testing::Script script(4);
  script.throws = {1};
  script.block(1);
  const auto host = make_ref<testing::OpenHost>();
  const testing::DataStep step(host.get());
  const Tensor input = tensor_of(testing::scripted(script)).take();
  const Tensor prefetched = testing::dataset_of_op("PrefetchDataset", {input, Tensor::scalar(int64_t{3})});
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*dataset_of(prefetched).take()));
  Element element;
  EXPECT(iterator.next(element).value());
  EXPECT_EQ(testing::number_of(element), 0);
  script.wait_until_blocked(1);
  script.let_go();  // No consumer waits.
  EXPECT_EQ(iterator.next(element).status().code(), Code::kInternal);
  for (const int64_t expected : {2, 3}) {
    EXPECT(iterator.next(element).value());
    EXPECT_EQ(testing::number_of(element), expected);
  }
  EXPECT(!iterator.next(element).value());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
