#include "runtime/plan.h"

#include <algorithm>
#include <utility>

#include "op/op_registry.h"
#include "tensor/finite.h"

namespace tinytf {

std::unique_ptr<StepSlots> Plan::take_slots() {
  {
    std::lock_guard lock(pool_mutex_);
    if (!pool_.empty()) {
      auto slots = std::move(pool_.back());
      pool_.pop_back();
      return slots;
    }
  }
  auto fresh = std::make_unique<StepSlots>();
  fresh->slots.resize(slot_count);
  for (const auto& [slot, value] : constants) fresh->slots[slot].tensor = value;
  return fresh;
}

void Plan::return_slots(std::unique_ptr<StepSlots> slots) {
  std::lock_guard lock(pool_mutex_);
  pool_.push_back(std::move(slots));
}

namespace {

constexpr int32_t kNeverReleased = -2;  // constants and fetched slots
constexpr int32_t kUnused = -1;

/// Yields values that were known before; made for nodes that wait for others all the same.
class KnownValuesKernel final : public Kernel {
 public:
  explicit KnownValuesKernel(std::vector<Tensor> values) : values_(std::move(values)) {}

  Status compute(KernelContext& ctx) override {
    for (size_t i = 0; i < values_.size(); ++i) ctx.set_output(static_cast<int>(i), values_[i]);
    return Status();
  }

 private:
  const std::vector<Tensor> values_;
};

class PlanBuilder {
 public:
  PlanBuilder(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels, bool is_partial)
      : subgraph_(subgraph),
        feeds_(feeds),
        kernels_(kernels),
        is_partial_(is_partial),
        plan_(make_ref<Plan>()),
        first_slot_(subgraph.nodes.size()),
        plan_index_(subgraph.nodes.size(), -1) {
    plan_->feed_slots.assign(feeds.size(), -1);
    for (Endpoint e : feeds) plan_->feed_types.push_back(e.node->info.outputs[e.index].dtype);
  }

  Result<RefPtr<Plan>> build() {
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      if (!subgraph_.nodes[i].removed) TINYTF_RETURN_IF_ERROR(add(static_cast<int>(i)));
    }
    for (const auto& fetch : subgraph_.fetches) add_fetch(fetch);
    drop_unread_constants();
    find_last_uses();
    link_consumers();
    count_reads();
    plan_->may_wait |= may_block_side_by_side();
    plan_->slot_count = slot_count_;
    plan_->profile.node_ns = std::make_unique<std::atomic<int32_t>[]>(plan_->nodes.size());
    plan_->profile.tail_ns = std::make_unique<std::atomic<int64_t>[]>(plan_->nodes.size());
    return plan_;
  }

 private:
  int32_t slot_of(const SubgraphNode::Input& input) const {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    if (source.fed(input.output)) return plan_->feed_slots[source.feeds[input.output]];
    return first_slot_[input.node] + input.output;
  }

  bool is_ref(const SubgraphNode::Input& input) const {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    return !source.fed(input.output) && source.origin->info.outputs[input.output].is_ref;
  }

  /// TensorFlow's words for an input that is no reference where the op declares one.
  Status no_reference(const Node& node, size_t index, const SubgraphNode::Input& input) const {
    const SubgraphNode& source = subgraph_.nodes[input.node];
    const auto type = dtype_name(node.info.inputs[index].dtype);
    std::string from = str_cat(source.origin->name(), ":", input.output);
    if (source.fed(input.output)) {
      const auto name_of = [](Endpoint e) { return str_cat(e.node->name(), ":", e.index); };
      // Feeds are numbered by their names' order there.
      const auto number = std::count_if(feeds_.begin(), feeds_.end(), [&](Endpoint e) { return name_of(e) < from; });
      from = is_partial_ ? str_cat("_recv_", source.origin->name(), "_", input.output, ":0")
                         : str_cat("_arg_", source.origin->name(), "_", input.output, "_", number, ":0");
    }
    return invalid_argument("Input ", index, " of node ", node.name(), " was passed ", type, " from ", from,
                            " incompatible with expected ", type, "_ref.");
  }

