import type { Seat } from '@maw/games/kernel/question.ts';
import type { Hearing } from './hearing.ts';
import type { Filling, Voice } from './voice.ts';

/** What everybody at a table has seen, so that all can check what is said about it. */
export interface Affairs {
  /** Public votes for players, in order, the replaced ones too. */
  readonly votes: readonly Against[];
  /** Who was spoken against, in order. */
  readonly accusations: readonly Against[];
  /** Who was no wolf, as the game has shown to all. */
  readonly innocent: readonly Seat[];
  /** Who says to have found a wolf in whom, by its role. */
  readonly found: readonly Against[];
}

interface Against {
  readonly by: Seat;
  readonly about: Seat;
}

/** The records of days in this form; `targets` reads a vote. */
export function affairsOf<Vote>(
  days: readonly { readonly votes: { readonly [voter: number]: Vote }; readonly accusations: readonly string[] }[],
  targets: (vote: Vote) => readonly Seat[],
): Pick<Affairs, 'votes' | 'accusations'> {
  const accusation = (one: string): Against => ({ by: Number(one.split('/')[0]), about: Number(one.split('/')[1]) });
  return {
    votes: days.flatMap(({ votes }) =>
      Object.entries(votes).flatMap(([by, vote]) => targets(vote).map((about) => ({ by: Number(by), about }))),
    ),
    accusations: days.flatMap((day) => day.accusations.map(accusation)),
  };
}

type Clause = `clause${'Found' | 'Vote' | 'Turn' | 'Critic' | 'Accuser' | 'Hunch'}`;

/** How a reason is put: as a clause about `who`. */
interface Wording {
  readonly me: Seat;
  readonly who: string;
  readonly voice: Voice<Clause>;
  nameOf(seat: Seat): string;
}

/** What all have seen that speaks against a player; undefined when there is nothing. `isTrusted`: whose results count. */
export function reasonAgainst(
  { votes, accusations, innocent, found }: Affairs,
  seat: Seat,
  isTrusted: (by: Seat) => boolean,
  { me, who, voice, nameOf }: Wording,
): string | undefined {
  const say = (clause: Clause, filling: Filling = {}): string => voice(clause, { who, ...filling });
  const finder = found.findLast(({ by, about }) => about === seat && by !== me && isTrusted(by));
  if (finder) return say('clauseFound', { by: nameOf(finder.by) });
  const own = votes.filter(({ by }) => by === seat);
  const wrong = own.findLast(({ about }) => innocent.includes(about));
  if (wrong) return say('clauseVote', { target: nameOf(wrong.about) });
  if (own.some(({ about }) => about === me)) return say('clauseCritic');
  if (accusations.some(({ by, about }) => by === seat && about === me)) return say('clauseAccuser');
  const words = accusations.filter(({ by }) => by === seat).map(({ about }) => about);
  const [last, spared] = [own.at(-1)?.about, words.findLast((about) => !own.some((vote) => vote.about === about))];
  if (last === undefined || spared === undefined || words.includes(last) || found.some(({ about }) => about === last)) return undefined;
  return say('clauseTurn', { target: nameOf(spared), other: nameOf(last) });
}

/** Whether a vote that somebody speaks of was never cast, as far as votes are public. */
export const isUntrue = ({ votes }: Affairs, { of, about }: NonNullable<Hearing['reported']>): boolean =>
  votes.length > 0 && !votes.some((one) => one.by === of && one.about === about);
