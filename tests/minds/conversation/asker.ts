import { phaseOf, type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Asking, Moment, Recipe } from '@maw/minds/mind.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import type { Speech, Transcript } from './transcript.ts';

/** What the scripted person asks, and what an answer names if not the asker. */
const QUESTIONS = [
  { text: 'whom do you suspect?', matter: /\bsuspect|\bworries me\b|\bin mind\b/i },
  { text: 'are you the ROLE?', matter: /\bROLE\b/i },
  { text: 'why did you vote as you did?', matter: /\bvoted?\b|\bbecause\b/i },
  { text: 'whom do you trust?', matter: /\btrust|\bsafest\b/i },
] as const;
const ROLES: { readonly [rules: string]: string } = { avalon: 'Merlin', onuw: 'Seer', aiwolf: 'Seer' };

const questionsFor = (rules: string) =>
  QUESTIONS.map(({ text, matter }) => {
    const role = ROLES[rules] ?? 'Seer';
    return { text: text.replace('ROLE', role), matter: new RegExp(matter.source.replace('ROLE', role), 'i') };
  });

/** A scripted person: plays like `rules`, and by day asks every other living player a question by name; in games in turns, all in one speech. */
export function scriptedPerson(): Recipe {
  const { steps, ...rest } = findRecipe('rules');
  const asked = new Set<string>();
  return {
    ...rest,
    name: 'asker',
    steps: [
      ...steps,
      {
        kind: 'act',
        name: 'ask',
        async run({ answers }, moment) {
          const talk = moment.questions.find(isTalk);
          if (!talk) return {};
          const silent = talk.options.length ? [{ question: talk.id, says: ['Over'] }] : [];
          const others = answers.filter(({ question }) => question !== talk.id);
          const day = phaseOf(talk.id).replace(/\/turn-\d+$/, '');
          if (asked.has(day)) return { answers: [...others, ...silent] };
          asked.add(day);
          const texts = questionsOf(moment, asked.size);
          const speeches = talk.final ? [texts.join(' ')] : texts;
          return { answers: [...others, ...speeches.map((text) => ({ question: talk.id, says: [text] }))] };
        },
      },
    ],
  };
}

const isTalk = ({ id, verb }: Asking): boolean => verb === 'say' && stepOf(id) === 'talk' && !/(^|\/)night/.test(id);
/** Another question to each on every day. */
function questionsOf({ players, seat, rules }: Moment, turn: number): string[] {
  const all = questionsFor(rules.name);
  return players.flatMap((player) =>
    player.alive && player.seat !== seat ? [`${player.name}, ${all[(player.seat + turn) % all.length]!.text}`] : [],
  );
}

export interface Answered {
  readonly asked: number;
  readonly answered: number;
  /** What was asked, and the speeches that do not answer it. */
  readonly missed: readonly string[];
}

/** How many of the questions of seat `by` were answered in the next two speeches of whom it asked, if that one spoke again while both lived. */
export function answersIn(rules: string, by: Seat, { names, speeches }: Transcript): Answered {
  const missed: string[] = [];
  let asked = 0;
  for (const [i, { by: speaker, text }] of speeches.entries()) {
    if (speaker !== by) continue;
    for (const [seat, name] of names.entries()) {
      const put = seat === by ? undefined : questionsFor(rules).find((one) => text.includes(`${name}, ${one.text}`));
      if (!put) continue;
      const next = nextSpeeches(speeches.slice(i + 1), seat, by);
      if (!next.length) continue;
      asked++;
      const isAnswer = ({ text: reply }: Speech) => new RegExp(namePattern(names[by]!), 'iu').test(reply) || put.matter.test(reply);
      if (!next.some(isAnswer)) missed.push([`${name}, ${put.text}`, ...next.map((one) => one.text)].join(' | '));
    }
  }
  return { asked, answered: asked - missed.length, missed };
}

const nextSpeeches = (speeches: readonly Speech[], by: Seat, asker: Seat): readonly Speech[] =>
  speeches.filter((speech) => speech.by === by && !speech.dead.includes(asker) && !/^(?:Over|Skip)$/.test(speech.text)).slice(0, 2);
