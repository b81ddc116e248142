import { publicClock } from '@maw/games/match/clock.ts';
import { must } from './broken-law.ts';
import type { Playthrough } from './playthrough.ts';

/**
 * At every step everybody may know the phase and a time by which it ends, made from what the audience has seen: no alarm rings later than
 * that, and no step of the phase happens later.
 * @throws BrokenLaw
 */
export function tellsTheTime({ table, steps }: Playthrough): void {
  const { game, rules } = table;
  let [at, seen, since] = [game.begin(), game.begin(), 0];
  const witness = (events: readonly { readonly type: string }[], now: number): void => {
    for (const event of events) {
      const view = game.see(at, event, 'audience');
      if (view) [seen, since] = [game.evolve(seen, view), now];
      at = game.evolve(at, event);
    }
  };
  witness(table.tape.slice(0, steps[0]!.tape), 0);
  for (const { now, events } of steps) {
    const { phase = '', until } = publicClock(rules, seen, since);
    const open = at.open.map(({ id }) => id).join(', ');
    must(phase.length > 0 && until !== undefined, () => `nobody may know when ${open} ends: the rules have no secretPhase`);
    const latest = Math.max(now, game.wake(at)!);
    must(latest <= until, () => `${open} may last until ${latest}, but everybody is told that ${phase} ends by ${until}`);
    witness(events, now);
  }
}
