"""The images that sandboxes start from: their names, and whether this machine has them.

An image holds an interpreter, its standard library, empty mount points, and nothing of ours:
the supervisor and the adapters are mounted at run time. Its tag is a digest of its description
(all files of the folder `<runtime>`, and `steps.sh`): a change of that makes another image. Not of
the packages it names, whose versions are in its label: `revision` is counted up for newer ones.
Building is `sandbox.images.build`'s; nothing here starts a process or changes the machine.
"""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from sandbox.engine import has_image
from sandbox.errors import ImageMissing
from sandbox.recipe import LABEL

_STEPS = "steps.sh"

__all__ = ["LABEL", "ImageMissing", "ensure_image", "image_reference"]


def image_reference(runtime: str = "python") -> str:
    """Return the name and tag of a runtime's image, as its description demands it now.

    Raises FileNotFoundError for a runtime that has no description.
    """
    digest = hashlib.sha256()
    inputs = [*_inputs(files(__name__).joinpath(runtime), ""), _read(_STEPS)]
    for name, content in sorted(inputs):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return f"firebox-{runtime}:{digest.hexdigest()[:12]}"


def _read(name: str) -> tuple[str, bytes]:
    return name, files(__name__).joinpath(name).read_bytes()


def _inputs(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _inputs(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_bytes()


def ensure_image(runtime: str = "python") -> str:
    """Return the reference of a runtime's image after a look that Docker has it.

    Raises ImageMissing, and HostError when the engine does not answer; both say what to do.
    """
    reference = image_reference(runtime)
    if not has_image(reference):
        build = "make images (outside the repository: python -m sandbox.images.build)"
        raise ImageMissing(f"Docker has no image {reference}. Build it with: {build}")
    return reference
