/** Games that were played on the published servers: what some of their agents were sent and answered, and the answers of all. */
import {
  capturedConnection,
  captureNames,
  hasCaptures,
  type Initialize,
  optionsOf,
  readCaptured,
  tapeOfText,
} from '@maw/aiwolf/server/captures.suite.ts';
import { logOfCapture } from '@maw/aiwolf/server/log-of-capture.suite.ts';
import { type Seat, seatOf } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';

type Event = { readonly type: string };
type Packets = ReturnType<typeof capturedConnection>;

/** An utterance or a whisper; `agent`: as packets name it. */
export interface Said {
  readonly place: 'talk' | 'whisper';
  readonly day: number;
  readonly turn: number;
  readonly agent: number | string;
  readonly text: string;
}

export interface CapturedGame {
  readonly name: string;
  readonly division: 'protocol' | 'natural';
  readonly tape: readonly Event[];
  /** Its talk and whispers, as in a log. */
  readonly said: readonly Said[];
  readonly players: number;
  /** Of the rule set. */
  readonly options: { readonly [name: string]: unknown };
  /** How long answers may take, as agents were told, in milliseconds. */
  readonly limits: { readonly answerMs?: number; readonly signMs?: number };
  /** What was captured: all packets, NAME first. */
  readonly captures: readonly { readonly name: string; readonly seat: Seat; readonly packets: readonly string[] }[];
  /** By seat: the answers to all requests after NAME and ROLE, in order. Undefined: none, until its time is over. */
  readonly answers: readonly (readonly (string | undefined)[])[];
}

/** The captured connections of each game; none where they are not installed. */
export const capturedGames: readonly { readonly name: string; read(): CapturedGame }[] = hasCaptures
  ? [
      ...captureNames('aiwolf').map((name) => ({ name, read: () => protocolGame(name) })),
      ...[...Map.groupBy(captureNames('aiwolf-nlp'), (name) => name.replace(/-(?:[A-Z]+\d?|seat\d)$/, ''))].map(([name, captures]) => ({
        name,
        read: () => naturalGame(name, captures),
      })),
    ]
  : [];

/** The logs of the games of whose connections one was captured; of the others a log is made from what it saw. */
const LOGS: { readonly [capture: string]: string } = { 'n5-WEREWOLF': 'n5-game1', 'n15-WEREWOLF': 'n15-game1' };

function protocolGame(name: string): CapturedGame {
  const packets = capturedConnection(`aiwolf/${name}.jsonl`);
  const texts = packets.map(({ text }) => text);
  const log = LOGS[name] ? readCaptured(`aiwolf/${LOGS[name]}.log`) : logOfCapture(texts.slice(2));
  const { tape, inferred, players } = tapeOfText(log);
  const seat = (JSON.parse(texts[2]!) as { readonly gameInfo: { readonly agent: number } }).gameInfo.agent - 1;
  const target = (says: string) => JSON.stringify({ agentIdx: seatOf(says) + 1 });
  return {
    name,
    division: 'protocol',
    tape,
    said: saidIn(log, Number),
    players: players.length,
    options: inferred,
    limits: {},
    captures: [{ name, seat, packets: texts }],
    answers: players.map((_, each) => (each === seat ? answersIn(packets) : answersOn(tape, each, target))),
  };
}

function naturalGame(name: string, captured: readonly string[]): CapturedGame {
  const log = readCaptured(`aiwolf-nlp/${name}.log`);
  const connections = captured.map((each) => {
    const packets = capturedConnection(`aiwolf-nlp/${each}.jsonl`);
    return { name: each, packets, ...(JSON.parse(packets[1]!.text) as Initialize) };
  });
  const { setting } = connections[0]!;
  const { tape, inferred, players } = tapeOfText(log, optionsOf(setting));
  const captures = connections.map(({ name: each, packets, info }) => ({ name: each, seat: players.indexOf(info.agent), packets }));
  const target = (says: string) => players[seatOf(says)]!;
  return {
    name,
    division: 'natural',
    tape,
    said: saidIn(log, (agent) => players[Number(agent) - 1]!),
    players: players.length,
    options: { ...inferred, mention: 'lowest' },
    limits: { answerMs: setting.timeout.action, signMs: setting.timeout.response },
    captures: captures.map(({ packets, ...rest }) => ({ ...rest, packets: packets.map(({ text }) => text) })),
    answers: players.map((_, seat) => {
      const own = captures.find((each) => each.seat === seat);
      return own ? answersIn(own.packets) : answersOn(tape, seat, target);
    }),
  };
}

const saidIn = (log: string, nameOf: (agent: string) => number | string): readonly Said[] =>
  [...log.matchAll(/^(\d+),(talk|whisper),\d+,(\d+),(\d+),(.*)$/gm)].map(([, day, place, turn, agent, text]) => ({
    place: place as Said['place'],
    day: Number(day),
    turn: Number(turn),
    agent: nameOf(agent!),
    text: text!,
  }));

const WANTS_ANSWER = /^\{(?:.*,)?"request":"(?:TALK|WHISPER|VOTE|DIVINE|GUARD|ATTACK)"/;

const answersIn = (packets: Packets) => packets.flatMap(({ text, answer }) => (WANTS_ANSWER.test(text) ? [answer] : []));

/** What a seat answered whose connection was not captured; an empty text where nothing counts. */
function answersOn(tape: readonly Event[], seat: Seat, targetOf: (says: string) => string): readonly string[] {
  const events = tape as readonly TableEvent[];
  const said = new Map(events.flatMap((e) => (e.type === 'answered' && e.answer.by === seat ? [[e.question, e.answer.says[0]!]] : [])));
  return events.flatMap((e) => {
    if (e.type !== 'asked' || !e.question.of.includes(seat)) return [];
    const says = said.get(e.question.id);
    if (e.question.verb === 'say') return [says ?? 'Skip'];
    return [says === undefined ? '' : targetOf(says)];
  });
}
