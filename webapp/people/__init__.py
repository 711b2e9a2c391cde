"""Accounts, the audit log, notifications."""
