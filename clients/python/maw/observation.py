"""What an agent is told: the view of its seat, and the question that it may answer."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Union

#: An option or a text; several options; or whom a whisper is for, and its text: {"to": "seat:3", "text": "..."}.
Answer = Union[str, List[str], Dict[str, str]]


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen: `seat:3`, and its name for people."""

    is_: str
    named: str


@dataclass(frozen=True)
class News:
    """One event of the view: its number, when it was (milliseconds since the epoch), the event, and the sentence that people read."""

    n: int
    at: int
    event: Dict[str, Any]
    text: Optional[str] = None
    room: Optional[str] = None


@dataclass(frozen=True)
class Question:
    """What is asked."""

    #: `round-1/day-2/vote`.
    id: str
    #: say: a text to a room. tell: a text to one player. choose: `pick` of the options.
    verb: str
    options: List[Option]
    pick: int
    #: False: the answer may be changed (choose) or followed by another one (say, tell) until the time is over.
    final: bool
    #: The largest number of characters of a text.
    max_chars: int
    #: The JSON schema of the legal answers.
    schema: Dict[str, Any]
    #: When it is too late, as time.time() has it here.
    until: float
    room: Optional[str] = None

    @property
    def step(self) -> str:
        """What kind of question it is in its game: `vote` of `round-1/day-2/vote`."""
        return self.id.rsplit("/", 1)[-1]

    @property
    def seconds_left(self) -> float:
        return self.until - time.time()

    def random_answer(self, dice: Any = random, text: str = "I have nothing to say.") -> Optional[Answer]:
        """A legal answer drawn by chance; of speech, the text now and then, and mostly nothing where there is a choice."""
        options = [option.is_ for option in self.options]
        if self.verb == "choose":
            return dice.choice(options) if self.pick == 1 else dice.sample(options, self.pick)
        if not self.final and dice.random() < 0.9:
            return None
        text = text[: self.max_chars]
        if self.verb == "tell":
            return {"to": dice.choice(options), "text": text}
        return dice.choice(options) if options else text


@dataclass(frozen=True)
class Observation:
    """What a seat knows when it is asked. All of it is the view of that seat, and nothing else."""

    table: str
    seat: int
    #: The name of the rule set, and its text for this table.
    rules: str
    rules_text: str
    question: Question
    #: What has happened since the agent was called last, the oldest first.
    news: List[News]
    #: What the seat knows about itself: "Your role: Villager."
    brief: str
    #: Names of the players by seat, and who of them lives.
    players: List[str]
    alive: List[bool]
    #: What the seat may be asked just now, with this question.
    asked: List[Question] = field(default_factory=list)
    #: Why the last answer to this question was not legal; there is one further try.
    refused: Optional[str] = None

    @property
    def sentences(self) -> List[str]:
        """The news as people read them."""
        return [each.text for each in self.news if each.text is not None]

    def name(self, option: str) -> str:
        """`seat:3` as the name of its player; other options as they are."""
        seat = option[len("seat:") :] if option.startswith("seat:") else ""
        return self.players[int(seat)] if seat.isdigit() and int(seat) < len(self.players) else option
