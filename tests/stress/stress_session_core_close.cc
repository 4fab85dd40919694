// Closing cores while other threads use them.

#include <dirent.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Makes a handle and reads it inside the core; returns null if the core is closing.
TensorHandle* operate(SessionCore& core, TensorHandle* input) {
  const SessionCore::Entry entry(core);
  if (!entry) return nullptr;
  core.reclaim().safe_point();
  if (core.reclaim().pressed()) core.reclaim().relieve();
  EXPECT_EQ(input->tensor().data<float>()[0], 1.0f);
  return core.make_handle(input->tensor());
}

int threads_of_process() {
  int count = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (readdir(tasks) != nullptr) ++count;
  closedir(tasks);
  return count - 2;
}

/// Whether there are at most so many threads within ten seconds: the system lists a joined thread for a moment.
bool threads_come_down_to(int most) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (threads_of_process() > most && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return threads_of_process() <= most;
}

// Each handle is freed exactly once: by the thread that drops it, by the reaper, or by close.
TINYTF_TEST(drops_against_close) {
  for (int round = 0; round < rounds(60); ++round) {
    for (const CleanupStrategy strategy : kAllStrategies) {
      const int64_t buffers = Allocator::live_buffers();
      const OpenCore core(strategy);
      on_threads(4, [&](int t) {
        std::vector<TensorHandle*> handles;
        {
          const SessionCore::Entry entry(*core);
          for (int i = 0; entry && i < 50; ++i) handles.push_back(core->make_handle(n_floats(4)));
        }
        if (t == 0) EXPECT_OK(core->close());
        for (TensorHandle* handle : handles) core->drop(handle);
      });
      const CoreStats stats = core->stats();
      EXPECT_EQ(stats.freed + stats.invalidated, stats.created);
      EXPECT_EQ(stats.live_bytes + stats.queued_bytes + stats.retained_bytes, int64_t{0});
      EXPECT_EQ(Allocator::live_buffers(), buffers);
    }
  }
}

TINYTF_TEST(many_close_at_once) {
  for (int round = 0; round < rounds(60); ++round) {
    const OpenCore core(kAllStrategies[round % 4]);
    TensorHandle* handle = core->make_handle(n_floats(4));
    on_threads(8, [&](int) {
      EXPECT_OK(core->close());
      EXPECT_EQ(handle->state(), TensorHandle::State::kInvalidated);
    });
    core->drop(handle);
  }
}

TINYTF_TEST(close_against_running_operations) {
  for (int round = 0; round < rounds(60); ++round) {
    const OpenCore core(kAllStrategies[round % 4]);
    TensorHandle* input = core->make_handle(n_floats(4, 1.0f));
    on_threads(4, [&](int t) {
      if (t == 0) {
        for (int i = 0; i < round % 40; ++i) std::this_thread::yield();
        while (!core->close(round % 2 == 0 ? -1 : 0).ok()) std::this_thread::yield();
        return;
      }
      while (TensorHandle* output = operate(*core, input)) core->drop(output);
    });
    core->drop(input);
    EXPECT_EQ(core->stats().freed + core->stats().invalidated, core->stats().created);
  }
}

// Values of two sessions share memory; each session may end while the other one reads it.
TINYTF_TEST(aliases_across_sessions_against_close_of_either) {
  for (int round = 0; round < rounds(60); ++round) {
    const int64_t buffers = Allocator::live_buffers();
    {
      const OpenCore one(kAllStrategies[round % 4]);
      const OpenCore other(kAllStrategies[round / 4 % 4]);
      TensorHandle* input = one->make_handle(n_floats(4, 1.0f));
      on_threads(4, [&](int t) {
        if (t < 2) {
          EXPECT_OK((t == 0 ? one : other)->close());
          return;
        }
        for (int i = 0; i < 20; ++i) {
          const SessionCore::Entry from(*one);
          const SessionCore::Entry to(*other);
          if (!from || !to) return;
          TensorHandle* alias = other->make_handle(input->tensor());
          EXPECT_EQ(alias->tensor().data<float>()[3], 1.0f);
          other->drop(alias);
        }
      });
      one->drop(input);
    }
    EXPECT_EQ(Allocator::live_buffers(), buffers);
  }
}

/// Sets its output, unless it is the failing node.
class AddingNode final : public AsyncQueue::Node {
 public:
  AddingNode(RefPtr<AsyncValue> input, RefPtr<AsyncValue> output, bool fails)
      : input_(std::move(input)), output_(std::move(output)), fails_(fails) {
    if (input_) input_->want();
  }
  ~AddingNode() override {
    if (input_) input_->unwant();
  }
  Status run() override {
    if (fails_) return internal_error("a failing operation");
    if (input_) TINYTF_RETURN_IF_ERROR(input_->wait());
    output_->set(n_floats(4, 1.0f));
    return Status();
  }
  void abandon(const Status& status) override { output_->fail(status); }
  bool wanted() const override { return output_->wanted(); }

 private:
  const RefPtr<AsyncValue> input_, output_;
  const bool fails_;
};

