"""Forms of a page as a browser would send them: the fields with the values that they came with."""

from collections.abc import Sequence
from html.parser import HTMLParser

Fields = dict[str, list[str]]


def form_with(page: str, name: str, value: str | None = None) -> Fields:
    """Return the fields of the page's first form that has one of this name, and this value."""
    parser = _Forms()
    parser.feed(page)
    forms = [form for form in parser.forms if name in form]
    return next(form for form in forms if value is None or form[name] == [value])


class _Forms(HTMLParser):
    """Reads inputs, choices and texts; buttons are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Fields] = []
        self._select = self._text = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name") or ""
        if tag == "form":
            self.forms.append({})
        elif tag == "input" and name:
            self._note(name, values)
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in values:
            self._add(self._select, values.get("value") or "")
        elif tag == "textarea":
            self._text = name
            self._add(name, "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._text = ""

    def handle_data(self, data: str) -> None:
        if self._text:
            self.forms[-1][self._text][-1] += data.removeprefix("\n")

    def _note(self, name: str, values: dict[str, str | None]) -> None:
        is_box = values.get("type") in ("checkbox", "radio")
        if self.forms and is_box:
            self.forms[-1].setdefault(name, [])
        if not is_box or "checked" in values:
            self._add(name, values.get("value") or "")

    def _add(self, name: str, value: str) -> None:
        if self.forms and name:
            self.forms[-1].setdefault(name, []).append(value)
