// The artefact's reader: what was written comes back; bytes that are wrong are refused with the reason.
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "codegen/abi/gpu_artefact.h"

extern "C" const char* read_in_c(const void* data, size_t size, tine_gpu_artefact* out);

namespace {

std::string artefact(const std::string& code) {
  tine_gpu_artefact h = {};
  h.code = TINE_GPU_PTX;
  h.arch = 80;
  h.threads = 128;
  h.dynamic_shared = 4096;
  h.slots = 5;
  h.code_size = code.size() + 1;
  std::string bytes(sizeof h, 0);
  tine_gpu_artefact_write(&h, bytes.data());
  return bytes + code + '\0';
}

/// What the reader says to the artefact with one field overwritten.
template <class T>
std::string said(size_t offset, T value) {
  std::string bytes = artefact("ptx");
  std::memcpy(&bytes[offset], &value, sizeof value);
  tine_gpu_artefact h;
  const char* wrong = tine_gpu_artefact_read(bytes.data(), bytes.size(), &h);
  return wrong ? wrong : "";
}

}  // namespace

TEST_CASE("an artefact that was written reads back") {
  std::string bytes = artefact(".version 8.0");
  for (auto* read : {&tine_gpu_artefact_read, &read_in_c}) {
    tine_gpu_artefact h;
    REQUIRE(read(bytes.data(), bytes.size(), &h) == nullptr);
    CHECK(h.arch == 80);
    CHECK(h.threads == 128);
    CHECK(h.dynamic_shared == 4096);
    CHECK(h.slots == 5);
    CHECK(std::string(h.entry) == "tine_kernel");
    CHECK(std::string(bytes.data() + h.code_offset) == ".version 8.0");
    CHECK(h.code_offset + h.code_size == bytes.size());
  }
}

TEST_CASE("the layout of the header is what files hold") {
  CHECK(offsetof(tine_gpu_artefact, version) == 8);
  CHECK(offsetof(tine_gpu_artefact, threads) == 20);
  CHECK(offsetof(tine_gpu_artefact, code_offset) == 48);
  CHECK(offsetof(tine_gpu_artefact, entry) == 64);
}

TEST_CASE("wrong artefacts are refused with the reason") {
  tine_gpu_artefact h;
  std::string bytes = artefact("ptx");
  CHECK(std::string(tine_gpu_artefact_read(nullptr, 0, &h)) == "it is shorter than its header");
  for (size_t n = 0; n < bytes.size(); ++n) CHECK(tine_gpu_artefact_read(bytes.data(), n, &h) != nullptr);
  CHECK(said(0, 'E') == "it is no GPU artefact");
  CHECK(said(offsetof(tine_gpu_artefact, version), 2u) == "it is of another version");
  CHECK(said(offsetof(tine_gpu_artefact, code), 4u) == "its kind of code is unknown");
  CHECK(said(offsetof(tine_gpu_artefact, threads), 0u) == "its number of threads is none that a block can have");
  CHECK(said(offsetof(tine_gpu_artefact, threads), 1025u) == "its number of threads is none that a block can have");
  for (uint64_t offset : {uint64_t(0), uint64_t(127), uint64_t(133), UINT64_MAX})
    CHECK(said(offsetof(tine_gpu_artefact, code_offset), offset) == "its code lies outside of it");
  for (uint64_t size : {uint64_t(0), uint64_t(5), UINT64_MAX}) CHECK(said(offsetof(tine_gpu_artefact, code_size), size) == "its code lies outside of it");
  CHECK(said(offsetof(tine_gpu_artefact, code_size), uint64_t(3)) == "its text has no end");
  CHECK(said(offsetof(tine_gpu_artefact, entry), '\0') == "its entry has no name");
  std::string full = artefact("ptx");
  std::memset(&full[offsetof(tine_gpu_artefact, entry)], 'x', 64);
  CHECK(std::string(tine_gpu_artefact_read(full.data(), full.size(), &h)) == "its entry has no name");
}
