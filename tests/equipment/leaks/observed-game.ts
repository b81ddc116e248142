import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { player } from '@maw/player/service.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { registry } from '@maw/telemetry/metrics.ts';
import { web } from '@maw/web/service.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { fakeModelGateway } from '../fakes/scripted-model.ts';
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
  /** Plants leaks during the game, to test the search itself. */
  readonly plant?: (log: Log) => void;
}

const MINUTE_MS = 60_000;

/** Everything said in a game carries a unique mark: `mk3x14q` is the fourteenth thing that seat 3 says. */
export const MARK = /mk\d+x\d+q/g;

/** The same mind, but everything it says is a mark. */
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

/** Options that make a game short and talkative, with as many secrets as possible. */
export function briskly({ name, options }: RuleSet): { [option: string]: string | number | boolean } {
  const times = Object.keys(options).filter((option) => option.endsWith('Ms'));
  const rest = { maxDays: 2, utterances: 2, whispers: 1, talkRounds: 1, whisper: true, seer: true, language: 'free', hurry: true };
  return {
    ...Object.fromEntries(times.map((option) => [option, name === 'maw' ? 1_000 : 2_000])),
    ...Object.fromEntries(Object.entries(rest).filter(([option]) => Object.hasOwn(options, option))),
  };
}

export interface Closable {
  close(): Promise<unknown>;
}

/** Plays one game to its end with the real services, and collects everything that anybody could read of it. */
export async function play(terms: Terms): Promise<Evidence> {
  const opened: Closable[] = [];
  const keep = <T extends Closable>(part: T): T => {
    opened.push(part);
    return part;
  };
  const tap = wiretap(terms.tamper);
  const spans = keep(recordSpans());
  const store = keep(memoryStore());
  const busOf = (service: string): Bus => keep(memoryBus({ service, hub: tap.hub, log: tap.logOf(service), resendMs: 86_400_000 }));
  try {
    await startServices(terms, { tap, store, busOf, keep });
    const tape = await playTable(terms, store, busOf('web'), tap);
    const { set } = terms;
    const metrics = await registry.metrics();
    return { set, table: tableOf(terms), tape, heard: tap.heard, spans: spans.take(), lines: tap.lines, metrics };
  } finally {
    for (const part of opened.splice(0).toReversed()) await part.close();
  }
}

export interface Setup {
  readonly tap: ReturnType<typeof wiretap>;
  readonly store: Store;
  busOf(service: string): Bus;
  keep<T extends Closable>(part: T): T;
}

const tableOf = ({ seed }: Terms): string => `t-${seed}`;

interface ServiceTerms extends Pick<Terms, 'seed' | 'recipe'> {
  /** How many in a hundred replies of the model are garbage. */
  readonly garbage?: number;
}

export async function startServices({ seed, recipe, garbage = 5 }: ServiceTerms, { tap, store, busOf, keep }: Setup): Promise<void> {
  const common = (service: string) => ({ bus: busOf(service), now: Date.now, log: tap.logOf(service) });
  const chatOptions = { speechesPerSecond: 1_000, burst: 1_000 };
  keep(
    await gamemaster({ ...common('gamemaster'), tapes: store.tapes, options: { alarmEveryMs: 10, shareEveryMs: 0, obeyBacklog: false } }),
  );
  keep(await chatroom({ ...common('chatroom'), rooms: store.rooms, options: chatOptions }));
  const models = await fakeModelGateway(busOf('llm-gateway'), { seed, garbage });
  keep({ close: () => models.stop() });
  keep(
    await player({
      ...common('player'),
      thoughts: store.thoughts,
      options: { concurrency: 1_000, defaultRecipe: recipe, maxWaitMs: 20, paceMs: 5, marginMs: 20, tellEveryMs: 0 },
      recipes: ['random', 'rules', 'react'].map((name) => marked(findRecipe(name))),
    }),
  );
  keep(await web({ ...common('web'), options: { adminToken: 'an administrator who hunts' } }));
}

/** Opens the table, views it with every eye after the deal and at the end, and returns its tape. */
async function playTable(terms: Terms, store: Store, bus: Bus, tap: Setup['tap']): Promise<readonly RecordedEvent[]> {
  const { set, seed, recipe, options, plant } = terms;
  const table = tableOf(terms);
  const ask = (name: 'table.open' | 'table.view', data: object, id: string) => {
    const at = Date.now();
    const about = { id: `${table}/${id}`, source: 'web', subject: table, at, replyBy: at + MINUTE_MS };
    return bus.request(contracts.write(name, data as never, about) as unknown as Message<'table.view'>);
  };
  const seats = Array.from({ length: set.players.usual }, () => ({ kind: 'mind', recipe }));
  const opening = { rules: set.name, seats, rounds: 1, options: { ...briskly(set), ...options }, seed, pauseMs: 10 };
  const reply = await ask('table.open', opening, 'open');
  if (reply.performative !== 'agree') throw new Error(`the table could not be opened: ${JSON.stringify(reply.data)}`);
  const look = async (id: string): Promise<void> => {
    for (const eye of [...seats.keys(), 'audience']) await ask('table.view', { eye, limit: 5_000 }, `${id}/${eye}`);
  };
  const has = async (type: string) => (await store.tapes.read(table)).some(({ event }) => event.type === type);
  await pollUntil('the deal', () => has('dealt'), { timeoutMs: 9 * MINUTE_MS });
  await look('dealt');
  plant?.(tap.logOf('gamemaster'));
  await pollUntil('the end of the table', () => has('closed'), { timeoutMs: 9 * MINUTE_MS });
  await look('closed');
  return store.tapes.read(table);
}
