"""Upload queues of the Roost gateway.

Alarms and waveforms have separate queues since the incident of November, in
which one unreachable endpoint held back alarms behind waveforms (DEC-0058).
A message that was tried MAX_RETRY_COUNT times is moved to the folder
``dead-letter`` and E-4102 is raised; ``lqctl roost resend`` puts it back.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_RETRY_COUNT = int(os.environ.get("MAX_RETRY_COUNT", "8"))
RETRY_BACKOFF_MS = int(os.environ.get("RETRY_BACKOFF_MS", "2000"))
ALARM_RETRY_CEILING_S = int(os.environ.get("ALARM_RETRY_CEILING_S", "120"))


class UplinkError(Exception):
    """The platform did not accept a message. Trying again may help."""


class RejectedError(Exception):
    """The platform refused a message for good (4xx). Trying again is useless."""


@dataclass
class Message:
    id: str
    kind: str  # "alarm" or "waveform"
    body: bytes
    attempts: int = 0
    first_try: float | None = None
    not_before: float = 0.0


@dataclass
class UploadQueue:
    """First in, first out, with a pause that doubles after each failure."""

    spool_dir: str
    send: Callable[[Message], None]
    second_path: Callable[[Message], None] | None = None
    clock: Callable[[], float] = time.monotonic
    waiting: list[Message] = field(default_factory=list)

    def put(self, message: Message) -> None:
        self.waiting.append(message)

    def backoff_s(self, attempts: int) -> float:
        """Pause before the next attempt, spread by up to 20 percent."""
        base = RETRY_BACKOFF_MS / 1000 * 2 ** (attempts - 1)
        return base * random.uniform(0.8, 1.2)

    def step(self) -> str | None:
        """Try the first message that is due. Returns what happened to it."""
        now = self.clock()
        due = next((m for m in self.waiting if m.not_before <= now), None)
        if due is None:
            return None
        if due.first_try is None:
            due.first_try = now
        try:
            self.send(due)
        except RejectedError:
            return self._give_up(due, "rejected")
        except UplinkError:
            due.attempts += 1
            overdue = due.kind == "alarm" and now - due.first_try >= ALARM_RETRY_CEILING_S
            if overdue and self.second_path is not None:
                # An alarm must not wait for a healthy uplink: text message instead.
                self.second_path(due)
                self.waiting.remove(due)
                return "second-path"
            if due.attempts > MAX_RETRY_COUNT:
                return self._give_up(due, "E-4102")
            due.not_before = now + self.backoff_s(due.attempts)
            return "retry"
        self.waiting.remove(due)
        return "sent"

    def _give_up(self, message: Message, reason: str) -> str:
        folder = os.path.join(self.spool_dir, "dead-letter", message.kind)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{message.id}.bin"), "wb") as out:
            out.write(message.body)
        with open(os.path.join(folder, f"{message.id}.json"), "w", encoding="utf-8") as out:
            json.dump({"id": message.id, "reason": reason, "attempts": message.attempts}, out)
        self.waiting.remove(message)
        return reason
