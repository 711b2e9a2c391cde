import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from webapp.people.auditlog import triggers


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('auditlog', '0001_acts'),
        ('auditlog', '0002_erasable_words'),
        ('auditlog', '0003_loadable_links'),
    ]

    dependencies = [
        ('courses', '0001_squashed_0027_more_sections'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True)),
                ('kind', models.CharField(db_index=True, max_length=40)),
                ('thing', models.CharField(blank=True, max_length=200)),
                ('before', models.JSONField(default=dict)),
                ('after', models.JSONField(default=dict)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('salt', models.CharField(default='', editable=False, max_length=32)),
                ('words_digest', models.CharField(default='', editable=False, max_length=64)),
                ('erases', models.JSONField(default=list, editable=False)),
                ('by', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('course', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='courses.course')),
                ('person', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='courses.team')),
            ],
            options={
                'ordering': ('-pk',),
                'indexes': [
                    models.Index(fields=['course', '-id'], name='act_of_course'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Link',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveBigIntegerField(unique=True)),
                ('digest', models.CharField(max_length=64)),
                ('earlier_digest', models.CharField(default='', editable=False, max_length=64)),
                ('act', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='link', to='auditlog.act')),
            ],
            options={
                'ordering': ('position',),
            },
        ),
        migrations.RunPython(triggers.install_in, triggers.remove_in),
    ]
