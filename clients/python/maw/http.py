"""Requests to the HTTP API, and its streams of events."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Iterator, NamedTuple, Optional

#: A stream that is silent for so many seconds is dead; the server sends a comment every 15.
SILENCE_S = 40
#: How long requests that may succeed later are tried again, in seconds.
PATIENCE_S = 60

#: No answer came, or not the whole of it.
BROKEN = (OSError, http.client.HTTPException)


class MawError(Exception):
    """A request that was refused. `reason` is a code, `detail` is for people, `legal` is the question with its legal answers."""

    def __init__(self, status: int, reason: str, detail: str, legal: Optional[dict] = None, wait_s: float = 0):
        super().__init__(f"{reason}: {detail}")
        self.status = status
        self.reason = reason
        self.detail = detail
        self.legal = legal
        self.wait_s = wait_s

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status in (0, 408, 429) or self.status >= 500


class Event(NamedTuple):
    """One server-sent event."""

    name: str
    data: Any


def _open(at: str, key: str, path: str, body: Optional[dict], headers: dict, timeout: float) -> Any:
    request = urllib.request.Request(at + path, headers={"Authorization": f"Bearer {key}", **headers})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        return urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        raise _refusal(error) from None
    except BROKEN as error:
        raise MawError(0, "no-door", f"nothing answers at {at} ({error})") from None


def _refusal(error: urllib.error.HTTPError) -> MawError:
    try:
        problem = json.loads(error.read())
        reason, detail = problem["reason"], problem["detail"]
    except (ValueError, KeyError, TypeError, *BROKEN):
        return MawError(error.code, f"http-{error.code}", "not an answer of a web service of MAW")
    fields = "; ".join(f"{each['field']}: {each['says']}" for each in problem.get("errors", []))
    wait = error.headers.get("Retry-After", "")
    return MawError(error.code, reason, fields or detail, problem.get("legal"), float(wait) if wait.isdigit() else 0)


def ask(at: str, key: str, path: str, body: Optional[dict] = None, until: Optional[float] = None) -> Any:
    """A request, tried again until it is answered or refused; it is carried out once.

    until: when to give up, as time.time() has it. Raises MawError.
    """
    headers = {} if body is None else {"Idempotency-Key": str(uuid.uuid4())}
    give_up = time.time() + PATIENCE_S if until is None else until
    pause = 0.3
    while True:
        try:
            with _open(at, key, path, body, headers, 30) as response:
                return json.loads(response.read())
        except (*BROKEN, ValueError) as error:
            failure = MawError(0, "no-door", f"the answer broke off ({error})")
        except MawError as error:
            failure = error
        wait = max(pause, failure.wait_s)
        if not failure.is_temporary or time.time() + wait > give_up:
            raise failure
        time.sleep(wait)
        pause = min(5, pause * 2)


def events(at: str, key: str, path: str) -> Iterator[Event]:
    """The events of a stream, which is opened again where it was whenever it breaks. Raises MawError when it is refused."""
    last, pause = "", 0.3
    while True:
        try:
            with _open(at, key, path, None, {"Last-Event-ID": last} if last else {}, SILENCE_S) as response:
                for identity, event in _frames(response):
                    last, pause = identity or last, 0.3
                    yield event
        except MawError as error:
            if not error.is_temporary:
                raise
        except BROKEN:
            pass
        time.sleep(pause)
        pause = min(5, pause * 2)


def _frames(response: Any) -> Iterator[tuple[str, Event]]:
    identity, name, data = "", "message", []
    for raw in response:
        line = raw.decode("utf-8").rstrip("\r\n")
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "id":
            identity = value
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not line:
            if data:
                yield identity, Event(name, json.loads("\n".join(data)))
            identity, name, data = "", "message", []
