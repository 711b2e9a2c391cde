"""Forms about people and sections: filters, changes of one person or several, reminders."""

from typing import Any

from django import forms
from django.utils.choices import flatten_choices

from webapp.base.errors import NO_REASON, SAVED_ELSEWHERE
from webapp.pages.addresses import query_of
from webapp.pages.courses.forms.fields import as_choice
from webapp.pages.saved_values import SavedValuesForm
from webapp.pages.widgets import TextArea
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role, Section
from webapp.teaching.courses.people import NO_SECTION, WantedPeople

INVITE = "invite"


class PeopleFilters(forms.Form):
    """Filters of the list of people. An invalid value is ignored."""

    q = forms.CharField(
        label="Name, address or number",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    section = forms.ChoiceField(label="Section", required=False)
    role = forms.ChoiceField(
        label="Role", required=False, choices=[("", "every role"), *Role.choices]
    )
    state = forms.ChoiceField(label="State", required=False, choices=EnrolmentState.choices)

    def __init__(self, data: Any, *, course: Course) -> None:
        super().__init__(data)
        sections = [(str(pk), name) for pk, name in course.sections.values_list("pk", "name")]
        as_choice(self.fields["section"]).choices = [
            ("", "every section"),
            *sections,
            (NO_SECTION, "no section"),
        ]
        if not sections:
            del self.fields["section"]

    def wanted(self) -> WantedPeople:
        """Return the filters."""
        self.is_valid()
        entered = self.cleaned_data
        return WantedPeople(
            words=entered.get("q", "").replace("\0", ""),
            section=entered.get("section", ""),
            role=entered.get("role", ""),
            state=entered.get("state", "") or EnrolmentState.ACTIVE.value,
            order=self.data.get("order", ""),
        )

    def query(self, *, with_order: bool = True) -> str:
        """Return the filters as a query string that ends with ``&``."""
        names = [*self.fields, *(["order"] if with_order else [])]
        return query_of({name: self.data.get(name, "") for name in names})


class ChangeForm(forms.Form):
    """One act on the people chosen."""

    act = forms.ChoiceField(label="Change for the selected people")
    reason = forms.CharField(
        label="Reason", required=False, max_length=200, help_text="Kept in the audit log."
    )

    def __init__(self, data: Any = None, *, course: Course) -> None:
        super().__init__(data)
        sections = list(course.sections.all())
        as_choice(self.fields["act"]).choices = [
            ("", "choose what to do"),
            *(
                [
                    (
                        "Section",
                        [
                            *(
                                (f"section:{section.pk}", f"Move to {section}")
                                for section in sections
                            ),
                            ("section:", "Move to no section"),
                        ],
                    )
                ]
                if sections
                else []
            ),
            ("Role", [(f"role:{role.value}", f"Make {role.label}") for role in Role]),
            (
                "Enrolment",
                [
                    ("state:withdrawn", "Mark as withdrawn"),
                    ("state:removed", "Remove from the course"),
                    ("state:active", "Enrol again"),
                    (INVITE, "Send the invitation again"),
                ],
            ),
        ]

    def change(self, course: Course) -> dict[str, Any]:
        """Return the values for the service ``change_people``."""
        what, _, value = self.cleaned_data["act"].partition(":")
        reason = {"reason": self.cleaned_data["reason"]}
        if what == "section":
            section = course.sections.get(pk=value) if value else None
            return {"section": section, "no_section": section is None, **reason}
        if what == "role":
            return {"role": Role(value), **reason}
        return {"state": EnrolmentState(value), **reason}

    @property
    def act_words(self) -> str:
        """The chosen act, as the form calls it."""
        choices: Any = as_choice(self.fields["act"]).choices
        words: dict[str, str] = dict(flatten_choices(choices))
        return words[self.cleaned_data["act"]]

    @property
    def is_invitation(self) -> bool:
        """True if invitations are to be sent, and nothing is to change."""
        return bool(self.cleaned_data["act"] == INVITE)


class LooksAfterForm(SavedValuesForm, forms.Form):
    """The sections for which a member of staff is responsible."""

    sections = forms.ModelMultipleChoiceField(
        queryset=Section.objects.none(),
        required=False,
        label="Sections",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None, *, enrolment: Enrolment) -> None:
        keys = sorted(enrolment.looks_after.values_list("pk", flat=True))
        super().__init__(data, initial={"sections": keys})
        field = self.fields["sections"]
        if isinstance(field, forms.ModelMultipleChoiceField):
            field.queryset = enrolment.course.sections.all()

    def outdated_words(self) -> str:
        """Return the message that nothing was saved; the page then shows the saved values."""
        return f"{SAVED_ELSEWHERE} The page shows them now."


class IntoSectionForm(forms.Form):
    """The section that people move to."""

    section = forms.ModelChoiceField(
        queryset=Section.objects.none(), required=False, empty_label="no section"
    )

    def __init__(self, data: Any = None, *, course: Course) -> None:
        super().__init__(data)
        field = self.fields["section"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = course.sections.all()


class DeleteSectionForm(forms.Form):
    """A reason to delete a section, and the place of its people afterwards."""

    into = forms.ModelChoiceField(
        queryset=Section.objects.none(),
        required=False,
        label="Move its people to",
        empty_label="no section",
    )
    reason = forms.CharField(
        label="Reason",
        max_length=200,
        help_text="Kept in the audit log.",
        error_messages={"required": NO_REASON},
    )

    def __init__(self, data: Any = None, *, section: Section) -> None:
        super().__init__(data)
        field = self.fields["into"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = section.course.sections.exclude(pk=section.pk)


class ReminderForm(forms.Form):
    """The message of a reminder."""

    message = forms.CharField(
        label="Message",
        max_length=500,
        initial="You have uploaded nothing yet. Write to us if something keeps you from it.",
        widget=TextArea(attrs={"rows": 4}),
        help_text="Part of the e-mail, and the reason in the course’s audit log.",
    )


class SectionForm(SavedValuesForm, forms.Form):
    """A part of the course."""

    name = forms.CharField(label="New section", max_length=60)


class RoleForm(forms.Form):
    """A person's role in the course."""

    role = forms.ChoiceField(label="Role", choices=Role.choices)
    reason = forms.CharField(label="Reason", max_length=200, error_messages={"required": NO_REASON})