// Asynchronous operations fail, are dropped, are awaited and are cancelled by close, all concurrently.
TINYTF_TEST(failing_operations_against_drops_against_close) {
  for (int round = 0; round < rounds(60); ++round) {
    const int64_t buffers = Allocator::live_buffers();
    const OpenCore core(kAllStrategies[round % 4]);
    on_threads(4, [&](int t) {
      if (t == 0) {
        for (int i = 0; i < 5 * (round % 10); ++i) std::this_thread::yield();
        EXPECT_OK(core->close(-1, round % 3 == 0));
        return;
      }
      TensorHandle* before = nullptr;
      for (int i = 0; i < 40; ++i) {
        const SessionCore::Entry entry(*core);
        if (!entry) break;
        const auto output = make_ref<AsyncValue>();
        TensorHandle* handle = core->make_handle(DType::kFloat, output);
        const bool fails = t == 1 && i == 20;
        const bool reads = before != nullptr && before->live();
        const Status pushed = core->operations().async().push(
            std::make_unique<AddingNode>(reads ? before->pending() : nullptr, output, fails));
        if (!pushed.ok()) {
          output->fail(pushed);
          core->operations().async().clear_error();
        }
        if (i % 3 == 0) (void)handle->wait();
        if (i % 7 == 0) core->handles().close(handle);
        if (before != nullptr) core->drop(before);
        before = handle;
      }
      if (before != nullptr) core->drop(before);
    });
    expect_balanced(*core);
    EXPECT_EQ(core->stats().live_bytes + core->stats().queued_bytes + core->stats().retained_bytes, int64_t{0});
    EXPECT_EQ(Allocator::live_buffers(), buffers);
  }
}

// Reading and detaching threads share a lock, as Python threads share the GIL; a detached value is freed without it,
// and a pending one may be set at any time.
TINYTF_TEST(values_leave_their_handles_while_others_read) {
  for (int round = 0; round < rounds(40); ++round) {
    const int64_t buffers = Allocator::live_buffers();
    {
      const OpenCore core(kAllStrategies[round % 4]);
      std::mutex shared;
      TensorHandle* box = nullptr;
      RefPtr<AsyncValue> to_come;
      std::atomic<bool> done{false};
      on_threads(4, [&](int t) {
        for (int i = 0; t == 0 && i < 100; ++i) {
          HandleValue taken;
          {
            std::lock_guard lock(shared);
            if (box != nullptr) {
              EXPECT(core->handles().take_value(box, &taken));
              EXPECT(!core->handles().take_value(box, &taken));
              core->drop(box);
            }
            const SessionCore::Entry entry(*core);
            if (i % 2 == 0) {
              box = core->make_handle(n_floats(4, 1.0f));
            } else {
              if (to_come) to_come->fail(invalid_argument("nobody made it"));
              to_come = make_ref<AsyncValue>();
              box = core->make_handle(DType::kFloat, to_come);
            }
          }
        }
        if (t == 0) done = true;
        while (t == 1 && !done) {
          RefPtr<AsyncValue> mine;
          {
            std::lock_guard lock(shared);
            mine = std::move(to_come);
          }
          if (mine) mine->set(n_floats(4, 1.0f));
        }
        while (t > 1 && !done) {
          Tensor value;
          RefPtr<AsyncValue> pending;
          {
            std::lock_guard lock(shared);
            if (box == nullptr || !box->live()) continue;
            pending = box->pending();
            if (!pending) value = box->tensor();
          }
          if (pending && pending->wait_for(std::chrono::milliseconds(1)) && pending->wait().ok())
            value = pending->value();
          if (value.valid()) EXPECT_EQ(value.data<float>()[3], 1.0f);
        }
      });
      core->drop(box);
      to_come.reset();
      EXPECT_OK(core->close());
      expect_balanced(*core);
    }
    EXPECT_EQ(Allocator::live_buffers(), buffers);
  }
}

TINYTF_TEST(abandoned_sessions_end_with_their_last_value) {
  for (int round = 0; round < rounds(100); ++round) {
    const int64_t buffers = Allocator::live_buffers();
    auto core = make_ref<SessionCore>(OpenCore::with(kAllStrategies[round % 4]));
    std::vector<TensorHandle*> handles;
    for (int i = 0; i < 40; ++i) handles.push_back(core->make_handle(n_floats(4)));
    SessionCore& left = *core;
    on_threads(4, [&](int t) {
      if (t == 0) {
        core->abandon();
        core.reset();
        return;
      }
      for (size_t i = static_cast<size_t>(t - 1); i < handles.size(); i += 3) left.drop(handles[i]);
    });
    while (Allocator::live_buffers() != buffers) std::this_thread::yield();  // the reaper may still free the last ones
  }
}

TINYTF_TEST(sessions_come_and_go) {
  const int before = threads_of_process();
  on_threads(2, [&](int) {
    for (int round = 0; round < rounds(200); ++round) {
      const OpenCore core(kAllStrategies[round % 4]);
      for (int i = 0; i < round % 5; ++i) core->drop(core->make_handle(n_floats(4)));
    }
  });
  EXPECT(threads_come_down_to(before));
}

TINYTF_TEST(many_sessions_are_open_at_once) {
  constexpr int kSessions = 300;
  std::vector<std::unique_ptr<OpenCore>> cores;
  for (int i = 0; i < kSessions; ++i) {
    cores.push_back(std::make_unique<OpenCore>(CleanupStrategy::kInBackground));
    (*cores.back())->drop((*cores.back())->make_handle(n_floats(4)));
  }
  on_threads(2, [&](int t) {
    for (size_t i = static_cast<size_t>(t); i < cores.size(); i += 2) cores[i].reset();
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
