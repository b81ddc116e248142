import { sentencesOf } from '@maw/contracts/whole-sentences.ts';
import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { Mind, Moment } from '../../mind.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { fitting, isRefusal, speechOf } from '../../replies/speech.ts';
import { askAll } from '../../steps/calls.ts';
import { isDue } from '@maw/rule-players/conversation/clock.ts';
import { drawnAnew, freeTalkOf, hear, isRepeated, MOST_MISSED, pauseUntil, speakersIn, type Talk } from './clock.ts';

const rhythm = {
  by: z.enum(['model', 'rule']).describe('Who says when: the model is asked, or the clock alone'),
  linesPerMinute: z.number().min(0.5).max(60).describe('Lines a minute of the whole table'),
  addressedFactor: z.number().min(1).max(20).describe('How many times sooner a seat speaks that was named and has not answered'),
  longest: z.int().min(1).max(600).describe('The longest wait between two thoughts, in seconds'),
};

const talkOf = ({ notes }: Mind): Talk | undefined => notes['talk'] as Talk | undefined;
const MOST_OWN = 10;
const ownLines = ({ notes }: Mind): readonly string[] => (notes['mine'] as readonly string[] | undefined) ?? [];
const USUAL_WORDS = 8;

/** What prompts show of a talk. */
function shownOf(talk: Talk, moment: Moment): Mind['notes'] {
  const asking = freeTalkOf(moment)!;
  const n = speakersIn(moment, asking);
  const words = talk.words.toSorted((a, b) => a - b);
  const isBelow = talk.all === 0 || asking.secret || talk.own * n < talk.all;
  return {
    share: talk.all ? `${talk.own} of the ${talk.all} lines of this talk so far are yours.` : 'Nobody has said anything in this talk yet.',
    below: isBelow ? 'yes' : '',
    above: isBelow ? '' : 'yes',
    length: String(words[Math.floor(words.length / 2)] ?? USUAL_WORDS),
  };
}

/**
 * Looks at the clock of a free talk, and says a line whose typing is done. The note `floor` is there when a line shall be written, `consider`
 * when the model shall be asked whether to, and `asked` where talk is not free.
 */
const talkClockKind = stepKind({
  step: 'talk-clock',
  description: 'Decides by lines and a clock of the seat when it may speak where talk is free, and says a line that has been typed.',
  parameters: z.strictObject(rhythm),
  create: (given) => ({
    kind: 'plan',
    chain: 0,
    async run(mind, moment) {
      const asking = freeTalkOf(moment);
      const open = { ...mind.notes, draft: '', floor: '', consider: '', asked: '', dropped: '' };
      if (!asking) return { notes: { ...open, asked: 'yes' }, pause: undefined };
      const { typed, ...talk } = hear(mind, moment, asking, given);
      const about = { ...open, ...shownOf(talk, moment) };
      if (typed && typed.missed > MOST_MISSED) {
        const isDropped = typed.isSecond || moment.isTimeShort;
        return isDropped
          ? { notes: { ...about, talk, dropped: 'late' } }
          : { notes: { ...about, talk: { ...talk, typed: { ...typed, missed: 0, isSecond: true } }, floor: 'again' } };
      }
      if (typed && moment.now >= typed.at) {
        const mine = [...ownLines(mind), typed.text].slice(-MOST_OWN);
        const next = drawnAnew({ ...talk, own: talk.own + 1, all: talk.all + 1 }, moment, asking, given, moment.now);
        const said = { ...next, own: talk.own, all: talk.all, isNamed: false };
        return { answers: [{ question: asking.id, says: [typed.text] }], notes: { ...about, talk: said, mine } };
      }
      if (typed || moment.isTimeShort) return { notes: { ...about, talk: typed ? { ...talk, typed } : talk } };
      const isHeard = talk.all > (talkOf(mind)?.phase === talk.phase ? talkOf(mind)!.all : 0);
      const hasPassed = isDue(talk, moment.now);
      return {
        notes: {
          ...about,
          talk,
          floor: given.by === 'rule' && hasPassed ? 'due' : '',
          consider: given.by === 'model' && (hasPassed || isHeard) ? 'yes' : '',
        },
      };
    },
    shows: () => ({}),
  }),
});

