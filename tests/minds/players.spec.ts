import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { fakeModelGateway } from '../equipment/fakes/scripted-model.ts';

// Whole games: the real gamemaster, chatroom and players, on a bus in memory.

const minute = 60_000;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Terms {
  /** The rule set; `maw` when not given. */
  readonly rules?: string;
  readonly recipe: string;
  readonly rounds: number;
  readonly options: { readonly [name: string]: string | number | boolean };
  /** How many in a hundred replies of the model are garbage. */
  readonly garbage?: number;
  /** What garbage is; of many kinds by default. */
  readonly nonsense?: readonly [string, ...string[]];
  /** What the model always chooses where it is offered. */
  readonly favours?: readonly string[];
  readonly seed: string;
}

/** Plays a table of six minds to its end. */
async function played({ rules = 'maw', recipe, rounds, options, garbage = 0, nonsense, favours = [], seed }: Terms) {
  const before = await retries();
  const hub = memoryHub();
  const store = memoryStore();
  const log = logger('minds', { level: 'silent' });
  const now = Date.now;
  const busOf = (service: string) => {
    const bus = memoryBus({ service, hub });
    closing.push(() => bus.close());
    return bus;
  };
  const keep = <T extends { close(): Promise<void> }>(part: T): T => {
    closing.push(() => part.close());
    return part;
  };
  closing.push(() => store.close());
  keep(await gamemaster({ bus: busOf('gamemaster'), tapes: store.tapes, now, log, options: { alarmEveryMs: 10 } }));
  keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
  const models = await fakeModelGateway(busOf('llm-gateway'), { seed, garbage, ...(nonsense ? { nonsense } : {}), favours });
  const brisk = { maxWaitMs: 20, paceMs: 5, marginMs: 20 };
  keep(await player({ bus: busOf('player'), thoughts: store.thoughts, now, log, options: brisk }));

  const seats = Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe }));
  const about = { id: 'open', source: 'web', subject: 't1', at: now(), replyBy: now() + minute };
  const terms = { rules, seats, rounds, options, seed, pauseMs: 50 };
  const reply = await busOf('web').request(contracts.write('table.open', terms, about) as Message<'table.open'>);
  expect(reply.performative).toBe('agree');
  const tapeOf = () => store.tapes.read('t1');
  await pollUntil('the end of the table', async () => (await tapeOf()).some(({ event }) => event.type === 'closed'), {
    timeoutMs: 5 * minute,
  });
  return { before, hub, store, models, tape: await tapeOf() };
}

type Game = Awaited<ReturnType<typeof played>>;

/**
 * A game in which enough has happened. Its phases end by the clock of the machine, which may be too busy for minds to act in time: then another
 * one is played with four times as much of it, and once more.
 */
async function playedWith({ options, ...terms }: Terms, isEnough: (game: Game) => boolean): Promise<Game> {
  for (let times = 1; ; times *= 4) {
    const slower = Object.entries(options).map(([name, value]) => [name, name.endsWith('Ms') ? Number(value) * times : value] as const);
    const game = await played({ ...terms, options: Object.fromEntries(slower) });
    if (isEnough(game) || times === 16) return game;
  }
}

/** The game ended, its tape folds to that end, its rooms are archived whole, and nothing was lost on the way. */
async function audit({ hub, store, tape, before }: Game, rounds: number): Promise<void> {
  expect(tape.map(({ sequence }) => sequence)).toEqual(tape.map((_, i) => i + 1));
  const { standing, lines: written } = fromTape('t1', tape, catalogue).state;
  expect(standing.open).toEqual([]);
  expect(standing.game).toMatchObject({ stage: 'over', round: rounds, closed: { winners: expect.any(Array) } });
  expect(standing.game.results).toHaveLength(rounds);
  expect(new Set(standing.game.names).size).toBe(6);
  expect(standing.game.totals).toEqual(
    standing.game.totals.map((_, seat) => standing.game.results.reduce((sum, { points }) => sum + points[seat]!, 0)),
  );
  expect(await store.tapes.result('t1')).toMatchObject({ points: standing.game.totals, winner: standing.game.results.at(-1)!.winner });
  expect(await store.tapes.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);

  const lines = Map.groupBy([...written.values()].flat(), ({ room }) => room);
  expect(lines.size).toBeGreaterThan(2);
  for (const [room, all] of lines) {
    await pollUntil(`the archive of ${room}`, async () => (await store.rooms.room('t1', room))?.isArchived);
    expect(all.map(({ line }) => line)).toEqual(all.map((_, i) => i + 1));
    expect((await store.rooms.archived('t1', room)).map(({ text }) => text)).toEqual(all.map(({ text }) => text));
  }
  expect(hub.dead).toEqual([]);
  expect((await retries()) - before).toBe(0);
}

/** How many messages failed and were tried again. */
const retries = () => metricValue(metrics.messagesTaken, { outcome: 'retried' });

