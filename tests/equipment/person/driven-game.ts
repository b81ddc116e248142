import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, type MemoryHub, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { optionsAtOpening } from '@maw/games/kernel/options.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { player } from '@maw/player/service.ts';
import type { RecordedEvent, Tapes } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import { type DrivenClock, drivenClock } from './driven-clock.ts';
import { playAsPerson, readingMs, type Script } from './scripted-person.ts';

const START = Date.UTC(2040, 0, 1);
const TABLE = 't1';
const PERSON = 0;
/** The bus is quiet when nothing happens in so many turns of the event loop. */
const QUIET_TURNS = 12;

export interface DrivenTerms {
  readonly rules: string;
  readonly seed: string;
  readonly options: { readonly [name: string]: string | number | boolean };
  /** How long the nights are, of those that a table at the pace of people may draw; the shortest by default. */
  readonly nights?: 'shortest' | 'longest';
  /** false: a mind takes the seat of the person over at once. */
  readonly hasPerson?: boolean;
  /** The name of the table, by which the tempers and words of its players are drawn; `t1` by default. */
  readonly table?: string;
  /** The seat of the person; the first one by default. */
  readonly seat?: number;
  /** What the person says and chooses. Absent: what anybody would. */
  readonly script?: Script;
}

type Game = DrivenTerms & { readonly clock: DrivenClock; readonly hub: MemoryHub; sends: number };

/** Plays a table of `rules` minds and one scripted person to its end, on a clock that goes on whenever nothing is left to do. Returns its tape. */
export async function playDriven(terms: DrivenTerms): Promise<readonly RecordedEvent[]> {
  const { table = TABLE } = terms;
  const { clock, hub, ...rest } = { clock: drivenClock(START), hub: memoryHub() };
  const game: Game = { ...terms, ...rest, clock, hub, sends: 0 };
  const counting: MemoryHub = { ...hub, send: (...given) => (game.sends++, hub.send(...given)) };
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => (opened.push(part), part);
  const { now, sleep } = clock;
  const store = keep(memoryStore());
  const log = logger('person', { level: 'silent' });
  const busOf = (service: string) => keep(memoryBus({ service, hub: counting, now }));
  const over = new AbortController();
  try {
    keep(
      await gamemaster({
        bus: busOf('gamemaster'),
        tapes: store.tapes,
        now,
        steady: now,
        log,
        options: { alarmEveryMs: 0, shareEveryMs: 0, metricsEveryMs: 0, obeyBacklog: false },
      }),
    );
    keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now }));
    keep(await player({ bus: busOf('player'), thoughts: store.thoughts, now, sleep, log }));
    const web = busOf('web');
    await open(game, web);
    const person =
      terms.hasPerson === false ? undefined : playAsPerson({ seat: PERSON, ...terms, bus: web, clock, table, signal: over.signal });
    person?.catch(() => undefined); // it ends with the game
    for (await quiet(game); !(await store.tapes.result(table)); await quiet(game)) await goOn(game, store.tapes, web);
    return await store.tapes.read(table);
  } finally {
    over.abort(new Error('the game is over'));
    for (const part of opened.toReversed()) await part.close();
  }
}

/** Opens the table, and seats the person. */
async function open(
  { rules, seed, table = TABLE, nights, clock, hasPerson = true, seat: person = PERSON, ...given }: Game,
  web: Bus,
): Promise<void> {
  const set = ruleSetNamed(rules);
  const { usual } = set.players;
  const options = optionsAtOpening(set.options, given.options, (least, most) => (nights === 'longest' ? most : least)) as Game['options'];
  const seats = Array.from({ length: usual }, (_, seat) => ({
    kind: seat === person ? ('person' as const) : ('mind' as const),
    recipe: 'rules',
  }));
  const about = (id: string) => ({ id, source: 'web', subject: table, at: clock.now(), replyBy: clock.now() + 60_000 });
  const requests = [
    contracts.write('table.open', { rules, seats, seed, options, rounds: 1 }, about('open')),
    contracts.write('table.join', { seat: person, name: 'Ann' }, about('join')),
    ...(hasPerson ? [] : [contracts.write('table.hand', { seat: person, to: 'mind' }, about('hand'))]),
  ];
  for (const request of requests) {
    const { performative, data } = await web.request(request as Message<'table.open'>);
    if (performative === 'refuse') throw new Error(JSON.stringify(data));
  }
}

