import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import webapp.teaching.courses.models.assignment
import webapp.teaching.courses.models.course
import webapp.base.storable
import webapp.base.timezones
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


# A membership's team is of its assignment, an enrolment's section of its course: foreign keys of two
# columns, which Django cannot spell. PostgreSQL holds them; with SQLite, which cannot add one to a
# table that exists, the services alone do.
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

    initial = True

    replaces = [
        ('courses', '0001_initial'),
        ('courses', '0002_practice_quota_and_extensions'),
        ('courses', '0003_audited_games'),
        ('courses', '0004_rows_of_one_parent'),
        ('courses', '0005_interfaces'),
        ('courses', '0006_opponents'),
        ('courses', '0007_practice_half_width'),
        ('courses', '0008_plain_names'),
        ('courses', '0009_practice_secret'),
        ('courses', '0010_plain_help_texts'),
        ('courses', '0011_play_with'),
        ('courses', '0012_play_with_own'),
        ('courses', '0013_dates'),
        ('courses', '0014_extensions_of_students'),
        ('courses', '0015_enrolment_state'),
        ('courses', '0016_rights_and_section_staff'),
        ('courses', '0017_board_lines'),
        ('courses', '0018_life'),
        ('courses', '0019_held_grades_and_weights'),
        ('courses', '0020_help_texts'),
        ('courses', '0021_dates_of_this_century'),
        ('courses', '0022_help_texts_again'),
        ('courses', '0023_site_timezone'),
        ('courses', '0024_late_rules'),
        ('courses', '0025_keep_late_rules'),
        ('courses', '0026_left_out_help'),
        ('courses', '0027_more_sections'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Course',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(error_messages={'unique': 'Another course has this short name.'}, help_text='Lower-case letters, digits and hyphens: <code>ai-2026</code>.', unique=True, verbose_name='short name in addresses')),
                ('title', models.CharField(max_length=120)),
                ('term', models.CharField(blank=True, help_text='For instance: Spring 2026.', max_length=40)),
                ('invite_code', models.CharField(default=webapp.teaching.courses.models.course.new_code, max_length=16, unique=True)),
                ('places', models.PositiveIntegerField(default=1000, help_text='The invite code stops working when this many are enrolled, staff included.', validators=[django.core.validators.MinValueValidator(1)])),
                ('timezone', models.CharField(default=webapp.teaching.courses.models.course.site_timezone, help_text='Due dates are entered and shown in this time zone.', max_length=64, validators=[webapp.base.timezones.validate_timezone], verbose_name='time zone')),
                ('leaderboard_default', models.CharField(choices=[('hidden', 'hidden: staff only'), ('course', 'published to the course'), ('public', 'public')], default='course', max_length=8, verbose_name='leaderboards of new assignments')),
                ('late_days', models.PositiveSmallIntegerField(default=0, help_text='For the whole course, where an assignment allows them. 0: none.', validators=[django.core.validators.MaxValueValidator(365)], verbose_name='late days of each student')),
                ('drops_lowest', models.PositiveSmallIntegerField(default=0, help_text='In each student’s total: those that lower it most. With weights 1 and 3, it may be 60% of weight 3 rather than 50% of weight 1. 0: all assignments count.', validators=[django.core.validators.MaxValueValidator(100)], verbose_name='lowest results left out')),
                ('show_names', models.BooleanField(default=False, help_text='To everybody enrolled. Otherwise students see aliases only.', verbose_name="show students' names beside aliases")),
                ('assistant_rights', models.JSONField(blank=True, default=webapp.teaching.courses.models.course.all_assistant_rights, help_text='Assistants can always see all submissions, games and grades.', verbose_name='assistants may')),
                ('staff_keep_to_sections', models.BooleanField(default=False, help_text='Assistants and graders who have sections act for students of these only.', verbose_name='assistants keep to their sections')),
                ('archived_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('-created_at', 'pk'),
                'constraints': [models.CheckConstraint(condition=models.Q(('leaderboard_default__in', ['hidden', 'course', 'public'])), name='course_leaderboard_default_known')],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('grace_minutes', models.PositiveSmallIntegerField(default=0, help_text='Uploads up to this late count as on time.', validators=[django.core.validators.MaxValueValidator(32767)], verbose_name='grace period in minutes')),
                ('penalty_percent', models.DecimalField(decimal_places=2, default=Decimal('0'), help_text='Of the points, for each started day or hour. 0: later uploads do not count.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='penalty for lateness in %')),
                ('max_penalty_percent', models.DecimalField(decimal_places=2, default=Decimal('100'), help_text='Below 100, late uploads count until the hard end, which must be given.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='maximum penalty in %')),
                ('penalty_unit', models.CharField(choices=[('hour', 'hour'), ('day', 'day')], default='day', max_length=4, verbose_name='penalty for each')),
                ('max_late_days', models.PositiveSmallIntegerField(default=0, help_text='Of each student’s late days in the course. They are used automatically.', validators=[django.core.validators.MaxValueValidator(32767)], verbose_name='late days that may be used')),
                ('hard_end_at', models.DateTimeField(blank=True, help_text='Nothing later counts. Empty: until the penalty has taken all points.', null=True, validators=[webapp.base.timezones.validate_date], verbose_name='hard end')),
                ('slug', models.SlugField(help_text='Letters, digits and hyphens.', verbose_name='short name in addresses')),
                ('title', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True, help_text='Plain text; an empty line begins a new paragraph.')),
                ('game', models.CharField(default='hanabi', max_length=20)),
                ('options', models.JSONField(default=webapp.teaching.courses.models.assignment.default_options)),
                ('opponents', models.JSONField(blank=True, default=list)),
                ('interfaces', models.JSONField(default=webapp.teaching.courses.models.assignment.default_interfaces, help_text='Students upload agents for one of these. If there are several, the site recognises from the sources which one an agent is for.', verbose_name='languages and interfaces')),
                ('interface_options', models.JSONField(blank=True, default=list, verbose_name='options of an interface')),
                ('mode', models.CharField(blank=True, default='', max_length=4, verbose_name='processes')),
                ('checks_student_number', models.BooleanField(default=False, help_text='A file such as <code>Agent12345678.java</code> must have the student number of the student who uploads it. The numbers are on the page of people.', verbose_name='files are named with the student number')),
                ('limits', models.JSONField(default=webapp.teaching.courses.models.assignment.default_limits)),
                ('max_consecutive_faults', models.PositiveSmallIntegerField(default=20, help_text='After these an evaluation stops. 0: never.', verbose_name='maximum faults in a row')),
                ('n_games', models.PositiveIntegerField(default=1000, validators=[django.core.validators.MinValueValidator(1)], verbose_name='graded games')),
                ('practice_games', models.PositiveIntegerField(default=100, help_text='After every upload, on public deals.', validators=[django.core.validators.MinValueValidator(1)])),
                ('practice_half_width', models.FloatField(blank=True, help_text="Half the width of the mean's interval. It saves games if an agent's scores vary little. Empty: all practice games are played. Graded games never stop early.", null=True, verbose_name='stop practice once the mean is known to ±')),
                ('smoke_games', models.PositiveIntegerField(default=10, help_text='Immediately after every upload.', validators=[django.core.validators.MinValueValidator(1)], verbose_name='games of the first test')),
                ('audited_games', models.PositiveSmallIntegerField(default=10, help_text="The number of a team's graded games that are replayed to find agents that signal by response time, and games that are not their own. 0: none. Only staff see the result.", validators=[django.core.validators.MaxValueValidator(100)])),
                ('grading', models.JSONField(default=webapp.teaching.courses.models.assignment.default_scheme, verbose_name='grading scheme')),
                ('holds_grades', models.BooleanField(default=False, help_text='Until then students see nothing of graded games: no mean, no points, no graded board. Staff release grades on the page of grades, for all or section by section.', verbose_name='hold grades until they are released')),
                ('weight', models.DecimalField(decimal_places=2, default=Decimal('1'), help_text='Relative to other assignments. 0: the assignment does not count.', max_digits=6, validators=[django.core.validators.MinValueValidator(Decimal('0'))], verbose_name='weight in the course’s total')),
                ('opens_at', models.DateTimeField(default=django.utils.timezone.now, help_text='Students see the assignment from this time.', validators=[webapp.base.timezones.validate_date], verbose_name='opens')),
                ('due_at', models.DateTimeField(help_text='Sections and students may have their own dates.', validators=[webapp.base.timezones.validate_date], verbose_name='due')),
                ('practice_after_due', models.BooleanField(default=True, help_text='They do not count for the grade.', verbose_name='allow uploads and practice after the due date')),
                ('counts', models.CharField(choices=[('latest', 'the latest accepted upload'), ('best', 'the accepted upload with the best practice mean after any penalty'), ('mean', 'the accepted upload with the best practice mean'), ('choice', 'the upload that the team chooses, the latest until then')], default='latest', max_length=6, verbose_name='upload that counts')),
                ('has_plain_days', models.BooleanField(default=False, help_text='A late day has 24 hours also if clocks change, and extra time leaves the hard end. Otherwise a late day ends at the same time of the clock, and the hard end moves with the due date. Points change at once for uploads whose lateness changes.', verbose_name='keep the earlier rules for late days and extra time')),
                ('max_team_size', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='maximum team size')),
                ('uploads_per_day', models.PositiveSmallIntegerField(default=20, validators=[django.core.validators.MinValueValidator(1)], verbose_name='uploads per team and day')),
                ('practice_per_day', models.PositiveSmallIntegerField(default=10, help_text='In addition to one per upload.', verbose_name='practice runs per team and day')),
                ('secret', models.BinaryField(default=webapp.teaching.courses.models.assignment.new_secret)),
                ('commitment', models.CharField(editable=False, max_length=64)),
                ('secret_revealed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('practice_secret', models.BinaryField(default=webapp.teaching.courses.models.assignment.default_practice_secret)),
                ('leaderboard', models.CharField(choices=[('hidden', 'hidden: staff only'), ('course', 'published to the course'), ('public', 'public')], default='course', max_length=8)),
                ('board_lines', models.JSONField(blank=True, default=list, editable=False, verbose_name='house agents on the leaderboard')),
                ('play_with', models.CharField(choices=[('nobody', 'nobody'), ('house', 'house agents'), ('own', 'house agents and own submissions')], default='own', help_text='People play on deals of their own. Such games do not count.', max_length=6, verbose_name='agents to play with in the browser')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('course', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='courses.course')),
            ],
            options={
                'ordering': ('due_at', 'pk'),
                'constraints': [
                    models.UniqueConstraint(fields=('course', 'slug'), name='assignment_slug_unique'),
                    models.CheckConstraint(condition=models.Q(('due_at__gt', models.F('opens_at'))), name='assignment_due_after_opening'),
                    models.CheckConstraint(condition=models.Q(('hard_end_at__isnull', True), ('hard_end_at__gte', models.F('due_at')), _connector='OR'), name='assignment_end_after_due'),
                    models.CheckConstraint(condition=models.Q(('penalty_percent__gte', 0), ('penalty_percent__lte', 100)), name='assignment_penalty_in_range'),
                    models.CheckConstraint(condition=models.Q(('max_penalty_percent', 100), models.Q(('hard_end_at__isnull', False), ('max_penalty_percent__gte', 0), ('max_penalty_percent__lt', 100)), _connector='OR'), name='assignment_capped_penalty_ends'),
                    models.CheckConstraint(condition=models.Q(('counts__in', ['latest', 'best', 'mean', 'choice'])), name='assignment_counts_known'),
                    models.CheckConstraint(condition=models.Q(('n_games__gte', 1), ('practice_games__gte', 1), ('smoke_games__gte', 1)), name='assignment_plays_games'),
                    models.CheckConstraint(condition=models.Q(('max_team_size__gte', 1), ('uploads_per_day__gte', 1)), name='assignment_can_be_done'),
                    models.CheckConstraint(condition=models.Q(('leaderboard__in', ['hidden', 'course', 'public'])), name='assignment_leaderboard_known'),
                    models.CheckConstraint(condition=models.Q(('play_with__in', ['nobody', 'house', 'own'])), name='assignment_play_with_known'),
                    models.CheckConstraint(condition=models.Q(('interfaces', []), _negated=True), name='assignment_takes_an_interface'),
                    models.CheckConstraint(condition=models.Q(('mode__in', ['', 'seat', 'team'])), name='assignment_mode_known'),
                    models.CheckConstraint(condition=models.Q(('commitment', ''), _negated=True), name='assignment_secret_is_committed'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Enrolment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('student', 'student'), ('observer', 'observer'), ('grader', 'grader'), ('assistant', 'assistant'), ('instructor', 'instructor')], default='student', max_length=10)),
                ('student_number', models.CharField(blank=True, max_length=40, validators=[webapp.base.storable.validate_name])),
                ('time_percent', models.PositiveSmallIntegerField(default=100, validators=[django.core.validators.MinValueValidator(100), django.core.validators.MaxValueValidator(400)])),
                ('state', models.CharField(choices=[('active', 'enrolled'), ('withdrawn', 'withdrawn'), ('removed', 'removed')], default='active', editable=False, max_length=9)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('course', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='enrolments', to='courses.course')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='enrolments', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Accommodation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('time_percent', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(100), django.core.validators.MaxValueValidator(400)])),
                ('reason', models.CharField(max_length=200)),
                ('granted_at', models.DateTimeField()),
                ('granted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('enrolment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accommodations', to='courses.enrolment')),
            ],
            options={
                'ordering': ('-granted_at', '-pk'),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='accommodation_has_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='courses.assignment')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Section',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, validators=[webapp.base.storable.validate_name])),
                ('course', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sections', to='courses.course')),
                ('staff', models.ManyToManyField(blank=True, editable=False, related_name='looks_after', to='courses.enrolment')),
            ],
            options={
                'ordering': ('name',),
                'constraints': [
                    models.UniqueConstraint(fields=('course', 'name'), name='section_name_unique'),
                ],
            },
        ),
        migrations.CreateModel(
            name='GradeRelease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('released_at', models.DateTimeField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='releases', to='courses.assignment')),
                ('released_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('section', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='releases', to='courses.section')),
            ],
            options={
                'ordering': ('released_at', 'pk'),
                'constraints': [
                    models.UniqueConstraint(fields=('assignment', 'section'), name='release_once_a_section'),
                    models.UniqueConstraint(condition=models.Q(('section__isnull', True)), fields=('assignment',), name='release_once_for_everybody'),
                ],
            },
        ),
        migrations.AddField(
            model_name='enrolment',
            name='more_sections',
            field=models.ManyToManyField(blank=True, editable=False, related_name='more_enrolments', to='courses.section'),
        ),
        migrations.AddField(
            model_name='enrolment',
            name='section',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='enrolments', to='courses.section'),
        ),
        migrations.CreateModel(
            name='SectionDates',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('grace_minutes', models.PositiveSmallIntegerField(default=0, help_text='Uploads up to this late count as on time.', validators=[django.core.validators.MaxValueValidator(32767)], verbose_name='grace period in minutes')),
                ('penalty_percent', models.DecimalField(decimal_places=2, default=Decimal('0'), help_text='Of the points, for each started day or hour. 0: later uploads do not count.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='penalty for lateness in %')),
                ('max_penalty_percent', models.DecimalField(decimal_places=2, default=Decimal('100'), help_text='Below 100, late uploads count until the hard end, which must be given.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='maximum penalty in %')),
                ('penalty_unit', models.CharField(choices=[('hour', 'hour'), ('day', 'day')], default='day', max_length=4, verbose_name='penalty for each')),
                ('max_late_days', models.PositiveSmallIntegerField(default=0, help_text='Of each student’s late days in the course. They are used automatically.', validators=[django.core.validators.MaxValueValidator(32767)], verbose_name='late days that may be used')),
                ('hard_end_at', models.DateTimeField(blank=True, help_text='Nothing later counts. Empty: until the penalty has taken all points.', null=True, validators=[webapp.base.timezones.validate_date], verbose_name='hard end')),
                ('due_at', models.DateTimeField(validators=[webapp.base.timezones.validate_date], verbose_name='due')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='section_dates', to='courses.assignment')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dates', to='courses.section')),
            ],
            options={
                'ordering': ('section__name', 'pk'),
                'constraints': [
                    models.UniqueConstraint(fields=('assignment', 'section'), name='section_dates_once'),
                    models.CheckConstraint(condition=models.Q(('hard_end_at__isnull', True), ('hard_end_at__gte', models.F('due_at')), _connector='OR'), name='section_dates_end_after_due'),
                    models.CheckConstraint(condition=models.Q(('penalty_percent__gte', 0), ('penalty_percent__lte', 100)), name='section_dates_penalty_in_range'),
                    models.CheckConstraint(condition=models.Q(('max_penalty_percent', 100), models.Q(('hard_end_at__isnull', False), ('max_penalty_percent__gte', 0), ('max_penalty_percent__lt', 100)), _connector='OR'), name='section_dates_capped_penalty_ends'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Shown only to staff and to the team itself.', max_length=80, validators=[webapp.base.storable.validate_name])),
                ('alias', models.CharField(editable=False, max_length=40)),
                ('join_code', models.CharField(default=webapp.teaching.courses.models.course.new_code, editable=False, max_length=16, unique=True)),
                ('extended_due_at', models.DateTimeField(blank=True, help_text="An extension: replaces the assignment's deadline if later.", null=True, validators=[webapp.base.timezones.validate_date])),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='courses.assignment')),
                ('users', models.ManyToManyField(related_name='teams', through='courses.Membership', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
                'constraints': [
                    models.UniqueConstraint(fields=('assignment', 'alias'), name='team_alias_unique'),
                    models.UniqueConstraint(fields=('assignment', 'name'), name='team_name_unique'),
                    models.CheckConstraint(condition=models.Q(('alias', ''), _negated=True), name='team_has_alias'),
                ],
            },
        ),
        migrations.AddField(
            model_name='membership',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='courses.team'),
        ),
        migrations.CreateModel(
            name='Extension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('due_at', models.DateTimeField(blank=True, null=True, validators=[webapp.base.timezones.validate_date])),
                ('reason', models.CharField(max_length=200)),
                ('granted_at', models.DateTimeField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extensions', to='courses.assignment')),
                ('granted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='extensions', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='extensions', to='courses.team')),
            ],
            options={
                'ordering': ('-granted_at', '-pk'),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='extension_has_reason'),
                    models.CheckConstraint(condition=models.Q(models.Q(('team__isnull', True), ('user__isnull', False)), models.Q(('team__isnull', False), ('user__isnull', True)), _connector='OR'), name='extension_of_a_team_or_a_student'),
                ],
            },
        ),
        migrations.AddIndex(
            model_name='enrolment',
            index=models.Index(fields=['course', 'state', 'role'], name='enrolment_of_course'),
        ),
        migrations.AddConstraint(
            model_name='enrolment',
            constraint=models.UniqueConstraint(fields=('course', 'user'), name='enrolment_once'),
        ),
        migrations.AddConstraint(
            model_name='enrolment',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['active', 'withdrawn', 'removed'])), name='enrolment_state_known'),
        ),
        migrations.AddConstraint(
            model_name='enrolment',
            constraint=models.CheckConstraint(condition=models.Q(('time_percent__gte', 100)), name='enrolment_time_not_shortened'),
        ),
        migrations.AddConstraint(
            model_name='enrolment',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['student', 'observer', 'grader', 'assistant', 'instructor'])), name='enrolment_role_known'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('assignment', 'user'), name='membership_one_team_each'),
        ),
        migrations.RunPython(on_postgresql(ADD), on_postgresql(REMOVE)),
    ]
