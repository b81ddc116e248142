import { catalogue } from '@maw/games/catalogue.ts';
import { publicClock } from '@maw/games/match/clock.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';

/** A phase as somebody lives it who knows what everybody may know. */
export interface PublicPhase {
  /** Its name without numbers: `day` of `round-1/day-2/turn-3`. */
  readonly kind: string;
  readonly ms: number;
  /** The longest time without an event that everybody sees. */
  readonly silentMs: number;
  /** How long no question was open that everybody may know of: who has no secret part in it can do nothing. */
  readonly idleMs: number;
}

/** `day-2` of `round-1/day-2/turn-3`. */
const nameOf = (phase = ''): string => phase.split('/')[1] ?? phase;

/** The phases of the rounds of a table, in order. */
export function phasesOf(tape: readonly RecordedEvent[]): readonly PublicPhase[] {
  const { state } = fromTape(tape[0]!.event.type, tape, catalogue);
  const { game, rules } = state;
  let [standing, seen] = [game.begin(), game.begin()];
  let since = tape[0]!.at;
  const phases: { name: string; ms: number; silentMs: number; idleMs: number; quietMs: number }[] = [];
  for (const { event, at } of tape) {
    const view = game.see(standing, event, 'audience');
    const ms = at - since;
    if (ms > 0 && seen.game.stage === 'round') {
      const name = nameOf(publicClock(rules, seen, since).phase);
      if (phases.at(-1)?.name !== name) phases.push({ name, ms: 0, silentMs: 0, idleMs: 0, quietMs: 0 });
      const phase = phases.at(-1)!;
      phase.ms += ms;
      phase.quietMs += ms;
      phase.silentMs = Math.max(phase.silentMs, phase.quietMs);
      if (!seen.open.length) phase.idleMs += ms;
    }
    since = at;
    standing = game.evolve(standing, event);
    if (!view) continue;
    seen = game.evolve(seen, view);
    if (phases.length) phases.at(-1)!.quietMs = 0;
  }
  return phases.map(({ name, ms, silentMs, idleMs }) => ({ kind: name.replace(/-\d+$/, ''), ms, silentMs, idleMs }));
}

/** How long somebody without a secret part could do nothing in a whole game, in milliseconds. */
export const idleMsIn = (tape: readonly RecordedEvent[]): number => phasesOf(tape).reduce((sum, { idleMs }) => sum + idleMs, 0);
