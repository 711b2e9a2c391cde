"""Names that columns of people have in exports, in English, German, French and Spanish. Pure."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

_WORDS: Final = {
    "name": (
        "name", "full name", "student", "student name", "display name",
        "vollständiger Name", "Studierende", "nom complet", "nom", "étudiant", "nombre completo",
        "nombre", "alumno", "estudiante",
    ),
    "first": (
        "first", "first name", "firstname", "given name",
        "Vorname", "Vorname(n)", "prénom", "prénom(s)", "nombre de pila", "nombre(s)",
    ),
    "last": (
        "last", "last name", "lastname", "surname", "family name",
        "Nachname", "Familienname", "Zuname", "nom de famille", "apellido(s)", "apellidos",
        "apellido",
    ),
    "email": (
        "email", "email address", "mail",
        "E-Mail-Adresse", "Mailadresse", "adresse de courriel", "adresse électronique", "courriel",
        "adresse e-mail", "mél", "dirección de correo", "dirección e-mail", "correo electrónico",
        "dirección de correo electrónico", "correo",
    ),
    "login": (
        "login", "user name", "username", "user id", "login id",
        "Anmeldename", "Benutzername", "Nutzername", "Benutzerkennung", "Kennung",
        "nom d'utilisateur", "identifiant", "nombre de usuario", "usuario",
    ),
    "number": (
        "number", "student number", "id", "sid", "student id", "id number", "matriculation number",
        "Matrikelnummer", "Matrikel-Nr.", "Matrikelnr.", "ID-Nummer", "Studierendennummer",
        "numéro d'identification", "numéro d'étudiant", "numéro étudiant", "n° étudiant",
        "matricule", "número de ID", "número de identificación", "número de matrícula", "matrícula",
    ),
    "section": (
        "section", "sections", "group", "groups", "tutorial", "lab",
        "Gruppe", "Gruppen", "Gruppe(n)", "Tutorium", "Übungsgruppe", "groupe", "groupes",
        "groupe de TD", "grupo", "grupos", "sección",
    ),
    "state": (
        "status", "enrolment status", "enrollment status", "registration status",
        "student status", "enrolled", "Anmeldestatus", "Einschreibestatus", "statut", "estado",
    ),
    "role": ("role", "roles", "Rolle", "Rollen", "rôle", "rôles", "rol"),
}  # fmt: skip
"""By field, the best first."""


def plain(name: str) -> str:
    """Normalise a name for comparison: lower case, without accents and punctuation."""
    spread = unicodedata.normalize("NFKD", name.casefold().replace("e-mail", "email"))
    letters = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[^\W_]+", letters))


LIKELY: Final[Mapping[str, tuple[str, ...]]] = {
    field: tuple(dict.fromkeys(map(plain, names))) for field, names in _WORDS.items()
}
"""Likely names of each field's column, normalised by ``plain``, the best first."""

SURNAME_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "nom": ("prenom", "prenom s"),
    "name": ("vorname", "vorname n"),
}
"""Columns that hold the last name if one of these is beside them, and the full name otherwise."""

FIRST_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "nombre": ("apellido s", "apellidos", "apellido"),
}
"""Columns that hold the first name if one of these is beside them."""
