"""Play Multi-Agent Werewolf with a program of your own.

    from maw import play

    def agent(seen):
        return seen.question.random_answer()

    play(agent, at="http://127.0.0.1:8080", key="...")
"""

from .http import MawError
from .observation import Answer, News, Observation, Option, Question
from .play import Agent, Result, play

__all__ = ["Agent", "Answer", "MawError", "News", "Observation", "Option", "Question", "Result", "play"]
