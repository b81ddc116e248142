import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { read } from '@maw/games/english/reader.ts';
import { seededRoll } from '@maw/games/kernel/dice.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { type Seat, seatOf, stepOf } from '@maw/games/kernel/question.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { type DrivenTerms, playDriven } from './driven-game.ts';
import type { Asking, Script, SeenEvent, Sight } from './scripted-person.ts';

/** The tables with a seer and a village that executes, for people who write as they like. */
const OPTIONS: { readonly [rules: string]: DrivenTerms['options'] } = {
  'maw': { pace: 'people', seer: true },
  'werewolf-7': { pace: 'people' },
};
export const SEER_RULES = Object.keys(OPTIONS);

interface Result {
  readonly about: Seat;
  readonly isWolf: boolean;
}

/** In the manner of people at such tables. `{x}`: the player looked at. */
const FOUND = [
  'im seer, {x} is wolf',
  'seer here. {x} is a werewolf',
  'i am the seer and {x} is wolf. vote {x}',
  'checked {x}. wolf. im the seer',
];
const CLEARED = [
  'im seer, {x} is clean',
  'seer here, checked {x}, not wolf',
  'i am the seer, {x} is not a werewolf',
  'im seer i checked {x}, villager',
];
const BARE = ['im the seer', 'seer here, no result yet'];
const AGAIN = ['im the seer dont kill me', 'guys im seer', 'why would i lie, im the seer'];

/** What a seer has learnt, in order. */
const resultsOf = (events: readonly SeenEvent[], seat: Seat): readonly Result[] =>
  events.flatMap((event) => {
    const { type, by, seat: about, role, isWolf, found } = event as { readonly type: string } & { readonly [field: string]: unknown };
    if ((type !== 'inspected' && type !== 'divined') || by !== seat) return [];
    return [{ about: about as Seat, isWolf: role === 'wolf' || isWolf === true || found === 'werewolf' }];
  });

const deadIn = (events: readonly SeenEvent[]): readonly Seat[] =>
  events.flatMap((event) => {
    const {
      type,
      seat,
      dead = [],
    } = event as { readonly type: string; readonly seat?: Seat; readonly dead?: readonly { readonly seat: Seat }[] };
    if (type === 'executed' || type === 'murdered' || type === 'killed') return [seat!];
    return type === 'dawned' ? dead.map((one) => one.seat) : [];
  });

/** A true seer who says what it has learnt in a few words as soon as it can, and votes accordingly. */
const seerScript: Script = {
  says({ id }, { seat, names, events, dice }, said) {
    const results = resultsOf(events, seat);
    const last = results.at(-1);
    const pick = (sentences: readonly string[]): string => dice.pick(sentences as [string, ...string[]]);
    if (said > 0) return stepOf(id) === 'talk' && !/turn/.test(id) && said < 2 ? pick(AGAIN) : undefined;
    return last ? pick(last.isWolf ? FOUND : CLEARED).replaceAll('{x}', names[last.about]!.toLowerCase()) : pick(BARE);
  },
  chooses({ id, options }: Asking, { seat, events, dice }: Sight) {
    const results = resultsOf(events, seat);
    const dead = deadIn(events);
    const seats = options.map(({ is }) => is).filter((is) => is.startsWith('seat:') && is !== `seat:${seat}` && !dead.includes(seatOf(is)));
    const isOf = (wanted: boolean) => (is: string) => results.some(({ about, isWolf }) => is === `seat:${about}` && isWolf === wanted);
    const isNew = (is: string) => !isOf(true)(is) && !isOf(false)(is);
    const best = /inspect|divine/.test(stepOf(id))
      ? seats.filter(isNew)
      : [seats.filter(isOf(true)), seats.filter(isNew)].find((some) => some.length);
    const [choice] = dice.shuffle(best?.length ? best : seats);
    return choice === undefined ? undefined : [choice];
  },
};

export interface SeersGame {
  readonly tape: readonly RecordedEvent[];
  readonly seat: Seat;
  /** The village executed the seer after it had claimed its role, and while nobody else had. */
  readonly isExecuted: boolean;
  /** How many executions there were with a living wolf found, and how many of these met one. */
  readonly found: number;
  readonly followed: number;
}

/** Plays a game in which a person is dealt the seer, and says so. */
export async function playAsSeer(rules: string, seed: string): Promise<SeersGame> {
  const set = ruleSetNamed(rules);
  const options = OPTIONS[rules]!;
  const { usual } = set.players;
  const game = set.rules(usual, readOptions(set.options, { ...options, pace: undefined }));
  const dealt = game.deal(usual, { now: 0, dice: seededRoll(seed, 'round-1/deal'), open: [] }).find(({ type }) => type === 'dealt');
  const seat = (dealt as unknown as { readonly roles: readonly string[] }).roles.indexOf('seer');
  const tape = await playDriven({ rules, seed, options, seat, script: seerScript });
  return { tape, seat, ...fateOf(tape, seat) };
}

type Told = SeenEvent & {
  readonly seat?: Seat;
  readonly name?: string;
  readonly question?: string;
  readonly answer?: { readonly by: Seat; readonly says: readonly string[] };
};

/** What became of a seer who claims its role, and of its words. */
function fateOf(tape: readonly RecordedEvent[], seat: Seat): Pick<SeersGame, 'isExecuted' | 'found' | 'followed'> {
  const names: string[] = [];
  const claimants = new Set<Seat>();
  const fate = { isExecuted: false, found: 0, followed: 0 };
  for (const [n, { event }] of tape.entries()) {
    const { type, answer, question = '', ...told } = event as Told;
    if (type === 'joined') names[told.seat!] = told.name!;
    if (type === 'answered' && /talk$/.test(question) && !/night/.test(question) && claimsSeer(answer!, names)) claimants.add(answer!.by);
    if (type !== 'executed') continue;
    const before = tape.slice(0, n).map((one) => one.event as SeenEvent);
    const dead = deadIn(before);
    if (told.seat === seat && claimants.has(seat) && claimants.size === 1) fate.isExecuted = true;
    const wolves = resultsOf(before, seat).filter(({ about, isWolf }) => isWolf && !dead.includes(about));
    if (dead.includes(seat) || !wolves.length || claimants.size > 1) continue;
    fate.found++;
    if (wolves.some(({ about }) => about === told.seat)) fate.followed++;
  }
  return fate;
}

const claimsSeer = ({ by, says }: NonNullable<Told['answer']>, names: readonly string[]): boolean =>
  read(says[0]!, by, { names, roles: ['seer', 'werewolf', 'villager'] }).some((one) => one.act === 'claims-role' && one.role === 'seer');

/** Games of as many seeds. */
export async function seersGames(rules: string, count: number): Promise<readonly SeersGame[]> {
  const games: SeersGame[] = [];
  for (let i = 0; i < count; i++) games.push(await playAsSeer(rules, `seer ${i}`));
  return games;
}

/** How many executed the seer, and what share of the executions met a wolf that it had found. */
export const outcomeOf = (games: readonly SeersGame[]) => ({
  executed: games.filter((game) => game.isExecuted).length,
  followed: games.reduce((sum, one) => sum + one.followed, 0) / games.reduce((sum, one) => sum + one.found, 0),
});