/** Resolves when no message is sent and nobody goes to sleep any more. */
async function quiet(game: Game): Promise<void> {
  const activity = (): number => game.sends + game.clock.sleeps();
  for (let turns = 0, before = activity(); turns < QUIET_TURNS; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (activity() !== before) [turns, before] = [0, activity()];
  }
}

/** Sets the clock to the next moment at which something happens: somebody wakes, or an alarm of the table rings. */
async function goOn({ clock, seed, table = TABLE }: Game, tapes: Tapes, web: Bus): Promise<void> {
  const [due] = await tapes.due(Number.MAX_SAFE_INTEGER, 1);
  const next = Math.min(clock.next(), due?.alarm ?? Infinity);
  if (next === Infinity) throw new Error(`nothing happens any more at the table of seed ${seed}`);
  clock.goOn(next);
  if (due && due.alarm <= next) {
    const about = { id: `tick/${due.alarm}/${clock.sleeps()}`, source: 'gamemaster', subject: table, at: clock.now() };
    await web.publish(contracts.write('table.tick', { alarm: due.alarm }, about));
  }
}

type Event = RecordedEvent['event'];

/** The questions, besides whispers, that a seat was asked while it was alive, and has not answered. @param seat by default that of the person */
export function missedIn(tape: readonly RecordedEvent[], seat = PERSON): readonly string[] {
  const { state } = fromTape(TABLE, tape, catalogue);
  const { game, rules } = state;
  let standing = game.begin();
  const owed = new Set<string>();
  const missed: string[] = [];
  for (const { event } of tape) {
    const e = event as Event & TableEvent;
    if (e.type === 'answered' && e.answer.by === seat) owed.delete(e.question);
    if (e.type === 'passed' && e.seat === seat) missed.push(e.question);
    if ((e.type === 'settled' || e.type === 'withdrawn') && owed.delete(e.question)) missed.push(e.question);
    standing = game.evolve(standing, event);
    if (standing.game.stage !== 'round') owed.clear();
    else if (e.type === 'asked' && e.question.verb !== 'tell' && e.question.of.includes(seat) && !rules.out(standing.game).includes(seat))
      owed.add(e.question.id);
  }
  return [...new Set(missed)];
}

/** The votes in which a majority of minds alone stood before each living one had spoken twice. */
export function hastyMajorities(tape: readonly RecordedEvent[]): readonly string[] {
  const { state } = fromTape(TABLE, tape, catalogue);
  const spoken = new Map<string, number>();
  let standing = state.game.begin();
  const hasty: string[] = [];
  for (const { event } of tape) {
    const e = event as Event & TableEvent;
    standing = state.game.evolve(standing, event);
    if (e.type === 'answered' && e.question.endsWith('/talk')) {
      const key = `${e.question} ${e.answer.by}`;
      spoken.set(key, (spoken.get(key) ?? 0) + 1);
    }
    if (e.type !== 'majority-reached') continue;
    const vote = standing.open.find(({ id }) => id === e.question)!;
    const isOfMinds = !vote.answers.some(({ by, says }) => by === PERSON && says[0] === e.option);
    const talk = e.question.replace(/vote$/, 'talk');
    if (isOfMinds && vote.of.some((seat) => seat !== PERSON && (spoken.get(`${talk} ${seat}`) ?? 0) < 2)) hasty.push(e.question);
  }
  return hasty;
}

/** How far a reader falls behind the speeches of public rooms, in milliseconds at most. */
export function longestLagMs(tape: readonly RecordedEvent[]): number {
  let [readAt, longest] = [0, 0];
  for (const { event, at } of tape) {
    const e = event as Event & TableEvent;
    if (e.type !== 'answered' || !/\/talk$/.test(e.question)) continue;
    longest = Math.max(longest, readAt - at);
    readAt = Math.max(readAt, at) + readingMs(e.answer.says[0]!);
  }
  return longest;
}
