/** What one seat has seen of a game, as the packets of both divisions tell it. */
import { type Aiwolf, type AiwolfEvent, evolve, initialState, type Place, type Speech } from '@maw/games/aiwolf/state.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';
import { type Answer, type Instant, type Seat, seatOf } from '@maw/games/kernel/question.ts';
import type { Terms } from './terms.ts';

export interface Utterance {
  readonly by: Seat;
  readonly day: number;
  readonly idx: number;
  readonly turn: number;
  readonly text: string;
  readonly at: Instant;
}

export interface Ballot {
  readonly by: Seat;
  readonly day: number;
  readonly target: Seat;
}

/** What the night has brought its own. */
interface Night {
  readonly attacked?: Seat;
  readonly guarded?: Seat;
}

type ByPlace<T> = { readonly [place in Place]: T };

export interface View {
  readonly game: Aiwolf;
  /** That of the packets: at the end of a game it is the next one, also after an execution. */
  readonly day: number;
  /** The day has begun, and its news are not complete yet. */
  readonly isMorning: boolean;
  /** What was said today, and before it the whispers of the day before that were not sent then. */
  readonly said: ByPlace<readonly Utterance[]>;
  /** How many whispers of the day before there are. */
  readonly carried: number;
  /** How much of what was said the agent has been sent. */
  readonly sent: ByPlace<number>;
  /** The number of the next utterance. */
  readonly idx: ByPlace<number>;
  /** How many of the turn's order have had their turn. */
  readonly had: number;
  /** How often a seat may still speak today. A seat that could not this morning has no number. */
  readonly left: ByPlace<readonly (number | undefined)[]>;
  /** Of the latest round, today and yesterday. */
  readonly votes: readonly Ballot[];
  readonly votesBefore: readonly Ballot[];
  readonly attackVotes: readonly Ballot[];
  readonly attackVotesBefore: readonly Ballot[];
  readonly night: Night;
  readonly nightBefore: Night;
  /** The question that was sent last. */
  readonly asked?: string;
}

const NOTHING_SAID = { said: { talk: [], whisper: [] }, carried: 0, sent: { talk: 0, whisper: 0 }, idx: { talk: 0, whisper: 0 }, had: 0 };

export const newView: View = {
  ...NOTHING_SAID,
  game: initialState,
  day: 0,
  isMorning: false,
  left: { talk: [], whisper: [] },
  votes: [],
  votesBefore: [],
  attackVotes: [],
  attackVotesBefore: [],
  night: {},
  nightBefore: {},
};

const at = <T>(all: ByPlace<T>, place: Place, value: T): ByPlace<T> => ({ ...all, [place]: value });

/** The view after an event of the game. */
export function viewAfter(v: View, e: AiwolfEvent, terms: Terms): View {
  const next = { ...v, game: evolve(v.game, e) };
  switch (e.type) {
    case 'dealt':
      return rested(next, terms);
    case 'dawned':
      return begun(next, e.day, terms);
    case 'killed':
      return rested(next, terms);
    case 'ordered':
      return turned({ ...next, isMorning: false }, e, terms);
    case 'attacked':
      return { ...next, night: { ...v.night, ...(e.seat === undefined ? {} : { attacked: e.seat }) } };
    case 'guarded':
      return { ...next, night: { ...v.night, guarded: e.seat } };
    case 'ended':
      return v.isMorning ? next : rested(begun(next, v.day + 1, terms), terms);
    case 'unharmed':
    case 'tied':
    case 'executed':
    case 'died':
    case 'spared':
    case 'gazed':
    case 'divined':
    case 'identified':
      return next;
  }
}

/** A new day: what was today's is yesterday's. */
function begun(v: View, day: number, terms: Terms): View {
  const unsent = terms.isStrict ? [] : v.said.whisper.slice(v.sent.whisper);
  return rested(
    {
      ...v,
      ...NOTHING_SAID,
      said: { talk: [], whisper: unsent },
      carried: unsent.length,
      day,
      isMorning: true,
      votes: [],
      votesBefore: v.votes,
      attackVotes: [],
      attackVotesBefore: v.attackVotes,
      night: {},
      nightBefore: v.night,
    },
    terms,
  );
}

