import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceReport } from './report.ts';
import { gameIds } from './game-ids.ts';
import { seatTerms, type ServerTerms, teamOf } from './server-terms.ts';
import { entriesOfTape, type JsonLogEntry, type TimedEvent, writeJsonLog } from './json-log.ts';
import { logOfTape } from '../logs/from-tape.ts';
import { type LogLine, writeLog } from '../logs/log.ts';
import { realtimeOfLog } from '../logs/realtime.ts';

type Packet = ServiceReport & { readonly type: 'packet' };

/** Who sits at a table, by seat. */
export interface Seated {
  /** What agents told as their names, and what stands for the seats that minds fill. */
  readonly agents: readonly string[];
  /** The names in the game. */
  readonly names: readonly string[];
}

/** Writes games into a folder, in the formats of the published servers. */
export interface GameLogs {
  /** The next event of a table, as its narrator sees it. */
  seen(set: string, seen: TimedEvent, seated: Seated): void;
  /** What an outside agent was sent and answered: a file for each seat and game has nothing but that, for the agent's author. */
  packet(packet: Packet): void;
  /** No more comes of a table. */
  over(set: string): void;
  /** Resolves once what came so far is written. */
  written(): Promise<void>;
  /** @throws Error when something could not be written */
  close(): Promise<void>;
}

/** A table, and the round that is played at it. */
interface Round {
  readonly set: string;
  /** 0 before the first. */
  readonly number: number;
  /** What came before the first round. */
  readonly before: readonly TimedEvent[];
  readonly events: TimedEvent[];
  readonly packets: Packet[];
  seated: Seated;
  log: readonly LogLine[];
  /** How many realtime lines are written. */
  shown: number;
  changedAt: number;
}

/** @param folder that exists and is writable */
export function createGameLogs(folder: string, terms: ServerTerms): GameLogs {
  const rounds = new Map<string, Round>();
  const isNatural = terms.division === 'natural';
  const files = createFiles(folder, ['agents', ...(isNatural ? ['realtime'] : [])]);
  const begun = new Set<string>();
  const nameOf = ({ set, number }: Round): string => (isNatural ? set : `${set}-${numberOf(number)}`);
  const list = (): void => {
    const games = [...rounds.values()].map((round) => ({
      id: idOf(round),
      filename: nameOf(round),
      updated_at: new Date(round.changedAt).toISOString(),
    }));
    files.write('realtime/games.json', JSON.stringify(games));
  };
  /** Appends the realtime lines that have become known. */
  function show(round: Round): void {
    const lines = realtimeOfLog(round.log, { id: idOf(round), teams: round.seated.agents.map(teamOf) }).slice(round.shown);
    if (!lines.length) return;
    files.append(`realtime/${nameOf(round)}.jsonl`, lines.map((line, i) => (round.shown + i ? '\n' : '') + JSON.stringify(line)).join(''), {
      isNew: round.shown === 0,
    });
    round.shown += lines.length;
    round.changedAt = Date.now();
    list();
  }
  return {
    seen(set, seen, seated) {
      const { event } = seen;
      let round = rounds.get(set) ?? newRound(set, 0, []);
      if (event.type === 'began') round = newRound(set, event['round'] as number, round.number ? round.before : round.events);
      rounds.set(set, round);
      round.events.push(seen);
      round.seated = { ...seated, agents: seated.agents.map(plainName) };
      if (!round.number || (!isNatural && event.type !== 'scored')) return;
      const tape = round.events.map((each) => each.event);
      const { agents } = round.seated;
      round.log = logOfTape(tape, isNatural ? seated.names : agents, round.number, { isNlp: isNatural, connections: agents });
      if (isNatural) show(round);
      if (event.type === 'scored') files.write(`${nameOf(round)}.log`, writeLog(round.log));
    },
    packet(packet) {
      rounds.get(packet.set)?.packets.push(packet);
      const { type: _, set, round, seat, ...said } = packet;
      const file = `agents/${set}-${numberOf(round)}-${numberOf(seat + 1)}.jsonl`;
      files.append(file, `${JSON.stringify(said)}\n`, { isNew: begun.size < begun.add(file).size });
    },
    over(set) {
      const round = rounds.get(set);
      if (!round || !rounds.delete(set) || !isNatural) return;
      list();
      const teams = round.seated.agents.map(teamOf);
      files.write(`${nameOf(round)}.json`, writeJsonLog(idOf(round), round.log, teams, entriesOf(round, terms)));
    },
    written: files.written,
    close: files.close,
  };
}

const numberOf = (n: number): string => String(n).padStart(3, '0');

/** As agents are told it. */
const idOf = ({ set, number }: Round): string => gameIds(set)(number).id;

const newRound = (set: string, number: number, before: readonly TimedEvent[]): Round => ({
  set,
  number,
  before,
  events: [],
  packets: [],
  seated: { agents: [], names: [] },
  log: [],
  shown: 0,
  changedAt: Date.now(),
});

/** A name that does not break a line of a log. */
const plainName = (agent: string): string => agent.replaceAll(/[,\p{Cc}]/gu, '_');

/** What was sent and answered. An outside agent's packets are those of its connection, as far as it was heard. */
function entriesOf({ set, before, events, packets, seated: { names } }: Round, terms: ServerTerms): readonly JsonLogEntry[] {
  const heardFrom = new Map<string, number>();
  const heard = packets.map(({ seat, text, sentAt, answer, answeredAt }): JsonLogEntry => {
    const agent = names[seat]!;
    heardFrom.set(agent, Math.min(sentAt, heardFrom.get(agent) ?? sentAt));
    return {
      agent,
      ...(answer && 'fault' in answer ? { error: answer.detail } : {}),
      request: text,
      request_timestamp: sentAt,
      ...(answer && 'text' in answer ? { response: answer.text.replaceAll('\n', '') } : {}),
      response_timestamp: answeredAt,
    };
  });
  const seats = names.map((_, seat) => seatTerms(terms, seat, set));
  const played = entriesOfTape([...before, ...events], seats);
  const rest = played.filter(({ agent, request_timestamp: at }) => at < (heardFrom.get(agent) ?? Infinity));
  return [...rest, ...heard].toSorted((a, b) => a.response_timestamp - b.response_timestamp);
}

/** Files that are written one after the other. */
function createFiles(folder: string, folders: readonly string[]) {
  let last: Promise<unknown> = Promise.all(folders.map((name) => mkdir(join(folder, name), { recursive: true })));
  const failures: Error[] = [];
  const next = (write: () => Promise<unknown>): void => {
    last = last.then(write).catch((error: Error) => failures.push(error));
  };
  return {
    write(name: string, text: string): void {
      const path = join(folder, name);
      next(async () => {
        await writeFile(`${path}.new`, text);
        await rename(`${path}.new`, path); // readers never see half of it
      });
    },
    append(name: string, text: string, { isNew }: { readonly isNew: boolean }): void {
      next(() => (isNew ? writeFile : appendFile)(join(folder, name), text));
    },
    written: async (): Promise<void> => void (await last),
    async close(): Promise<void> {
      await last;
      const [first] = failures;
      if (first) throw new Error(`the logs in ${folder} are not whole: ${first.message}`, { cause: first });
    },
  };
}
