#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "data/dataset_graph.h"
#include "io/graph_hash.h"
#include "ops/data/shared/snapshot_reader.h"
#include "ops/data/shared/snapshot_source.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// The attrs of the node.
struct SnapshotOptions {
  int64_t expiry_seconds = 0;
  SnapshotReader::Options reading;
  SnapshotWriter::Options writing;
};

class SnapshotDataset final : public UnaryDataset {
 public:
  SnapshotDataset(DatasetParts parts, RefPtr<const Dataset> input, SnapshotOptions options, std::string graph_hash,
                  const std::string& path)
      : UnaryDataset(std::move(parts), std::move(input)),
        options_(std::move(options)),
        graph_hash_(std::move(graph_hash)),
        folder_(str_cat(path, "/", graph_hash_)) {}

  const SnapshotOptions& options() const { return options_; }
  const std::string& graph_hash() const { return graph_hash_; }
  /// Of the graph of the input.
  const std::string& folder() const { return folder_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const SnapshotOptions options_;
  const std::string graph_hash_;
  const std::string folder_;
};

/// Its first pull finds out whether to read the snapshot, to write it, or to pass the elements of the input on.
class SnapshotIterator final : public IteratorOf<SnapshotDataset> {
 public:
  SnapshotIterator(const SnapshotDataset& dataset, uint64_t place) : IteratorOf(dataset), place_(place) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (!reader_ && !source_) TINYTF_RETURN_IF_ERROR(begin(ctx));
    if (source_) return source_->take(ctx, element);
    TINYTF_ASSIGN_OR_RETURN(const bool has_element, reader_->next(ctx, element));
    if (!has_element) return Pulled::kEnd;
    ++next_;
    TINYTF_RETURN_IF_ERROR(data::check_element(dataset().spec(), element));
    return Pulled::kElement;
  }

  data::StageHeld held() const override { return {reader_ ? reader_->held() : source_ ? source_->held() : 0, 0, 0}; }

  /// A snapshot that is being written has no position: an iterator that goes on from one passes elements on.
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("has_begun", reader_ || source_);
    state.put_int("is_reading", reader_ != nullptr);
    if (reader_) {
      state.put_text("run", run_id_);
      state.put_int("next", next_);
    }
    return source_ ? source_->save(ctx, state) : Status();
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_begun, state.get_int("has_begun", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_reading, state.get_int("is_reading", 0, 1));
    reader_.reset();
    source_.reset();
    if (has_begun == 0) return Status();
    if (is_reading == 0) {
      TINYTF_RETURN_IF_ERROR(make_source(ctx, nullptr));
      return source_->restore(ctx, state, dataset().spec());
    }
    TINYTF_ASSIGN_OR_RETURN(const std::string run_id, state.get_text("run"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t next, state.get_int("next", 0, INT64_MAX - 1));
    if (!is_run_id(run_id)) return state.damaged("run", "has no name of a run in");
    TINYTF_RETURN_IF_ERROR(read(run_id));
    TINYTF_RETURN_IF_ERROR(reader_->skip(ctx, next));
    next_ = next;
    return Status();
  }

 private:
  Status begin(IteratorContext& ctx) {
    const Result<SnapshotMetadata> found = read_snapshot_metadata(dataset().folder());
    if (!found.ok() && found.status().code() != Code::kNotFound) return found.status();
    const SnapshotMetadata* const metadata = found.ok() ? &found.value() : nullptr;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t now_micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    const SnapshotOptions& options = dataset().options();
    const SnapshotMode mode = snapshot_mode(metadata, now_micros, options.expiry_seconds);
    if (mode == SnapshotMode::kRead) return read(metadata->run_id);
    std::unique_ptr<SnapshotWriter> writer;
    if (mode == SnapshotMode::kWrite) {
      TINYTF_ASSIGN_OR_RETURN(
          writer, SnapshotWriter::begin(dataset().folder(), dataset().graph_hash(), now_micros, options.writing));
    }
    return make_source(ctx, std::move(writer));
  }

  Status read(const std::string& run_id) {
    TINYTF_ASSIGN_OR_RETURN(std::vector<std::string> files, snapshot_files(str_cat(dataset().folder(), "/", run_id)));
    reader_ = std::make_unique<SnapshotReader>(std::move(files), dataset().options().reading);
    run_id_ = run_id;
    next_ = 0;
    return Status();
  }

