from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lti', '0003_help_texts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='platform',
            name='domains',
            field=models.CharField(blank=True, help_text='Domains whose e-mail addresses the platform has verified, separated by spaces. Accounts are found by these addresses only. An asterisk allows all domains: only for a platform that confirms every address.', max_length=300),
        ),
    ]
