#pragma once

#include <condition_variable>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "io/record_reader.h"
#include "ops/data_flow/waiting_line.h"
#include "services/native_thread.h"

namespace tinytf::ops {

/// One batch that is being filled: the node's output.
struct RecordBatch {
  KernelContext* ctx;
  AsyncKernel::Done done;
  int64_t filled = 0;
  Status status{};
};

/// Yields the records of files in random order, again and again. Threads of its own read an epoch of all files into a
/// buffer, from which records are taken as soon as it is half full, or the epoch's last ones are in it; the next epoch
/// begins when they are taken. What waits for records holds no thread.
///
/// The first error of an epoch is told when all that can be read of it was read, and from then on by all batches.
///
/// Thread-safe. Whoever makes one calls `stop` at last.
class RecordYielder final : public WaitingLine<RecordBatch> {
 public:
  struct Options {
    std::string patterns;  ///< of files, with commas between them
    int64_t seed = 0;
    float shift_ratio = 0;     ///< the share of the files that goes to the end of each epoch's order
    uint64_t buffer_size = 1;  ///< records
    int64_t parallelism = 1;   ///< how many files are read at a time
    RecordCompression compression = RecordCompression::kNone;
  };

  explicit RecordYielder(Options options);

  /// Fills the node's output, a vector. NotFound where no files match or none has a record; DataLoss and others of
  /// files. A batch that is given up takes those records along that it has.
  void fill(KernelContext& ctx, AsyncKernel::Done done);
  /// Ends the threads and joins them; one that is still in a read after a tenth of a second ends by itself. Batches
  /// fail from here on. More than once does no harm.
  void stop();
  std::string debug_string() const override { return "RecordInput of " + options_.patterns; }

 private:
  struct Epoch;

  Status arrive(RecordBatch& batch) override;
  bool serve(RecordBatch& batch) override;
  uint32_t turn(const RecordBatch& /*batch*/) const override { return 1; }
  Status hand_out(RecordBatch& /*batch*/) override { return Status(); }

  void run();
  Status find_files(int64_t number, std::vector<std::string>* files) const;
  void read_shards(Epoch& epoch);
  Status read_shard(const Epoch& epoch, size_t shard);
  Status read_file(const std::string& file, std::vector<std::string>* waiting);
  bool add(std::vector<std::string>& records);
  bool end_epoch(Status status);
  bool is_enough() const;
  bool has_room() const { return is_stopped_ || buffer_.size() < capacity_; }

  const Options options_;

  // Under the mutex.
  NativeThread thread_;  // which reads, and has others help it
  bool is_stopped_ = false;
  bool has_ended_ = false;  // the thread
  std::condition_variable ended_;
  std::condition_variable taken_;  // for threads that wait for room, or for the end of an epoch
  std::mt19937_64 generator_;      // of places in the buffer
  std::vector<std::string> buffer_;
  uint64_t capacity_;
  uint64_t added_ = 0;        // in this epoch
  bool is_draining_ = false;  // all of the epoch is in the buffer, or was taken
  Status error_;
};

}  // namespace tinytf::ops
