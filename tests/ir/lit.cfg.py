# How lit runs the IR tests. Loaded by the lit.site.cfg.py that CMake writes.
import os
import lit.formats

config.name = "tine"
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_format = lit.formats.ShTest(execute_external=False)
config.environment["PATH"] = os.pathsep.join([config.tine_binaries, os.path.dirname(config.tine_filecheck), os.environ["PATH"]])
# In sanitizer builds: LLVM's libraries are not instrumented, so what its headers poison in our code, they do not undo.
config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0"
# Full words only: `tine-opt` must not be replaced inside a path. --allow-unused-prefixes stays off: a prefix that no
# line uses is a mistake.
config.substitutions.append(("%root", config.tine_source_root))
