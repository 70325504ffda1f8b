"""The calls that most programs need, over the generated client."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from .generated import AuthenticatedClient
from .generated.api.extraction import extraction_create_upload, extraction_extract
from .generated.api.sandbox import sandbox_create_upload, sandbox_execute
from .generated.models import (
    ExtractionCreateUploadRequest,
    ExtractionExtractRequest,
    ExtractionExtractResponse,
    SandboxCreateUploadRequest,
    SandboxExecuteRequest,
    SandboxExecuteResponse,
)
from .generated.types import Response

# Larger files are uploaded: those in a request may have 8 MiB in all.
MAX_INLINE_BYTES = 64 * 1024


class TripodError(Exception):
    """A call that the service refused or could not answer. The text names the fault and the remedy."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(_message_of(body) or f"The service answered {status}.")
        self.status = status
        self.body = body


@dataclass(frozen=True)
class ProgramResult:
    """How a program ended; ``files`` is what it wrote below ``out/``, by paths relative to it."""

    stdout: str
    stderr: str
    exit_code: int
    files: dict[str, bytes]
    response: SandboxExecuteResponse


class Tripod:
    """Calls of one workspace. ``client`` is for every other route: ``accounts_get_balance.sync(client=tripod.client)``."""

    def __init__(self, base_url: str, api_key: str, timeout: float = 330) -> None:
        """``base_url`` is the address of the service without a path; ``timeout`` of a call is in seconds."""
        self._base_url = base_url.rstrip("/")
        self._timeout = httpx.Timeout(timeout)
        self.client = AuthenticatedClient(
            base_url=self._base_url, token=api_key, prefix="", auth_header_name="x-api-key", timeout=self._timeout
        )

    def extract(self, image: bytes | str, **options: Any) -> ExtractionExtractResponse:
        """Reads the drug table of an image: its bytes, up to about 4 MB, or an https address, as ``upload`` gives one.

        ``options`` are ``page``, ``fileName``, ``reference`` and others of the route. Raises TripodError.
        """
        source = {"image": base64.b64encode(image).decode()} if isinstance(image, bytes) else {"imageUrl": image}
        request = ExtractionExtractRequest.from_dict({**options, **source})
        return _parsed(extraction_extract.sync_detailed(client=self.client, body=request))

    def upload(self, image: bytes, content_type: str) -> str:
        """Uploads an image of up to 18 MB. Returns an address for ``extract``, valid for 24 hours. Raises TripodError."""
        request = ExtractionCreateUploadRequest.from_dict({"contentType": content_type, "contentLength": len(image)})
        place = _parsed(extraction_create_upload.sync_detailed(client=self.client, body=request))
        self._put(place.upload_url, image, {"content-type": content_type})
        return place.image_url

    def chat_base_url(self, application_id: str) -> str:
        """Returns the base URL for OpenAI's and other clients of chat completions."""
        return f"{self._base_url}/api/v1/chat/{quote(application_id, safe='')}"

    def run_program(
        self, language: str, code: str, files: Mapping[str, str | bytes] | None = None, **options: Any
    ) -> ProgramResult:
        """Runs a program and waits for its end.

        ``files`` are found by the program at their relative paths, up to 24 MiB in all. ``options`` are ``stdin``,
        ``timeout`` (seconds), ``environment``, ``session_id`` and others of the route.
        Raises TripodError, with status 500 after a timeout.
        """
        placed = [self._place(path, content) for path, content in (files or {}).items()]
        request = SandboxExecuteRequest.from_dict({**options, "language": language, "code": code, "files": placed})
        response = _parsed(sandbox_execute.sync_detailed(client=self.client, body=request))
        written = {file["path"]: self._content_of(file) for file in response.to_dict().get("files", [])}
        return ProgramResult(response.stdout, response.stderr, response.exit_code, written, response)

    def _place(self, path: str, content: str | bytes) -> dict[str, str]:
        raw = content.encode() if isinstance(content, str) else content
        if len(raw) <= MAX_INLINE_BYTES:
            return {"path": path, "content_base64": base64.b64encode(raw).decode()}
        request = SandboxCreateUploadRequest(size=len(raw))
        place = _parsed(sandbox_create_upload.sync_detailed(client=self.client, body=request))
        self._put(place.upload_url, raw, {})
        return {"path": path, "upload_url": place.upload_url}

    def _put(self, url: str, raw: bytes, headers: dict[str, str]) -> None:
        _require_success(httpx.put(url, content=raw, headers=headers, timeout=self._timeout))

    def _content_of(self, file: dict[str, Any]) -> bytes:
        if "content_base64" in file:
            return base64.b64decode(file["content_base64"])
        response = httpx.get(file["url"], timeout=self._timeout)
        _require_success(response)
        return response.content


def _parsed(response: Response[Any]) -> Any:
    if response.status_code >= 300:
        raise TripodError(int(response.status_code), response.content)
    return response.parsed


def _require_success(response: httpx.Response) -> None:
    if not response.is_success:
        raise TripodError(response.status_code, response.content)


def _message_of(body: bytes) -> str | None:
    try:
        members = json.loads(body)
    except ValueError:
        return None
    if not isinstance(members, dict):
        return None
    texts = (members.get(name) for name in ("detail", "message"))
    return next((text for text in texts if isinstance(text, str)), None)
