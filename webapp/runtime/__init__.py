"""The running of the site: addresses, commands, checks, the interface for programs."""
