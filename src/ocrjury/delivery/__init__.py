"""Deliveries from the store: reports to their receivers, invitations and reminders to raters."""

from ocrjury.delivery.mail import Delivery, MailServer

__all__ = ["Delivery", "MailServer"]
