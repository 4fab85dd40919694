#include "services/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#define EIGEN_MPL2_ONLY
#include <unsupported/Eigen/CXX11/ThreadPool>

#include "services/platform.h"

namespace tinytf {

namespace {

/// While this thread is in `try_schedule`: set to true instead of running in place what found no room.
thread_local bool* no_room = nullptr;

/// Eigen's pool starts threads and work through this: our threads carry names.
struct PoolEnvironment {
  struct Task {
    std::function<void()> f;  // the name that Eigen looks at
  };
  class EnvThread {
   public:
    explicit EnvThread(std::function<void()> work)
        : thread_([work = std::move(work), number = started++ % 10000] {
            name_this_thread(("tinytf-" + std::to_string(number)).c_str());
            work();
          }) {}
    ~EnvThread() { thread_.join(); }
    void OnCancel() {}

   private:
    static inline std::atomic<int> started{0};
    std::thread thread_;
  };

  EnvThread* CreateThread(std::function<void()> work) { return new EnvThread(std::move(work)); }
  Task CreateTask(std::function<void()> work) { return Task{std::move(work)}; }
  void ExecuteTask(const Task& task) {
    if (no_room != nullptr) {
      *no_room = true;
    } else {
      task.f();
    }
  }
};

}  // namespace

struct ThreadPool::State {
  explicit State(int threads) : pool(threads, /*allow_spinning=*/false) {}
  Eigen::ThreadPoolTempl<PoolEnvironment> pool;
};

struct ThreadPool::Holder {
  std::mutex mutex;
  std::unique_ptr<State> state;
  int scheduling = 0;            // threads inside `schedule`, maybe the pool's own: `state` must not go yet
  std::condition_variable idle;  // there is none any more
  bool closed = false;
};

/// The pools of the process, for forks: a child has the memory of the parent's threads, but not the threads, and maybe
/// mutexes that nobody will unlock. So it starts with new insides, before any other thread of it can look.
struct ThreadPool::Family {
  static Family& get() {
    static Family* family = [] {
      pthread_atfork([] { get().mutex.lock(); }, [] { get().mutex.unlock(); }, [] { get().start_anew(); });
      return new Family;  // leaked: pools may outlive static destructors
    }();
    return *family;
  }
  void start_anew() {
    for (ThreadPool* pool : pools) {
      (void)pool->holder_.release();  // cannot be destroyed: its threads do not exist here
      pool->holder_ = std::make_unique<Holder>();
    }
    mutex.unlock();
  }

  std::mutex mutex;
  std::set<ThreadPool*> pools;
};

ThreadPool::ThreadPool(int threads) : size_(std::max(1, threads)), holder_(std::make_unique<Holder>()) {
  std::lock_guard lock(Family::get().mutex);
  Family::get().pools.insert(this);
}

ThreadPool::~ThreadPool() {
  shutdown();
  std::lock_guard lock(Family::get().mutex);
  Family::get().pools.erase(this);
}

ThreadPool& ThreadPool::process() {
  static ThreadPool* pool = new ThreadPool(cpu_count());  // leaked: its threads are joined by shutdown()
  return *pool;
}

namespace {

struct NamedPools {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<ThreadPool>> by_name;
};

NamedPools& named_pools() {
  static NamedPools* pools = new NamedPools;  // leaked, as the process's pool
  return *pools;
}

}  // namespace

Result<std::shared_ptr<ThreadPool>> ThreadPool::named(const std::string& name, int threads) {
  NamedPools& pools = named_pools();
  std::lock_guard lock(pools.mutex);
  std::shared_ptr<ThreadPool>& pool = pools.by_name[name];
  if (!pool) {
    pool = std::make_shared<ThreadPool>(threads);
  } else if (pool->size() != threads) {
    return invalid_argument("Pool ", name, " configured previously with num_threads=", pool->size(),
                            "; cannot re-configure with num_threads=", threads);
  }
  return pool;
}

void ThreadPool::shutdown_all() {
  process().shutdown();
  NamedPools& pools = named_pools();
  std::lock_guard lock(pools.mutex);
  for (auto& [name, pool] : pools.by_name) pool->shutdown();
}

bool ThreadPool::started() const {
  std::lock_guard lock(holder_->mutex);
  return holder_->state != nullptr;
}

void ThreadPool::schedule(std::function<void()> work) {
  if (!hand_over(work)) work();
}

bool ThreadPool::try_schedule(std::function<void()> work) {
  bool refused = false;
  no_room = &refused;
  const bool handed_over = hand_over(work);
  no_room = nullptr;
  return handed_over && !refused;
}

bool ThreadPool::hand_over(std::function<void()>& work) {
  Holder& holder = *holder_;
  std::unique_lock lock(holder.mutex);
  if (holder.closed) return false;
  if (!holder.state) holder.state = std::make_unique<State>(size_);
  ++holder.scheduling;
  lock.unlock();
  holder.state->pool.Schedule(std::move(work));
  lock.lock();
  if (--holder.scheduling == 0 && holder.closed) holder.idle.notify_all();
  return true;
}

void ThreadPool::shutdown() {
  Holder& holder = *holder_;
  std::unique_ptr<State> doomed;
  std::unique_lock lock(holder.mutex);
  holder.closed = true;
  holder.idle.wait(lock, [&holder] { return holder.scheduling == 0; });
  doomed = std::move(holder.state);
  lock.unlock();  // what is still queued may schedule
}

namespace {

/// One loop that is split over threads. Shared by the helpers, which may come late: then there is nothing left to take.
struct SplitLoop {
  SplitLoop(int64_t n, int64_t chunk, FunctionRef<void(int64_t, int64_t)> body) : n(n), chunk(chunk), body(body) {}

  void work() {
    for (;;) {
      const int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= n) return;
      const int64_t end = std::min(n, begin + chunk);
      body(begin, end);
      if (done.fetch_add(end - begin, std::memory_order_acq_rel) + (end - begin) == n) {
        std::lock_guard lock(mutex);
        finished.notify_all();
      }
    }
  }
  void wait() {
    // The last chunks are usually about to end: look a while before sleeping.
    for (int spin = 0; spin < 2000; ++spin) {
      if (done.load(std::memory_order_acquire) == n) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    std::unique_lock lock(mutex);
    finished.wait(lock, [this] { return done.load(std::memory_order_acquire) == n; });
  }

  const int64_t n;
  const int64_t chunk;
  FunctionRef<void(int64_t, int64_t)> body;  // touched only while chunks are left, so never after wait() returned
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> done{0};
  std::mutex mutex;
  std::condition_variable finished;
};

}  // namespace

void PoolParallel::run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) {
  if (n <= 0) return;
  constexpr double kWorthAThread = 15e3;  // ns: below, waking a thread costs more than it brings
  const int64_t blocks = (n + block - 1) / block;
  const int64_t by_cost = static_cast<int64_t>(static_cast<double>(n) * cost / kWorthAThread);
  const int64_t threads = std::min<int64_t>({limit_, blocks, by_cost});
  if (threads <= 1) {
    body(0, n);
    return;
  }
  // A few chunks per thread even out their speeds.
  const int64_t chunks = std::min(blocks, std::max(threads, std::min(4 * threads, by_cost)));
  const int64_t chunk = (blocks + chunks - 1) / chunks * block;
  auto loop = std::make_shared<SplitLoop>(n, chunk, body);
  for (int64_t i = 1; i < threads; ++i) pool_.schedule([loop] { loop->work(); });
  loop->work();
  loop->wait();
}

int cpu_count() { return processors_of_this_process(); }

}  // namespace tinytf
