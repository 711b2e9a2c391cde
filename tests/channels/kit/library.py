"""Files of the interpreter's library: what all agents may open."""

import ctypes
import glob
import mmap
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
FAILED = ctypes.c_void_p(-1).value


def library_files():
    """Their paths, in one order for everybody: sources or their archive, then extensions."""
    top = f"{sys.base_prefix}/lib"
    version = f"{top}/python{sys.version_info[0]}.{sys.version_info[1]}"
    patterns = (f"{top}/python*.zip", f"{version}/*.py", f"{version}/lib-dynload/*.so")
    return [path for pattern in patterns for path in sorted(glob.glob(pattern))]


def largest_file():
    """One with many pages that nobody maps."""
    files = [path for path in library_files() if not path.endswith(".so")]
    return max(files, key=lambda path: os.stat(path).st_size)


def map_file(file, size):
    """The address of a file's pages, which are those of all who map it. Raises OSError."""
    address = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_PRIVATE, file, 0)
    if address == FAILED:
        raise OSError(ctypes.get_errno(), "not mapped")
    return address
