#include "data/iterator_resource.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::Event;
using testing::number_of;
using testing::OpenHost;
using testing::Script;
using testing::scripted;
using testing::spec_of_int;

struct OneIterator {
  Status start(Script& script) { return resource->start(*scripted(script), step.services); }
  /// The next number; -1 at the end or after an error, whose code is kept.
  int64_t next() {
    auto server = resource->server();
    last = server.status();
    if (!server.ok()) return -1;
    Event done;
    int64_t number = -1;
    testing::ask(*server.value(), step.services, [&](IteratorServer::Outcome outcome) {
      last = outcome.pulled.status();
      if (last.ok() && outcome.pulled.value() == Pulled::kElement) number = number_of(outcome.element);
      done.set();
    });
    done.wait();
    return number;
  }

  const RefPtr<OpenHost> host = make_ref<OpenHost>();
  DataStep step{host.get()};
  const RefPtr<IteratorResource> resource = make_ref<IteratorResource>(*spec_of_int());
  Status last;
};

TINYTF_TEST(an_iterator_has_to_be_initialized) {
  OneIterator iterator;
  IteratorState state;
  StateWriter writer(state);
  StateReader reader(state);
  const Status errors[] = {iterator.resource->server().status(),
                           iterator.resource->save(iterator.step.services, writer),
                           iterator.resource->restore(iterator.step.services, reader)};
  for (const Status& error : errors) EXPECT_EQ(error.code(), Code::kFailedPrecondition);
  iterator.resource->stop();
}

TINYTF_TEST(an_iterator_starts_over) {
  OneIterator iterator;
  Script first(3), second(2);
  EXPECT_OK(iterator.start(first));
  EXPECT_EQ(iterator.next(), 0);
  EXPECT_EQ(iterator.next(), 1);
  const RefPtr<IteratorServer> before = iterator.resource->server().take();
  EXPECT_OK(iterator.start(second));
  for (const int64_t expected : {0, 1, -1}) EXPECT_EQ(iterator.next(), expected);
  EXPECT_OK(iterator.last);
  // Steps that use the pipeline before end.
  Status status;
  testing::ask(*before, iterator.step.services, [&](auto outcome) { status = outcome.pulled.status(); });
  EXPECT_EQ(status.code(), Code::kCancelled);
}

TINYTF_TEST(an_iterator_checks_the_spec_of_its_dataset) {
  Script script(1);
  const DataStep step;
  const auto other = make_ref<IteratorResource>(ElementSpec{{DType::kFloat}, {PartialShape()}});
  EXPECT_EQ(other->start(*scripted(script), step.services).code(), Code::kInvalidArgument);
  EXPECT_EQ(other->server().status().code(), Code::kFailedPrecondition);
  const auto any = make_ref<IteratorResource>(ElementSpec());
  EXPECT_OK(any->start(*scripted(script), step.services));
}

TINYTF_TEST(an_iterator_is_saved_and_restored) {
  OneIterator iterator, other;
  Script script(3);
  EXPECT_OK(iterator.start(script));
  EXPECT_EQ(iterator.next(), 0);
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(iterator.resource->save(iterator.step.services, writer));
  EXPECT_OK(other.start(script));
  StateReader reader(state);
  EXPECT_OK(other.resource->restore(other.step.services, reader));
  EXPECT_EQ(other.next(), 1);
  // A damaged position leaves the iterator where it is.
  state["at"] = Tensor::scalar(int64_t{4});
  EXPECT_EQ(other.resource->restore(other.step.services, reader).code(), Code::kDataLoss);
  EXPECT_EQ(other.next(), 2);
}

TINYTF_TEST(a_stopped_iterator_ends_steps) {
  OneIterator iterator;
  Script script(3);
  EXPECT_OK(iterator.start(script));
  iterator.resource->stop();
  EXPECT_EQ(iterator.next(), -1);
  EXPECT_EQ(iterator.last.code(), Code::kCancelled);
  EXPECT_OK(iterator.start(script));
  EXPECT_EQ(iterator.next(), 0);
}

TINYTF_TEST(a_pipeline_ends_with_its_iterator) {
  Script script(3);
  RefPtr<IteratorServer> server;
  {
    OneIterator iterator;
    EXPECT_OK(iterator.start(script));
    server = iterator.resource->server().take();
  }
  const DataStep step;
  Status status;
  testing::ask(*server, step.services, [&](auto outcome) { status = outcome.pulled.status(); });
  EXPECT_EQ(status.code(), Code::kCancelled);
}

TINYTF_TEST(an_iterator_begins_at_a_position_that_was_set_before) {
  OneIterator first, second;
  Script script(5), other(5);
  EXPECT(first.resource->position(first.step.services).value()->state().empty());
  EXPECT_OK(first.start(script));
  EXPECT_EQ(first.next(), 0);
  EXPECT_EQ(first.next(), 1);
  const auto position = first.resource->position(first.step.services).take();
  EXPECT_OK(second.resource->begin_at(second.step.services, position));
  EXPECT(second.resource->position(second.step.services).value().get() == position.get());
  EXPECT_OK(second.start(other));
  EXPECT_EQ(second.next(), 2);
  EXPECT_OK(second.start(other));  // Only the first time.
  EXPECT_EQ(second.next(), 0);
  EXPECT_OK(second.resource->begin_at(second.step.services, position));  // At once.
  EXPECT_EQ(second.next(), 2);
  EXPECT_OK(second.resource->begin_at(second.step.services, make_ref<IteratorPosition>(IteratorState())));
  EXPECT_EQ(second.next(), 3);
}

TINYTF_TEST(a_position_that_does_not_fit_stays_until_one_is_set_that_does) {
  OneIterator iterator;
  Script script(5);
  const IteratorState wrong = {{"at", Tensor::scalar(int64_t{-1})}};
  EXPECT_OK(iterator.resource->begin_at(iterator.step.services, make_ref<IteratorPosition>(wrong)));
  for (int i = 0; i < 2; ++i) {
    const Status error = iterator.start(script);
    EXPECT_EQ(error.code(), Code::kDataLoss);
    EXPECT(error.message().find("position in the checkpoint") != std::string::npos);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
