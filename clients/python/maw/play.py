"""Plays at every table where a seat is kept for a key."""

from __future__ import annotations

import inspect
import os
import queue
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple
from urllib.parse import quote

from .http import Event, MawError, ask, events
from .observation import Answer, News, Observation, Option, Question

#: What plays: it is told an observation, and returns the answer to its question, or None for none.
Agent = Callable[[Observation], Optional[Answer]]

#: How often it is looked for new tables, in seconds.
_LOOK_S = 1.0


@dataclass(frozen=True)
class Result:
    """A table that is over: its winners by seat, none where it was broken off, and whether this seat is among them."""

    table: str
    seat: int
    winners: List[int]

    @property
    def won(self) -> bool:
        return self.seat in self.winners


def play(
    agent: Any,
    at: Optional[str] = None,
    key: Optional[str] = None,
    games: Optional[int] = None,
    on_result: Optional[Callable[[Result], None]] = None,
) -> List[Result]:
    """Plays at the tables where a seat is kept for the key, until so many are over.

    agent: a function of an Observation that returns an answer, or a class whose objects are called so, one for each table.
    at: the address of the web service, http://127.0.0.1:8080; that of MAW_AT by default.
    key: a token of the role `agent`; that of MAW_TOKEN by default.
    games: absent: it plays until it is interrupted, or the server is gone for a minute.
    on_result: called after each table, from its thread.
    Raises MawError when the key is refused.
    """
    address = (at or os.environ.get("MAW_AT", "")).rstrip("/")
    token = key or os.environ.get("MAW_TOKEN", "")
    if not address or not token:
        raise ValueError("say where and as whom: at and key, or the variables MAW_AT and MAW_TOKEN (maw tokens make --role agent)")
    results: List[Result] = []
    running: Dict[Tuple[str, int], threading.Thread] = {}
    lock = threading.Lock()

    def at_table(table: str, seat: int) -> None:
        try:
            result = _Seat(agent, address, token, table, seat).play()
            with lock:
                results.append(result)
            if on_result:
                on_result(result)
        except MawError as error:
            print(f"maw: table {table}: {error}", file=sys.stderr)
            time.sleep(_LOOK_S)
            with lock:
                running.pop((table, seat), None)

    while True:
        with lock:
            if games is not None and len(results) >= games:
                return results[:games]
            begun = len(running)
        if games is None or begun < games:
            for kept in ask(address, token, "/seats")["seats"]:
                place = (kept["table"], kept["seat"])
                with lock:
                    if place in running or (games is not None and len(running) >= games):
                        continue
                    running[place] = threading.Thread(target=at_table, args=place, daemon=True)
                running[place].start()
        time.sleep(_LOOK_S)


class _Seat:
    """A seat at a table."""

    def __init__(self, agent: Any, at: str, key: str, table: str, seat: int):
        self.agent: Agent = agent() if inspect.isclass(agent) else agent
        self.at, self.table, self.seat = at, table, seat
        self.path = f"/tables/{quote(table)}"
        self.key: str = ask(at, key, f"{self.path}/seats", {"name": "agent", "seat": seat})["token"]
        told = ask(at, self.key, f"{self.path}/rules")
        self.rules, self.rules_text = told["name"], told.get("text", "")
        self.players: List[str] = []
        self.now: Dict[str, Any] = {"asked": [], "brief": "", "alive": []}
        self.news: List[News] = []
        #: Of other players; what the seat does itself is no reason to ask it again.
        self.heard = 0
        self.called: Dict[str, int] = {}
        self.chosen: Dict[str, Answer] = {}
        #: How far the clock of the server is ahead of this one, in seconds.
        self.ahead = 0.0

    def play(self) -> Result:
        frames: "queue.Queue[Any]" = queue.Queue()
        threading.Thread(target=self._read, args=(frames,), daemon=True).start()
        while True:
            batch = [frames.get()]
            while not frames.empty():
                batch.append(frames.get())
            for frame in batch:
                if isinstance(frame, MawError):
                    raise frame
                if frame.name == "over":
                    return Result(self.table, self.seat, frame.data["winners"])
                self._take(frame)
            self._answer(frames)

    def _read(self, frames: "queue.Queue[Any]") -> None:
        """Reads on while the agent thinks: a reader that does not read is disconnected."""
        try:
            for event in events(self.at, self.key, f"{self.path}/events?schemas=true"):
                frames.put(event)
                if event.name == "over":
                    return
        except MawError as error:
            frames.put(error)

    def _take(self, event: Event) -> None:
        data = event.data
        if event.name == "clock":
            self.ahead = data["now"] / 1000 - time.time()
        elif event.name == "asked":
            self.now = data
        elif event.name == "seen":
            happened = data["event"]
            self.news.append(News(data["n"], data["at"], happened, data.get("text"), data.get("room")))
            if happened["type"] == "joined":
                self.players += ["?"] * (happened["seat"] + 1 - len(self.players))
                self.players[happened["seat"]] = happened["name"]
            if happened.get("answer", {}).get("by") != self.seat and happened["type"] not in ("asked", "refused"):
                self.heard += 1

    def _answer(self, frames: "queue.Queue[Any]") -> None:
        for asking in self.now["asked"]:
            if not frames.empty():
                return  # what is asked may have changed
            if asking["id"].startswith("lobby-"):
                continue
            heard = self.called.get(asking["id"])
            if heard is not None and (asking["final"] or heard == self.heard):
                continue
            self.called[asking["id"]] = self.heard
            self._act(asking, None)

    def _act(self, asking: Dict[str, Any], refused: Optional[str]) -> None:
        question = self._question(asking)
        seen = Observation(
            table=self.table,
            seat=self.seat,
            rules=self.rules,
            rules_text=self.rules_text,
            question=question,
            news=self.news,
            brief=self.now["brief"],
            players=list(self.players),
            alive=list(self.now["alive"]),
            asked=[self._question(each) for each in self.now["asked"]],
            refused=refused,
        )
        self.news = []
        try:
            answer = self.agent(seen)
        except Exception:  # whatever an agent does wrong is its own: the game goes on without its answer
            traceback.print_exc()
            return
        if answer is None or (question.verb == "choose" and self.chosen.get(question.id) == answer):
            return
        try:
            ask(self.at, self.key, f"{self.path}/actions", {"question": question.id, "answer": answer}, question.until)
            self.chosen[question.id] = answer
        except MawError as error:
            if error.legal is not None and refused is None:
                self._act({**asking, **error.legal}, error.detail)
            elif error.status not in (0, 409) and not error.is_temporary:
                print(f"maw: table {self.table}: {question.id}: {error}", file=sys.stderr)

    def _question(self, asking: Dict[str, Any]) -> Question:
        return Question(
            id=asking["id"],
            verb=asking["verb"],
            options=[Option(each["is"], each["named"]) for each in asking["options"]],
            pick=asking["pick"],
            final=asking["final"],
            max_chars=asking["maxChars"],
            schema=asking["answer"],
            until=asking["until"] / 1000 - self.ahead,
            room=asking.get("room"),
        )
