"""A Gomocup brain in Python, which takes the point in the middle of those that are left."""

import re
import sys

taken = set()
size = 0


def answer(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def move():
    middle = size // 2
    points = [(x, y) for x in range(size) for y in range(size) if (x, y) not in taken]
    point = min(points, key=lambda p: ((p[0] - middle) ** 2 + (p[1] - middle) ** 2, p))
    taken.add(point)
    answer("%d,%d" % point)


while True:
    command = sys.stdin.readline().strip()
    if command.startswith("START"):
        size = int(command.split()[1])
        answer("OK")
    elif command.startswith("TURN"):
        taken.add(tuple(map(int, re.findall(r"\d+", command))))
        move()
    elif command == "BEGIN":
        move()
    elif command == "BOARD":
        while (line := sys.stdin.readline().strip()) != "DONE":
            taken.add(tuple(map(int, line.split(",")[:2])))
        move()
    elif command == "END":
        break
