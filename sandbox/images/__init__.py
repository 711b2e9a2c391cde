"""The images that sandboxes start from: their names, and whether this machine has them.

An image holds an interpreter, its standard library, empty mount points, and nothing of ours:
the supervisor and the adapters are mounted at run time. Its tag is a digest of its description
(all files of the folder `<runtime>`, and `steps.sh`): a change of that makes another image. Not of
the packages it names, whose versions are in its label: `revision` is counted up for newer ones.
Building is `sandbox.images.build`'s; nothing here starts a process or changes the machine.
"""

import hashlib
import os
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from sandbox.container_spec import LABEL
from sandbox.engine import has_image
from sandbox.errors import HostError, ImageMissing

IMAGES: Final = tuple(
    sorted(
        entry.name for entry in files(__name__).iterdir() if entry.joinpath("image.toml").is_file()
    )
)
"""All images, by the name of their runtime: each has a description in this folder."""

_STEPS = "steps.sh"

__all__ = [
    "IMAGES", "LABEL", "ImageMissing", "ensure_image", "image_reference", "require_images",
]  # fmt: skip


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


def require_images() -> str:
    """Look for every image that this host is to have, ``FIREBOX_IMAGES``; their names.

    Raises HostError for one that does not exist, ImageMissing for one that Docker has not.
    """
    named = os.environ.get("FIREBOX_IMAGES", "").replace(",", " ").split() or IMAGES
    if unknown := sorted(set(named) - set(IMAGES)):
        known = ", ".join(IMAGES)
        raise HostError(f"FIREBOX_IMAGES names {', '.join(unknown)}; there are {known}")
    return ", ".join(map(ensure_image, named))
