import { type Question, type Seat, seats } from '../kernel/question.ts';
import { MAX_PLAYERS } from './role-counts.ts';
import { agentOf } from './language/content-reader.ts';
import { writeAgent } from './language/content-writer.ts';
import type { Aiwolf, Place } from './state.ts';

/** What follows from who is alive. */
interface Roster {
  readonly living: readonly Seat[];
  /** The living wolves, and all other living players. */
  readonly wolves: readonly Seat[];
  readonly humans: readonly Seat[];
  /** Every wolf dealt. Dead ones still listen. */
  readonly pack: readonly Seat[];
  /** As options: the living, and the living humans. */
  readonly all: readonly string[];
  readonly prey: readonly string[];
  /** What may always be said: `Skip`, `Over`, and a plan against each living player or each living human. */
  readonly lines: { readonly [place in Place]: readonly string[] };
}

/** `VOTE Agent[01]` etc., by seat. */
const plans = (verb: string) => Array.from({ length: MAX_PLAYERS }, (_, seat) => `${verb} ${writeAgent(agentOf(seat))}`);
const PLANS: { readonly [place in Place]: readonly string[] } = { talk: plans('VOTE'), whisper: plans('ATTACK') };

/** The most recent roster, cached because many questions have the same living players. */
let latest: Roster | undefined;

export function rosterOf({ roles, living }: Aiwolf): Roster {
  if (latest?.living === living) return latest;
  const isWolf = (seat: Seat) => roles[seat] === 'werewolf';
  const humans = living.filter((seat) => !isWolf(seat));
  const lines = (place: Place, targets: readonly Seat[]) => ['Skip', 'Over', ...targets.map((seat) => PLANS[place][seat]!)];
  latest = {
    living,
    wolves: living.filter(isWolf),
    humans,
    pack: roles.flatMap((_, seat) => (isWolf(seat) ? [seat] : [])),
    all: seats(living),
    prey: seats(humans),
    lines: { talk: lines('talk', living), whisper: lines('whisper', humans) },
  };
  return latest;
}

let narrowed: { readonly options: readonly string[]; readonly bySeat: (readonly string[])[] } | undefined;

/** What a seat may always say: like all others, but no plan against itself. */
export function linesFor({ options, room }: Question, seat: Seat): readonly string[] {
  if (narrowed?.options !== options) narrowed = { options, bySeat: [] };
  return (narrowed.bySeat[seat] ??= options.filter((line) => line !== PLANS[room === 'Hideout' ? 'whisper' : 'talk'][seat]));
}
