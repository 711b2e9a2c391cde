import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('notifications', '0001_initial'),
        ('notifications', '0002_announcements'),
        ('notifications', '0003_ladder'),
        ('notifications', '0004_operations'),
        ('notifications', '0005_invitation_topic'),
        ('notifications', '0006_regrade_topic'),
        ('notifications', '0007_reminder'),
        ('notifications', '0008_address'),
        ('notifications', '0009_staff_topics'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('verdict', 'One of my uploads has its verdict'), ('graded', 'One of my submissions was graded'), ('regrade', 'One of my regrade requests was answered'), ('deadline', 'A deadline is a day away and my team has uploaded nothing'), ('reminder', "My course's staff remind my team, which has uploaded nothing"), ('announce', "My course's staff post an announcement"), ('extension', "My team's deadline was changed"), ('ladder', 'One of my agents left its ladder because of its faults'), ('operations', 'Evaluations failed, or graders are silent'), ('asked', 'Students of my course ask for a regrade'), ('failed', 'Evaluations of my course failed'), ('refused', 'A learning platform refused points of my course'), ('invitation', 'I am enrolled in a course'), ('address', 'The address of my account changes')], max_length=12)),
                ('address', models.EmailField(blank=True, max_length=254)),
                ('key', models.CharField(max_length=100)),
                ('subject', models.CharField(max_length=200)),
                ('body', models.TextField()),
                ('created_at', models.DateTimeField()),
                ('send_after', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('given_up_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-created_at', '-pk'),
                'indexes': [models.Index(fields=['created_at'], name='notification_age'), models.Index(condition=models.Q(('given_up_at__isnull', True), ('sent_at__isnull', True)), fields=['send_after'], name='notification_waiting')],
                'constraints': [models.UniqueConstraint(fields=('user', 'topic', 'key'), name='notification_of_an_event_once'), models.CheckConstraint(condition=models.Q(('topic__in', ['verdict', 'graded', 'regrade', 'deadline', 'reminder', 'announce', 'extension', 'ladder', 'operations', 'asked', 'failed', 'refused', 'invitation', 'address'])), name='notification_topic_known')],
            },
        ),
        migrations.CreateModel(
            name='SwitchedOff',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('verdict', 'One of my uploads has its verdict'), ('graded', 'One of my submissions was graded'), ('regrade', 'One of my regrade requests was answered'), ('deadline', 'A deadline is a day away and my team has uploaded nothing'), ('reminder', "My course's staff remind my team, which has uploaded nothing"), ('announce', "My course's staff post an announcement"), ('extension', "My team's deadline was changed"), ('ladder', 'One of my agents left its ladder because of its faults'), ('operations', 'Evaluations failed, or graders are silent'), ('asked', 'Students of my course ask for a regrade'), ('failed', 'Evaluations of my course failed'), ('refused', 'A learning platform refused points of my course'), ('invitation', 'I am enrolled in a course'), ('address', 'The address of my account changes')], max_length=12)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='switched_off', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'topic'), name='topic_switched_off_once'), models.CheckConstraint(condition=models.Q(('topic__in', ['verdict', 'graded', 'regrade', 'deadline', 'reminder', 'announce', 'extension', 'ladder', 'operations', 'asked', 'failed', 'refused', 'invitation', 'address'])), name='switched_off_topic_known')],
            },
        ),
    ]
