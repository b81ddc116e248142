/** Agents that do wrong in one way each, and the faults that this must cost them. */
import { type Answering, joinAs, legalAnswer, type Memory, type PlayingAgent } from './agents.suite.ts';

/** One way to do wrong. */
export interface Hostility {
  readonly answering: Answering;
  /** The faults of its answers: "VOTE late". */
  readonly expected: readonly string[];
  /** Not each answer has its fault, and it may miss requests besides: it is cut off, or hangs up, or what it says belongs to no request. */
  readonly isAway?: boolean;
}

export type Hostile = (context: { readonly isProtocol: boolean; expire(): void }) => Hostility;

/** Requests for which something counts in place of an answer. The table would wait for the end of its time at others. */
const REPLACED: ReadonlySet<string> = new Set(['ROLE', 'TALK', 'WHISPER', 'VOTE']);
const isSpeech = (request: string): boolean => request === 'TALK' || request === 'WHISPER';

/** Every answer is wrong in the same way. */
const always =
  (fault: string | undefined, wrong: (agent: PlayingAgent['agent'], legal: string) => void, isAway = false): Hostile =>
  () => {
    const expected: string[] = [];
    return {
      expected,
      isAway,
      answering(packet, memory, agent) {
        const legal = legalAnswer(packet, memory);
        if (!REPLACED.has(packet.request)) return legal;
        if (fault !== undefined) expected.push(`${packet.request} ${fault}`);
        wrong(agent, legal!);
        return undefined;
      },
    };
  };

const bytesOf = (text: string): readonly Buffer[] => Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
/** Twice what a server reads before it cuts an agent off. Made once: new buffers of this size make V8 collect garbage again and again. */
const HUGE = Buffer.alloc(2_000_000, 'x');
const HALF = HUGE.subarray(0, HUGE.length / 2);

/** Is late each time. What it owes comes at once with an answer in time. @param says what comes late @param signs what is said to NAME then */
const overdue =
  (says: ((agent: PlayingAgent['agent'], legal: string) => void) | undefined, signs: (name: string) => readonly string[]): Hostile =>
  ({ isProtocol, expire }) => {
    const expected: string[] = [];
    const owed: string[] = [];
    let isInGame = false;
    return {
      expected,
      isAway: signs('').length === 0 && !isProtocol,
      answering(packet, memory, agent) {
        const legal = legalAnswer(packet, memory);
        if (packet.request === 'NAME') {
          if (isProtocol || !isInGame) {
            isInGame = true;
            return legal;
          }
          const names = signs(memory.name);
          if (names.length) agent.send(...names);
          else {
            isInGame = false;
            expire();
          }
          return undefined;
        }
        if (packet.request === 'FINISH') isInGame = false;
        if (!REPLACED.has(packet.request)) {
          if (legal !== undefined) agent.send(...owed.splice(0), legal);
          return undefined;
        }
        expected.push(`${packet.request} ${isProtocol || signs('').length ? 'late' : 'gone'}`);
        expire();
        if (isProtocol && !says) owed.push(legal!);
        says?.(agent, legal!);
        return undefined;
      },
    };
  };

/** Hangs up once at each kind of packet that it gets. @param left the kinds */
export const leaver =
  (left = new Set<string>()): Hostile =>
  () => ({
    expected: [],
    isAway: true,
    answering(packet, memory, agent) {
      if (packet.request === 'NAME' || left.has(packet.request)) return legalAnswer(packet, memory);
      left.add(packet.request);
      agent.hangUp();
      return undefined;
    },
  });

/** Speaks in the morning before it is asked: where that is taken for its answer, its answer is what nobody asked for. */
const unasked: Hostile = () => ({
  expected: ['VOTE unreadable', 'VOTE unknown-target'],
  isAway: true,
  answering(packet, memory) {
    const { day } = (packet['gameInfo'] ?? packet['info'] ?? { day: 0 }) as { readonly day: number };
    return packet.request === 'DAILY_INITIALIZE' && day > 0 ? 'Skip' : legalAnswer(packet, memory);
  },
});

type Odd = readonly [answer: string | ((memory: Memory) => string | undefined), fault?: string];

const living = ({ status, me }: Memory): string => Object.keys(status).find((each) => status[each] === 'ALIVE' && each !== String(me))!;
const dead = ({ status }: Memory): string | undefined => Object.keys(status).find((each) => status[each] === 'DEAD');
const index = (agent: string | number | undefined): string | undefined => (agent === undefined ? undefined : `{"agentIdx":${agent}}`);

