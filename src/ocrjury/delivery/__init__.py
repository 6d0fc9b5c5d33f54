"""Bring a report to its readers."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.delivery.mail import Delivery, Letter, MailServer, message_id, send_report

__all__ = ["Delivery", "Letter", "MailServer", "message_id", "send_report"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
