#include "ops/io/shared/record_yielder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "io/file_system.h"
#include "op/async_kernel.h"
#include "op/guarded.h"
#include "ops/io/shared/epoch_order.h"
#include "services/fork_gate.h"

namespace tinytf::ops {

namespace {

constexpr size_t kTogether = 16;  // number of records that a thread reads before it adds them
constexpr int64_t kMostThreads = 64;
constexpr size_t kStackBytes = size_t{256} << 10;
constexpr std::chrono::milliseconds kPatience{100};
constexpr const char* kName = "tinytf-records";

}  // namespace

/// One pass over all files, divided into `shards` shards: file i belongs to shard i % shards.
struct RecordYielder::Epoch {
  std::vector<std::string> files;
  size_t shards = 0;
  std::vector<Status> statuses;  // one for each shard, written by the thread that reads it
  std::atomic<size_t> next{0};   // the next shard to be read
};

RecordYielder::RecordYielder(Options options)
    : WaitingLine("RecordInput operation was cancelled"),
      options_(std::move(options)),
      generator_(static_cast<uint64_t>(options_.seed)),
      capacity_(options_.buffer_size) {}

void RecordYielder::fill(KernelContext& ctx, AsyncKernel::Done done) { submit({&ctx, std::move(done)}); }

/// The first batch starts the thread.
Status RecordYielder::arrive(RecordBatch& /*batch*/) {
  if (is_stopped_ || thread_.started()) return Status();
  auto self = std::make_unique<RefPtr<RecordYielder>>(RefPtr<RecordYielder>::share(this));
  const auto body = [](void* argument) {
    const std::unique_ptr<RefPtr<RecordYielder>> kept(static_cast<RefPtr<RecordYielder>*>(argument));
    (*kept)->run();
  };
  if (!thread_.start(kName, kStackBytes, true, body, self.get())) {
    return Status(Code::kResourceExhausted, "Cannot start the thread that reads records");
  }
  (void)self.release();  // now owned by the thread
  return Status();
}

void RecordYielder::stop() {
  std::vector<std::string> records;  // released without the lock
  bool is_first = false;
  change_and_serve([&] {
    is_first = !is_stopped_;
    is_stopped_ = true;
    records.swap(buffer_);
    taken_.notify_all();
  });
  std::unique_lock lock(mutex_);
  if (!is_first || !thread_.started()) return;
  const bool has_ended = ended_.wait_for(lock, kPatience, [this] { return has_ended_; });
  lock.unlock();
  has_ended ? thread_.join() : thread_.detach();  // a detached thread has its own reference
}

/// Whether records may be taken. Only at the end of an epoch may the buffer be less than half full, so that records are
/// well mixed.
bool RecordYielder::is_enough() const {
  if (is_draining_) return !buffer_.empty();
  return buffer_.size() >= std::max<uint64_t>(1, capacity_ / 2);
}

bool RecordYielder::serve(RecordBatch& batch) {
  const Tensor& out = batch.ctx->output(0).tensor;
  const int64_t wanted = out.num_elements();
  if (is_stopped_ || (batch.filled < wanted && !error_.ok())) {
    batch.status = is_stopped_ ? Status(Code::kCancelled, "RecordInput was stopped") : error_;
    return true;
  }
  auto* records = batch.ctx->output(0).tensor.data<std::string>();
  const int64_t before = batch.filled;
  while (batch.filled < wanted && is_enough()) {
    records[batch.filled++] = std::move(buffer_.back());
    buffer_.pop_back();
  }
  if (batch.filled > before) taken_.notify_all();
  return batch.filled == wanted;
}

/// Waits for room and adds records. Returns false, and drops the records, if reading was stopped.
bool RecordYielder::add(std::vector<std::string>& records) {
  {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, [this] { return has_room(); });
    if (is_stopped_) {
      records.clear();
      return false;
    }
  }
  const ForkGate::Pass pass;
  change_and_serve([&] {
    while (!records.empty() && buffer_.size() < capacity_ && !is_stopped_) {
      const auto place = static_cast<size_t>(generator_() % (buffer_.size() + 1));
      buffer_.push_back(std::move(records.back()));
      std::swap(buffer_[place], buffer_.back());
      records.pop_back();
      ++added_;
    }
  });
  return true;
}

