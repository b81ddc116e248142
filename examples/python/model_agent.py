"""An agent that asks a model behind an OpenAI-compatible API.

OPENAI_BASE_URL (such as http://127.0.0.1:11434/v1), OPENAI_API_KEY and MODEL say which one. Get MAW_AT and MAW_TOKEN from
`maw tokens make --role agent --name fox --shell`.
"""

import json
import os
import sys
import urllib.request
from typing import List, Optional

from maw import Answer, Observation, play

BASE = os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1").rstrip("/")
KEY = os.environ.get("OPENAI_API_KEY", "none")
MODEL = os.environ.get("MODEL", "llama3.1")
#: The latest sentences that the model is shown.
MEMORY = 80


class Agent:
    """One seat at one table; it remembers what it has seen there."""

    def __init__(self) -> None:
        self.seen: List[str] = []

    def __call__(self, seen: Observation) -> Optional[Answer]:
        self.seen += seen.sentences
        question = seen.question
        if question.seconds_left < 2:
            return question.random_answer()
        options = ", ".join(f"{option.is_} ({option.named})" for option in question.options)
        asked = [
            f"You are asked: {question.step} ({question.verb}).",
            f"You may choose: {options}." if options else f"Say something of at most {question.max_chars} characters.",
            f"Your last answer was not legal: {seen.refused}" if seen.refused else "",
            'Reply with JSON alone: {"answer": ...}, where the answer fits this JSON schema: ' + json.dumps(question.schema),
        ]
        said = self.ask(
            f"You play at seat {seen.seat} as {seen.name(f'seat:{seen.seat}')}. The rules:\n{seen.rules_text}\n{seen.brief}",
            "\n".join(self.seen[-MEMORY:] + [line for line in asked if line]),
            question.seconds_left - 1,
        )
        try:
            return json.loads(said)["answer"]
        except (ValueError, KeyError, TypeError):
            return question.random_answer()

    def ask(self, system: str, user: str, seconds: float) -> str:
        """What the model replies; empty when it does not in time."""
        body = {
            "model": MODEL,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_object"},
        }
        request = urllib.request.Request(f"{BASE}/chat/completions", json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Bearer {KEY}")
        try:
            with urllib.request.urlopen(request, timeout=seconds) as response:
                return json.loads(response.read())["choices"][0]["message"]["content"]
        except (OSError, ValueError, KeyError, IndexError) as error:
            print(f"the model gave no answer: {error}", file=sys.stderr)
            return ""


if __name__ == "__main__":
    play(Agent, games=int(sys.argv[1]) if len(sys.argv) > 1 else None)
