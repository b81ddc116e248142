import { afterEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { fromTape } from '@maw/gamemaster/tables/table-cache.ts';
import { pollUntil } from '@maw/async/poll-until.ts';

// One game of every rule set, played by minds with a model: the real services on a bus in memory, and a simulated Ollama server behind HTTP.

const minute = 60_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Options under which a game is short: little free talk, few days; what is asked once ends when it is answered, so there is time for it. */
function briskly({ name, options }: RuleSet, slower: number): { [option: string]: string | number | boolean } {
  const times = Object.keys(options).filter((option) => option.endsWith('Ms'));
  const rest = { hurry: true, maxDays: 2, utterances: 2, whispers: 1, talkRounds: 1 };
  return {
    ...Object.fromEntries(times.map((option) => [option, slower * (name === 'maw' ? 1_500 : 5_000)])),
    ...Object.fromEntries(Object.entries(rest).filter(([option]) => Object.hasOwn(options, option))),
  };
}

const retried = () => metricValue(metrics.messagesTaken, { outcome: 'retried' });

/** Plays a game of `react` minds to its end, with `slower` times the usual time. */
async function played(set: RuleSet, slower: number) {
  const before = await retried();
  const hub = memoryHub();
  const store = memoryStore();
  const log = logger('minds', { level: 'silent' });
  const now = Date.now;
  const busOf = (service: string) => {
    const bus = memoryBus({ service, hub });
    closing.push(() => bus.close());
    return bus;
  };
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
    closing.push(() => part.close());
    return part;
  };
  closing.push(() => store.close());
  const sim = keep(await startSimulator({ seed: 7, slots: 8 }));
  const servers = [{ url: sim.url, name: 'sim', authorization: undefined, slots: 8 }];
  keep(await gamemaster({ bus: busOf('gamemaster'), tapes: store.tapes, now, log, options: { alarmEveryMs: 10 } }));
  keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
  keep(await llmGateway({ bus: busOf('llm-gateway'), now, log, options: { servers, agentRpm: 100_000, agentBurst: 100_000 } }));
  keep(await player({ bus: busOf('player'), thoughts: store.thoughts, now, log, options: { maxWaitMs: 50, paceMs: 5, marginMs: 20 } }));

  const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'mind' as const, recipe: 'react' }));
  const about = { id: 'open', source: 'web', subject: 't1', at: now(), replyBy: now() + minute };
  const terms = { rules: set.name, seats, rounds: 1, options: briskly(set, slower), seed: 'b', pauseMs: 50 };
  const reply = await busOf('web').request(contracts.write('table.open', terms, about) as Message<'table.open'>);
  expect(reply).toMatchObject({ performative: 'agree' });
  await pollUntil('the end of the table', async () => (await store.tapes.read('t1')).some(({ event }) => event.type === 'closed'), {
    timeoutMs: 5 * minute,
  });
  return { hub, store, sim, tape: await store.tapes.read('t1'), retries: (await retried()) - before };
}

interface Call {
  readonly reply?: { readonly reason?: string };
}

/** The kinds of questions that were put to somebody who could answer, and those of them that nobody ever did. */
function stepsOf(tape: readonly RecordedEvent[]) {
  const events = tape.map(({ event }) => event).filter(isTableEvent);
  const asked = events.flatMap((e) => (e.type === 'asked' && e.question.of.length && !e.question.id.includes('lobby') ? [e.question] : []));
  const answered = new Set(events.flatMap((e) => (e.type === 'answered' ? [stepOf(e.question)] : [])));
  const steps = new Set(asked.filter(({ verb, options, pick }) => verb !== 'choose' || options.length >= pick).map(({ id }) => stepOf(id)));
  return { all: steps.size, unanswered: [...steps].filter((step) => !answered.has(step)) };
}

describe.each(catalogue.map((set) => [set.name, set] as const))('minds that reason and act play %s', (name, set) => {
  it(
    'to its end, and answer everything that is asked',
    async () => {
      let game = await played(set, 1);
      // Phases end by the clock of the machine, which may be too busy for minds to act in time: then they are given more of it.
      for (let slower = 4; slower <= 16 && stepsOf(game.tape).unanswered.length; slower *= 4) game = await played(set, slower);
      const { hub, store, sim, tape, retries } = game;
      const { standing } = fromTape('t1', tape, catalogue).state;
      expect(standing.open).toEqual([]);
      expect(standing.game).toMatchObject({ stage: 'over', results: [{ winner: expect.any(String), points: expect.any(Array) }] });
      expect(hub.dead).toEqual([]);
      expect(retries).toBe(0);
      expect(sim.state().requests).toBeGreaterThan(set.players.usual);

      // Nobody says what the rules do not allow, and no reply of the model has to be mended.
      const refused = tape.flatMap(({ event }) => (event.type === 'refused' ? [event['reason'] as string] : []));
      expect(refused.filter((reason) => !['phase-over', 'dead', 'already-answered', 'too-fast', 'late'].includes(reason))).toEqual([]);
      const thoughts = (await store.thoughts.list('t1')).map(({ content }) => content as { calls?: readonly Call[]; reason?: string });
      // A busy machine may leave a reply too few tokens to be whole.
      const isCut = ({ reply }: Call): boolean => reply === undefined || reply.reason === 'length';
      expect(thoughts.filter(({ calls }) => calls && calls.length > 1 && !isCut(calls[0]!))).toEqual([]);

      // Every kind of question that was put to somebody was answered.
      expect(stepsOf(tape).unanswered).toEqual([]);
      expect(stepsOf(tape).all).toBeGreaterThan(1);

      // What a mind thought is on the record, with its reason, and no reason was spoken.
      const events = tape.map(({ event }) => event).filter(isTableEvent);
      const spoken = new Set(events.flatMap((e) => (e.type === 'answered' ? e.answer.says : [])));
      const reasons = thoughts.flatMap(({ reason }) => reason ?? []);
      expect([name, reasons.length > 0]).toEqual([name, true]);
      expect(reasons.filter((reason) => spoken.has(reason))).toEqual([]);
    },
    10 * minute,
  );
});