const ODD_LINES: readonly Odd[] = [
  ['', 'empty'],
  ['I am a human being', 'unreadable'],
  ['占い師です', 'unreadable'],
  ['Over '],
  ['  VOTE   Agent[02]  '],
  ['ESTIMATE Agent[99] WEREWOLF'],
  ['NOT ((VOTE Agent[01])', 'unreadable'],
  ['BECAUSE (VOTE Agent[01])', 'unreadable'],
  ['XOR (VOTE Agent[01])', 'unreadable'],
  ['VOTE Agent[02]\r'],
  ['VOTE Agent[02]\nVOTE Agent[03]'],
  ['Over\r'],
];
const ODD_INDICES: readonly Odd[] = [
  ['', 'empty'],
  ['{"agentIdx": 3}', 'unreadable'],
  ['Agent[03]', 'unreadable'],
  ['3', 'unreadable'],
  ['{"agentIdx":-1}', 'unreadable'],
  ['{"agentIdx":0}', 'unknown-target'],
  ['{"agentIdx":77}', 'unknown-target'],
  [(memory) => `please ${index(`0${living(memory)}`)} thanks`],
];
const ODD_TEXTS: readonly Odd[] = [
  ['', 'empty'],
  ['over'],
  ['ForceSkip'],
  ['x'.repeat(400)],
  ['two\nlines 🐺'],
  [' ', 'empty'],
  ['Hello\teverybody'],
  ['Hello.\r\n\r\nI am a villager\r\n'],
  ['vil\u00adlager \u200b\u061c'],
  ['a\u0000b'],
  ['\r\n', 'empty'],
  [(memory) => `Hello  @${living(memory)}  and all`],
  ['Over '],
];
const ODD_NAMES: readonly Odd[] = [
  ['', 'empty'],
  [(memory) => ` ${living(memory)}`],
  [(memory) => `${living(memory)}\r\n`],
  [(memory) => living(memory).toLowerCase(), 'unknown-target'],
  ['Nobody', 'unknown-target'],
  [dead, 'dead-target'],
  [(memory) => `${living(memory)}\n`],
];

/** All odd answers, in turns. */
const odd: Hostile = ({ isProtocol }) => {
  const expected: string[] = [];
  let count = 0;
  const next = (all: readonly Odd[], memory: Memory): readonly [text: string, fault: string | undefined] => {
    const [answer, fault] = all[count++ % all.length]!;
    const text = typeof answer === 'string' ? answer : answer(memory);
    return text === undefined ? next(all, memory) : [text, fault];
  };
  return {
    expected,
    answering(packet, memory) {
      const { request } = packet;
      if (request === 'ROLE' || !REPLACED.has(request)) return legalAnswer(packet, memory);
      const [text, fault] = next(isSpeech(request) ? (isProtocol ? ODD_LINES : ODD_TEXTS) : isProtocol ? ODD_INDICES : ODD_NAMES, memory);
      if (fault !== undefined) expected.push(`${request} ${fault}`);
      return text;
    },
  };
};

/** Names the dead and itself, which only some requests allow. */
const illegal: Hostile = ({ isProtocol }) => {
  const expected: string[] = [];
  let isDeadNext = false;
  return {
    expected,
    answering(packet, memory) {
      const legal = legalAnswer(packet, memory);
      const { request } = packet;
      if (request === 'ROLE' || isSpeech(request) || !REPLACED.has(request)) return legal;
      isDeadNext = !isDeadNext;
      const target = (isDeadNext ? dead(memory) : undefined) ?? String(memory.me);
      const isOwn = target === String(memory.me);
      const ownAllowed = isProtocol ? request === 'DIVINE' : request === 'VOTE' || request === 'ATTACK';
      if (isOwn ? !ownAllowed : !(isProtocol && request === 'GUARD')) expected.push(`${request} ${isOwn ? 'own' : 'dead'}-target`);
      return isProtocol ? index(target) : target;
    },
  };
};

/** By the name of the agent. */
export const HOSTILE: { readonly [name: string]: Hostile } = {
  odd,
  illegal,
  leaver: (context) => leaver()(context),
  unasked,
  silent: overdue(undefined, () => []),
  alive: overdue(undefined, (name) => [name]),
  slow: overdue(
    (agent, legal) => agent.send(legal),
    (name) => [name],
  ),
  twice: always(undefined, (agent, legal) => agent.send(legal, legal)),
  long: always('too-long', (agent) => agent.send('x'.repeat(100_000))),
  huge: always('too-long', (agent) => agent.sendParts([HUGE]), true),
  endless: always('too-long', (agent) => agent.sendParts([HALF, HALF], false), true),
  garbled: always('not-text', (agent) => agent.sendBytes(Buffer.from([0x41, 0xc3, 0x28, 0x41]))),
  halves: always(undefined, (agent, legal) => agent.sendBytes(Buffer.from(legal))),
  bytes: always(undefined, (agent, legal) => agent.sendParts(bytesOf(legal))),
};

/** Joins, and comes back whenever its connection ends, until the server is closed. All its connections, in order. */
export async function joinAgainAs(url: string, name: string, answering: Answering = legalAnswer): Promise<readonly PlayingAgent[]> {
  const connections: PlayingAgent[] = [];
  for (;;) {
    try {
      const agent = await joinAs(url, name, answering);
      connections.push(agent);
      await agent.closed;
    } catch {
      return connections; // the server is closed
    }
  }
}
