import { diceOf } from '@maw/games/kernel/dice.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { ShownRecord } from '@maw/games/records/imported.ts';
import type { Moment, News } from '@maw/rule-players/moment.ts';
import { believe, takeIn } from '@maw/rule-players/player.ts';

/** By what the living are ranked. */
export type RankedBy = 'belief' | 'received';

/** How suspicious each of the living is in the evening of a day, after its talk and its vote and before anybody dies. */
export interface DaySuspicion {
  readonly day: number;
  readonly seats: readonly { readonly isWolf: boolean; readonly belief: number; readonly received: number }[];
}

/**
 * What `rules` believes at the end of each day's vote, by what everybody at the table has heard: no role is told, not even those of the dead, and no
 * lines of the night. The belief is the public one. Votes received are those of all days so far.
 */
export function suspicionsOf(tape: ShownRecord['tape']): readonly DaySuspicion[] {
  const roles = tape.find(({ event }) => event.type === 'dealt')!.event['roles'] as readonly string[];
  const names = tape.flatMap(({ event }) => (event.type === 'joined' ? [event['name'] as string] : []));
  const dead = new Set<number>();
  const received = new Map<number, number>();
  const days: DaySuspicion[] = [];
  let news: News[] = [];
  let memory = {};
  for (const [i, { event }] of tape.entries()) {
    const { question, answer } = event as {
      readonly question?: string;
      readonly answer?: { readonly by: number; readonly says: readonly string[] };
    };
    const isOfNight = typeof question === 'string' && question.includes('/night-');
    if (isOfNight || event.type === 'told' || event.type === 'ended') continue;
    const step = typeof question === 'string' ? stepOf(question) : '';
    if (event.type === 'answered' && step === 'vote') {
      const on = Number(answer!.says[0]!.slice('seat:'.length));
      received.set(on, (received.get(on) ?? 0) + 1);
    }
    const shown = event.type === 'dealt' ? { ...event, roles: roles.map(() => 'hidden') } : event;
    const said =
      event.type !== 'answered'
        ? {}
        : step === 'talk'
          ? { by: answer!.by, speech: answer!.says[0]! }
          : { by: answer!.by, says: answer!.says };
    news.push({ n: i + 1, event: shown, ...said });
    if (event.type === 'executed') {
      const players = names.map((name, seat) => ({ seat, name, alive: !dead.has(seat) }));
      const moment = momentOf(players, days.length + 1, news);
      memory = takeIn(memory, moment);
      news = [];
      // At dusk votes of the day are final.
      const dusk = takeIn(memory, momentOf(players, days.length + 1, [{ n: i + 1.5, event: { type: 'dusked', day: days.length + 1 } }]));
      const { seen } = believe(dusk, moment) as { readonly seen: { readonly wolf: readonly number[] } };
      const living = players.filter(({ alive }) => alive);
      days.push({
        day: days.length + 1,
        seats: living.map(({ seat }) => ({ isWolf: roles[seat] === 'wolf', belief: seen.wolf[seat]!, received: received.get(seat) ?? 0 })),
      });
    }
    if (event.type === 'executed' || event.type === 'murdered') dead.add(event['seat'] as number);
  }
  return days;
}

const momentOf = (players: Moment['players'], day: number, news: readonly News[]): Moment => ({
  table: 'people', seat: 0, now: 0, until: 1, phase: `round-1/day-${day}`, iteration: 0, questions: [], standing: {}, news,
  rules: { name: 'maw' }, players, seed: 'people', isTimeShort: false,
}); // prettier-ignore

interface Ranking {
  readonly auc: string;
  readonly precision: string;
  /** The average precision of a ranking at random; its AUC is 0.5. */
  readonly chance: string;
  readonly games: number;
  readonly cases: number;
}

const RESAMPLES = 2_000;

/** Mean over games of the mean over their days, with an interval of the bootstrap over games. */
export function rankings(days: readonly (DaySuspicion & { readonly game: number })[], by: RankedBy): Ranking {
  const usable = days.filter(({ seats }) => seats.some(({ isWolf }) => isWolf) && seats.some(({ isWolf }) => !isWolf));
  const games = [...Map.groupBy(usable, ({ game }) => game).values()];
  const interval = (of: (one: DaySuspicion) => number): string => {
    const each = games.map((own) => mean(own.map(of)));
    const dice = diceOf('human games', by);
    const sorted = Array.from({ length: RESAMPLES }, () => mean(each.map(() => each[dice.below(each.length)]!))).toSorted((a, b) => a - b);
    const at = (share: number): string => sorted[Math.floor(share * (RESAMPLES - 1))]!.toFixed(2);
    return `${mean(each).toFixed(3)} (${at(0.025)} to ${at(0.975)})`;
  };
  const chance = mean(games.map((own) => mean(own.map(precisionAtRandom))));
  return { auc: interval((one) => aucOf(one, by)), precision: interval((one) => precisionOf(one, by)), chance: chance.toFixed(2), games: games.length, cases: usable.length }; // prettier-ignore
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How often a mafioso is ranked above a bystander; a tie is half. */
export function aucOf({ seats }: Pick<DaySuspicion, 'seats'>, by: RankedBy): number {
  const [wolves, others] = [seats.filter(({ isWolf }) => isWolf), seats.filter(({ isWolf }) => !isWolf)];
  return mean(wolves.flatMap((wolf) => others.map((other) => (wolf[by] > other[by] ? 1 : wolf[by] === other[by] ? 0.5 : 0))));
}

/** The mean, over the mafiosi, of the share of mafiosi among those ranked as high. In a tie the bystanders stand first, half of them. */
export function precisionOf({ seats }: Pick<DaySuspicion, 'seats'>, by: RankedBy): number {
  return mean(
    seats.flatMap((one) => {
      if (!one.isWolf) return [];
      const above = seats.filter((each) => each !== one && each[by] > one[by]);
      const tied = seats.filter((each) => each !== one && each[by] === one[by]);
      const wolves = 1 + above.filter(({ isWolf }) => isWolf).length + tied.filter(({ isWolf }) => isWolf).length / 2;
      return [wolves / (1 + above.length + tied.length / 2)];
    }),
  );
}

const SHUFFLES = 500;

function precisionAtRandom({ seats }: DaySuspicion): number {
  const dice = diceOf('human games', 'chance');
  const ranked = () => dice.shuffle(seats).map((one, belief) => ({ ...one, belief }));
  return mean(Array.from({ length: SHUFFLES }, () => precisionOf({ seats: ranked() }, 'belief')));
}
