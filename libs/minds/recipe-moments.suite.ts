import { catalogue } from '@maw/games/catalogue.ts';
import { asking } from './fixtures.suite.ts';
import type { Asking, Moment } from './mind.ts';
import type { News } from './news.ts';
import { quote } from './sanitize.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus'];
type Line = News | readonly [by: number, speech: string];

/** One situation of each rule set: seat 0, Ann, is asked to talk, and to choose. */
interface Situation {
  readonly players: number;
  readonly dead?: readonly number[];
  readonly phase: string;
  readonly role: string;
  readonly roles: 'roles' | 'cards';
  readonly brief: string;
  readonly news: readonly Line[];
  readonly talk: Partial<Asking>;
  readonly choice: readonly [step: string, more: Partial<Asking>];
}

/** An event that only the seat sees, or everybody in a room. */
const event = (type: string, text: string, more: object = {}): News => ({ at: 0, event: { type, ...more }, text });
const announced = (type: string, text: string, more: object = {}): News => ({
  ...event(type, text, more),
  room: 'Village',
  line: 1,
  isPublic: true,
});
const seats = (...of: readonly number[]) => of.map((seat) => ({ is: `seat:${seat}`, named: NAMES[seat]! }));
const words = (...of: readonly string[]) => of.map((is) => ({ is, named: is }));

const SITUATIONS: { readonly [rules: string]: Situation } = {
  'maw': {
    players: 5,
    dead: [4],
    phase: 'day-2',
    role: 'seer',
    roles: 'roles',
    brief: 'Your role: Seer. You know that Bob is a Werewolf.',
    news: [
      event('inspected', 'Bob is a Werewolf.', { by: 0, seat: 1, role: 'wolf' }),
      [1, 'As a Villager I suspect Eve.'],
      announced('executed', 'Eve is executed.', { seat: 4 }),
      announced('dawned', 'Day 2 begins. The Village is open.', { day: 2 }),
      [2, 'Eve said nothing before she died.'],
    ],
    talk: { final: false, maxChars: 300 },
    choice: ['vote', { options: seats(1, 2, 3), final: false }],
  },
  'werewolf-7': {
    players: 7,
    dead: [6],
    phase: 'day-2',
    role: 'witch',
    roles: 'roles',
    brief: 'Your role: Witch. You have the poison.',
    news: [
      event('warned', 'The Werewolves have chosen Dot tonight.', { to: 0, seat: 3 }),
      event('saved', 'Dot is saved by the antidote.', { by: 0, seat: 3 }),
      announced('dawned', 'Day 1 begins. Nobody died in the night.', { day: 1, dead: [] }),
      [5, 'I am the Seer, and Bob is not a Werewolf.'],
      announced('executed', 'Gus is executed.', { seat: 6 }),
      [1, 'Let us hear who was saved.'],
    ],
    talk: {},
    choice: ['poison', { options: [...seats(1, 2, 3, 4, 5), ...words('pass')], secret: true }],
  },
  'aiwolf': {
    players: 5,
    dead: [4],
    phase: 'day-2/turn-1',
    role: 'seer',
    roles: 'roles',
    brief: 'You are Agent[01]. Your role: Seer. You win with the village. You know that Bob is a Werewolf.',
    news: [
      announced('killed', 'Eve was killed in the night.', { seat: 4 }),
      event('divined', 'Bob is a Werewolf.', { by: 0, seat: 1, found: 'werewolf' }),
      [1, 'COMINGOUT Agent[02] SEER'],
      [2, 'ESTIMATE Agent[02] WEREWOLF'],
      [3, 'Skip'],
    ],
    talk: { options: words('Skip', 'Over', 'VOTE Agent[02]') },
    choice: ['vote', { options: seats(1, 2, 3) }],
  },
  'avalon': {
    players: 6,
    phase: 'quest-2/proposal-1',
    role: 'merlin',
    roles: 'roles',
    brief: 'Your role: Merlin, good. You see that Bob and Cid are evil. Quests so far: 0 succeeded, 1 failed.',
    news: [
      event('saw', 'Ann sees that Bob and Cid are evil.', { seat: 0, of: [1, 2], as: 'evil' }),
      [1, 'I am loyal. Take me along.'],
      announced('proposed', 'Dot names Bob and Eve for quest 1.', { team: [1, 4] }),
      announced('quested', 'Quest 1 of Bob and Eve fails: 1 fail card.', { team: [1, 4], isSuccess: false }),
      [4, 'Bob must be evil, for I played success.'],
    ],
    talk: {},
    choice: ['team', { options: seats(0, 1, 2, 3, 4, 5), pick: 3 }],
  },
  'onuw': {
    players: 4,
    phase: 'day/round-2',
    role: 'robber',
    roles: 'cards',
    brief: 'You were dealt a Robber. In the night you gave your card to Bob and took a Werewolf for it.',
    news: [
      event('looked', 'Ann looks at the card that is now in front of Ann: a Werewolf.', { by: 0, at: 'seat:0', card: 'werewolf' }),
      announced('dawned', 'The night is over.'),
      [1, 'I was the Villager.'],
      [2, 'As the Seer I saw that Dot is an Insomniac.'],
      [3, 'I woke up as what I was.'],
    ],
    talk: {},
    choice: ['vote', { options: seats(1, 2, 3) }],
  },
};

/** The names of the rule sets that have a situation. */
export const situations = Object.keys(SITUATIONS);

/** What Ann is asked in a situation, and all that she has learnt. @param more what others say last */
export function situationOf(rules: string, kind: 'talk' | 'choice', more: readonly string[] = []): Moment {
  const { players, dead = [], phase, role, roles, brief, news, talk, choice } = SITUATIONS[rules]!;
  const set = catalogue.find(({ name }) => name === rules)!;
  const [step, rest] = kind === 'talk' ? (['talk', { room: 'Village', ...talk }] as const) : choice;
  const dealt = { at: 0, event: { type: 'dealt', [roles]: NAMES.slice(0, players).map((_, seat) => (seat ? 'hidden' : role)) } };
  const lines = [...news, ...more.map((speech): Line => [1, speech])];
  return {
    recipe: '',
    table: 'table',
    seat: 0,
    name: 'Ann',
    now: 0,
    until: 60_000,
    phase: `round-1/${phase}`,
    round: 1,
    iteration: 0,
    questions: [asking(`${phase}/${step}`, kind === 'talk' ? 'say' : 'choose', [], rest)],
    standing: {},
    news: [{ at: 0, event: { type: 'began', round: 1 }, text: 'Round 1 begins.', isPublic: true }, dealt, ...lines.map(newsOf)],
    refused: [],
    brief,
    rules: { name: rules, text: set.text(players, {}) },
    players: NAMES.slice(0, players).map((name, seat) => ({ seat, name, alive: !dead.includes(seat) })),
    seed: 'seed',
    isTimeShort: false,
    mustChoose: false,
    contextTokens: 16_384,
  };
}

const isSpeech = (line: Line): line is readonly [number, string] => Array.isArray(line);

function newsOf(line: Line): News {
  if (!isSpeech(line)) return line;
  const [by, speech] = line;
  return { at: 0, by, room: 'Village', line: 1, speech, text: `[Village] ${NAMES[by]}: ${quote(speech)}`, isPublic: true };
}
