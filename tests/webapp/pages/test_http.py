"""Small functions for views."""

import pytest

from webapp.pages.http import attachment, streamed


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("grades.csv", "text/csv; charset=utf-8"),
        ("game-3.json", "application/json"),
        ("coop.firebox.zip", "application/zip"),
    ],
)
def test_the_type_of_a_download_follows_from_its_name(name: str, content_type: str) -> None:
    for response in (attachment("ö", name=name), streamed(["ö"], name=name)):
        assert response["Content-Type"] == content_type
        assert response.getvalue() == "ö".encode()
