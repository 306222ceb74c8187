// TINE_EXPORT(Add, float, tine::f16) lists Add<float> and Add<tine::f16> for tools, TINE_EXPORT(Conv) lists Conv. Write it
// in the kernel's namespace, after the kernel. It does nothing in ordinary programs; a tool compiles the header with
// TINE_EXPORTS defined, opens the library and calls `tine_exports`, which returns the first of a list in the order of the source.
#pragma once
#include "tine/define.hpp"

/// One exported kernel.
struct tine_export {
  const char* name;                        ///< as written: "Add<tine::f16>"
  tine::core::Definition* (*make)();       ///< a definition of the kernel with its default members; the caller releases it
  const tine_export* next;
};

#ifdef TINE_EXPORTS
namespace tine::detail {
struct ExportList {
  tine_export* first = nullptr;
  tine_export* last = nullptr;
};
__attribute__((visibility("hidden"))) inline ExportList export_list;
struct Exporter {
  tine_export entry;
  Exporter(const char* name, core::Definition* (*make)()) : entry{name, make, nullptr} {
    if (export_list.last) export_list.last->next = &entry;
    else export_list.first = &entry;
    export_list.last = &entry;
  }
  Exporter(const Exporter&) = delete;
};
template <class K> core::Definition* make_default() { return define(K{}); }
}  // namespace tine::detail
extern "C" __attribute__((visibility("default"), used)) inline const tine_export* tine_exports() { return tine::detail::export_list.first; }

#define TINE_EXPORT_NAME(K, line) TINE_EXPORT_NAME_(K, line)
#define TINE_EXPORT_NAME_(K, line) tine_exports_of_##K##_##line
#define TINE_EXPORT_PARENS ()
#define TINE_EXPORT_EXPAND(...) TINE_EXPORT_EXPAND_1(TINE_EXPORT_EXPAND_1(TINE_EXPORT_EXPAND_1(__VA_ARGS__)))
#define TINE_EXPORT_EXPAND_1(...) TINE_EXPORT_EXPAND_2(TINE_EXPORT_EXPAND_2(TINE_EXPORT_EXPAND_2(__VA_ARGS__)))
#define TINE_EXPORT_EXPAND_2(...) __VA_ARGS__
#define TINE_EXPORT_EACH(K, T, ...) \
  {#K "<" #T ">", ::tine::detail::make_default<K<T>>}, __VA_OPT__(TINE_EXPORT_AGAIN TINE_EXPORT_PARENS(K, __VA_ARGS__))
#define TINE_EXPORT_AGAIN() TINE_EXPORT_EACH
#define TINE_EXPORT_LIST_(K) {#K, ::tine::detail::make_default<K>}
#define TINE_EXPORT_LIST_1(K, ...) TINE_EXPORT_EXPAND(TINE_EXPORT_EACH(K, __VA_ARGS__))
#define TINE_EXPORT_LIST(K, ...) __VA_OPT__(TINE_EXPORT_LIST_1(K, __VA_ARGS__)) TINE_EXPORT_ONLY_IF_NONE(K __VA_OPT__(, ) __VA_ARGS__)
#define TINE_EXPORT_ONLY_IF_NONE(K, ...) TINE_EXPORT_FIRST(__VA_OPT__(TINE_EXPORT_NOTHING, ) TINE_EXPORT_LIST_, )(K)
#define TINE_EXPORT_FIRST(f, ...) f
#define TINE_EXPORT_NOTHING(K)
#define TINE_EXPORT(K, ...) \
  static ::tine::detail::Exporter TINE_EXPORT_NAME(K, __LINE__)[] = {TINE_EXPORT_LIST(K __VA_OPT__(, ) __VA_ARGS__)}
#else
#define TINE_EXPORT(...) static_assert(true)
#endif
