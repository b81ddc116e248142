import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { alive } from '@maw/games/werewolf-7/state.ts';
import type { Moment } from '../moment.ts';
import { countVotes } from '../shared/ranking.ts';
import type { Voice } from '../conversation/voice.ts';
import type { SeerResult } from '../conversation/phrases.ts';
import type { Belief } from './belief.ts';
import type { Known } from './record.ts';
import type { Occasion } from './sentences.ts';

/** What a seat looks at when it decides. */
export interface Situation {
  readonly known: Known;
  readonly belief: Belief;
  readonly moment: Moment;
  readonly dice: Dice;
  readonly voice: Voice<Occasion>;
  readonly me: Seat;
  readonly alive: readonly Seat[];
  /** Today's votes of the others, by target. */
  readonly votes: ReadonlyMap<Seat, number>;
}

export const situationOf = (known: Known, belief: Belief, moment: Moment, dice: Dice, voice: Voice<Occasion>): Situation => ({
  known,
  belief,
  moment,
  dice,
  voice,
  me: moment.seat,
  alive: alive(known.game),
  votes: countVotes(known.days[known.game.day]?.votes ?? {}, moment.seat),
});

export const nameOf = ({ moment }: Situation, seat: Seat): string => moment.players[seat]!.name;

interface Result {
  readonly seat: Seat;
  readonly isWolf: boolean;
}

/** Which results to tell: new ones, and wolves who are still alive. */
export const untold = ({ known, me, ...here }: Situation, results: readonly Result[]): readonly Result[] => {
  const told = known.claims.find(({ by }) => by === me)?.results ?? [];
  return results.filter(({ seat, isWolf }) => (isWolf && here.alive.includes(seat)) || !told.some(({ about }) => about === seat));
};

export const namedResults = (here: Situation, results: readonly Result[]): readonly SeerResult[] =>
  results.map(({ seat, isWolf }) => ({ name: nameOf(here, seat), isWolf, isDead: !here.alive.includes(seat) }));

/** Whether this seat has claimed to be the seer. */
export const isOutAsSeer = ({ known, me }: Situation): boolean => known.claims.some(({ by, is }) => by === me && is === 'seer');

/** Nothing to say: one time in five that it is a villager. */
export const idle = ({ voice, dice }: Situation): string => voice(dice.below(5) === 0 ? 'plain' : 'idle');
