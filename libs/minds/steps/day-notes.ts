import { diceOf } from '@maw/games/kernel/dice.ts';
import { z } from 'zod';
import { roomBesides, tokensOf } from '../context.ts';
import type { Mind, Moment } from '../mind.ts';
import { type News, periodOf, phaseOfNews, titleOf } from '../news.ts';
import { rulesPrompt } from '../prompts/prompt.ts';
import { stepKind } from '../recipe/step-kind.ts';
import { sanitize } from '../sanitize.ts';
import { newest, showDropped } from './budget.ts';

/** What a mind notes that remembers announcements for ever and debates for a day. */
interface DayNotes {
  /** The day, night or quest of the last thought: `day-2`. Empty before the first. */
  readonly period: string;
  /** Announcements, own results and own final choices, of the whole game. */
  readonly observations: readonly string[];
  /** What players said and openly chose in this period. */
  readonly debate: readonly string[];
  /** The debate of the day or quest that has just ended. */
  readonly finished: readonly string[];
  /** The last choice of one's own in this period. */
  readonly choice: string;
  /** Who spoke last; -1 for nobody. */
  readonly speaker: number;
}

const newNotes: DayNotes = { period: '', observations: [], debate: [], finished: [], choice: '', speaker: -1 };

/**
 * Sorts the news into notes: announcements and own results stay for the whole game, speeches for a day. `living` are the living in random
 * order, `earlier` the last period that has ended, `heard` whether somebody spoke, and `floor` is there until a step takes it away.
 */
export const dayNotesKind = stepKind({
  step: 'day-notes',
  description: 'Notes announcements and own results for the whole game, and what was said for the current day, quest or night.',
  parameters: z.strictObject({
    besides: z.int().min(0).describe('Tokens of reply and prompt besides rules and notes, at most'),
  }),
  create: ({ besides }) => ({
    kind: 'observe',
    async run(mind, moment) {
      const all = notesAfter(mind, moment);
      const notes = fit(all, moment.contextTokens - roomBesides(moment.contextTokens, besides) - tokensOf(rulesPrompt(moment)));
      const isNext = mind.notes['period'] !== undefined && mind.notes['period'] !== notes.period;
      const earlier = isNext ? mind.notes['period'] : mind.notes['earlier'];
      const ofPeriod = isNext ? { placed: undefined, intended: undefined, said: undefined } : {};
      const heard = moment.news.some(({ speech, by }) => speech !== undefined && by !== moment.seat) ? 'yes' : '';
      return {
        notes: {
          ...mind.notes,
          ...notes,
          dropped: linesOf(all) - linesOf(notes),
          ...ofPeriod,
          living: livingOf(moment),
          earlier,
          heard,
          floor: 'free',
          rationale: '',
        },
        pause: undefined,
      };
    },
    shows: showDropped,
  }),
});

function notesAfter(mind: Mind, { news, phase, round, seat }: Moment): DayNotes {
  const began = news.findLastIndex(({ event }) => event?.type === 'began');
  const before = began < 0 ? ({ ...newNotes, ...mind.notes } as DayNotes) : newNotes;
  const now = periodOf(phase);
  let notes = before.period === '' || before.period === now ? { ...before, finished: [] } : closePeriod(before);
  let period = before.period || now;
  for (const one of news.slice(began + 1)) {
    period = periodOf(phaseOfNews(one, round) ?? '') || period;
    notes = note(notes, one, { period, now, seat });
  }
  return { ...notes, period: now };
}

/** Nights are too private to be summarised: what was said in them is kept as it is. */
function closePeriod(notes: DayNotes): DayNotes {
  const { period, debate, choice } = notes;
  const isNight = period.startsWith('night');
  const own = choice === '' ? [] : [choice];
  const kept = (isNight ? debate : own).map((line) => `${titleOf(period)}: ${line}`);
  return { ...notes, observations: [...notes.observations, ...kept], finished: isNight ? [] : debate, debate: [], choice: '', speaker: -1 };
}

interface NewsPlace {
  /** The period in which it happened. */
  readonly period: string;
  /** The period of this thought. */
  readonly now: string;
  /** One's own. */
  readonly seat: number;
}

function note(notes: DayNotes, { text, by, says, speech, room }: News, { period, now, seat }: NewsPlace): DayNotes {
  const isOld = period !== now;
  const speaker = speech !== undefined && by !== undefined && !isOld ? by : notes.speaker;
  if (text === undefined) return { ...notes, speaker };
  const isOwnChoice = says !== undefined && by === seat;
  const isPrivate = isOwnChoice && room === undefined;
  if (by === undefined || isPrivate || (isOld && period.startsWith('night')))
    return { ...notes, observations: [...notes.observations, `${titleOf(period)}: ${text}`], speaker };
  if (!isOld) return { ...notes, debate: [...notes.debate, text], ...(isOwnChoice ? { choice: text } : {}), speaker };
  const own = isOwnChoice ? [`${titleOf(period)}: ${text}`] : [];
  return { ...notes, observations: [...notes.observations, ...own], finished: [...notes.finished, text] };
}

const linesOf = ({ observations, debate, finished }: DayNotes): number => observations.length + debate.length + finished.length;

/** Drops the oldest lines, of observations only those that take more than half of the room. */
function fit(notes: DayNotes, tokens: number): DayNotes {
  const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + tokensOf(line) + 1, 0);
  const observations = newest(notes.observations, tokens - Math.min(sizeOf(notes.debate), tokens / 2));
  const left = tokens - sizeOf(observations);
  return { ...notes, observations, debate: newest(notes.debate, left), finished: newest(notes.finished, left) };
}

function livingOf({ players, seat, seed, phase, iteration }: Moment): string {
  const living = players.filter(({ alive }) => alive);
  const names = living.map((player) => `${sanitize(player.name)}${player.seat === seat ? ' (you)' : ''}`);
  return diceOf(seed, `${seat}/${phase}/${iteration}/living`).shuffle(names).join(', ');
}
