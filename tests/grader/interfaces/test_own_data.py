"""An agent finds the data beside its sources by relative path, as at home, in its sandbox."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from grader.cli import main
from grader.interfaces.starter_kit import starter_files
from tests.support.zips import zipped

PYTHON: Final = "assert open('data/weights.txt').read() == '7'\n"
CPP: Final = """#include <cstdlib>
#include <fstream>
static int weight() {
    std::ifstream file("data/weights.txt");
    int read = 0;
    if (!(file >> read) || read != 7) abort();
    return read;
}
static const int WEIGHT = weight();
"""
JAVA: Final = r"""package PACKAGE;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

public class Weights {
    public static final int WEIGHT = read();

    private static int read() {
        String name = "data/weights.txt";
        try {
            File file = new File(name);
            List<String> read = new ArrayList<>();
            read.add(new BufferedReader(new FileReader(name)).readLine());
            read.add(new Scanner(file).nextLine());
            read.add(new Scanner(Path.of(name)).next());
            read.add(new Scanner(file.getAbsoluteFile()).next());
            read.add("" + (char) new FileInputStream(file).read());
            read.add(new RandomAccessFile(name, "r").readLine());
            read.addAll(Files.readAllLines(Paths.get(name)));
            read.add(Files.newBufferedReader(Path.of(name).toAbsolutePath()).readLine());
            read.add(Files.readString(Path.of(System.getProperty("user.dir"), name)));
            try (var lines = Files.lines(Path.of(name))) {
                lines.forEach(read::add);
            }
            read.add(text(Weights.class.getResourceAsStream("/data/weights.txt")));
            read.add(text(Weights.class.getResourceAsStream("near.txt")));
            read.add(text(Weights.class.getClassLoader().getResourceAsStream("data/weights.txt")));
            read.add(text(Weights.class.getResource("/data/weights.txt").openStream()));
            read.add(new Scanner(new File(Weights.class.getResource("near.txt").toURI())).next());
            if (!Set.copyOf(read).equals(Set.of("7")) || read.size() != 15) {
                throw new IllegalStateException("read " + read);
            }
            if (!file.exists() || !file.isFile() || !file.canRead() || file.canWrite()
                    || file.length() != 1 || !Files.exists(Path.of(name))
                    || Files.size(file.toPath()) != 1
                    || !Arrays.equals(new File("data").list(), new String[] {"weights.txt"})
                    || Weights.class.getResource("/absent.txt") != null
                    || new File("absent.txt").exists()) {
                throw new IllegalStateException("found other files");
            }
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
        return 7;
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
"""
READS: Final = {
    "python": ("agent.py", PYTHON),
    "ensta-python": ("robot.py", PYTHON),
    "cs221-python": ("player.py", PYTHON),
    "stdio-python": ("main.py", PYTHON),
    "gcc-cpp": ("Player.h", CPP),
    "stdio-cpp": ("main.cpp", CPP),
    "uwa-java": ("agents/Agent12345678.java", "agents"),
    "stdio-java": ("Main.java", "tables"),
}


def project(interface: str) -> bytes:
    """The starter kit's agent, which reads a file when it is loaded, in a folder."""
    name, reading = READS[interface]
    source = starter_files("hanabi", interface=interface, library=False)[name].decode()
    data = ("project/data/weights.txt", b"7")
    if name.endswith(".java"):
        return zipped(
            (f"project/{name}", using(source, f"{reading}.Weights.WEIGHT")),
            (f"project/{reading}/Weights.java", JAVA.replace("PACKAGE", reading).encode()),
            (f"project/{reading}/near.txt", b"7"),
            data,
        )
    future = "from __future__ import annotations\n"
    text = source.replace(future, future + reading) if future in source else reading + source
    return zipped((f"project/{name}", text.encode()), data)


def using(source: str, weight: str) -> bytes:
    return re.sub(
        r"(public class .*\{)", rf"\1\n    static final int READ = {weight};", source, count=1
    ).encode()


@pytest.mark.slow
@pytest.mark.parametrize("interface", READS)
def test_data_are_opened_by_relative_path(
    interface: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], docker_engine: object
) -> None:
    path = tmp_path / "agent.zip"
    path.write_bytes(project(interface))
    status = main(["play", str(path), "--interface", interface, "--json"])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    assert json.loads(captured.out)["record"]["fault"] is None
