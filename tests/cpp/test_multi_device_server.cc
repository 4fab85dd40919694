#include "ops/data/shared/multi_device_server.h"

#include <thread>

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::OpenHost;

/// The request of one step. Must be done before it is destroyed.
struct Request {
  Request(ops::MultiDeviceServer& server, BackgroundHost* host, size_t consumer) : step(host) {
    server.next(step.services, consumer, [this](IteratorServer::Outcome got) {
      outcome = std::move(got);
      done.set();
    });
  }
  IteratorServer::Outcome& wait() {
    done.wait();
    return outcome;
  }

  DataStep step;
  testing::Event done;
  IteratorServer::Outcome outcome;
};

TINYTF_TEST(an_exception_takes_the_place_of_an_element_of_one_device) {
  testing::Script script(4);
  script.hold(0);
  script.throws = {0};
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  const auto server = ops::MultiDeviceServer::of(*testing::scripted(script), step.services, 2, 1).take();
  {
    Request first(*server, host.get(), 0), second(*server, host.get(), 1);
    script.release();
    EXPECT_EQ(first.wait().pulled.status().code(), Code::kInternal);
    EXPECT_EQ(testing::number_of(second.wait().element), 1);
  }
  Request first(*server, host.get(), 0), second(*server, host.get(), 1);
  EXPECT_EQ(testing::number_of(first.wait().element), 2);
  EXPECT_EQ(testing::number_of(second.wait().element), 3);
  server->stop(/*waits=*/true);
}

TINYTF_TEST(stopping_a_multi_device_server_ends_steps_before_its_task) {
  testing::Script script(4);
  script.block(0);
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  const auto server = ops::MultiDeviceServer::of(*testing::scripted(script), step.services, 2, 1).take();
  Request request(*server, host.get(), 1);
  script.wait_until_blocked(1);
  std::thread stopper([&] { server->stop(/*waits=*/true); });
  EXPECT_EQ(request.wait().pulled.status().code(), Code::kCancelled);
  script.let_go();
  stopper.join();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