  Status add(int index) {
    const SubgraphNode& node = subgraph_.nodes[index];
    first_slot_[index] = slot_count_;
    slot_count_ += node.origin->num_outputs();
    for (size_t output = 0; output < node.feeds.size(); ++output) {
      if (node.feeds[output] >= 0) plan_->feed_slots[node.feeds[output]] = slot_count_++;
    }
    if (node.values && !node.control_inputs.empty()) {
      add_known(node, index);
      return Status();
    }
    if (node.values) {
      for (size_t output = 0; output < node.values->size(); ++output) {
        plan_->constants.emplace_back(first_slot_[index] + static_cast<int32_t>(output), (*node.values)[output]);
      }
      if (!node.origin->has(Trait::kConstant) && !std::all_of(node.values->begin(), node.values->end(), all_finite)) {
        add_not_finite(node, first_slot_[index]);
      }
      return Status();
    }
    PlanNode& planned = plan_->nodes.emplace_back();
    plan_index_[index] = static_cast<int>(plan_->nodes.size()) - 1;
    planned.origin = node.origin;
    planned.info = &node.origin->info;
    auto kernel = kernels_(*node.origin);
    if (!kernel.ok()) return kernel.status().at_node(node.origin->name());
    planned.kernel = kernel.value().get();
    plan_->may_wait |= planned.kernel->is_async();
    plan_->kernels.push_back(kernel.take());
    planned.first_output = first_slot_[index];
    planned.first_input = static_cast<int32_t>(plan_->input_slots.size());
    planned.derefs_begin = static_cast<int32_t>(plan_->derefs.size());
    const auto& declared = planned.info->op->inputs;
    const bool takes_references =
        std::any_of(declared.begin(), declared.end(), [](const ArgDef& arg) { return arg.is_ref; });
    planned.takes_state = takes_references;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      int32_t slot = slot_of(node.inputs[i]);
      planned.takes_state |= planned.info->inputs[i].dtype == DType::kResource;
      if (!is_ref(node.inputs[i])) {
        if (takes_references && takes_reference(*node.origin, i)) {
          return no_reference(*node.origin, i, node.inputs[i]);
        }
      } else {
        if (!takes_reference(*node.origin, i)) {
          plan_->derefs.push_back({slot, slot_count_});
          slot = slot_count_++;
        } else if (!planned.info->op->allows_uninitialized_input) {
          plan_->derefs.push_back({slot, -1});
        }
      }
      plan_->input_slots.push_back(slot);
    }
    planned.derefs_end = static_cast<int32_t>(plan_->derefs.size());
    return Status();
  }

  /// A node whose values are known, but whose readers wait for others through it.
  void add_known(const SubgraphNode& node, int index) {
    auto info = std::make_unique<NodeInfo>();
    info->name = node.origin->name();
    info->op = OpRegistry::global().find("Const");
    info->device = node.origin->info.device;
    info->outputs = node.origin->info.outputs;
    plan_->kernels.push_back(std::make_shared<KnownValuesKernel>(*node.values));
    plan_index_[index] = static_cast<int>(plan_->nodes.size());
    PlanNode& planned = plan_->nodes.emplace_back();
    planned.origin = node.origin;
    planned.info = info.get();
    planned.kernel = plan_->kernels.back().get();
    planned.first_output = first_slot_[index];
    planned.first_input = static_cast<int32_t>(plan_->input_slots.size());
    planned.derefs_begin = planned.derefs_end = static_cast<int32_t>(plan_->derefs.size());
    plan_->infos.push_back(std::move(info));
  }

  /// A folded node, for who watches what nodes yield.
  void add_not_finite(const SubgraphNode& node, int32_t first_output) {
    PlanNode& folded = plan_->not_finite.emplace_back();
    folded.info = &node.origin->info;
    folded.origin = node.origin;
    folded.first_input = static_cast<int32_t>(plan_->input_slots.size());
    folded.first_output = first_output;
    for (const auto& input : node.inputs) plan_->input_slots.push_back(slot_of(input));
  }

  void add_fetch(const SubgraphNode::Input& fetch) {
    int32_t slot = slot_of(fetch);
    if (is_ref(fetch)) {
      snapshots_.push_back({plan_index_[fetch.node], {slot, slot_count_}});
      slot = slot_count_++;
    }
    plan_->fetch_slots.push_back(slot);
  }

  /// What was only read by nodes that have become constants themselves is not kept.
  void drop_unread_constants() {
    std::vector<bool> read(slot_count_, false);
    for (const auto* slots : {&plan_->input_slots, &plan_->fetch_slots}) {
      for (int32_t slot : *slots) read[slot] = true;
    }
    for (const PlanNode& node : plan_->not_finite) {
      for (int output = 0; output < node.origin->num_outputs(); ++output) read[node.first_output + output] = true;
    }
    auto& constants = plan_->constants;
    constants.erase(std::remove_if(constants.begin(), constants.end(), [&](auto& c) { return !read[c.first]; }),
                    constants.end());
  }

