import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import { commonOrder } from '../shared/ranking.ts';
import type { Known } from './record.ts';
import { voteFor } from './speech.ts';

/** After this many utterances in a day it changes its mind silently. */
const MAX_STATEMENTS = 6;

/** The common order of the day. */
export const orderOf = (known: Known, moment: Moment): readonly Seat[] => commonOrder(moment, `${known.round}/${known.game.day}`);

/** Says for whom it will vote, unless it has said so last. */
export const announce = (vote: Seat | undefined, { wishes, said }: Known, { seat }: Moment): readonly string[] =>
  vote === undefined || wishes[seat]?.about === vote || said.length >= MAX_STATEMENTS ? [] : [voteFor(vote)];
