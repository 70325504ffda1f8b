"""Client of Tripod: drug tables, chat and programs, with one key."""

from .tripod import ProgramResult, Tripod, TripodError
from .webhooks import WebhookRefused, verify_webhook

__all__ = ("ProgramResult", "Tripod", "TripodError", "WebhookRefused", "verify_webhook")
