"""Verification of webhooks that the service has sent, such as replies of custom channels."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

# Standard Webhooks: a signature is valid for five minutes, so that a copied one is soon worthless.
TOLERANCE_SECONDS = 300


class WebhookRefused(Exception):
    """The webhook was not sent by the holder of the secret, or long ago: do not act on it."""


def verify_webhook(body: str | bytes, headers: Mapping[str, str], secret: str) -> Any:
    """Returns the parsed body of a webhook, after a check of its signature.

    ``body`` is the body exactly as it came, before any parsing; ``secret`` is ``whsec_…``.
    Raises WebhookRefused if a header is missing, the time is more than five minutes away or the signature is wrong.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not sent.get(name):
            raise WebhookRefused(f"The header {name} is missing.")
    timestamp = sent["webhook-timestamp"]
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookRefused("webhook-timestamp is more than five minutes away.")
    raw = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{sent['webhook-id']}.{timestamp}.".encode() + raw
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = sent["webhook-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise WebhookRefused("webhook-signature does not fit the body and the secret.")
    return json.loads(raw)
