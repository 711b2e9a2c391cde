import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('lti', '0001_initial'),
        ('lti', '0002_keeps_sending'),
        ('lti', '0003_help_texts'),
        ('lti', '0004_help_texts_again'),
        ('lti', '0005_points_taken_back'),
        ('lti', '0006_results'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ToolKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('private_pem', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ('-created_at', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='LinkedCourse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deployment_id', models.CharField(max_length=255)),
                ('context_id', models.CharField(max_length=255)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('memberships_url', models.URLField(blank=True, max_length=1000)),
                ('linked_at', models.DateTimeField(auto_now_add=True)),
                ('course', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='linked_courses', to='courses.course')),
                ('linked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='LinkedAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('resource_link_id', models.CharField(max_length=255)),
                ('lineitem_url', models.URLField(blank=True, max_length=1000)),
                ('keeps_sending', models.BooleanField(default=False)),
                ('sends_zeros', models.BooleanField(default=False)),
                ('column_maximum', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                ('swept_at', models.DateTimeField(blank=True, null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='linked_assignments', to='courses.assignment')),
                ('linked_course', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='lti.linkedcourse')),
            ],
            options={
                'ordering': ('pk',),
                'constraints': [
                    models.UniqueConstraint(fields=('linked_course', 'resource_link_id'), name='linked_assignment_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Platform',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The name shown to people, such as Canvas or Moodle.', max_length=60)),
                ('issuer', models.URLField(max_length=300)),
                ('client_id', models.CharField(max_length=200)),
                ('deployment_ids', models.TextField(help_text='One per line. Other deployments are refused.')),
                ('auth_login_url', models.URLField(max_length=500, verbose_name='authentication request URL')),
                ('token_url', models.URLField(max_length=500, verbose_name='access token URL')),
                ('keys_url', models.URLField(max_length=500, verbose_name='public keyset URL')),
                ('token_audience', models.CharField(blank=True, help_text='If the platform names one (Brightspace does).', max_length=300)),
                ('domains', models.CharField(blank=True, help_text='Domains whose e-mail addresses the platform has verified, separated by spaces. Accounts are found by these addresses only. An asterisk allows all domains: only for a platform that confirms every address.', max_length=300)),
                ('is_active', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ('name', 'pk'),
                'constraints': [models.UniqueConstraint(fields=('issuer', 'client_id'), name='platform_once'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='platform_has_name')],
            },
        ),
        migrations.AddField(
            model_name='linkedcourse',
            name='platform',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='linked_courses', to='lti.platform'),
        ),
        migrations.CreateModel(
            name='Score',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.DecimalField(decimal_places=2, max_digits=8, null=True)),
                ('maximum', models.DecimalField(decimal_places=2, max_digits=8)),
                ('comment', models.TextField(blank=True)),
                ('shown', models.DecimalField(blank=True, decimal_places=2, max_digits=8, null=True)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('failed', 'failed')], default='waiting', max_length=7)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('failed_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='lti.linkedassignment')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
                'indexes': [
                    models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='score_waiting'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('link', 'user'), name='score_once'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'sent', 'failed'])), name='score_state_known'),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name='linkedcourse',
            constraint=models.UniqueConstraint(fields=('platform', 'deployment_id', 'context_id'), name='linked_course_once'),
        ),
    ]
