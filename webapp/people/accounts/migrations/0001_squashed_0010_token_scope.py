import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import webapp.base.storable
import webapp.base.timezones
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models


def make_cache_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_reset_mails'),
        ('accounts', '0003_plain_names'),
        ('accounts', '0004_form_attempts'),
        ('accounts', '0005_access_tokens'),
        ('accounts', '0006_dates'),
        ('accounts', '0007_cache_table'),
        ('accounts', '0008_help_texts'),
        ('accounts', '0009_visitors_games'),
        ('accounts', '0010_token_scope'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(error_messages={'unique': 'There is an account with this e-mail address already: sign in with it.'}, max_length=254, unique=True, verbose_name='e-mail address')),
                ('display_name', models.CharField(max_length=80, validators=[webapp.base.storable.validate_name], verbose_name='name')),
                ('time_zone', models.CharField(blank=True, max_length=64, validators=[webapp.base.timezones.validate_timezone])),
                ('may_create_courses', models.BooleanField(default=False, help_text='May create courses. Enrolments set the roles in a course.')),
                ('is_active', models.BooleanField(default=True, help_text='Deactivate accounts instead of deleting them.')),
                ('is_staff', models.BooleanField(default=False, help_text='May use the admin pages.', verbose_name='operator')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('reset_mailed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='user_email_lower_case'),
                    models.CheckConstraint(condition=models.Q(('display_name', ''), _negated=True), name='user_has_name'),
                ],
            },
        ),
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, validators=[webapp.base.storable.validate_name])),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scope', models.CharField(choices=[('read', 'read results'), ('upload', 'upload and read results')], max_length=6)),
                ('password_digest', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-created_at', '-pk'),
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='access_token_has_name'),
                    models.CheckConstraint(condition=models.Q(('scope__in', ['read', 'upload'])), name='access_token_scope_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='FormAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('sign_in', 'sign-in that failed'), ('register', 'registration with a wrong code'), ('reset', 'request for a link to reset a password'), ('play', 'game that a visitor began')], max_length=8)),
                ('network', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['kind', 'network', 'at'], name='attempt_of_network')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['sign_in', 'register', 'reset', 'play'])), name='attempt_kind_known')],
            },
        ),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
