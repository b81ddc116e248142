import { createContext, use } from 'react';
import type { Moment, Tape, TableRules } from '../time/tape.ts';
import { type SeatFacts, seatsAt } from './facts.ts';

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
}

/** The scene at position `n`, from 1. */
export function sceneAt(tape: Tape, n: number, isLive: boolean): Scene {
  const moment = tape.moments[n - 1]!;
  const rules = tape.rules!;
  const { language } = rules.set;
  const names = moment.after.game.names.map((name, seat) => (name === undefined ? undefined : (language?.displayName(name, seat) ?? name)));
  return { rules, tape, n, moment, names, seats: seatsAt(rules, moment), isLive };
}

export const SceneContext = createContext<Scene | undefined>(undefined);
export const useScene = (): Scene => use(SceneContext)!;