  void find_last_uses() {
    std::vector<int32_t> last_reader(slot_count_, kUnused);
    std::vector<int32_t> reads(slot_count_, 0);  // by the node that is looked at
    for (const auto& [slot, value] : plan_->constants) last_reader[slot] = kNeverReleased;
    for (int32_t slot : plan_->fetch_slots) last_reader[slot] = kNeverReleased;
    for (size_t n = 0; n < plan_->nodes.size(); ++n) {
      for (int32_t slot : inputs_of(plan_->nodes[n])) {
        if (last_reader[slot] != kNeverReleased) last_reader[slot] = static_cast<int32_t>(n);
      }
    }
    std::stable_sort(snapshots_.begin(), snapshots_.end(), [](auto& a, auto& b) { return a.first < b.first; });
    size_t snapshot = 0;
    for (size_t n = 0; n < plan_->nodes.size(); ++n) {
      PlanNode& node = plan_->nodes[n];
      node.releases_begin = static_cast<int32_t>(plan_->releases.size());
      const auto inputs = inputs_of(node);
      for (int32_t slot : inputs) ++reads[slot];
      for (size_t i = 0; i < inputs.size(); ++i) {
        const int32_t slot = inputs[i];
        const int32_t count = std::exchange(reads[slot], 0);  // 0: seen before, at another input
        if (count == 0 || last_reader[slot] != static_cast<int32_t>(n)) continue;
        // A value that is read twice by this node must stay whole until the node is done.
        if (count == 1 && i < 64) node.last_use |= uint64_t{1} << i;
        plan_->releases.push_back(slot);
      }
      for (int output = 0; output < node.origin->num_outputs(); ++output) {
        const int32_t slot = node.first_output + output;
        if (last_reader[slot] == kUnused) plan_->releases.push_back(slot);
      }
      node.releases_end = static_cast<int32_t>(plan_->releases.size());
      node.snapshots_begin = static_cast<int32_t>(plan_->snapshots.size());
      while (snapshot < snapshots_.size() && snapshots_[snapshot].first == static_cast<int>(n)) {
        plan_->snapshots.push_back(snapshots_[snapshot++].second);
      }
      node.snapshots_end = static_cast<int32_t>(plan_->snapshots.size());
      node.is_plain = node.derefs_begin == node.derefs_end && node.snapshots_begin == node.snapshots_end;
    }
    // Feeds that no node reads and no fetch returns are never stored.
    for (int32_t& slot : plan_->feed_slots) {
      if (slot >= 0 && last_reader[slot] == kUnused) slot = -1;
    }
  }

  void link_consumers() {
    std::vector<std::vector<int32_t>> consumers(plan_->nodes.size());
    const auto link = [&](int source, int sink) {
      if (plan_index_[source] < 0) return;
      auto& list = consumers[plan_index_[source]];
      if (!list.empty() && list.back() == sink) return;
      list.push_back(sink);
      ++plan_->nodes[sink].pending;
    };
    for (size_t i = 0; i < subgraph_.nodes.size(); ++i) {
      const int sink = plan_index_[i];
      if (sink < 0) continue;
      const SubgraphNode& node = subgraph_.nodes[i];
      for (const auto& input : node.inputs) {
        if (!subgraph_.nodes[input.node].fed(input.output)) link(input.node, sink);
      }
      for (int control : node.control_inputs) link(control, sink);
    }
    for (size_t n = 0; n < consumers.size(); ++n) {
      plan_->nodes[n].consumers_begin = static_cast<int32_t>(plan_->consumers.size());
      plan_->consumers.insert(plan_->consumers.end(), consumers[n].begin(), consumers[n].end());
      plan_->nodes[n].consumers_end = static_cast<int32_t>(plan_->consumers.size());
    }
  }

  /// For steps on several threads, where the last reader is known only when it comes.
  void count_reads() {
    plan_->slot_uses.assign(slot_count_, 0);
    std::vector<const PlanNode*> seen_by(slot_count_, nullptr);
    for (PlanNode& node : plan_->nodes) {
      node.reads_begin = static_cast<int32_t>(plan_->reads.size());
      for (int32_t slot : inputs_of(node)) {
        if (std::exchange(seen_by[slot], &node) == &node) continue;
        plan_->reads.push_back(slot);
        ++plan_->slot_uses[slot];
      }
      node.reads_end = static_cast<int32_t>(plan_->reads.size());
    }
    for (int32_t slot : plan_->fetch_slots) ++plan_->slot_uses[slot];
    for (const auto& [slot, value] : plan_->constants) plan_->slot_uses[slot] = -1;
  }

  /// Whether nodes that may block do not all wait for one another.
  bool may_block_side_by_side() const {
    const auto& nodes = plan_->nodes;
    std::vector<int32_t> before(nodes.size(), 0);  // that may block, on the path to a node that has most of them
    int32_t all = 0, most = 0;
    for (size_t n = 0; n < nodes.size(); ++n) {
      all += nodes[n].info->op->may_block;
      const int32_t path = before[n] + nodes[n].info->op->may_block;
      most = std::max(most, path);
      for (int32_t i = nodes[n].consumers_begin; i < nodes[n].consumers_end; ++i) {
        int32_t& consumer = before[plan_->consumers[i]];
        consumer = std::max(consumer, path);
      }
    }
    return all > most;
  }

  std::vector<int32_t> inputs_of(const PlanNode& node) const {
    auto first = plan_->input_slots.begin() + node.first_input;
    return {first, first + static_cast<std::ptrdiff_t>(node.info->inputs.size())};
  }

  const Subgraph& subgraph_;
  const std::vector<Endpoint>& feeds_;
  KernelSource kernels_;
  const bool is_partial_;
  RefPtr<Plan> plan_;
  std::vector<int32_t> first_slot_;
  std::vector<int> plan_index_;
  std::vector<std::pair<int, Deref>> snapshots_;  // plan node, what to copy
  int32_t slot_count_ = 0;
};

}  // namespace

Result<RefPtr<Plan>> build_plan(const Subgraph& subgraph, const std::vector<Endpoint>& feeds, KernelSource kernels,
                                bool is_partial) {
  return PlanBuilder(subgraph, feeds, kernels, is_partial).build();
}

}  // namespace tinytf
