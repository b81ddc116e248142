import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { random } from '@maw/minds/recipes/random.ts';
import { react } from '@maw/minds/recipes/react.ts';
import { rules } from '@maw/minds/recipes/rules/rules.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '@maw/store/memory.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { web } from '@maw/web/service.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { fakeModelGateway } from '../fakes/model-gateway.ts';
import { wiretap, recordSpans, type ObservedMessage, type Tamper } from './wiretap.ts';

export interface Evidence {
  readonly set: RuleSet;
  readonly table: string;
  readonly tape: readonly RecordedEvent[];
  readonly heard: readonly ObservedMessage[];
  readonly spans: readonly string[];
  readonly lines: readonly string[];
  readonly metrics: string;
}

export interface Terms {
  readonly set: RuleSet;
  readonly seed: string;
  /** `react` asks a scripted model. */
  readonly recipe: 'random' | 'rules' | 'react';
  readonly options?: { readonly [name: string]: string | number | boolean };
  readonly tamper?: Tamper;
  /** Tells too much in the middle of it: for tests of the hunt itself. */
  readonly plant?: (log: Log) => void;
}

const MINUTE_MS = 60_000;

/** What is said in a game bears a mark of its own: `mk3x14q` is the fourteenth thing that seat 3 says. */
export const MARK = /mk\d+x\d+q/g;

/** The same mind, but for what it says: that is a mark. */
function marked(recipe: Recipe): Recipe {
  let said = 0;
  return {
    ...recipe,
    steps: [
      ...recipe.steps,
      {
        kind: 'act',
        name: 'mark',
        async run({ answers }, { questions, seat }) {
          const marks = answers.map(({ question, says }) => {
            const verb = questions.find(({ id }) => id === question)?.verb;
            return verb === 'choose'
              ? { question, says }
              : { question, says: [...says.slice(0, verb === 'tell' ? 1 : 0), `mk${seat}x${said++}q`] };
          });
          return { answers: marks };
        },
      },
    ],
  };
}

/** Options under which a game is short, says much, and has as many secrets as it can have. */
function briskly({ name, options }: RuleSet): { [option: string]: string | number | boolean } {
  const times = Object.keys(options).filter((option) => option.endsWith('Ms'));
  const rest = { maxDays: 2, utterances: 2, whispers: 1, talkRounds: 1, whisper: true, seer: true, language: 'free', hurry: true };
  return {
    ...Object.fromEntries(times.map((option) => [option, name === 'maw' ? 1_000 : 2_000])),
    ...Object.fromEntries(Object.entries(rest).filter(([option]) => Object.hasOwn(options, option))),
  };
}

/** Plays one game to its end with the real services, and keeps everything that anybody could read of it. */
export async function play({ set, seed, recipe, options, tamper, plant }: Terms): Promise<Evidence> {
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
    opened.push(part);
    return part;
  };
  const ears = wiretap(tamper);
  const spans = keep(recordSpans());
  const store = keep(memoryStore());
  const now = Date.now;
  const busOf = (service: string) => keep(memoryBus({ service, hub: ears.hub, log: ears.logOf(service), resendMs: 86_400_000 }));
  const table = `t-${seed}`;
  try {
    keep(
      await gamemaster({
        bus: busOf('gamemaster'),
        tapes: store.tapes,
        now,
        log: ears.logOf('gamemaster'),
        options: { alarmEveryMs: 10, obeyBacklog: false },
      }),
    );
    keep(
      await chatroom({
        bus: busOf('chatroom'),
        rooms: store.rooms,
        now,
        log: ears.logOf('chatroom'),
        options: { speechesPerSecond: 1_000, burst: 1_000 },
      }),
    );
    const models = await fakeModelGateway(busOf('llm-gateway'), { seed, garbage: 5 });
    keep({ close: () => models.stop() });
    keep(
      await player({
        bus: busOf('player'),
        thoughts: store.thoughts,
        now,
        log: ears.logOf('player'),
        options: { defaultRecipe: recipe, maxWaitMs: 20, paceMs: 5, marginMs: 20 },
        recipes: [marked(random), marked(rules), marked(react)],
      }),
    );
    const forWeb = busOf('web');
    keep(await web({ bus: forWeb, now, log: ears.logOf('web'), options: { adminToken: 'an administrator who hunts' } }));
    const ask = (name: 'table.open' | 'table.view', data: object, id: string) =>
      forWeb.request(
        contracts.write(name, data as never, {
          id: `${table}/${id}`,
          source: 'web',
          subject: table,
          at: now(),
          replyBy: now() + MINUTE_MS,
        }) as unknown as Message<'table.view'>,
      );
    const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'mind', recipe }));
    const reply = await ask(
      'table.open',
      { rules: set.name, seats, rounds: 1, options: { ...briskly(set), ...options }, seed, pauseMs: 10 },
      'open',
    );
    if (reply.performative !== 'agree') throw new Error(`the table could not be opened: ${JSON.stringify(reply.data)}`);
    const eyes = [...seats.keys(), 'audience'] as const;
    const look = async (id: string): Promise<void> => {
      for (const eye of eyes) await ask('table.view', { eye, limit: 5_000 }, `${id}/${eye}`);
    };
    await pollUntil('the deal', async () => (await store.tapes.read(table)).some(({ event }) => event.type === 'dealt'), {
      timeoutMs: 2 * MINUTE_MS,
    });
    await look('dealt');
    plant?.(ears.logOf('gamemaster'));
    await pollUntil('the end of the table', async () => (await store.tapes.read(table)).some(({ event }) => event.type === 'closed'), {
      timeoutMs: 3 * MINUTE_MS,
    });
    await look('closed');
    return {
      set,
      table,
      tape: await store.tapes.read(table),
      heard: ears.heard,
      spans: spans.take(),
      lines: ears.lines,
      metrics: await registry.metrics(),
    };
  } finally {
    for (const part of opened.splice(0).toReversed()) await part.close();
  }
}
