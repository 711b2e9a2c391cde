"""LTI 1.3: learning platforms (Canvas, Moodle, …) that launch this site and take grades from it."""
