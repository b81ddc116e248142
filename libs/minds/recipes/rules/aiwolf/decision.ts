import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../../../mind.ts';
import type { Known } from './record.ts';
import { voteFor } from './speech.ts';

/** What a player of AIWolf wants to do now, whatever is asked. */
export interface Doing {
  readonly vote: Seat | undefined;
  readonly divine?: Seat | undefined;
  readonly guard?: Seat | undefined;
  readonly attack?: Seat | undefined;
  /** What it has to say, the first of it now; nothing is `Over`. */
  readonly says: readonly string[];
}

/** After so many utterances in a day it changes its mind in silence. */
const MOST_SAID = 6;

/** That it will vote for somebody, if that is not what it has said last. */
export const wishFor = (vote: Seat | undefined, { wishes, said }: Known, { seat }: Moment): readonly string[] =>
  vote === undefined || wishes[seat]?.about === vote || said.length >= MOST_SAID ? [] : [voteFor(vote)];
