"""Values that the interfaces of one language share; their code for it is in ``shared/``."""

import signal
from pathlib import Path
from typing import Final

from grader.interfaces.declaration import Allowance, Libraries, marker
from grader.uploads.shape import UploadShape
from sandbox.program import Runtime

_HERE: Final = Path(__file__).parent


def shared(package: str) -> Path:
    """The folder of a package that adapters of several interfaces use."""
    return _HERE / "shared" / package


def _python_library() -> Path:
    here = _HERE / "python" / "firebox"
    return here if here.is_dir() else _HERE.parents[1] / "firebox"


PYTHON_LIBRARY: Final = _python_library()
"""Finds, compiles and imports a submission's modules, and explains what they raise."""
ANY_PYTHON_FILE: Final = UploadShape(
    language="Python", suffixes=(".py",), keeps_name=True, stored_as="agent.py", names_class=True
)

NUMPY: Final = Libraries(
    option="numpy",
    image="python-science",
    modules=("numpy",),
    used=marker(r"\bnumpy\b"),
    allowance=Allowance(memory_mib=64),
)
NUMPY_OPTION: Final = {NUMPY.option: "Agents may import numpy."}
ONNXRUNTIME: Final = Libraries(
    option="onnxruntime",
    image=NUMPY.image,
    modules=("numpy", "onnxruntime"),
    used=marker(r"\b(?:numpy|onnxruntime)\b"),
    allowance=Allowance(memory_mib=128),
)
SCIENCE: Final = (ONNXRUNTIME, NUMPY)
SCIENCE_OPTIONS: Final = {
    **NUMPY_OPTION,
    ONNXRUNTIME.option: "Agents may import onnxruntime, for trained networks, and numpy.",
}

COMPILER_SECONDS: Final = 60.0
"""Limit for a compiler that is slow to start."""
CPP_RUNTIME: Final = Runtime(builder="cpp")

JAVA_RUNTIME: Final = Runtime(
    image="java",
    start="firebox_java.seat:prepare",
    visible_paths=("/usr/lib/java",),
    threads=24,
    gc_thread="VM Thread",
    limits_address_space=False,
    dump_signal=signal.SIGQUIT,
)
JAVA_ALLOWANCE: Final = Allowance(memory_mib=256, start_seconds=10.0)
JAVA_UPLOAD: Final = UploadShape(
    language="Java",
    suffixes=(".java",),
    keeps_name=True,
    lowers_suffix=True,
    names_class=True,
)

SAYS_READY: Final = marker(r"[\"'`]ready\\?[\"'`]")
"""The first message of every program that speaks the protocol by itself."""
