import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { player } from '@maw/player/service.ts';
import { logger } from '@maw/telemetry/log.ts';
import { FAMILY_SERVERS, startFamilyServer } from '../equipment/fakes/model-families.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';

// One game of the default recipe with each family of model servers, all at the same time: the real services on a bus in memory.

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
  closing.push(() => part.close());
  return part;
};

const MINUTE = 60_000;
const OPTIONS = { maxDays: 1, dayMs: 4_000, nightMs: 4_000 };

async function playAll() {
  const hub = memoryHub();
  const store = keep(memoryStore());
  const log = logger('minds', { level: 'silent' });
  const now = Date.now;
  const busOf = (service: string) => keep(memoryBus({ service, hub }));
  const servers = await Promise.all(
    FAMILY_SERVERS.map(async (family, i) => ({ family, table: `t${i}`, ...keep(await startFamilyServer(family)) })),
  );
  const options = {
    servers: servers.map(({ family: { kind, name }, url }) => ({
      url: url.replace(/\/v1$/, ''),
      name,
      kind,
      slots: 4,
      authorization: undefined,
    })),
    agentRpm: 100_000,
    agentBurst: 100_000,
    checkSlots: false,
  };
  keep(await gamemaster({ bus: busOf('gamemaster'), tapes: store.tapes, now, log, options: { alarmEveryMs: 10 } }));
  keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
  keep(await llmGateway({ bus: busOf('llm-gateway'), now, log, options }));
  keep(await player({ bus: busOf('player'), thoughts: store.thoughts, now, log, options: { maxWaitMs: 200, paceMs: 5, marginMs: 20 } }));
  const web = busOf('web');
  for (const { family, table } of servers) {
    // The layout `shared` is taken by every template; this one has system messages that some refuse.
    const parameters = { layout: 'paper' };
    const seats = Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'algorithm-1', model: family.name, parameters }));
    const about = { id: `open ${table}`, source: 'web', subject: table, at: now(), replyBy: now() + MINUTE };
    const terms = { rules: 'maw', seats, rounds: 1, options: OPTIONS, seed: 'b', pauseMs: 50 };
    const reply = await web.request(contracts.write('table.open', terms, about) as Message<'table.open'>);
    if (reply.performative !== 'agree') throw new Error(JSON.stringify(reply));
  }
  return { store, servers };
}

describe('the default recipe', () => {
  it(
    'plays a whole game with every family of model servers, each in the way it takes',
    async () => {
      const { store, servers } = await playAll();
      for (const { family, table, seen } of servers) {
        const { name } = family;
        const closed = async () => (await store.tapes.read(table)).some(({ event }) => event.type === 'closed');
        await pollUntil(`the end of the table of ${name}`, closed, { timeoutMs: 2 * MINUTE });
        const events = (await store.tapes.read(table)).map(({ event }) => event).filter(isTableEvent);
        const thoughts = (await store.thoughts.list(table)).map(({ content }) => content as { outcome?: string });
        const outcomes = thoughts.flatMap(({ outcome }) => outcome ?? []);
        const lost = outcomes.filter((outcome) => outcome === 'defaulted').length;
        const answers = events.filter((event) => event.type === 'answered').length;
        // What the phase ends is lost on a busy machine.
        expect([name, answers > 5, outcomes.length > 5, lost <= outcomes.length / 5]).toEqual([name, true, true, true]);
        // Every lesson is learned once, by all who were asking just then.
        expect([name, seen.refused <= 4 * 4, seen.asked > seen.refused]).toEqual([name, true, true]);
        const isTold = name === 'gemini' || name === 'llama.cpp' || name === 'ignores-schemas';
        expect([name, seen.refused > 0]).toEqual([name, !isTold]);
      }
    },
    5 * MINUTE,
  );
});
