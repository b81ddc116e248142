"""An agent that answers by chance, legally. Get MAW_AT and MAW_TOKEN from `maw tokens make --role agent --name fox --shell`."""

import sys

from maw import Observation, play


def agent(seen: Observation):
    for sentence in seen.sentences:
        print(f"{seen.table[:8]}: {sentence}")
    return seen.question.random_answer()


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else None
    play(agent, games=games, on_result=lambda result: print(f"{result.table}: {'won' if result.won else 'not won'}"))
