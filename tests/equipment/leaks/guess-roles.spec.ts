import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { type Attack, guess, MODEL_ATTACKS, NIGHT_ATTACKS } from './guess-roles.ts';
import { modelOf, playAtOnce } from './running-games.ts';
import { watch, type WatchedTable } from './watched-table.ts';

// What telemetry shows of running games. `./maw bench guesses` tries to name the wolves by it, with 300 games of each rule set.

const RULES = catalogue.map(({ name }) => name);
const GAMES = 2;
const MAX_DEVIATIONS = 3;

let tables: readonly WatchedTable[];
beforeAll(async () => {
  tables = watch(await playAtOnce({ sets: catalogue, games: GAMES, seed: 'guess', days: 2, phaseMs: 500, hurry: false }));
}, 600_000);

const gamesOf = (rules: string) => tables.filter((game) => game.rules === rules);

/** The first spans of the traces that begin by night. What was done by day may still be on its way then. */
const tracesByNight = ({ spans, nights }: WatchedTable) =>
  [...Map.groupBy(spans, ({ trace }) => trace).values()]
    .map((trace) => trace.reduce((first, other) => (other.at < first.at ? other : first)))
    .filter(({ at }) => nights.some(({ from, to }) => at >= from && at < to));

describe.each(RULES)('operators of a running game of %s', (rules) => {
  it('see no trace begin by night, and no secret room or phase in any', () => {
    for (const game of gamesOf(rules)) {
      expect(game.nights.length).toBeGreaterThanOrEqual(rules === 'avalon' ? 0 : 1);
      expect(tracesByNight(game).map(({ name }) => name)).toEqual(game.nights.map(() => 'reach phase'));
      expect(game.spans.filter(({ attributes }) => /hideout|night|\/wolf-\d/i.test(JSON.stringify(attributes)))).toEqual([]);
    }
  });

  it('see the traces of its public questions, with their seats, and its public phases', () => {
    const spans = gamesOf(rules).flatMap((game) => game.spans);
    const asked = spans.filter(({ name }) => name === 'ask seat').map(({ attributes }) => attributes['maw.seat']);
    expect(asked.length).toBeGreaterThan(5);
    expect(new Set(asked).size).toBeGreaterThan(4);
    expect(spans.filter(({ name }) => name === 'reach phase').length).toBeGreaterThan(GAMES);
  });
});

describe('models of single seats that lose decisions', () => {
  it('are told by day alone, when a public phase has begun', async () => {
    const schedule = { sets: [ruleSetNamed('maw')], games: 4, seed: 'lost', days: 4, phaseMs: 1_500, hurry: false, asksModels: true };
    const games = watch(await playAtOnce(schedule));
    const told = games.flatMap(({ lines, nights }) => lines.flatMap((line) => (line.includes('model-of-') ? [{ line, nights }] : [])));
    expect(told.length).toBeGreaterThan(3);
    for (const { line, nights } of told) {
      const at = Date.parse((JSON.parse(line) as { readonly time: string }).time);
      expect(nights.filter(({ from, to }) => at > from && at < to - 50)).toEqual([]); // the span of a phase may begin a little later
    }
  }, 600_000);
});

/** What operators saw, with spans that leak. */
const leaking = (game: WatchedTable, attributesOf: (seat: number) => object, at: number): WatchedTable => ({
  ...game,
  spans: [
    ...game.spans,
    ...[...game.wolves].map((seat) => ({ name: 'decide', at, trace: `night ${seat}`, linked: [], attributes: { ...attributesOf(seat) } })),
  ],
  seatsOf: (span) => (span.trace.startsWith('night ') ? [Number(span.trace.slice('night '.length))] : game.seatsOf(span)),
});

describe('a planted leak is found:', () => {
  const { players } = ruleSetNamed('maw');
  /** Games of which everybody is guessed: who lives to the end is chance, and may be two of six. */
  const games = () => gamesOf('maw').map((game) => ({ ...game, seats: [...Array(players.usual).keys()] }));
  const found = (attack: Attack, plant: (game: WatchedTable) => WatchedTable) =>
    guess(
      games().flatMap((game) => [1, 2, 3].map((n) => plant({ ...game, table: `${game.table}-${n}` }))),
      attack,
    ).deviations;

  it('the seats that are asked by night', () => {
    const plant = (game: WatchedTable) =>
      Array.from({ length: 100 }, () => game.nights[0]!.from + 1).reduce((g, at) => leaking(g, () => ({}), at), game);
    expect(found(NIGHT_ATTACKS['spans by night']!, plant)).toBeGreaterThan(MAX_DEVIATIONS);
  });

  it('a secret room in the id of a message', () => {
    const id = { 'messaging.message.id': 't/57/said-round-1/night-1/Hideout-2' };
    expect(found(NIGHT_ATTACKS['names of rooms and phases']!, (game) => leaking(game, () => id, 0))).toBeGreaterThan(MAX_DEVIATIONS);
  });

  it('the seat in a log line', () => {
    const plant = (game: WatchedTable) => ({ ...game, lines: [...game.wolves].map((seat) => `{"table":"t","seat":${seat}}`) });
    expect(found(NIGHT_ATTACKS['log lines']!, plant)).toBeGreaterThan(MAX_DEVIATIONS);
  });

  it.each(Object.keys(MODEL_ATTACKS))('decisions by night in what is told of models: %s', (attack) => {
    const told = (seat: number) => `{"told":"Most of the last public decisions by the model ${modelOf(seat)} (s) ..."}`;
    const plant = (game: WatchedTable) => ({
      ...game,
      lines: game.seats.flatMap((seat) => (game.wolves.has(seat) ? [told(seat), told(seat)] : [told(seat)])),
    });
    expect(found(MODEL_ATTACKS[attack]!, plant)).toBeGreaterThan(MAX_DEVIATIONS);
  });

  it('nights that are quieter once a wolf is dead', () => {
    const span = (at: number) => ({ name: 'decide', at, trace: 'any', linked: [], attributes: {} });
    const plant = (game: WatchedTable): WatchedTable => {
      const [wolf] = game.wolves;
      const other = game.seats.find((seat) => !game.wolves.has(seat))!;
      const nights = [10, 20, 30].map((from) => ({ from, to: from + 5, isLast: false }));
      const executions = [
        { seat: other, night: 1 },
        { seat: wolf!, night: 2 },
      ];
      return { ...game, spans: [11, 12, 21, 22, 31].map(span), nights, executions };
    };
    const quiet = Array.from({ length: 10 }, (_, n) => ({ ...plant(games()[0]!), table: `t${n}` }));
    expect(guess(quiet, NIGHT_ATTACKS['quieter nights']!).deviations).toBeGreaterThan(MAX_DEVIATIONS);
  });
});
