"""The required contents of an interface's folder, as CONTRIBUTING.md lists them."""

import ast
import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath

import pytest

from grader import interfaces
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, Interface
from grader.interfaces.declaration import Family
from grader.interfaces.guide import guide_of
from grader.interfaces.recognise import recognise
from grader.interfaces.starter_kit import starter_files, starter_kit
from sandbox.images import IMAGES
from tests.support.interfaces import GAMES_OF

every_interface = pytest.mark.parametrize("interface", INTERFACES.values(), ids=INTERFACES)


def module_file(interface: Interface, module: str) -> Path:
    package, _, rest = module.partition(".")
    folders = [path for path in interface.adapter.paths if path.name == package]
    assert len(folders) == 1, f"the paths of the adapter have {len(folders)} folders {package}"
    return (folders[0] / rest.replace(".", "/")).with_suffix(".py")


def test_every_folder_declares_an_interface_of_its_own() -> None:
    """A copied folder that still declares the first one's name would replace it."""
    folders = {path.parent for path in Path(interfaces.__file__).parent.glob("*/__init__.py")}
    assert folders == {interface.folder for interface in INTERFACES.values()}


@every_interface
def test_an_interface_is_declared_under_the_name_of_its_folder(interface: Interface) -> None:
    """The name goes into a column of 20 characters."""
    assert (interface.folder / "interface.py").is_file()
    assert len(interface.name) <= 20


@every_interface
def test_an_interfaces_entries_are_functions_of_its_adapter(interface: Interface) -> None:
    adapter = interface.adapter
    entries = (adapter.play, adapter.build, interface.build.debug, interface.runtime.start)
    for entry in filter(None, entries):
        module, _, function = entry.partition(":")
        text = module_file(interface, module).read_text(encoding="utf-8")
        assert any(name == function for name in names_in(text)), entry
    assert all(module_file(interface, module).is_file() for module in adapter.preload)


def names_in(text: str) -> list[str]:
    return [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


@every_interface
def test_an_interfaces_images_are_described(interface: Interface) -> None:
    of_libraries = {libraries.image for libraries in interface.libraries}
    assert {*interface.images, *of_libraries} <= set(IMAGES)


@every_interface
def test_an_interface_has_a_starter_kit_with_one_program_for_each_of_its_games(
    interface: Interface,
) -> None:
    for game in GAMES_OF[interface.name]:
        own = starter_files(game, interface=interface.name, library=False)
        programs = [name for name in own if PurePosixPath(name).suffix in interface.upload.suffixes]
        assert {"README.md", "rules.json"} <= set(own)
        assert len([name for name in programs if "test" not in name]) == 1, game


@every_interface
def test_the_site_recognises_an_interfaces_starter_kit(interface: Interface) -> None:
    """Among all interfaces: the markers of one are in the sources of no other's agents."""
    for game in GAMES_OF[interface.name]:
        found, _ = recognise("kit.zip", starter_kit(game, interface=interface.name), [*INTERFACES])
        assert found is interface


@every_interface
def test_the_guide_has_a_page_or_a_row_on_an_interface(interface: Interface) -> None:
    """A row is for what the page on the wire protocol is about."""
    guide = guide_of(interface)
    if interface.family is Family.PROGRAM:
        assert guide.entry
        assert guide.provided
    else:
        assert guide.title
        assert guide.summary
        assert (interface.folder / "guide.html").is_file()


def test_the_first_interface_is_the_one_that_is_installed_with_the_command() -> None:
    kit = INTERFACES[DEFAULT_INTERFACE].kit
    assert kit is not None
    assert kit.installed
    with zipfile.ZipFile(BytesIO(starter_kit("hanabi"))) as archive:
        assert any(name.startswith(kit.put) for name in archive.namelist())