const answersOf = (tape: readonly RecordedEvent[], step: RegExp) =>
  tape.flatMap(({ event }) =>
    event.type === 'answered' && step.test(event['question'] as string) ? [event['answer'] as { by: number; says: string[] }] : [],
  );
const refusalsOf = (tape: readonly RecordedEvent[]) =>
  tape.flatMap(({ event }) => (event.type === 'refused' ? [event['reason'] as string] : []));

describe('six minds', () => {
  it(
    'that need no model play two rounds to their end',
    async () => {
      const options = { dayMs: 1_500, nightMs: 1_500, maxDays: 6 };
      const voters = ({ tape }: Game) => new Set(answersOf(tape, /\/vote$/).map(({ by }) => by)).size;
      const hasTalked = ({ tape }: Game) => answersOf(tape, /\/talk$/).length > 0;
      const game = await playedWith({ recipe: 'rules', rounds: 2, options, seed: 'rules' }, (one) => voters(one) === 6 && hasTalked(one));
      await audit(game, 2);
      expect(game.models.asked).toEqual([]);
      expect([voters(game), hasTalked(game)]).toEqual([6, true]);
    },
    10 * minute,
  );

  it(
    'finish a game of whispers legally with 10 % garbage from the model',
    async () => {
      const options = { dayMs: 1_500, nightMs: 1_500, maxDays: 4, whisper: true, seer: true };
      const came = ({ tape, models: { asked } }: Game) => ({
        garbage: asked.filter(({ isGarbage }) => isGarbage).length > 2,
        seats: new Set(asked.map(({ agent }) => agent)).size,
        steps: ['/vote', '/talk', '/whisper'].filter((step) => answersOf(tape, new RegExp(`${step}$`)).length > 0),
      });
      const all = { garbage: true, seats: 6, steps: ['/vote', '/talk', '/whisper'] };
      const game = await playedWith({ recipe: 'algorithm-1', rounds: 1, options, garbage: 10, seed: 'algorithm-1' }, (one) =>
        isDeepStrictEqual(came(one), all),
      );
      await audit(game, 1);
      expect(came(game)).toEqual(all);
      // What can be refused to a mind that says nothing illegal is only what came too late, or too often: this model thinks in no time.
      const mayBe = ['phase-over', 'dead', 'already-answered', 'too-fast'];
      expect([...new Set(refusalsOf(game.tape))].filter((reason) => !mayBe.includes(reason))).toEqual([]);
      const spoken = JSON.stringify(answersOf(game.tape, /./));
      for (const nonsense of ['Nobody', '\\u0000', '\\u001b', '<script>', 'xxxxx']) expect(spoken).not.toContain(nonsense);
      const inspected = game.tape.filter(({ event }) => event.type === 'inspected').length;
      expect(answersOf(game.tape, /\/inspect$/)).toHaveLength(inspected);
    },
    10 * minute,
  );

  it('come to the end of a game whose model answers nothing: every choice is left to the rules', async () => {
    const options = { dayMs: 400, nightMs: 400, maxDays: 2, seer: true };
    const seatsAsked = ({ models }: Game) => new Set(models.asked.map(({ agent }) => agent)).size;
    const terms = { recipe: 'react', rounds: 1, options, garbage: 100, nonsense: [''], seed: 'silence' } as const;
    const game = await playedWith(terms, (one) => seatsAsked(one) === 6);
    await audit(game, 1);
    expect(answersOf(game.tape, /^round-/)).toEqual([]);
    expect(seatsAsked(game)).toBe(6);
  });

  it(
    'finish a game of teams and turns legally with 20 % garbage from the model',
    async () => {
      const options = { turnMs: 800, teamMs: 800, voteMs: 800, questMs: 800, assassinMs: 800 };
      // Dice alone would reject five teams in a row in one game of eight, and no quest would be held.
      const favours = ['approve'];
      const came = ({ tape, models: { asked } }: Game) => ({
        garbage: asked.filter(({ isGarbage }) => isGarbage).length > 5,
        steps: ['/talk', '/team', '/approve', '/quest'].filter((step) => answersOf(tape, new RegExp(`${step}$`)).length > 0),
      });
      const all = { garbage: true, steps: ['/talk', '/team', '/approve', '/quest'] };
      const game = await playedWith({ rules: 'avalon', recipe: 'react', rounds: 1, options, garbage: 20, favours, seed: 'react' }, (one) =>
        isDeepStrictEqual(came(one), all),
      );
      await audit(game, 1);
      expect(came(game)).toEqual(all);
      const teams = answersOf(game.tape, /\/team$/).map(({ says }) => says);
      for (const team of teams) expect(new Set(team).size).toBe(team.length);
      expect(refusalsOf(game.tape).filter((reason) => !['phase-over', 'already-answered', 'not-your-turn'].includes(reason))).toEqual([]);
      expect(answersOf(game.tape, /./).filter(({ says }) => says.some((word) => word.startsWith('Because ')))).toEqual([]);
    },
    10 * minute,
  );
});
