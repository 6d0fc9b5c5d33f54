"""Emails: the report to its recipients, invitations and reminders to raters."""

from ocrjury.delivery.mail import Delivery, MailServer

__all__ = ["Delivery", "MailServer"]
