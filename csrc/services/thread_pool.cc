#include "services/thread_pool.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/ref_ptr.h"
#include "base/spin_pause.h"
#include "services/float_mode.h"
#include "services/native_thread.h"

#define EIGEN_MPL2_ONLY
#include <unsupported/Eigen/CXX11/ThreadPool>

#include "base/scratch_memory.h"
#include "services/platform.h"

namespace tinytf {

namespace {

/// Not null while this thread is in `try_schedule`: if the queue is full, *no_room is set to true and the work is not
/// run in place.
thread_local bool* no_room = nullptr;
/// Whether this thread puts work into a queue. If the queue is full, the work is run in place.
thread_local bool is_handing_over = false;

/// A thread that waits for its only task.
class PoolThread {
 public:
  PoolThread() = default;
  /// Waits until the task, if there is one, has ended.
  ~PoolThread() {
    if (!thread_.started()) return;
    give(nullptr);
    thread_.join();
  }
  PoolThread(const PoolThread&) = delete;
  PoolThread& operator=(const PoolThread&) = delete;

  bool start() {
    static std::atomic<int> count{0};
    const std::string name = "tinytf-" + std::to_string(count++ % 10000);
    pthread_sigmask(SIG_SETMASK, nullptr, &signals_);
    return thread_.start(
        name.c_str(), 0, /*yields=*/false, [](void* self) { static_cast<PoolThread*>(self)->run(); }, this);
  }
  /// Sets the task. Only the first call has an effect.
  void give(std::function<void()> work) {
    std::lock_guard lock(mutex_);
    if (given_) return;
    given_ = true;
    work_ = std::move(work);
    changed_.notify_one();
  }

 private:
  void run() {
    // User functions run on these threads, and processes that they start inherit the signal mask.
    pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
    flush_denormals_for_good();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return given_; });
    lock.unlock();
    if (work_) work_();
  }

  NativeThread thread_;
  sigset_t signals_{};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool given_ = false;
  std::function<void()> work_;
};

using PoolThreads = std::vector<std::unique_ptr<PoolThread>>;

/// Work that a pool keeps beside its queues, which are bounded. A task in a queue runs one piece of it. Pieces without
/// such a task, because a queue was full, get one when a task has ended. Thread-safe.
class Backlog {
  using Pieces = std::list<std::function<void()>>;

 public:
  /// Puts a task into a queue; false if the queue is full. Set before the first push().
  std::function<bool(std::function<void()>)> try_queue;

  /// Each piece requests memory, so a lack of it shows the same whatever was pushed before.
  void push(std::function<void()> work) {
    Pieces piece;
    piece.push_back(std::move(work));
    {
      std::lock_guard lock(mutex_);
      pieces_.splice(pieces_.end(), piece);
      has_pieces_ = true;
    }
    add_tasks();
  }
  /// A task of the pool has ended, so there is room in a queue.
  void note_end() {
    if (!has_pieces_) return;
    {
      std::lock_guard lock(mutex_);
      ++ends_;
    }
    add_tasks();
  }

 private:
  void add_tasks() {
    std::unique_lock lock(mutex_);
    while (tasks_ < pieces_.size()) {
      ++tasks_;
      const uint64_t ends = ends_;
      lock.unlock();
      const bool is_queued = try_queue([this] { run_one(); });
      lock.lock();
      if (is_queued) continue;
      --tasks_;
      // If no task has ended since, those of the full queue will end later and add tasks.
      if (ends == ends_) return;
    }
  }
  void run_one() {
    std::unique_lock lock(mutex_);
    --tasks_;
    Pieces piece;
    piece.splice(piece.end(), pieces_, pieces_.begin());  // There are at least as many pieces as tasks.
    has_pieces_ = !pieces_.empty();
    lock.unlock();
    piece.front()();
  }

  std::mutex mutex_;  // Guards the members below.
  Pieces pieces_;
  size_t tasks_ = 0;   // In queues.
  uint64_t ends_ = 0;  // Of tasks, while there were pieces.
  std::atomic<bool> has_pieces_{false};
};

/// The environment through which Eigen's pool creates threads and starts tasks.
struct PoolEnvironment {
  struct Task {
    std::function<void()> f;  // Eigen accesses this member by name
  };
  using EnvThread = PoolThread;

  /// Returns a thread that has already started, because Eigen's pool needs exactly as many threads as it asks for.
  PoolThread* CreateThread(std::function<void()> work) {
    PoolThread* const thread = waiting->back().release();
    waiting->pop_back();
    thread->give(std::move(work));
    return thread;
  }
  Task CreateTask(std::function<void()> work) { return Task{std::move(work)}; }
  void ExecuteTask(const Task& task) {
    if (no_room != nullptr) {
      *no_room = true;
      return;
    }
    const bool is_in_place = std::exchange(is_handing_over, false);
    task.f();
    if (!is_in_place) backlog->note_end();
  }

