"""Files of people: read whatever wrote them, recognised by their columns."""

import unicodedata

import pytest

from tests.support.every import every
from webapp.base.errors import Refused
from webapp.base.spreadsheets import to_csv
from webapp.teaching.courses.roster.formats import RosterEntry, entries, guess, recognise
from webapp.teaching.courses.roster.headers import plain
from webapp.teaching.courses.roster.names import as_spoken, first_and_last
from webapp.teaching.courses.roster.reading import table_of, text_of

EXPORTS = {
    "Canvas": (
        b"Student,ID,SIS User ID,SIS Login ID,Section,Essay (7)\r\n"
        b",,,,,Manual Posting\r\n"
        b"    Points Possible,,,,,100\r\n"
        b'"Lovelace, Ada",11,501,ada@uni.example,Monday and Lab,90\r\n'
        b'"Student, Test",12,,x,Monday,\r\n'
    ),
    "Moodle": (
        'Identifier,"Full name","Email address",Status,Group,Grade\n'
        '"Participant 7","Ada Lovelace",ada@uni.example,,Monday,\n'
    ).encode("utf-8-sig"),
    "Blackboard": (
        '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\n'
        '"Lovelace"\t"Ada"\t"ada"\t"501"\t"2026-03-01"\t"Yes"\n'
    ).encode("utf-16"),
    "Gradescope": (
        b"First Name,Last Name,SID,Email,Sections,Total Score,Max Points\n"
        b'Ada,Lovelace,501,Ada@Uni.example,"Monday,Lab",9,10\n'
    ),
    "Brightspace": (
        b"OrgDefinedId,Username,Essay Points Grade,End-of-Line Indicator\n#501,#ada,90,#\n"
    ),
}
"""One export of each system, with the same person in it."""
KNOWN = {
    "Canvas": ("Ada Lovelace", "ada@uni.example", "501", "Monday and Lab"),
    "Moodle": ("Ada Lovelace", "ada@uni.example", "", "Monday"),
    "Blackboard": ("Ada Lovelace", "ada@uni.example", "501", ""),
    "Gradescope": ("Ada Lovelace", "ada@uni.example", "501", "Monday"),
    "Brightspace": ("", "ada@uni.example", "501", ""),
}
"""Name, address, number, section."""


def people(data: bytes, domain: str = "uni.example") -> list[RosterEntry]:
    table = table_of(text_of(data))
    known = recognise(table)
    return entries(table, guess(table, known), known, domain)


@every("system", EXPORTS)
def test_each_systems_export_is_recognised_and_read(system: str) -> None:
    known = recognise(table_of(text_of(EXPORTS[system])))
    assert known is not None
    assert known.name == system
    [ada] = people(EXPORTS[system])
    assert (ada.name, ada.email, ada.number, ada.section) == KNOWN[system]


def test_any_other_table_is_read_by_likely_columns() -> None:
    data = "Name;E-Mail;Group;Remark\nJürgen Müller;jm@uni.example;Monday;x\n".encode("cp1252")
    assert recognise(table_of(text_of(data))) is None
    [person] = people(data)
    assert (person.name, person.email, person.section) == (
        "Jürgen Müller",
        "jm@uni.example",
        "Monday",
    )