  Status make_source(IteratorContext& ctx, std::unique_ptr<SnapshotWriter> writer) {
    const data::AtPlace here(ctx, place_);
    TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, dataset().input().make_iterator(ctx));
    source_ = std::make_unique<SnapshotSource>(std::move(input), std::move(writer));
    return Status();
  }

  const uint64_t place_;
  std::unique_ptr<SnapshotReader> reader_;  // At most one of the two exists; none before the first pull.
  std::unique_ptr<SnapshotSource> source_;
  std::string run_id_;  // Of the reader.
  int64_t next_ = 0;    // Elements that were taken of the reader.
};

Result<IteratorPtr> SnapshotDataset::make_iterator(IteratorContext& ctx) const {
  return IteratorPtr(std::make_unique<SnapshotIterator>(*this, ctx.place));
}

class SnapshotKernel final : public DatasetKernel {
 public:
  explicit SnapshotKernel(KernelInit& init) : DatasetKernel(init) {
    const auto compression = init.attr<std::string>("compression");
    if (compression == "GZIP") {
      options_.reading.compression = options_.writing.compression = DeflateFormat::kGzip;
    } else if (!compression.empty()) {
      init.fail(invalid_argument("compression must be either '' or 'GZIP'."));
    }
    options_.writing.shard_bytes = number(init, "shard_size_bytes", kDefaultShardBytes);
    options_.expiry_seconds = number(init, "pending_snapshot_expiry_seconds", kDefaultExpirySeconds);
    if (options_.writing.shard_bytes < kLeastShardBytes) {
      init.fail(invalid_argument("shard_size_bytes must be at least 1 MiB."));
    }
    if (options_.expiry_seconds < 1) {
      init.fail(invalid_argument("pending_snapshot_expiry_seconds must be at least 1 second."));
    }
    options_.reading.prefix = init.attr<std::string>("reader_path_prefix");
    options_.writing.prefix = init.attr<std::string>("writer_path_prefix");
    options_.reading.lanes = std::min(count(init, "num_reader_threads"), kMostLanes);
    options_.reading.buffer = count(init, "reader_buffer_size");
    options_.writing.lanes = std::min(count(init, "num_writer_threads"), kMostLanes);
    options_.writing.buffer = std::min(count(init, "writer_buffer_size"), kMostCollected);
  }

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::string path, scalar_input<std::string>(ctx, 1, "path"));
    TINYTF_ASSIGN_OR_RETURN(const std::string graph, data::write_dataset(*input, {{}, /*all=*/true}));
    TINYTF_ASSIGN_OR_RETURN(const uint64_t hash, graph_hash(graph));
    return RefPtr<const Dataset>(
        make_ref<SnapshotDataset>(std::move(parts), std::move(input), options_, snapshot_id(hash), path));
  }

 private:
  static constexpr int64_t kDefaultShardBytes = int64_t{10} << 30, kLeastShardBytes = int64_t{1} << 20;
  static constexpr int64_t kDefaultExpirySeconds = 86400;
  static constexpr int64_t kMostLanes = 64;  // Of which each has an open file.
  static constexpr int64_t kMostCollected = 1 << 16;

  /// -1 stands for the default.
  static int64_t number(KernelInit& init, std::string_view attr, int64_t otherwise) {
    const auto given = init.attr<int64_t>(attr);
    return given == -1 ? otherwise : given;
  }
  static int64_t count(KernelInit& init, std::string_view attr) {
    const int64_t given = number(init, attr, 1);
    if (given < 1) init.fail(invalid_argument(attr, " must be at least 1, or -1 for its default."));
    return std::max(given, int64_t{1});
  }

  SnapshotOptions options_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_snapshot) {
  using namespace tinytf::ops;
  ops.op("SnapshotDataset")
      .input("input_dataset: variant")
      .input("path: string")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("compression: string = ''")
      .attr("reader_path_prefix: string = ''")
      .attr("writer_path_prefix: string = ''")
      .attr("shard_size_bytes: int = 10737418240")
      .attr("pending_snapshot_expiry_seconds: int = 86400")
      .attr("num_reader_threads: int = 1")
      .attr("reader_buffer_size: int = 1")
      .attr("num_writer_threads: int = 1")
      .attr("writer_buffer_size: int = 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the input. The first iterator writes them to files in a folder of `path` "
          "whose name is a hash of the input's graph; once it has taken the last element, other iterators read the "
          "files in place of the input. While one writes, for at most `pending_snapshot_expiry_seconds`, others take "
          "the elements of the input. Files are compressed if `compression` is `GZIP`, and have elements of about "
          "`shard_size_bytes` bytes. `num_writer_threads` files are written at a time, after `writer_buffer_size` "
          "elements, and `num_reader_threads` files are read, up to `reader_buffer_size` elements ahead, one element "
          "of each in turn. The prefixes are added to the names of the files.");
  kernels.add<SnapshotKernel>("SnapshotDataset");
}