Status RecordYielder::read_file(const std::string& file, std::vector<std::string>* waiting) {
  // TensorFlow's messages about the contents of a file omit the leading "./" of a matched name.
  const std::string path = file.compare(0, 2, "./") == 0 ? file.substr(2) : file;
  Result<std::unique_ptr<RecordReader>> opened = RecordReader::open(path, options_.compression);
  if (opened.status().code() == Code::kFailedPrecondition) return opened.status();  // a directory
  if (!opened.ok()) return invalid_argument("Can't open ", file);
  const std::unique_ptr<RecordReader> reader = opened.take();
  std::string_view record;
  for (Status status = reader->next(&record); status.code() != Code::kOutOfRange; status = reader->next(&record)) {
    TINYTF_RETURN_IF_ERROR(status);
    waiting->emplace_back(record);
    if (waiting->size() >= kTogether && !add(*waiting)) return Status(Code::kAborted, "stopped");
  }
  return Status();
}

Status RecordYielder::read_shard(const Epoch& epoch, size_t shard) {
  std::vector<std::string> waiting;
  Status status;
  for (size_t i = shard; i < epoch.files.size() && status.ok(); i += epoch.shards) {
    status = guarded([&] { return read_file(epoch.files[i], &waiting); });
  }
  while (!waiting.empty()) {
    if (!add(waiting)) break;
  }
  return status;
}

/// Reads all shards, with the help of as many threads as can be started.
void RecordYielder::read_shards(Epoch& epoch) {
  struct Help {
    RecordYielder* yielder;
    Epoch* epoch;
  } help{this, &epoch};
  const auto work = [](void* argument) {
    const Help& with = *static_cast<Help*>(argument);
    for (size_t shard = with.epoch->next++; shard < with.epoch->statuses.size(); shard = with.epoch->next++) {
      with.epoch->statuses[shard] = guarded([&] { return with.yielder->read_shard(*with.epoch, shard); });
    }
  };
  const size_t wanted = std::min(epoch.statuses.size(), static_cast<size_t>(kMostThreads)) - 1;
  const std::unique_ptr<NativeThread[]> helpers(wanted > 0 ? new NativeThread[wanted] : nullptr);
  size_t started = 0;
  while (started < wanted && helpers[started].start(kName, kStackBytes, true, work, &help)) ++started;
  work(&help);
  for (size_t i = 0; i < started; ++i) helpers[i].join();
}

/// Finds the files of each pattern, sorted by name, and puts all of them in the order of the epoch.
Status RecordYielder::find_files(int64_t number, std::vector<std::string>* files) const {
  Status failed;
  for (size_t begin = 0; begin <= options_.patterns.size();) {
    const size_t end = std::min(options_.patterns.find(',', begin), options_.patterns.size());
    Result<std::vector<std::string>> found = matching_files(options_.patterns.substr(begin, end - begin));
    begin = end + 1;
    if (!found.ok()) {
      failed = found.status();
      break;
    }
    std::vector<std::string> names = found.take();
    std::sort(names.begin(), names.end());
    std::move(names.begin(), names.end(), std::back_inserter(*files));
  }
  if (files->empty()) return Status(Code::kNotFound, "Found no files at " + options_.patterns);
  TINYTF_RETURN_IF_ERROR(failed);
  EpochOrder(options_.seed, number).shuffle(*files);
  EpochOrder::rotate(*files, options_.shift_ratio);
  return Status();
}

/// Waits until all records of the epoch have been taken. Returns false if there is no further epoch.
bool RecordYielder::end_epoch(Status status) {
  {
    const ForkGate::Pass pass;
    change_and_serve([&] {
      if (status.ok() && added_ == 0) {
        status = Status(Code::kNotFound, "Found no records in the files at " + options_.patterns);
      }
      error_ = std::move(status);
      capacity_ = std::min(capacity_, std::max<uint64_t>(added_, 1));
      is_draining_ = true;
      added_ = 0;
    });
  }
  std::unique_lock lock(mutex_);
  taken_.wait(lock, [this] { return is_stopped_ || !error_.ok() || buffer_.empty(); });
  is_draining_ = false;
  return error_.ok() && !is_stopped_;
}

void RecordYielder::run() {
  bool goes_on = true;
  for (int64_t number = 1; goes_on; ++number) {
    Epoch epoch;
    Status status = guarded([&] {
      TINYTF_RETURN_IF_ERROR(find_files(number, &epoch.files));
      epoch.shards = static_cast<size_t>(options_.parallelism);
      epoch.statuses.resize(std::min(epoch.shards, epoch.files.size()));
      read_shards(epoch);
      for (Status& of_shard : epoch.statuses) TINYTF_RETURN_IF_ERROR(of_shard);
      return Status();
    });
    goes_on = end_epoch(std::move(status));
  }
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  ended_.notify_all();
}

}  // namespace tinytf::ops
