import { memoryBus, memoryHub } from '@maw/bus/memory/memory-bus.ts';
import { chatroom } from '@maw/chatroom/service.ts';
import { type ReplyData, contracts, type ContractName, type Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { phaseOf } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { gamemaster } from '@maw/gamemaster/service.ts';
import { llmGateway } from '@maw/llm-gateway/service.ts';
import { type CompletionReply, type CompletionRequest, type Mind, newMind, type Recipe } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { newsFromEvent, type OpenVerbs, updateVerbs } from '@maw/minds/news.ts';
import { memoryStore } from '@maw/store/memory.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Store } from '@maw/store/store.ts';
import { logger } from '@maw/telemetry/log.ts';

type GatewayOptions = Parameters<typeof llmGateway>[0]['options'];
type View = ReplyData<'table.view'>;

interface Terms {
  /** The rule set. */
  readonly rules: string;
  readonly table: string;
  readonly seed: string;
  readonly recipe: Recipe;
  readonly gateway: GatewayOptions;
  /** Where the recording lies; the tape is in a store of its own. */
  readonly recordings: Store['recordings'];
  readonly options: { readonly [name: string]: string | number | boolean };
}

export interface Played {
  readonly tape: readonly RecordedEvent[];
  /** How many completions were asked for, and why those that failed did. */
  readonly asked: number;
  readonly failed: readonly string[];
}

const NAMES = ['Ada', 'Bo', 'Cleo', 'Dan', 'Eve'];
/** How often everybody has a turn before a phase is left to end by its clock. */
const MOST_TURNS = 3;
/** A moment of no importance, the same in every game: the clock goes on only when nothing is left to do before the next alarm. */
const BEGINNING = Date.parse('2100-01-01T00:00:00Z');

/** What one seat carries through the game. */
interface Sitting {
  mind: Mind;
  verbs: OpenVerbs;
  seen: number;
  iteration: number;
  phase: string;
  standing: { [question: string]: readonly string[] };
  refused: string[];
}

/**
 * Plays one whole game in strict turns: the real gamemaster, chatroom and gateway on a bus in memory, and a mind for each seat that thinks when
 * it is its turn and never at the same time as another. Nothing in it depends on how long anything takes.
 */
export async function playInTurns({ rules: set, table, seed, recipe, gateway: asking, recordings, options }: Terms): Promise<Played> {
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(part: T): T => {
    opened.push(part);
    return part;
  };
  const hub = memoryHub();
  const store = keep(memoryStore());
  const log = logger('turns', { level: 'silent' });
  let clock = BEGINNING;
  const now = (): number => clock;
  const busOf = (service: string) => keep(memoryBus({ service, hub }));
  const [forWeb, forPlayer] = [busOf('web'), busOf('player')];
  try {
    keep(await gamemaster({ bus: busOf('gamemaster'), tapes: store.tapes, now, log, options: { alarmEveryMs: 0 } }));
    keep(await chatroom({ bus: busOf('chatroom'), rooms: store.rooms, now, log, options: { speechesPerSecond: 1_000, burst: 1_000 } }));
    keep(await llmGateway({ bus: busOf('llm-gateway'), now: Date.now, log, options: asking, recordings }));
    return await play();
  } finally {
    for (const part of opened.toReversed()) await part.close();
  }

  async function play(): Promise<Played> {
    let messages = 0;
    const about = (source: string) => ({ id: `${table}:${++messages}`, source, subject: table, at: clock, replyBy: clock + 60_000 });
    async function request<N extends ContractName>(source: 'web' | 'player', name: N, data: object): Promise<Reply<ReplyData<N>>> {
      const bus = source === 'web' ? forWeb : forPlayer;
      return bus.request(contracts.write(name, data as never, about(source)) as unknown as Message<N>);
    }
    const told = <R>(reply: Reply<R>): R => {
      if (reply.performative !== 'agree' && reply.performative !== 'inform') throw new Error(JSON.stringify(reply));
      return reply.data as R;
    };
    let asked = 0;
    const failed: string[] = [];

    async function complete(seat: number, { messages: said, format, ...rest }: CompletionRequest): Promise<CompletionReply> {
      asked++;
      const data = {
        ...rest,
        agent: `${table}:${seat}`,
        messages: said.map((each) => ({ ...each })),
        ...(format ? { format: { ...format } } : {}),
      };
      const reply = await request('player', 'llm.complete', data);
      if (reply.performative === 'agree') return reply.data as CompletionReply;
      const { reason, detail } = reply.data as { reason: 'failed'; detail?: string };
      failed.push(detail ?? reason);
      throw new Refusal(reason, detail);
    }

    const seats = NAMES.map(() => ({ kind: 'person' as const }));
    told(await request('web', 'table.open', { rules: set, seats, options, seed, rounds: 1, lobbyMs: 60_000, pauseMs: 0 }));
    for (const [seat, name] of NAMES.entries()) told(await request('web', 'table.join', { seat, name }));
    const rules = {
      name: set,
      text: told(await request('web', 'table.rules', { rules: set, players: NAMES.length, options })).sets[0]!.text!,
    };
    const sittings = NAMES.map((): Sitting => ({ mind: newMind, verbs: {}, seen: 0, iteration: 0, phase: '', standing: {}, refused: [] }));
    const viewOf = async (eye: number, after: number): Promise<View> =>
      told(await request('player', 'table.view', { eye, after, limit: 5_000 }));

    /** One turn of one seat. Returns whether it was asked anything. */
    async function turn(seat: number, own: Sitting): Promise<boolean> {
      const view = await viewOf(seat, own.seen);
      if (!view.asked.length) return false;
      const phase = phaseOf(view.asked[0]!.id);
      if (phase !== own.phase) Object.assign(own, { phase, iteration: 0, standing: {} });
      const news = view.seen.map((seen) => {
        own.verbs = updateVerbs(own.verbs, seen);
        return newsFromEvent(seen, { names: NAMES, verbs: own.verbs, isRead: false });
      });
      own.seen = view.last;
      const questions = view.asked;
      own.mind = await think(
        recipe,
        own.mind,
        {
          recipe: recipe.name,
          seat,
          name: NAMES[seat]!,
          now: clock,
          until: questions[0]!.until,
          phase,
          round: 1,
          questions,
          news,
          rules,
          iteration: own.iteration++,
          standing: own.standing,
          refused: own.refused,
          brief: view.brief,
          contextTokens: recipe.contextTokens,
          players: NAMES.map((name, other) => ({ seat: other, name, alive: view.alive[other]! })),
          seed: `${seed}/${seat}/${phase}`,
          isTimeShort: false,
          mustChoose: false,
        },
        { complete: (completion) => complete(seat, completion), record: async () => {}, now, signal: new AbortController().signal },
      );
      own.refused = [];
      for (const { question, says } of own.mind.answers) {
        const q = questions.find(({ id }) => id === question)!;
        const reply =
          q.verb === 'say' && q.room !== undefined
            ? await request('web', 'room.speak', { room: q.room, seat, text: says[0]! })
            : await request('web', 'table.act', { seat, question, says: [...says] });
        if (reply.performative === 'agree') own.standing[question] = says;
        else own.refused.push(JSON.stringify(reply.data));
      }
      return true;
    }

    for (let isOver = false; !isOver;) {
      let isAsked = true;
      for (let turns = 0; isAsked && turns < MOST_TURNS; turns++) {
        isAsked = false;
        for (const [seat, own] of sittings.entries()) isAsked = (await turn(seat, own)) || isAsked;
      }
      const [alarm] = await store.tapes.due(Number.MAX_SAFE_INTEGER, 1);
      if (alarm) {
        clock = Math.max(clock, alarm.alarm);
        const { id, subject, at } = about('gamemaster');
        await forWeb.publish(contracts.write('table.tick', { alarm: alarm.alarm }, { id, source: 'gamemaster', subject, at }));
        while ((await store.tapes.due(alarm.alarm, 1)).length) await new Promise((resolve) => setImmediate(resolve));
      }
      isOver = (await store.tapes.read(table)).some(({ event }) => event.type === 'closed');
    }
    return { tape: await store.tapes.read(table), asked, failed };
  }
}
