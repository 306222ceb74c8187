// The report as JSON and as text.
#include "tine/emulator/report.hpp"

#include <cstdio>

namespace tine::emulator {
namespace {

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n')
      out += "\\n";
    else if (u < 32 || u >= 127) {
      char t[8];
      std::snprintf(t, sizeof t, "\\u%04x", u);
      out += t;
    } else
      out += c;
  }
  return out + "\"";
}
std::string triple(const std::array<std::uint32_t, 3>& v) { return "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]"; }

}  // namespace

bool Report::has(DiagnosticClass cls) const {
  for (const Diagnostic& d : diagnostics)
    if (d.cls == cls) return true;
  return false;
}
std::uint64_t Report::thread_instructions() const {
  std::uint64_t n = 0;
  for (const ClassCount& c : counts) n += c.thread_instructions;
  return n;
}
std::uint64_t Report::bank_conflicts() const {
  std::uint64_t n = 0;
  for (const LineStats& l : lines) n += l.shared_wavefronts - l.shared_ideal;
  return n;
}

std::string Report::to_json() const {
  std::string j = "{\n  \"format\": 1,\n  \"kernel\": " + quoted(kernel) + ",\n  \"clean\": " + (clean() ? "true" : "false") + ",\n  \"aborted\": " + (aborted ? "true" : "false") + ",\n  \"diagnostics\": [";
  bool first = true;
  for (const Diagnostic& d : diagnostics) {
    j += first ? "\n" : ",\n";
    first = false;
    j += "    {\"class\": " + quoted(name_of(d.cls)) + ", \"module\": " + quoted(d.module) + ", \"kernel\": " + quoted(d.kernel) + ", \"line\": " + std::to_string(d.line);
    if (d.other_line != 0) j += ", \"other_line\": " + std::to_string(d.other_line);
    if (d.source_line != 0) j += ", \"source\": " + quoted(d.source_file) + ", \"source_line\": " + std::to_string(d.source_line);
    j += ", \"block\": " + triple(d.block) + ", \"thread\": " + triple(d.thread) + ", \"count\": " + std::to_string(d.count) + ", \"message\": " + quoted(d.message) + "}";
  }
  j += first ? "],\n" : "\n  ],\n";
  j += "  \"diagnostics_dropped\": " + std::to_string(diagnostics_dropped) + ",\n  \"counts\": {";
  first = true;
  for (std::size_t c = 0; c < kInstrClasses; ++c) {
    if (counts[c].warp_instructions == 0) continue;
    j += first ? "\n" : ",\n";
    first = false;
    j += "    " + quoted(name_of(static_cast<InstrClass>(c))) + ": {\"warp\": " + std::to_string(counts[c].warp_instructions) + ", \"thread\": " + std::to_string(counts[c].thread_instructions) + "}";
  }
  j += first ? "},\n" : "\n  },\n";
  j += "  \"bank_conflicts\": " + std::to_string(bank_conflicts()) + ",\n  \"memory_lines\": [";
  first = true;
  for (const LineStats& l : lines) {
    j += first ? "\n" : ",\n";
    first = false;
    j += "    {\"module\": " + quoted(l.module) + ", \"line\": " + std::to_string(l.line);
    if (l.source_line != 0) j += ", \"source\": " + quoted(l.source_file) + ", \"source_line\": " + std::to_string(l.source_line);
    if (l.global_requests != 0) j += ", \"global_requests\": " + std::to_string(l.global_requests) + ", \"global_sectors\": " + std::to_string(l.global_sectors) + ", \"global_bytes\": " + std::to_string(l.global_bytes);
    if (l.shared_requests != 0) j += ", \"shared_requests\": " + std::to_string(l.shared_requests) + ", \"shared_wavefronts\": " + std::to_string(l.shared_wavefronts) + ", \"shared_ideal\": " + std::to_string(l.shared_ideal);
    j += "}";
  }
  j += first ? "],\n" : "\n  ],\n";
  char t[32];
  std::snprintf(t, sizeof t, "%.6f", seconds);
  j += "  \"output\": " + quoted(output) + ",\n  \"seconds\": " + t + "\n}\n";
  return j;
}

std::string Report::summary() const {
  std::string s;
  for (const Diagnostic& d : diagnostics) {
    s += d.module + ":" + std::to_string(d.line) + ": " + name_of(d.cls) + ": " + d.message;
    s += " (block " + triple(d.block) + ", thread " + triple(d.thread) + (d.count > 1 ? ", " + std::to_string(d.count) + " times" : "") + (d.other_line != 0 ? ", see line " + std::to_string(d.other_line) : "");
    if (d.source_line != 0) s += ", " + d.source_file + ":" + std::to_string(d.source_line);
    s += ")\n";
  }
  if (diagnostics_dropped != 0) s += "and " + std::to_string(diagnostics_dropped) + " more\n";
  return s;
}

}  // namespace tine::emulator
