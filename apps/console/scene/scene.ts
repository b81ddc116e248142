import { createContext, use } from 'react';
import { roundMoments } from '../time/round.ts';
import type { Moment, Tape, TableRules } from '../time/tape.ts';
import { type SeatFacts, seatsAt } from './facts.ts';
import { type Known, knownIn } from './known.ts';

/** What the parts of the page show: one moment of one view. */
export interface Scene {
  readonly rules: TableRules;
  readonly tape: Tape;
  /** The number of events up to the moment. */
  readonly n: number;
  readonly moment: Moment;
  readonly names: readonly (string | undefined)[];
  readonly seats: readonly SeatFacts[];
  readonly isLive: boolean;
  /** What the eye has learnt of the seats in this round. */
  readonly known: Known;
}

/** The scene at position `n`, from 1. */
export function sceneAt(tape: Tape, n: number, isLive: boolean): Scene {
  const moment = tape.moments[n - 1]!;
  const rules = tape.rules!;
  return {
    rules,
    tape,
    n,
    moment,
    names: namesAt(rules, moment),
    seats: seatsAt(rules, moment),
    isLive,
    known: knownIn(roundMoments(tape.moments, n)),
  };
}

const knownNames = new WeakMap<readonly (string | undefined)[], Scene['names']>();

/** The names as the page shows them; the same array for all moments with the same players. */
function namesAt({ set: { language } }: TableRules, { after }: Moment): Scene['names'] {
  const given = after.game.names;
  const known = knownNames.get(given);
  if (known) return known;
  const names = given.map((name, seat) => (name === undefined ? undefined : (language?.displayName(name, seat) ?? name)));
  knownNames.set(given, names);
  return names;
}

export const SceneContext = createContext<Scene | undefined>(undefined);
export const useScene = (): Scene => use(SceneContext)!;
