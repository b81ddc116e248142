import { must, mustEqual } from './broken-law.ts';
import type { Playthrough } from './playthrough.ts';

/** Folding the tape, as read back from a store, gives the position that stepping gave. @throws BrokenLaw */
export function folds({ table }: Playthrough): void {
  const stored = JSON.parse(JSON.stringify(table.tape)) as typeof table.tape;
  mustEqual(withoutGaps(table.game.fold(stored)), withoutGaps(table.standing), 'folding is not stepping');
}

/** JSON drops undefined fields, which a position may have. */
const withoutGaps = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** A seat's options follow from what it has seen, at every step, and every eye can fold what it sees. @throws BrokenLaw */
export function followsFromViews({ table, steps }: Playthrough): void {
  const { game, rules, tape } = table;
  const names = table.standing.game.names.map((name) => name ?? '');
  for (const eye of [...names.keys(), 'audience' as const]) {
    let [at, seen] = [game.begin(), game.begin()];
    let next = 0;
    for (const { standing, tape: upTo } of steps) {
      for (; next < upTo; next++) {
        const event = tape[next]!;
        const view = game.see(at, event, eye);
        if (view) seen = game.evolve(seen, view);
        at = game.evolve(at, event);
      }
      if (typeof eye !== 'number') continue;
      must(typeof rules.brief(seen.game, eye, names) === 'string', () => `seat ${eye} has no brief`);
      for (const asked of game.asked(standing, eye)) {
        const own = seen.open.find(({ id }) => id === asked.id);
        must(own !== undefined, () => `seat ${eye} is asked ${asked.id}, which it has not seen being asked`);
        const options = rules.narrow?.(seen.game, own, eye) ?? own.options;
        mustEqual(asked.options, options, `what seat ${eye} may choose at ${asked.id} does not follow from what it has seen`);
      }
    }
  }
}
