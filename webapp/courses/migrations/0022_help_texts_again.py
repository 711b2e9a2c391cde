import webapp.timezones
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('courses', '0021_dates_of_this_century'),
    ]

    operations = [
        migrations.AlterField(
            model_name='assignment',
            name='hard_end_at',
            field=models.DateTimeField(blank=True, help_text='Later uploads never count. Empty: they count until the penalty takes all points.', null=True, validators=[webapp.timezones.validate_date]),
        ),
        migrations.AlterField(
            model_name='course',
            name='drops_lowest',
            field=models.PositiveSmallIntegerField(default=0, help_text="The number of each student's assignments with the lowest percentages that the course's total leaves out."),
        ),
        migrations.AlterField(
            model_name='sectiondates',
            name='hard_end_at',
            field=models.DateTimeField(blank=True, help_text='Later uploads never count. Empty: they count until the penalty takes all points.', null=True, validators=[webapp.timezones.validate_date]),
        ),
    ]
