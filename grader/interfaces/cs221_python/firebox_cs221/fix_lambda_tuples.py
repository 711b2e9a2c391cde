"""A fixer for lib2to3: ``lambda (a, b), c: a + c`` becomes ``lambda tuple_0, c: tuple_0[0] + c``.

Its own does so only where the tuple is the only parameter. This module is imported before a process
is confined, and lib2to3 only by those that translate: so the class is made when it is asked for.
"""

from collections.abc import Iterator
from typing import Any, Final

_PATTERN: Final = "lambdef< 'lambda' parameters=varargslist< any+ > ':' body=any >"


def __getattr__(name: str) -> Any:
    if name != "FixLambdaTuples":
        raise AttributeError(name)
    from lib2to3.fixer_base import BaseFix

    return type(name, (BaseFix,), {"PATTERN": _PATTERN, "transform": _transform})


def _transform(fixer: Any, node: Any, results: Any) -> None:
    del fixer, node
    from lib2to3.fixer_util import Name  # type: ignore[import-not-found]  # typeshed lacks it

    parts: dict[str, str] = {}
    tuples = [child for child in results["parameters"].children if _is_tuple(child)]
    for number, child in enumerate(tuples):
        name = f"tuple_{number}"
        parts.update(_parts(child, name))
        child.replace(Name(name, prefix=child.prefix))
    for leaf in list(results["body"].leaves()):
        if leaf.value in parts and getattr(leaf.prev_sibling, "value", "") != ".":
            leaf.replace(Name(parts[leaf.value], prefix=leaf.prefix))


def _is_tuple(node: Any) -> bool:
    is_value = getattr(node.prev_sibling, "value", "") == "="
    return not is_value and bool(node.children) and getattr(node.children[0], "value", "") == "("


def _parts(node: Any, name: str) -> Iterator[tuple[str, str]]:
    inner = node.children[1]
    items = [inner] if not inner.children or _is_tuple(inner) else inner.children[::2]
    for position, item in enumerate(items):
        if _is_tuple(item):
            yield from _parts(item, f"{name}[{position}]")
        else:
            yield item.value, f"{name}[{position}]"
