#pragma once

#include <condition_variable>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "io/record_reader.h"
#include "op/async_kernel.h"
#include "ops/data_flow/shared/waiting_line.h"
#include "services/native_thread.h"

namespace tinytf::ops {

/// A batch that is being filled: the output of the node.
struct RecordBatch {
  KernelContext* ctx;
  AsyncKernel::Done done;
  int64_t filled = 0;
  Status status{};
};

/// Yields the records of files in random order, repeatedly. Its own threads read one epoch of all files into a buffer.
/// Records are taken once the buffer is half full, or holds the last records of the epoch; the next epoch begins when
/// all have been taken. Batches that wait for records do not block a thread.
///
/// The first error of an epoch is reported after all its readable records, and then by every batch.
///
/// Thread-safe. The owner must call `stop` at the end.
class RecordYielder final : public WaitingLine<RecordBatch> {
 public:
  struct Options {
    std::string patterns;  ///< patterns of file names, separated by commas
    int64_t seed = 0;
    float shift_ratio = 0;     ///< fraction of the files that is moved to the end of each epoch's order
    uint64_t buffer_size = 1;  ///< number of records
    int64_t parallelism = 1;   ///< number of files read concurrently
    RecordCompression compression = RecordCompression::kNone;
  };

  explicit RecordYielder(Options options);

  /// Fills the node's output, a vector. Fails with NotFound if no file matches or no file has a record, and with
  /// DataLoss or other errors of files. Records already in a cancelled batch are lost.
  void fill(KernelContext& ctx, AsyncKernel::Done done);
  /// Stops and joins the threads; a thread that is still reading after a tenth of a second is detached and ends by
  /// itself. Later batches fail. May be called more than once.
  void stop() override;
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
  NativeThread thread_;  // reads the files, with the help of more threads
  bool is_stopped_ = false;
  bool has_ended_ = false;  // whether `thread_` has ended
  std::condition_variable ended_;
  std::condition_variable taken_;  // signaled to threads that wait for room or for the end of an epoch
  std::mt19937_64 generator_;      // draws positions in the buffer
  std::vector<std::string> buffer_;
  uint64_t capacity_;
  uint64_t added_ = 0;        // number of records added in this epoch
  bool is_draining_ = false;  // whether all records of the epoch have been added
  Status error_;
};

}  // namespace tinytf::ops