@every(
    ("header", "row"),
    [
        ("Vorname;Nachname;E-Mail-Adresse;ID-Nummer;Gruppen", "Ada;Lovelace;{};501;Monday"),
        ("Nachname;Vorname;Anmeldename;E-Mail;Matrikelnummer", "Lovelace;Ada;ada;{};501"),
        ("Name;Vorname;Matrikel-Nr.;Mailadresse", "Lovelace;Ada;501;{}"),
        ("Vollständiger Name;Matrikelnummer;E-Mail-Adresse", "Ada Lovelace;501;{}"),
        ("Prénom;Nom de famille;Numéro d’identification;Adresse de courriel",
         "Ada;Lovelace;501;{}"),
        ("Nom;Prénom;N° étudiant;Adresse e-mail;Groupe", "Lovelace;Ada;501;{};Monday"),
        ("Nom;Numéro d'étudiant;Courriel", "Lovelace, Ada;501;{}"),
        ("Nombre;Apellido(s);Número de ID;Dirección de correo;Grupos",
         "Ada;Lovelace;501;{};Monday"),
        ("Nombre;Correo electrónico;Matrícula", "Ada Lovelace;{};501"),
    ],
)  # fmt: skip
@every("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_columns_are_recognised_in_other_languages(header: str, row: str, encoding: str) -> None:
    [ada] = people(f"{header}\r\n{row.format('ada@uni.example')}\r\n".encode(encoding))
    assert (ada.name, ada.email, ada.number) == ("Ada Lovelace", "ada@uni.example", "501")
    assert ada.section == ("Monday" if row.endswith("Monday") else "")


def test_the_columns_of_a_system_are_found_in_another_language_too() -> None:
    data = "OrgDefinedId,Nom d'utilisateur,Nom,Prénom\n#501,#ada,Lovelace,Ada\n".encode()
    known = recognise(table_of(text_of(data)))
    assert known is not None
    assert known.name == "Brightspace"
    [ada] = people(data)
    assert (ada.name, ada.email, ada.number) == ("Ada Lovelace", "ada@uni.example", "501")


def test_accents_in_any_form_make_no_difference() -> None:
    assert plain("Prénom") == plain(unicodedata.normalize("NFD", "PRÉNOM")) == "prenom"


@pytest.mark.parametrize("mark", [b"", "\ufeff".encode()])
def test_the_separator_line_for_excel_is_no_header(mark: bytes) -> None:
    data = mark + b"sep=;\r\nName;Email\r\nLovelace, Ada;ada@uni.example\r\n"
    [ada] = people(data)
    assert (ada.line, ada.name, ada.email) == (3, "Ada Lovelace", "ada@uni.example")


def test_a_line_is_named_by_its_number_in_the_file() -> None:
    found = people(b'\nName,Email\n"Ada\nLovelace",ada@uni.example\n\nBen,ben@uni.example\n')
    assert [(entry.line, entry.name) for entry in found] == [(4, "Ada Lovelace"), (6, "Ben")]


def test_an_apostrophe_before_a_formula_is_no_part_of_a_name() -> None:
    [person] = people(b"Name,Email\n'=Ada,ada@uni.example\n")
    assert person.name == "=Ada"


def test_without_a_domain_a_user_name_is_no_address() -> None:
    [ada] = people(EXPORTS["Blackboard"], domain="")
    assert ada.email == ""


@every(
    ("data", "words"),
    [
        (b"", "no people"),
        (b"Name,Email\n", "no people"),
        (b"\x00\x01\x02" * 30, "not a text file"),
        (b'Name,Email\n"Ada,ada@uni.example\n', "cannot be read"),
        (b"Name,Email\n" + b"a,b\n" * 5001, "more than 5000 lines"),
        (b"a," * 400 + b"\nx\n", "columns"),
    ],
)
def test_a_file_that_is_no_roster_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(Refused, match=words):
        table_of(text_of(data))


def test_our_own_export_is_read_with_its_mark() -> None:
    text = to_csv(["Name", "Email"], [["Zoë Müller", "zoe@uni.example"]])
    for table in (table_of(text_of(text.encode())), table_of(text)):
        assert table.header == ("Name", "Email")


@every("mark", [b"", b"\xef\xbb\xbf"])
@every("end", [b"\n", b"\r\n", b"\r"])
def test_a_letter_in_another_encoding_is_refused_with_its_line(mark: bytes, end: bytes) -> None:
    lines = [b"Name,Email", "Zoë Müller,z@uni.example".encode(), b"Ren\xe9,r@uni.example"]
    with pytest.raises(Refused, match="Line 3 has a letter"):
        text_of(mark + end.join(lines))


def test_of_many_letters_in_another_encoding_the_first_lines_are_named() -> None:
    data = "Name,Email\nZoë,z@uni.example\n".encode() + b"Ren\xe9,r@uni.example\n" * 7
    with pytest.raises(Refused, match="Lines 3, 4, 5, 6, 7 and others have"):
        text_of(data)


def test_a_damaged_file_in_utf_16_is_refused() -> None:
    with pytest.raises(Refused, match="not a text file"):
        text_of(b"\xff\xfe" + "名,字\n".encode("utf-16-le") + b"\x00\xd8")


@every(
    ("written", "spoken"),
    [
        ("Lovelace, Ada", "Ada Lovelace"),
        ("de la Cruz, Ana", "Ana de la Cruz"),
        ("Martin Luther King, Jr.", "Martin Luther King, Jr."),
        ("King, Martin Luther, Jr.", "Martin Luther King, Jr."),
        ("King, Jr., Martin Luther", "Martin Luther King, Jr."),
        ("King Jr., Martin Luther", "Martin Luther King Jr."),
        ("King, Martin Luther Jr.", "Martin Luther King Jr."),
        ("Gates, Henry, III, Ph.D.", "Henry Gates, III, Ph.D."),
        ("Silva, Junior", "Junior Silva"),
        ("Lovelace,", "Lovelace,"),
        ("Ada", "Ada"),
        ("", ""),
        (",", ","),
    ],
)
def test_names_are_turned_round_with_their_suffix(written: str, spoken: str) -> None:
    assert as_spoken(written) == spoken


@every(
    ("name", "parts"),
    [
        ("Ada King Lovelace", ("Ada King", "Lovelace")),
        ("Ana de la Cruz", ("Ana", "de la Cruz")),
        ("Ana De La Cruz", ("Ana", "De La Cruz")),
        ("Juan van der Berg, Jr.", ("Juan", "van der Berg, Jr.")),
        ("Martin Luther King Jr.", ("Martin Luther", "King Jr.")),
        ("Van Nguyen", ("Van", "Nguyen")),
        ("Ada", ("", "Ada")),
    ],
)
def test_a_last_name_keeps_its_particles_and_suffix(name: str, parts: tuple[str, str]) -> None:
    assert first_and_last(name) == parts


@every(
    ("cell", "section"),
    [
        ("Games and Probability", "Games and Probability"),
        ("Theorie und Praxis", "Theorie und Praxis"),
        ("Monday and Lab", "Monday"),
        ("Tuesday, late; Lab", "Tuesday, late"),
        ("Monday, Lab, and Games and Probability", "Monday"),
    ],
)
def test_a_section_with_a_conjunction_is_kept_whole(cell: str, section: str) -> None:
    table = table_of(f'Name,Email,Section\nAda,a@uni.example,"{cell}"\nB,b@uni.example,Lab\n')
    columns = guess(table, None)
    [ada, _] = entries(table, columns, None, "", sections={"Monday", "Tuesday, late"})
    assert ada.section == section


@every(
    ("header", "name"),
    [
        ("Student ID,Full Name,Email Address,Section,Status", None),
        ("Name,SID,Email", None),
        ("Last Name,First Name,Username,Student ID", None),
        ("First name,Last name,ID number,Institution,Department,Email address", "Moodle"),
        ("First name,Last name,Email address,Roles,Groups", "Moodle"),
        ("Name,SID,Email,Total Score,Max Points", "Gradescope"),
    ],
)
def test_a_system_is_named_only_where_its_own_columns_are(header: str, name: str | None) -> None:
    known = recognise(table_of(f"{header}\nx\n"))
    assert (known and known.name) == name


def test_a_registrars_list_says_who_has_withdrawn_and_names_several_sections() -> None:
    ada, ben = people(
        b"Student Number,Name,Email,Section,Status\n"
        b'501,"de la Cruz, Ana",ana@uni.example,Lecture;Lab,Enrolled\n'
        b"502,Ben,ben@uni.example,Lecture,Withdrawn\n"
    )
    assert (ada.name, ada.sections) == ("Ana de la Cruz", ("Lecture", "Lab"))
    assert (ada.is_withdrawn, ben.is_withdrawn) == (False, True)


def test_short_and_long_rows_are_read_by_the_header() -> None:
    found = people(b"Name,Email\nAda\nBen,ben@uni.example,more\n")
    assert [entry.email for entry in found] == ["", "ben@uni.example"]
