import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenAborted } from '@maw/async/abort.ts';
import { Agent, type AgentReport, type AgentTerms } from './agent.ts';
import { type Connection, type Goodbye, openConnection } from './connection.ts';

/** What the seats have in common that are played at one server. */
export interface Joining extends Pick<AgentTerms, 'division' | 'recipe' | 'standIn' | 'models'> {
  readonly url: URL;
  /** How many games are played in the natural-language division; absent: until it is interrupted. */
  readonly games?: number | undefined;
  readonly signal: AbortSignal;
  readonly report: (name: string, report: AgentReport) => void;
  /** Told what happens to connections, in words. */
  readonly note: (text: string) => void;
}

const NOTHING: Goodbye = { reason: '', isFinal: false };
/** Between two attempts to connect: longer with each that fails, up to the second. */
const RETRY_MS = [200, 3000] as const;

/**
 * Plays one seat, over as many connections as it takes: in the protocol division until the server has played its set, in the natural-language
 * division until so many games are played.
 * @throws Error for a packet that cannot be read, a set that is cut off, and a server that sends the seat away
 */
export async function playSeat(joining: Joining, name: string): Promise<void> {
  const { division, games: wanted, signal, note } = joining;
  for (let games = 0, failures = 0; !signal.aborted;) {
    const { played, isCut, goodbye } = await playConnection(joining, name);
    games += played;
    if (signal.aborted) return;
    if (goodbye.isFinal && !isCut && !played)
      throw new Error(`seat ${name}: the server sent it away: ${goodbye.reason || 'it does not say why'}`);
    if (division === 'protocol' && isCut) throw new Error(`seat ${name}: the server hung up in the middle of game ${games + 1}`);
    if (division === 'protocol' && !played) throw new Error(`seat ${name}: the server hung up before a game began${why(goodbye)}`);
    if (division === 'protocol' || (wanted !== undefined && games >= wanted)) return;
    failures = played ? 0 : failures + 1;
    if (played) continue;
    if (isCut) note(`${name}: the server hung up in the middle of a game; connecting again`);
    else if (failures === 1) note(`${name}: the server hung up before a game began${why(goodbye)}; trying again`);
    await pause(failures, signal);
  }
}

const why = ({ reason }: Goodbye): string => (reason ? `: ${reason}` : '; it may be full or restarting, or not take the name or the token');

/** Plays until the server closes the connection. @returns how many games ended, and whether one was cut off */
async function playConnection({ url, division, recipe, standIn, models, signal, report, note }: Joining, name: string) {
  const { promise: closed, resolve: close } = Promise.withResolvers<Goodbye>();
  let games = 0;
  let received = 0;
  let failure: Error | undefined;
  const agent = new Agent({
    division,
    name,
    recipe,
    standIn,
    models,
    seed: randomUUID(),
    send: (text) => connection?.send(text),
    report(what) {
      if (what.type === 'ended') games++;
      report(name, what);
    },
  });
  let connection: Connection | undefined;
  const early: string[] = [];
  async function take(packet: string): Promise<void> {
    const number = ++received;
    try {
      const answer = await agent.take(packet);
      if (answer !== undefined) connection!.send(answer);
      else if (division === 'natural' && games) connection!.close(); // the server drops it too, one game to a connection
    } catch (error) {
      failure ??= new Error(`seat ${name}: packet ${number} cannot be played: ${(error as Error).message}`, { cause: error });
      connection!.close();
    }
  }
  const packet = (text: string): void => void (connection ? void take(text) : early.push(text));
  connection = await connected(() => openConnection(url, { packet, closed: close }), { url, name, signal, note });
  if (!connection) return { played: 0, isCut: false, goodbye: NOTHING };
  for (const text of early) void take(text);
  const goodbye = (await Promise.race([closed, whenAborted(signal)])) ?? NOTHING;
  connection.close();
  agent.close();
  if (failure) throw failure;
  return { played: games, isCut: agent.isPlaying(), goodbye };
}

/** Connects as soon as the server is there; undefined when it is interrupted. */
async function connected(
  open: () => Promise<Connection>,
  { url, name, signal, note }: Pick<Joining, 'url' | 'signal' | 'note'> & { readonly name: string },
): Promise<Connection | undefined> {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      return await open();
    } catch (error) {
      const { code, message, isFinal } = error as Error & { readonly code?: string; readonly isFinal?: boolean };
      if (isFinal) throw error;
      if (failures === 1) note(`${name}: ${url.host} cannot be reached (${code ?? message}); trying again until it is, Ctrl-C stops`);
    }
    await pause(failures, signal);
  }
  return undefined;
}

/** Ends early when it is interrupted. */
const pause = (failures: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.min(RETRY_MS[0] * 2 ** (failures - 1), RETRY_MS[1]), undefined, { signal }).catch(() => undefined);
