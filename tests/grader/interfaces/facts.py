"""What Python says of expressions: the course's answers are compared with those of our classes.

Is part of the test agents that ask in a sandbox: imports nothing of Firebox's.
"""

import ast
import contextlib
import io
from collections.abc import Callable, Mapping
from typing import Any


def told(expression: str, names: Mapping[str, Any]) -> str:
    *statements, last = ast.parse(expression).body
    assert isinstance(last, ast.Expr)
    scope = dict(names)
    try:
        exec(compile(ast.Module(statements, []), "<fact>", "exec"), scope)  # noqa: S102 - our text
        return str(eval(compile(ast.Expression(last.value), "<fact>", "eval"), scope))  # noqa: S307
    except BaseException as error:  # noqa: BLE001 - KeyboardInterrupt is an answer, too
        text = str(error)
        return type(error).__name__ + (text and f": {text}")


def differences(facts: Mapping[str, str], names: Mapping[str, Any]) -> list[str]:
    """The expressions that tell something else.

    Where the course's answer is the bare name of an exception, its message is not compared.
    """
    found = []
    for expression, expected in facts.items():
        answer = told(expression, names)
        bare = expected.endswith(("Error", "Exception", "StopIteration"))
        if answer != expected and not (bare and answer.startswith(f"{expected}: ")):
            found.append(f"{expression} -> {answer!r}, in the course {expected!r}")
    return found


def printed(function: Callable[..., Any], *arguments: Any) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return out.getvalue()
