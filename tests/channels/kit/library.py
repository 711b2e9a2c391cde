"""Files of the interpreter's library: what all agents may open."""

import glob
import os
import sys


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
