#include "codegen/driver/workers.hpp"
#include <pthread.h>
#include <condition_variable>
#include <mutex>
#include <vector>
#include "codegen/cpu/pipeline.hpp"

namespace tine {
namespace {

class Worker {
 public:
  Worker() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t(64) << 20);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    started_ = pthread_create(&thread, &attributes, [](void* self) -> void* { static_cast<Worker*>(self)->loop(); return nullptr; }, this) == 0;
    pthread_attr_destroy(&attributes);
  }
  bool started() const { return started_; }
  void run(llvm::function_ref<void(mlir::MLIRContext&)> job) {
    std::unique_lock lock(mutex_);
    job_ = &job;
    wake_.notify_all();
    wake_.wait(lock, [&] { return !job_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  llvm::function_ref<void(mlir::MLIRContext&)>* job_ = nullptr;
  bool started_ = false;

  void loop() {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    cpu::load_dialects(context);
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return job_ != nullptr; });
      (*job_)(context);
      job_ = nullptr;
      wake_.notify_all();
    }
  }
};

// Never destroyed: a worker may be compiling while the process exits.
std::mutex& idle_mutex() { static auto* m = new std::mutex; return *m; }
std::vector<Worker*>& idle() { static auto* v = new std::vector<Worker*>; return *v; }

}  // namespace

void run_on_worker(llvm::function_ref<void(mlir::MLIRContext&)> job) {
  Worker* worker = nullptr;
  {
    std::lock_guard lock(idle_mutex());
    if (!idle().empty()) {
      worker = idle().back();
      idle().pop_back();
    }
  }
  if (!worker) worker = new Worker();
  if (!worker->started()) {  // no thread to be had: the caller's must do
    delete worker;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    cpu::load_dialects(context);
    return job(context);
  }
  worker->run(job);
  std::lock_guard lock(idle_mutex());
  idle().push_back(worker);
}

}  // namespace tine
