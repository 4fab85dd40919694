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
  if (program.code != nullptr) return loops_of_bytecode(program);
  return program.tokens != nullptr ? loops_of_dataflow(program) : std::vector<PlanLoop>();
}

const char* plan_way(const Program& program) {
  if (program.tokens != nullptr) return "tokens";
  return program.code != nullptr ? "code" : "straight";
}

std::string why_tokens(const Program& program) {
  return program.tokens != nullptr ? program.tokens->why_not_code : std::string();
}

int plan_guards(const Program& program) {
  if (program.code == nullptr) return 0;
  const auto& code = program.code->instructions;
  return static_cast<int>(
      std::count_if(code.begin(), code.end(), [](const auto& one) { return one.what == Instruction::kGuard; }));
}

}  // namespace tinytf
