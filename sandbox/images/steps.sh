# Steps that the images share; each `finish` sources it. "$root" is the tree of unpacked packages.
# shellcheck shell=sh

# Keep the interpreter, its library, the shared libraries, the licences: no shell, no package
# manager, no set-user-id file. Programs that came along as dependencies are of no use to an agent.
strip_down() {
    find "$root/usr/bin" "$root/usr/sbin" -mindepth 1 ! -name python3.11 -delete
    find "$root/dev" "$root/etc" "$root/tmp" "$root/var" -mindepth 1 -delete
    rm -rf "$root/usr/lib/apt" "$root/usr/lib/dpkg" "$root/usr/lib/mime" "$root/usr/lib/terminfo"
    rm -rf "$root"/usr/lib/*-linux-gnu/gconv "$root"/usr/lib/*-linux-gnu/audit
    rm -rf "${root:?}/usr/games" "${root:?}/usr/include" "${root:?}/usr/src" "${root:?}/usr/local"
    find "$root/usr/share" -mindepth 1 -maxdepth 1 ! -name doc -exec rm -rf {} +
    find "$root/usr/share/doc" -type f ! -name copyright -delete
    find "$root/usr/share/doc" -type d -empty -delete
    find "$root" -xdev -type f -perm /6000 -exec chmod a-s {} +

    # Debian's start-up hook for crash reports: a failed import at every start.
    rm -f "$root/usr/lib/python3.11/sitecustomize.py"
    ln -s python3.11 "$root/usr/bin/python3"

    # `pwd` and `os.path.expanduser` expect these; the sandbox runs under numbers without a name.
    echo 'root:x:0:0:root:/:/nonexistent' > "$root/etc/passwd"
    echo 'root:x:0:' > "$root/etc/group"

    # Mount points: the agent's sources and what was built from them, the adapter, the supervisor and
    # its control socket. The rest are Docker's own.
    mkdir -p "$root/agent" "$root/build" "$root/adapter" "$root/opt/firebox" "$root/run/firebox"
    mkdir -p "$root/proc" "$root/sys" "$root/dev"
}

# What agents find, copied into each seat's own memory: the standard library in one file, the
# extension modules that a program without files and network can use, what those are linked to.
furnish_seat() {
    # `unchecked-hash`: the sources never change, so the interpreter need not compare times; and the
    # bytes are the same in every build.
    chroot "$root" /usr/bin/python3 -I -m compileall -q -f --invalidation-mode unchecked-hash \
        /usr/lib/python3.11
    seat=$root/seat/usr/lib
    mkdir -p "$seat/python3.11/lib-dynload"
    for name in _asyncio _bz2 _contextvars _ctypes _decimal _json _lzma _multiprocessing \
        _posixshmem _queue _typing _uuid _zoneinfo mmap resource termios; do
        cp "$root"/usr/lib/python3.11/lib-dynload/$name.*.so "$seat/python3.11/lib-dynload/"
    done
    # By the names that modules are linked to: of libbz2 that is the one with two numbers.
    for library in 'libbz2.so.[0-9].[0-9]' 'libffi.so.[0-9]' 'liblzma.so.[0-9]' 'libuuid.so.[0-9]'; do
        # shellcheck disable=SC2086  # a pattern
        for file in "$root"/usr/lib/*-linux-gnu/$library; do
            folder=$seat/$(basename "$(dirname "$file")")
            mkdir -p "$folder"
            cp -L "$file" "$folder/"
        done
    done
    ln -s usr/lib "$root/seat/lib"
    touch "$root/seat/nothing"
    chroot "$root" /usr/bin/python3 -I - <<'END'
import pathlib
import zipfile

library = pathlib.Path("/usr/lib/python3.11")
unused = {"ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "tkinter", "turtle", "turtledemo"}
with zipfile.ZipFile("/seat/usr/lib/python311.zip", "w") as archive:
    for path in sorted(library.rglob("*.py")):
        name = path.relative_to(library)
        if not unused & {part.removesuffix(".py") for part in name.parts}:
            code = path.parent / "__pycache__" / f"{path.stem}.cpython-311.pyc"
            archive.writestr(zipfile.ZipInfo(f"{name}c"), code.read_bytes())
END

    # The supervisor uses the same file: what it has imported says where more of it is to be found.
    find "$root/usr/lib/python3.11" -mindepth 1 -maxdepth 1 ! -name lib-dynload -exec rm -rf {} +
    ln -s ../../seat/usr/lib/python311.zip "$root/usr/lib/python311.zip"
}

# furnish_seat, and what it leaves out: sources in Python 2 are translated with lib2to3. Its grammars
# are read from files, or from pickles beside the modules: a zip can only have the latter.
furnish_seat_with_lib2to3() {
    cp -r "$root/usr/lib/python3.11/lib2to3" "$root/tmp/"
    furnish_seat
    chroot "$root" /usr/bin/python3 -I - <<'END'
import pathlib
import pickle
import py_compile
import sys
import zipfile

sys.path.insert(0, "/tmp")
folder = pathlib.Path("/tmp/lib2to3")
from lib2to3.pgen2 import driver

with zipfile.ZipFile("/seat/usr/lib/python311.zip", "a") as archive:
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to("/tmp")
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(path, "/tmp/code", f"/usr/lib/python3.11/{name}", True, 0, mode)
        archive.writestr(zipfile.ZipInfo(f"{name}c"), pathlib.Path("/tmp/code").read_bytes())
    for grammar in ("Grammar.txt", "PatternGrammar.txt"):
        tables = driver.load_grammar(str(folder / grammar), save=False, force=True)
        name = driver._generate_pickle_name(grammar)
        archive.writestr(zipfile.ZipInfo(f"lib2to3/{name}"), pickle.dumps(vars(tables), 4))
END
    rm -rf "$root/tmp/lib2to3" "$root/tmp/code"
}
