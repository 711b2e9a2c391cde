"""A membership's team is of its assignment, an enrolment's section of its course.

Foreign keys of two columns, which Django cannot spell: PostgreSQL holds them; with SQLite, which
cannot add one to a table that exists, the services alone do.
"""

from django.db import migrations

ADD = (
    "ALTER TABLE courses_team ADD CONSTRAINT team_with_assignment UNIQUE (id, assignment_id)",
    "ALTER TABLE courses_membership ADD CONSTRAINT membership_of_its_assignment"
    " FOREIGN KEY (team_id, assignment_id) REFERENCES courses_team (id, assignment_id)"
    " DEFERRABLE INITIALLY DEFERRED",
    "ALTER TABLE courses_section ADD CONSTRAINT section_with_course UNIQUE (id, course_id)",
    "ALTER TABLE courses_enrolment ADD CONSTRAINT enrolment_section_of_its_course"
    " FOREIGN KEY (section_id, course_id) REFERENCES courses_section (id, course_id)"
    " DEFERRABLE INITIALLY DEFERRED",
)
REMOVE = (
    "ALTER TABLE courses_enrolment DROP CONSTRAINT enrolment_section_of_its_course",
    "ALTER TABLE courses_section DROP CONSTRAINT section_with_course",
    "ALTER TABLE courses_membership DROP CONSTRAINT membership_of_its_assignment",
    "ALTER TABLE courses_team DROP CONSTRAINT team_with_assignment",
)


def on_postgresql(statements):
    def run(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            for statement in statements:
                schema_editor.execute(statement)

    return run


class Migration(migrations.Migration):

    dependencies = [
        ("courses", "0003_audited_games"),
    ]

    operations = [
        migrations.RunPython(on_postgresql(ADD), on_postgresql(REMOVE)),
    ]