const reply = z.object({ now: z.enum(['speak', 'wait']) });
const format = schemaOf(reply);

/** Asks the model whether to speak, apart from what to say. No answer waits. */
const talkFloorKind = stepKind({
  step: 'talk-floor',
  description: 'Asks the model whether the seat speaks now or waits, and nothing else.',
  parameters: z.strictObject({
    prompt: z.string().describe('The prompt file'),
    temperature: z.number().min(0).max(2),
    maxTokens: z.int().min(1).describe('Tokens of the reply'),
  }),
  create({ prompt, ...how }, setup) {
    const file = setup.prompt(prompt);
    return {
      kind: 'plan',
      chain: 1,
      async run(mind, moment, tools) {
        const [chosen] = await askAll(tools, [{ messages: file.messages(mind, moment), format, ...how }], reply);
        return { notes: { ...mind.notes, floor: chosen?.now === 'speak' ? 'model' : '' } };
      },
      shows: (_, { notes }) => ({ says: notes['floor'] ? 'speak' : 'wait', told: notes['below'] ? 'speak' : 'wait' }),
    };
  },
});

/** Types what was written, and sets when the seat thinks next. A text that cannot be said, or was said before, is dropped. */
const typeLineKind = stepKind({
  step: 'type-line',
  description: 'Types the note `draft` at the pace of a person before it is said, and waits for the clock of the talk.',
  parameters: z.strictObject({
    ...rhythm,
    wordsPerSecond: z.number().min(0.2).max(20).describe('How fast it types'),
    typingCap: z.number().min(0).max(60).describe('The longest time for a line, in seconds'),
    style: z.enum(['chat', 'plain']).describe('chat: small letters and no full stop at the end'),
  }),
  create: ({ wordsPerSecond, typingCap, style, ...given }) => ({
    kind: 'plan',
    chain: 0,
    async run(mind, moment, tools) {
      const [asking, talk] = [freeTalkOf(moment), talkOf(mind)];
      if (!asking || !talk) return {};
      const now = tools.now();
      const { draft } = mind.notes;
      const written = typeof draft === 'string' ? draft : '';
      const text = written && lineOf(written, moment.name, asking.maxChars, style);
      const isNew = text !== '' && !isRepeated(text, ownLines(mind));
      const typingMs = 1_000 * Math.min(typingCap, text.split(' ').length / wordsPerSecond);
      const typed = isNew
        ? { text, at: Math.max(now, moment.now + typingMs), missed: 0, isSecond: talk.typed?.isSecond ?? false }
        : mind.notes['floor'] ? undefined : talk.typed; // prettier-ignore
      const hasPassed = mind.notes['floor'] !== '' || isDue(talk, now);
      const next = hasPassed ? drawnAnew(talk, moment, asking, given, now) : talk;
      const dropped = written && !isNew ? (text ? 'repeated' : 'unfit') : mind.notes['dropped'];
      const notes = { ...mind.notes, talk: { ...next, typed }, draft: '', floor: '', consider: '', dropped };
      return { notes, pause: pauseUntil(typed?.at ?? next.due ?? now, now, given.longest) };
    },
    shows: (_, { notes: { dropped } }) => (dropped ? { dropped } : {}),
  }),
});

/** The first sentence of a reply, as it is said; empty when it cannot be. */
function lineOf(written: string, name: string, maxChars: number, style: 'chat' | 'plain'): string {
  const speech = speechOf(written, name);
  if (isRefusal(speech)) return '';
  const first = fitting(sentencesOf(speech)[0]?.trim() ?? '', maxChars);
  return style === 'plain' ? first : first.toLowerCase().replace(/\.+$/, '');
}

export const timeToTalkSteps = [talkClockKind, talkFloorKind, typeLineKind] as const;
