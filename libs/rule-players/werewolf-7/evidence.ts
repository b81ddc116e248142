import type { Seat } from '@maw/games/kernel/question.ts';
import { alive, type Role } from '@maw/games/werewolf-7/state.ts';
import { oppositionOf } from '../shared/opposition.ts';
import type { Evidence } from './belief.ts';
import type { Known } from './record.ts';

const SEATS = [0, 1, 2, 3, 4, 5, 6] as const;

/** What everybody knows, including announced roles. */
export function publicEvidence({ game, days, claims, options }: Known): Evidence {
  const all = Object.values(days);
  return {
    roles: game.roles.map((role, seat) =>
      game.dead.includes(seat) && isAnnounced(options, days, seat) && role !== 'hidden' ? role : undefined,
    ),
    wolves: [],
    cleared: [],
    alive: alive(game),
    wolfWin: options.wolfWin,
    nights: all.map(({ died }) => died),
    attacked: [],
    against: oppositionOf(all, SEATS.length),
    claims,
  };
}

/** What this seat knows besides: its role, its partner, its inspections, warnings and poison. */
export function ownEvidence(known: Known, seat: Seat): Evidence {
  const seen = publicEvidence(known);
  const { game, own } = known;
  const found = (isWolf: boolean) => game.inspected.flatMap(([about, is]) => (is === isWolf ? [about] : []));
  const isPack = game.roles[seat] === 'werewolf';
  return {
    ...seen,
    roles: game.roles.map((role, at) => (role === 'hidden' ? seen.roles[at] : (role as Role))),
    wolves: found(true),
    cleared: [...found(false), ...(isPack ? SEATS.filter((at) => game.roles[at] !== 'werewolf') : [])],
    nights: seen.nights.map((died) => died.filter((at) => at !== own.poisoned)),
    attacked: own.warned,
    claims: seen.claims.filter(({ by }) => by !== seat),
  };
}

function isAnnounced({ revealExecuted, revealNightRoles, revealFirstNight }: Known['options'], days: Known['days'], seat: Seat): boolean {
  const night = Object.entries(days).find(([, { died }]) => died.includes(seat))?.[0];
  return night === undefined ? revealExecuted : revealNightRoles || (revealFirstNight && night === '1');
}
