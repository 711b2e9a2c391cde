from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0002_announcements'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_topic_known',
        ),
        migrations.RemoveConstraint(
            model_name='switchedoff',
            name='switched_off_topic_known',
        ),
        migrations.AlterField(
            model_name='notification',
            name='topic',
            field=models.CharField(choices=[('verdict', 'One of my uploads has its verdict'), ('graded', 'One of my submissions was graded'), ('deadline', 'A deadline is a day away and my team has uploaded nothing'), ('announce', "My course's staff post an announcement"), ('extension', "My team's deadline was changed"), ('ladder', 'One of my agents left its ladder because of its faults')], max_length=12),
        ),
        migrations.AlterField(
            model_name='switchedoff',
            name='topic',
            field=models.CharField(choices=[('verdict', 'One of my uploads has its verdict'), ('graded', 'One of my submissions was graded'), ('deadline', 'A deadline is a day away and my team has uploaded nothing'), ('announce', "My course's staff post an announcement"), ('extension', "My team's deadline was changed"), ('ladder', 'One of my agents left its ladder because of its faults')], max_length=12),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('topic__in', ['verdict', 'graded', 'deadline', 'announce', 'extension', 'ladder'])), name='notification_topic_known'),
        ),
        migrations.AddConstraint(
            model_name='switchedoff',
            constraint=models.CheckConstraint(condition=models.Q(('topic__in', ['verdict', 'graded', 'deadline', 'announce', 'extension', 'ladder'])), name='switched_off_topic_known'),
        ),
    ]
