import { tagged } from '@maw/games/english/words.ts';
import type { Suspicion } from '../recording/recording.ts';
import { type Line, lineOf } from '../scene/lines.ts';
import type { Tape } from '../time/tape.ts';
import type { Round } from './rounds.ts';
import type { Vote } from './votes.ts';

/** What a player could not know while the game ran. */
export interface Missed {
  readonly seat: number;
  /** Secret lines about the seat that it did not see. */
  readonly secrets: readonly Line[];
  /** Who found it suspicious: how likely at most, and when; in a round in which it was of the village. */
  readonly suspecters: readonly { readonly by: number; readonly round: number; readonly share: number; readonly n: number }[];
  /** Who voted against it, and at which moments. */
  readonly voters: readonly { readonly by: number; readonly ns: readonly number[] }[];
}

/** From this probability on somebody suspects. */
const SUSPECTS = 0.5;

/** @param narrator the narrator's view: it holds what the seat did not see */
export function missedBy(
  seat: number,
  narrator: Tape,
  rounds: readonly Round[],
  suspicions: readonly Suspicion[],
  votes: readonly Vote[],
): Missed {
  const rules = narrator.rules!;
  const names = narrator.moments.at(-1)!.after.game.names.map((name) => name ?? '');
  const isAbout = ({ text = '', parts = [] }: Line): boolean =>
    parts.some((part) => typeof part !== 'string' && part.seat === seat) ||
    new RegExp(`@${seat}(?!\\d)`).test(tagged(text, { names, roles: [] }));
  const secrets = rounds.flatMap(({ moments }) =>
    moments.flatMap((moment) => {
      const line = lineOf(rules, moment);
      if (!line?.isSecret || line.kind === 'refused' || line.by === seat) return [];
      const seen: unknown = rules.game.see(moment.before, moment.seen.event, seat);
      return JSON.stringify(seen) === JSON.stringify(moment.seen.event) || !isAbout(line) ? [] : [line];
    }),
  );
  const suspecters = rounds.flatMap(({ round, roles, moments, isEvil }) =>
    roles.flatMap((_, by) => {
      const own = suspicions.filter((each) => each.round === round && each.seat === by).sort((a, b) => b.of[seat]! - a.of[seat]!);
      const [most] = own;
      const n = most && moments.findLast(({ seen }) => seen.at <= most.at)?.seen.n;
      return n === undefined || by === seat || isEvil(by) || most!.of[seat]! < SUSPECTS ? [] : [{ by, round, share: most!.of[seat]!, n }];
    }),
  );
  const against = Map.groupBy(
    votes.filter(({ on }) => on === seat),
    ({ by }) => by,
  );
  return { seat, secrets, suspecters, voters: [...against].map(([by, own]) => ({ by, ns: own.map(({ n }) => n) })) };
}
