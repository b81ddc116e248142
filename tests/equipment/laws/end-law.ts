import { readOptions } from '@maw/games/kernel/options.ts';
import type { Question } from '@maw/games/kernel/question.ts';
import { must, mustEqual } from './broken-law.ts';
import type { Playthrough } from './playthrough.ts';

/** The game has ended with a consistent result, asked each question once, and kept to its days. @throws BrokenLaw */
export function ends({ set, setting, table }: Playthrough): void {
  const { game, open } = table.standing;
  const seats = game.names.map((_, seat) => seat);
  must(game.results.length === setting.rounds, () => `${game.results.length} results of ${setting.rounds} rounds`);
  mustEqual(open, [], 'nothing is asked after the end');
  for (const { winner, winners, roles, points } of game.results) {
    must(roles.length === seats.length && points.length === seats.length, 'every seat has a role and points');
    must((winner === 'draw') === (winners.length === 0), () => `${winner} is won by ${winners.length}`);
    must(
      winners.every((seat) => seats.includes(seat)) && new Set(winners).size === winners.length,
      () => `winners ${winners.join()} are seats, each once`,
    );
    must(points.every(Number.isFinite), () => `points ${points.join()} are numbers`);
  }
  const ids = table.tape.flatMap((e) => (e.type === 'asked' ? [(e['question'] as Question).id] : []));
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  must(twice === undefined, () => `${twice} is asked twice`);
  if (!set.options['maxDays']) return;
  const days = Number(readOptions(set.options, setting.options ?? {})['maxDays']); // presets may have more days
  const last = Math.max(0, ...ids.map((id) => Number(/\/day-(\d+)\//.exec(id)?.[1] ?? 0)));
  must(last <= days, () => `day ${last} is played of ${days}`);
}
