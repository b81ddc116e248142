import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { newMind, type Recipe, type Thought } from '@maw/minds/mind.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { think } from '@maw/minds/think.ts';
import { modelClient } from '@maw/player/model-client.ts';
import { player } from '@maw/player/service.ts';
import { logger } from '@maw/telemetry/log.ts';
import { type FamilyServer, FAMILY_SERVERS, startFamilyServer } from '../equipment/fakes/model-families.ts';
import { scriptedModel } from '../equipment/fakes/scripted-model.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { everyQuestion } from './seat-moments.ts';

// In the layout of the paper system messages stand anywhere, which several templates refuse.
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
/** A phase ends when all have voted; its time is for a busy machine. */
const OPTIONS = { maxDays: 1, dayMs: 60_000, nightMs: 60_000, hurry: true };

const log = logger('minds', { level: 'silent' });
const now = Date.now;

/** One gateway for a server of each family; its models are called like them. */
async function startFamilies(busOf: (service: string) => Bus) {
  const servers = await Promise.all(FAMILY_SERVERS.map(async (family) => ({ family, ...keep(await startFamilyServer(family)) })));
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
  keep(await llmGateway({ bus: busOf('llm-gateway'), now, log, options }));
  return servers;
}

async function playAll() {
  const hub = memoryHub();
  const store = keep(memoryStore());
  const busOf = (service: string) => keep(memoryBus({ service, hub }));
  keep(await gamemaster({ bus: busOf('gamemaster'), tapes: store.tapes, now, log, options: { alarmEveryMs: 10 } }));
  keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
  const servers = (await startFamilies(busOf)).map((server, i) => ({ ...server, table: `t${i}` }));
  keep(await player({ bus: busOf('player'), thoughts: store.thoughts, now, log, options: { maxWaitMs: 200, paceMs: 5, marginMs: 20 } }));
  const web = busOf('web');
  for (const { family, table } of servers) {
    const seats = Array.from({ length: 6 }, () => ({
      kind: 'mind' as const,
      recipe: 'algorithm-1',
      parameters: { layout: 'paper' },
      model: family.name,
    }));
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
        await pollUntil(`the end of the table of ${name}`, closed);
        const events = (await store.tapes.read(table)).map(({ event }) => event).filter(isTableEvent);
        const thoughts = (await store.thoughts.list(table)).map(({ content }) => content as { outcome?: string });
        const outcomes = thoughts.flatMap(({ outcome }) => outcome ?? []);
        const lost = outcomes.filter((outcome) => outcome === 'defaulted').length;
        const answers = events.filter((event) => event.type === 'answered').length;
        expect([name, answers > 5, outcomes.length > 5, lost]).toEqual([name, true, true, 0]);
        // Every lesson is learned once, by all who were asking just then.
        expect([name, seen.refused <= 4 * 4, seen.asked > seen.refused]).toEqual([name, true, true]);
        const isTold = name === 'gemini' || name === 'llama.cpp' || name === 'ignores-schemas';
        expect([name, seen.refused > 0]).toEqual([name, !isTold]);
      }
    },
    10 * MINUTE,
  );
});

interface Call {
  readonly failed?: string;
  readonly reply?: { readonly content: string };
}

/** Asks each kind of question of some random games of each rule set. @returns what came of each decision and of its calls */
async function decideAll(recipe: Recipe, { name: model }: FamilyServer, bus: Bus) {
  const made: { readonly outcome: unknown; readonly about: string; readonly calls: readonly Call[] }[] = [];
  for (const set of catalogue)
    for (const moment of everyQuestion(set, recipe)) {
      const thoughts: Thought[] = [];
      const { signal } = new AbortController();
      const asking = { bus, log, now, table: model, seat: 0, recipe: recipe.name, urgency: 'critical', cause: 'test', signal } as const;
      const mind = await think(
        recipe,
        newMind,
        { ...moment, mustChoose: true },
        {
          ...scriptedModel().tools,
          complete: modelClient({ ...asking, model, limitMs: MINUTE }, () => now() + MINUTE),
          record: async (thought) => void thoughts.push(thought),
          now,
        },
      );
      const calls = thoughts.flatMap(({ content }) => (content['calls'] as readonly Call[] | undefined) ?? []);
      // Without an outcome the mind has decided to listen, and was not asked for words.
      if (calls.length) made.push({ outcome: mind.notes['outcome'] ?? 'valid', about: `${set.name}, ${moment.phase}`, calls });
    }
  return made;
}

describe.each(recipes.filter(({ usesModel }) => usesModel).map((recipe) => [recipe.name, recipe] as const))(
  'the recipe %s',
  (_, recipe) => {
    it(
      'decides every kind of question at once, and loses no call, with every family of model servers',
      async () => {
        const hub = memoryHub();
        const busOf = (service: string) => keep(memoryBus({ service, hub }));
        const servers = await startFamilies(busOf);
        const bus = busOf('player');
        const made = await Promise.all(servers.map(({ family }) => decideAll(recipe, family, bus)));
        for (const [i, { family }] of servers.entries()) {
          const lost = made[i]!.filter(({ outcome, calls }) => outcome !== 'valid' || calls.some(({ failed }) => failed !== undefined));
          expect([family.name, lost, made[i]!.length > 10]).toEqual([family.name, [], true]);
        }
      },
      10 * MINUTE,
    );
  },
);
