"""What all pages share: charts, untrusted text, error pages. Knows no model of its own."""
