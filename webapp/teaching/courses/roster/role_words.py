"""Words for roles in lists of people, in English, German, French and Spanish. Pure."""

from typing import Final

from webapp.teaching.courses.models import Role

ROLES: Final = {
    "": None,
    **{role.value: role for role in Role},
    **dict.fromkeys(("learner", "participant"), Role.STUDENT),
    **dict.fromkeys(("ta", "teaching assistant", "tutor", "non-editing teacher"), Role.ASSISTANT),
    **dict.fromkeys(("teacher", "faculty", "editing teacher"), Role.INSTRUCTOR),
    **dict.fromkeys(("reader", "viewer"), Role.OBSERVER),
    **dict.fromkeys(
        (
            "student/in",
            "studierende/r",
            "teilnehmer/in",
            "étudiant",
            "étudiante",
            "estudiante",
            "alumno",
        ),
        Role.STUDENT,
    ),
    **dict.fromkeys(
        (
            "tutor/in",
            "trainer/in ohne bearbeitungsrecht",
            "enseignant non éditeur",
            "profesor sin permiso de edición",
        ),
        Role.ASSISTANT,
    ),
    **dict.fromkeys(("trainer/in", "dozent/in", "enseignant", "profesor"), Role.INSTRUCTOR),
}
