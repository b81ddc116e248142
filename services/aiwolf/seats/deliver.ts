import { randomInt, randomUUID } from 'node:crypto';
import { readAnswer, withoutAnswer } from '@maw/aiwolf/server/answers.ts';
import type { Sent } from '@maw/aiwolf/server/seat.ts';
import { SKIP } from '@maw/games/aiwolf/turns.ts';
import type { Open } from '@maw/games/kernel/question.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { AgentAnswer } from '@maw/aiwolf/server/report.ts';
import type { AgentConnection, AnswerLimits } from '../connections/agent-connection.ts';
import { requestId } from '@maw/bus/request-id.ts';
import type { Reporter } from '@maw/aiwolf/server/report.ts';
import { act, type ActDeps } from './act.ts';
import { type AgentSeat, roundOf } from './agent-seat.ts';
import { ASKED_OF_ALL, type Fault, type FaultBook } from './faults.ts';

export interface DeliverDeps extends ActDeps {
  readonly faults: FaultBook;
  readonly limits: AnswerLimits;
  /** Whether the table is one of a contest. */
  readonly isContest: boolean;
  now(): number;
  /** The round that runs at the table, or the next one after its end. */
  round(): number;
  readonly report?: Reporter | undefined;
  /** Called once an answer counts at the table, or that there is none. */
  answered(seat: AgentSeat, question: string, says: string | undefined): void;
}

const GONE: AgentAnswer = { fault: 'gone', detail: 'the agent is not connected' };

/** Sends one packet to the agent of a seat, if it is there, and acts on its answer. */
export async function deliver(deps: DeliverDeps, seat: AgentSeat, connection: AgentConnection | undefined, packet: Sent): Promise<void> {
  const { request, text, question } = packet;
  if (request === 'TALK_PHASE_END') stopListening(seat);
  if (request === 'TALK_PHASE_START' && question !== undefined) {
    send(deps, seat, connection, packet);
    if (connection) listen(deps, seat, connection, question);
  } else if (question !== undefined || request === 'ROLE') {
    const sentAt = deps.now();
    const answer = connection ? await connection.request(text, deps.limits) : GONE;
    deps.closing.throwIfAborted(); // the agent has not hung up: we have
    if ('fault' in answer && deps.round() > roundOf(seat)) return; // the round was over before, as when its table is aborted
    const answeredAt = deps.now();
    if (connection) {
      const about = { division: seat.terms.division, request, ...teamLabel(connection, request) };
      metrics.agentAnswerSeconds.observe(about, (answeredAt - sentAt) / 1000);
      report(deps, seat, { request, text, sentAt, answer, answeredAt });
    }
    if (question !== undefined) await take(deps, seat, request, question, answer);
    else if ('fault' in answer && connection && !(deps.isContest && answer.fault === 'gone'))
      deps.faults.add(seat, { request, question: `round-${roundOf(seat)}/role`, ...answer });
  } else send(deps, seat, connection, packet);
}

/** How many teams are told apart: whoever connects names itself. */
const MAX_TEAMS = 50;
const teams = new Set<string>();

/** Who gets a request that not every living agent gets has a role. */
function teamLabel({ team }: AgentConnection, request: string): { readonly team?: string } {
  if (!ASKED_OF_ALL.has(request)) return {};
  if (teams.size < MAX_TEAMS) teams.add(team);
  return { team: teams.has(team) ? team : 'others' };
}

function send(deps: DeliverDeps, seat: AgentSeat, connection: AgentConnection | undefined, { request, text }: Sent): void {
  if (!connection) return;
  const sentAt = deps.now();
  connection.send(text);
  report(deps, seat, { request, text, sentAt, answeredAt: sentAt });
}

interface Exchange {
  readonly request: string;
  readonly text: string;
  readonly sentAt: number;
  readonly answer?: AgentAnswer;
  readonly answeredAt: number;
}

const report = (deps: DeliverDeps, seat: AgentSeat, exchange: Exchange): void =>
  deps.report?.({ type: 'packet', set: seat.set, round: roundOf(seat), seat: seat.seat, agent: seat.agent, ...exchange });

/** Acts on an answer, or on its absence. */
async function take(deps: DeliverDeps, seat: AgentSeat, request: string, question: string, answer: AgentAnswer): Promise<void> {
  const { terms } = seat;
  const { state } = seat.play;
  const reading =
    'text' in answer ? readAnswer(terms, state, question, answer.text) : { ...answer, ...withoutAnswer(terms, state, question) };
  const says = reading.says ?? ('oneOf' in reading && reading.oneOf?.length ? reading.oneOf[randomInt(reading.oneOf.length)] : undefined);
  // Of an agent that hangs up in a contest, that alone is the fault.
  if ('fault' in reading && !(deps.isContest && reading.fault === 'gone')) {
    const { fault, detail } = reading;
    const instead = says ?? (isSpeech(request) ? SKIP : undefined);
    deps.faults.add(seat, { request, question, fault, detail, ...(instead === undefined ? {} : { instead }) } satisfies Fault);
  }
  const id = requestId(seat.set, 'act', seat.seat, question);
  if (await act(deps, seat, { question, says, id })) return deps.answered(seat, question, says);
  // What the table does not take is no answer either: otherwise all would wait for another one.
  const none = { question, id: requestId(seat.set, 'pass', seat.seat, question) };
  if (says !== undefined && (await act(deps, seat, none))) deps.answered(seat, question, undefined);
}

const isSpeech = (request: string): boolean => request === 'TALK' || request === 'WHISPER';

export function stopListening({ hearing }: AgentSeat): void {
  hearing.stop?.();
  hearing.stop = undefined;
}

/** Takes all texts of an agent in a talk at any time, one after another. What does not count is dropped. */
function listen(deps: DeliverDeps, seat: AgentSeat, connection: AgentConnection, question: string): void {
  stopListening(seat);
  const open = seat.play.state.table.open.find(({ id }) => id === question);
  let left = (open?.limit?.texts ?? 0) - (open ? saidBy(open, seat) : 0);
  let tail = Promise.resolve();
  seat.hearing.stop = connection.listen((raw) => {
    const reading = readAnswer(seat.terms, seat.play.state, question, raw);
    if (!('says' in reading) || reading.says === undefined) return;
    const { says } = reading;
    if (says !== open?.limit?.last && --left < 0) return;
    tail = tail
      .then(async () => void ((await act(deps, seat, { question, says, id: randomUUID() })) && deps.answered(seat, question, says)))
      .catch((error: unknown) => deps.log.debug({ set: seat.set, err: error }, 'a text of an agent was not taken'));
  });
}

const saidBy = ({ answers }: Open, { seat }: AgentSeat): number => answers.filter(({ by }) => by === seat).length;
