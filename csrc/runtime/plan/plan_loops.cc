#include "runtime/plan/plan_loops.h"

#include <algorithm>

#include "runtime/plan/bytecode.h"
#include "runtime/plan/dataflow_program.h"

namespace tinytf {

namespace {

std::vector<PlanLoop> loops_of_bytecode(const Program& program) {
  std::vector<PlanLoop> loops;
  for (const BytecodeLoop& loop : program.code->loops) {
    PlanLoop& told = loops.emplace_back();
    told.frame = loop.frame;
    told.is_compiled = true;
    told.maps = loop.map != nullptr;
    for (int32_t at = loop.code_begin; at < loop.code_end; ++at) {
      const Instruction& instruction = program.code->instructions[at];
      if (instruction.what == Instruction::kRun) told.nodes.push_back(program.nodes[instruction.a].info->name);
      if (instruction.what != Instruction::kRegion) continue;
      const Program& region = *program.code->regions[instruction.a].program;
      for (const PlanNode& node : region.nodes) told.nodes.push_back(node.info->name);
    }
  }
  return loops;
}

std::vector<PlanLoop> loops_of_dataflow(const Program& program) {
  const DataflowProgram& tokens = *program.tokens;
  std::vector<PlanLoop> loops(tokens.frames.size() - 1);  // The first frame is the step.
  for (size_t f = 1; f < tokens.frames.size(); ++f) loops[f - 1].frame = tokens.frames[f].name;
  for (size_t n = 0; n < tokens.nodes.size(); ++n) {
    for (int32_t frame = tokens.nodes[n].frame; frame > 0; frame = tokens.frames[frame].parent) {
      loops[frame - 1].nodes.push_back(program.nodes[n].info->name);
    }
  }
  return loops;
}

}  // namespace

std::vector<PlanLoop> plan_loops(const Program& program) {
  if (program.tokens != nullptr) return loops_of_dataflow(program);
  if (program.code == nullptr) return {};
  std::vector<PlanLoop> loops = loops_of_bytecode(program);
  for (const BytecodeRegion& region : program.code->regions) {
    const std::vector<PlanLoop> inside = loops_of_dataflow(*region.program);
    loops.insert(loops.end(), inside.begin(), inside.end());
  }
  return loops;
}

std::vector<const PlanNode*> plan_nodes(const Program& program) {
  std::vector<const PlanNode*> nodes;
  if (program.code == nullptr || program.code->regions.empty()) {
    for (const PlanNode& node : program.nodes) nodes.push_back(&node);
    return nodes;
  }
  for (const Instruction& instruction : program.code->instructions) {
    if (instruction.what == Instruction::kRun) nodes.push_back(&program.nodes[instruction.a]);
    if (instruction.what != Instruction::kRegion) continue;
    for (const PlanNode& node : program.code->regions[instruction.a].program->nodes) nodes.push_back(&node);
  }
  return nodes;
}

std::vector<PlanRegion> plan_regions(const Program& program) {
  std::vector<PlanRegion> regions;
  if (program.code == nullptr) return regions;
  for (const BytecodeRegion& region : program.code->regions) {
    PlanRegion& told = regions.emplace_back();
    for (const PlanNode& node : region.program->nodes) told.nodes.push_back(node.info->name);
    told.why = region.program->tokens->why_not_code;
  }
  return regions;
}

const char* plan_way(const Program& program) {
  if (program.tokens != nullptr) return "tokens";
  if (program.code == nullptr) return "straight";
  return program.code->regions.empty() ? "code" : "mixed";
}

std::string why_tokens(const Program& program) {
  if (program.tokens != nullptr) return program.tokens->why_not_code;
  const std::vector<PlanRegion> regions = plan_regions(program);
  return regions.empty() ? std::string() : regions.front().why;
}

int plan_guards(const Program& program) {
  if (program.code == nullptr) return 0;
  const auto& code = program.code->instructions;
  return static_cast<int>(
      std::count_if(code.begin(), code.end(), [](const auto& one) { return one.what == Instruction::kGuard; }));
}

}  // namespace tinytf
