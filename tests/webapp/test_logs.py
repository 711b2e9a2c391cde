"""Each line of a log names what it is about."""

import json
import logging
import logging.config
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client

from webapp.base.logs import identified, logging_config


@pytest.fixture
def _restored() -> Iterator[None]:
    yield
    logging.config.dictConfig(settings.LOGGING)


@pytest.mark.usefixtures("_restored")
@pytest.mark.parametrize("as_json", [True, False])
def test_a_log_line_has_the_ids_of_what_it_is_about(
    *, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    logging.config.dictConfig(logging_config(level="INFO", as_json=as_json))
    with identified(request="r1"), identified(evaluation="e1"):
        logging.getLogger("webapp.test").warning("it is %s", "late")
    line = capsys.readouterr().err
    if as_json:
        fields = json.loads(line)
        assert (fields["request_id"], fields["evaluation_id"]) == ("r1", "e1")
        assert (fields["message"], fields["level"]) == ("it is late", "WARNING")
    else:
        assert "WARNING webapp.test [request r1] [evaluation e1]: it is late" in line


def test_a_response_names_its_request() -> None:
    first, second = (Client().get("/healthz")["X-Request-ID"] for _ in range(2))
    assert first != second
    assert len(first) == 16