  PoolThreads* waiting;
  Backlog* backlog;
};

PoolThreads start_threads(int wanted) {
  PoolThreads threads;
  threads.reserve(wanted);
  for (int i = 0; i < wanted; ++i) {
    auto thread = std::make_unique<PoolThread>();
    if (!thread->start()) break;
    threads.push_back(std::move(thread));
  }
  return threads;
}

}  // namespace

struct ThreadPool::State {
  explicit State(PoolThreads threads)
      : pool(static_cast<int>(threads.size()), /*allow_spinning=*/false, PoolEnvironment{&threads, &backlog}) {
    backlog.try_queue = [this](std::function<void()> work) { return try_queue(std::move(work)); };
  }
  /// Null if no thread could be started or memory is exhausted.
  static std::unique_ptr<State> start(int wanted) {
    try {
      PoolThreads threads = start_threads(wanted);
      return threads.empty() ? nullptr : std::make_unique<State>(std::move(threads));
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  /// Puts work into a queue, or runs it in place if the queue is full.
  void queue(std::function<void()> work) {
    is_handing_over = true;
    pool.Schedule(std::move(work));
    is_handing_over = false;
  }
  bool try_queue(std::function<void()> work) {
    bool refused = false;
    no_room = &refused;
    pool.Schedule(std::move(work));
    no_room = nullptr;
    return !refused;
  }

  Backlog backlog;
  Eigen::ThreadPoolTempl<PoolEnvironment> pool;
};

struct ThreadPool::Holder {
  std::mutex mutex;
  std::unique_ptr<State> state;
  int scheduling = 0;            // threads inside `schedule`, maybe the pool's own; they use `state`
  std::condition_variable idle;  // `scheduling` has become 0
  bool closed = false;
};

/// All pools of the process, for forks. A child has the memory of the parent's threads, but not the threads, and maybe
/// mutexes that stay locked. Therefore each pool gets a new state before another thread of the child can access it.
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

namespace {

struct NamedPools {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<ThreadPool>> by_name;
};

NamedPools& named_pools() {
  static NamedPools* pools = new NamedPools;  // leaked like the process's pool
  return *pools;
}

}  // namespace

ThreadPool& ThreadPool::process() {
  static ThreadPool* pool = [] {
    (void)named_pools();                 // made first, while there are no threads
    return new ThreadPool(cpu_count());  // leaked: its threads are joined by shutdown()
  }();
  return *pool;
}

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
  bool is_queued = false;
  return with_state([&](State& state) { is_queued = state.try_queue(std::move(work)); }) && is_queued;
}

bool ThreadPool::enqueue(std::function<void()> work) {
  return with_state([&](State& state) { state.backlog.push(std::move(work)); });
}

bool ThreadPool::hand_over(std::function<void()>& work) {
  return with_state([&](State& state) { state.queue(std::move(work)); });
}

template <class Use>
bool ThreadPool::with_state(Use use) {
  Holder& holder = *holder_;
  std::unique_lock lock(holder.mutex);
  if (holder.closed) return false;
  if (!holder.state) holder.state = State::start(size_);
  if (!holder.state) return false;
  ++holder.scheduling;
  lock.unlock();
  struct Leave {
    ~Leave() {
      lock.lock();
      if (--holder.scheduling == 0 && holder.closed) holder.idle.notify_all();
    }
    Holder& holder;
    std::unique_lock<std::mutex>& lock;
  } leave{holder, lock};
  use(*holder.state);
  return true;
}

void ThreadPool::shutdown() {
  Holder& holder = *holder_;
  std::unique_ptr<State> doomed;
  std::unique_lock lock(holder.mutex);
  holder.closed = true;
  holder.idle.wait(lock, [&holder] { return holder.scheduling == 0; });
  doomed = std::move(holder.state);
  lock.unlock();  // work that is still queued may call `schedule`
}

namespace {

constexpr double kWorthAThread = 15e3;  // ns; for less, waking a thread costs more than it saves
constexpr double kLong = 5e6;           // ns; loops with a lower estimate are not watched
constexpr double kFirstPiece = 0.5e6;   // estimated ns
constexpr double kBetweenLooks = 20e6;  // measured ns

double nanoseconds(int64_t items, double cost) { return std::min(static_cast<double>(items) * cost, 1e18); }

/// Runs [begin, end) in pieces and asks the stop check before each. Estimates may be far off, so the measured time of a
/// piece determines the size of the next one. Returns false if the stop check stopped the loop.
bool run_watched(int64_t begin, int64_t end, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body,
                 LoopStopCheck& stop_check) {
  using Clock = std::chrono::steady_clock;
  double piece = kFirstPiece / cost;
  while (begin < end) {
    if (stop_check.is_over()) return false;
    const int64_t left = end - begin;
    const int64_t wanted = piece < static_cast<double>(left) ? static_cast<int64_t>(piece) : left;
    const int64_t size = std::min(left, std::max<int64_t>(1, wanted / block) * block);
    const auto start = Clock::now();
    body(begin, begin + size);
    const double took = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    piece = static_cast<double>(size) * std::min(8.0, kBetweenLooks / std::max(took, 1.0));
    begin += size;
  }
  return true;
}

/// A loop that is split over threads. Its helpers share it, because they may start after all chunks are taken.
class SplitLoop final : public RefCounted {
 public:
  SplitLoop(int64_t n, int64_t chunk, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body,
            LoopStopCheck* stop_check)
      : n_(n), chunk_(chunk), block_(block), cost_(cost), body_(body), stop_check_(stop_check) {}