/** Everybody alive may speak as often as on any day. */
function rested(v: View, { options }: Terms): View {
  const { roles, living } = v.game;
  const among = (seats: readonly Seat[], count: number) => roles.map((_, seat) => (seats.includes(seat) ? count : undefined));
  const wolves = living.filter((seat) => roles[seat] === 'werewolf');
  return { ...v, left: { talk: among(living, options.utterances), whisper: among(wolves, options.whispers) } };
}

/** A turn begins. The natural-language division numbers each talk and whispering anew, although whispers of one day then share their numbers. */
function turned(v: View, { place, turn, left }: Speech, terms: Terms): View {
  const isAnew = terms.division === 'natural' && turn === 0 && (place === 'talk' || terms.isStrict);
  const counts = v.left[place].map((count, seat) => (v.game.speech!.order.includes(seat) ? left[seat] : count));
  return silenced({ ...v, had: 0, left: at(v.left, place, counts), idx: isAnew ? at(v.idx, place, 0) : v.idx }, 0, terms);
}

/** In the protocol division, those who have used up what they may say say `Over` when it is their turn. */
function silenced(v: View, now: Instant, { division }: Terms): View {
  const { order, left, place, turn } = v.game.speech!;
  for (;;) {
    const seat = order[v.had];
    if (seat === undefined || left[seat]! > 0) return v;
    v = { ...(division === 'protocol' ? stored(v, place, seat, OVER, now, turn) : v), had: v.had + 1 };
  }
}

function stored(v: View, place: Place, by: Seat, text: string, now: Instant, turn: number): View {
  const utterance = { by, day: v.day, idx: v.idx[place], turn, text, at: now };
  return { ...v, said: at(v.said, place, [...v.said[place], utterance]), idx: at(v.idx, place, v.idx[place] + 1) };
}

const isAnytime = ({ options }: Terms, place: Place): boolean => place === 'talk' && options.talk === 'anytime';

/** The view after somebody spoke, or kept silent for too long. */
export function viewAfterSpeech(v: View, { by, says: [text = ''] }: Answer, now: Instant, terms: Terms): View {
  const { place, turn } = v.game.speech!;
  const cost = text === OVER || (text === SKIP && !terms.options.skipsCount) ? 0 : 1;
  const left = v.left[place].map((count, seat) => (seat === by ? count! - cost : count));
  // In a talk at any time, the turns of each player are its own.
  const number = isAnytime(terms, place) ? v.said.talk.filter((each) => each.by === by).length : turn;
  const heard = stored({ ...v, left: at(v.left, place, left) }, place, by, text, now, number);
  return silenced({ ...heard, had: v.had + 1 }, now, terms);
}

/** The view after a round of a vote. */
export function viewAfterVote(v: View, step: 'vote' | 'attack', answers: readonly Answer[]): View {
  const ballots = answers.toSorted((a, b) => a.by - b.by).map(({ by, says }) => ({ by, day: v.day, target: seatOf(says[0]!) }));
  return step === 'vote' ? { ...v, votes: ballots } : { ...v, attackVotes: ballots };
}

/** Whether the talk of the day ends with its current turn: all have said `Over`, or there are no more turns. */
export function isLastTurn({ game, said }: View, terms: Terms): boolean {
  if (isAnytime(terms, 'talk')) return true;
  const { options } = terms;
  const { turn } = game.speech!;
  const texts = said.talk.filter((each) => each.turn === turn).map(({ text }) => text);
  return turn + 1 >= options.turns || texts.every((text) => text === OVER);
}

/** Whether nobody has anything left to say, so that nobody is asked. */
export const isSilent = ({ left, order }: Speech): boolean => order.every((seat) => left[seat] === 0);

/**
 * Who was executed today and yesterday, who died last night, and what seer and medium have learnt of it. As the server has it, the divined fox
 * comes first of the dead, and the attacked after it: as far as the seat knows them, else seats are in order.
 */
export function newsOf({ game, day, nightBefore }: View) {
  const on = <T extends { readonly day: number }>(all: readonly T[], which: number): T | undefined =>
    all.findLast((one) => one.day === which);
  const divined = on(game.divined, day);
  const dead = game.killed.filter((one) => one.day === day).map(({ seat }) => seat);
  const place = (seat: Seat) => Number(seat === nightBefore.attacked) - Number(seat === divined?.seat || game.roles[seat] === 'fox');
  return {
    executedToday: on(game.executed, day)?.seat,
    executed: on(game.executed, day - 1)?.seat,
    killed: dead.toSorted((a, b) => place(a) - place(b)),
    divined,
    identified: on(game.identified, day),
  };
}
