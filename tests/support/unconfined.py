"""Plays agents in a compiler's image, but unconfined: what they can do without a sandbox."""

import sys
from pathlib import Path

from grader.play.slot import Slot
from sandbox.images import image_reference

_INTERPRETER = """#!{python}
import os, sys, docker
from pathlib import Path

supervisor = Path(sys.argv[-2])
seat = str(supervisor.parents[3])
docker.from_env().containers.run(
    {image!r},
    ["/usr/bin/python3", *sys.argv[1:]],
    environment={{name: os.environ[name] for name in ("PYTHONPATH", "PYTHONHASHSEED", "LANG")}},
    volumes={{seat: {{"bind": seat, "mode": "rw"}}}},
    network_mode="host",
    security_opt=["seccomp=unconfined"],
    remove=True,
)
"""
"""Stands for Python: starts that of an image, with the host's network and the seat's directory.

It is called with a seat's supervisor, which lies three folders deep there, and its settings.
"""


def unconfined_in(runtime: str, directory: Path) -> Slot:
    """Return a slot without sandboxes that runs Python and compilers of an image."""
    interpreter = directory / "python"
    text = _INTERPRETER.format(python=sys.executable, image=image_reference(runtime))
    interpreter.write_text(text, encoding="utf-8")
    interpreter.chmod(0o755)
    return Slot(core=None, sandboxed=False, interpreter=str(interpreter))