  /// Runs chunks until none are left. Does not throw.
  void work() {
    for (;;) {
      const int64_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
      if (begin >= n_) return;
      const ScratchScope borrows(scratch_);
      const int64_t end = std::min(n_, begin + chunk_);
      if (!stopped_.load(std::memory_order_relaxed)) run_chunk(begin, end);
      if (done_.fetch_add(end - begin, std::memory_order_acq_rel) + (end - begin) == n_) {
        std::lock_guard lock(mutex_);
        finished_.notify_all();
      }
    }
  }
  /// Waits until no thread is in the body. Throws the body's first exception, or LoopCut if the stop check stopped the
  /// loop.
  void wait() {
    // The last chunks usually end soon, so spin before sleeping.
    bool is_done = false;
    for (int spin = 0; spin < 2000 && !is_done; ++spin) {
      is_done = done_.load(std::memory_order_acquire) == n_;
      spin_pause();
    }
    if (!is_done) {
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [this] { return done_.load(std::memory_order_acquire) == n_; });
    }
    if (stopped_.load(std::memory_order_relaxed)) {
      if (!thrown_) throw LoopCut();
      std::rethrow_exception(std::move(thrown_));
    }
  }

 private:
  void run_chunk(int64_t begin, int64_t end) {
    try {
      if (stop_check_ == nullptr) return body_(begin, end);
      if (!run_watched(begin, end, block_, cost_, body_, *stop_check_)) stopped_ = true;
    } catch (...) {
      // This happens before the chunk counts as done, so wait() sees it.
      if (!has_thrown_.exchange(true)) thrown_ = std::current_exception();
      stopped_ = true;
    }
  }

  const int64_t n_;
  const int64_t chunk_, block_;
  const double cost_;
  ScratchSource* const scratch_ = ScratchScope::source();  // source of the thread that started the loop
  FunctionRef<void(int64_t, int64_t)> body_;  // used only while chunks are left, so never after wait() returned
  LoopStopCheck* stop_check_;                 // lives as long as the body
  std::atomic<int64_t> next_{0};
  std::atomic<int64_t> done_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> has_thrown_{false};
  std::exception_ptr thrown_;
  std::mutex mutex_;
  std::condition_variable finished_;
};

}  // namespace

const char* LoopCut::what() const noexcept { return "The parallel loop was stopped because its step has ended"; }

void PoolParallel::run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) {
  if (n <= 0) return;
  const int64_t blocks = (n + block - 1) / block;
  const double total = nanoseconds(n, cost);
  const int64_t by_cost = static_cast<int64_t>(total / kWorthAThread);
  const int64_t threads = std::min<int64_t>({limit_, blocks, by_cost});
  LoopStopCheck* const stop_check = total >= kLong ? stop_check_ : nullptr;
  if (threads > 1) {
    // A few chunks per thread balance the load.
    const int64_t chunks = std::min(blocks, std::max(threads, std::min(4 * threads, by_cost)));
    const int64_t chunk = (blocks + chunks - 1) / chunks * block;
    if (auto loop = RefPtr<SplitLoop>::adopt(new (std::nothrow) SplitLoop(n, chunk, block, cost, body, stop_check))) {
      for (int64_t i = 1; i < threads; ++i) {
        SplitLoop* const shared = RefPtr<SplitLoop>(loop).release();  // a capture this small needs no allocation
        pool_.schedule([shared] {
          shared->work();
          shared->unref();
        });
      }
      loop->work();
      loop->wait();
      return;
    }
  }
  if (stop_check == nullptr) return body(0, n);
  if (!run_watched(0, n, block, cost, body, *stop_check)) throw LoopCut();
}

void PoolParallel::run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) {
  if (n <= 0) return;
  if (stop_check_ == nullptr || nanoseconds(n, cost) < kLong) return body(0, n);
  if (!run_watched(0, n, 1, cost, body, *stop_check_)) throw LoopCut();
}

int cpu_count() { return processors_of_this_process(); }

}  // namespace tinytf
