import { withTimeout } from '@maw/async/timeout.ts';
import type { AgentAnswer, ConnectionFault } from '@maw/aiwolf/server/report.ts';
import type { Settings } from './server-options.ts';

/** What carries texts to one agent. After it is closed, its methods do nothing. */
export interface Channel {
  send(text: string): void;
  /** What was sent and has not left yet. */
  backlogBytes(): number;
  /** Closes once everything sent has left, or after `closeMs`. @param code of a WebSocket @param reason at most 123 bytes */
  close(code: number, reason: string): void;
  /** Closes at once. */
  cut(): void;
}

/** A text of the agent, or why what came is none. */
export type Received = { readonly text: string } | { readonly fault: 'too-long' | 'not-text'; readonly detail: string };

/** The codes with which a WebSocket is closed (RFC 6455). */
export const NORMAL = 1000;
export const GOING_AWAY = 1001;
export const POLICY = 1008;

/** After so many times the limit a text that is owed will not come any more. */
const OWED_LIMITS = 5;

/** Requests to one agent and their answers. */
export interface Conversation {
  /**
   * Sends a packet and waits for its answer. A text that is owed for an earlier request is not taken for it.
   * @param isExpected the only text that answers, whatever is owed: the agent then owes nothing more
   */
  ask(packet: string, ms: number, isExpected?: (text: string) => boolean): Promise<AgentAnswer>;
  send(packet: string): void;
  listen(onText: (text: string) => void): () => void;
  readonly unasked: () => number;
  readonly closed: Promise<void>;
  close(code: number, reason: string): Promise<void>;
  /** For the transport: what came from the agent. */
  receive(received: Received): void;
  /** For the transport: the connection is closed. */
  end(): void;
}

interface State {
  readonly channel: Channel;
  readonly settings: Settings;
  pending?: { readonly settle: (answer: AgentAnswer) => void; readonly isExpected?: ((text: string) => boolean) | undefined } | undefined;
  listener?: ((text: string) => void) | undefined;
  /** Texts that late answers may still bring, and when the last request ran out. */
  owed: number;
  lateAt: number;
  unasked: number;
  /** Texts since the last request, those of a talk at any time included. */
  unaskedInARow: number;
  /** Why nothing more comes. */
  ended?: string;
}

export function startConversation(channel: Channel, settings: Settings): Conversation {
  const s: State = { channel, settings, owed: 0, lateAt: 0, unasked: 0, unaskedInARow: 0 };
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  return {
    ask: (packet, ms, isExpected) => ask(s, packet, ms, isExpected),
    send: (packet) => send(s, packet),
    listen(onText) {
      s.listener = onText;
      return () => {
        if (s.listener === onText) s.listener = undefined;
      };
    },
    unasked: () => s.unasked,
    closed,
    close(code, reason) {
      close(s, code, reason);
      return closed;
    },
    receive: (received) => receive(s, received),
    end() {
      stop(s, 'the agent has hung up');
      resolve();
    },
  };
}

async function ask(s: State, packet: string, ms: number, isExpected?: (text: string) => boolean): Promise<AgentAnswer> {
  if (s.pending) throw new Error('the agent has not answered the request before');
  if (s.settings.now() - s.lateAt > OWED_LIMITS * ms) s.owed = 0;
  s.unaskedInARow = 0;
  send(s, packet);
  if (s.ended !== undefined) return faulty('gone', s.ended);
  const { promise, resolve } = Promise.withResolvers<AgentAnswer>();
  s.pending = { settle: resolve, isExpected };
  const answer = await withTimeout(ms, promise, { onTimeout: () => undefined, startTimer: s.settings.startTimer });
  if (answer) return answer;
  s.pending = undefined;
  s.owed += 1;
  s.lateAt = s.settings.now();
  return faulty('late', `no answer within ${ms} ms`);
}

function send(s: State, packet: string): void {
  if (s.ended !== undefined) return;
  s.channel.send(packet);
  if (s.channel.backlogBytes() <= s.settings.maxBacklogBytes) return;
  s.settings.log.warn({ bytes: s.channel.backlogBytes() }, 'agent does not read what it is sent; cutting its connection');
  stop(s, 'the agent did not read what it was sent');
  s.channel.cut();
}

function receive(s: State, received: Received): void {
  if (s.ended !== undefined) return;
  if (s.pending?.isExpected && 'text' in received && s.pending.isExpected(received.text)) s.owed = 0;
  if (s.owed > 0) s.owed -= 1;
  else if (s.pending) settle(s, received);
  else {
    boundUnasked(s);
    if (s.listener && 'text' in received) s.listener(received.text);
    else s.unasked += 1;
  }
}

function settle(s: State, answer: AgentAnswer): void {
  s.pending?.settle(answer);
  s.pending = undefined; // at once: a second text in the same segment is not asked for
}

function boundUnasked(s: State): void {
  s.unaskedInARow += 1;
  if (s.unaskedInARow <= s.settings.maxUnasked) return;
  s.settings.log.warn({ unasked: s.unaskedInARow }, 'agent sent too many packets that nobody asked for; closing its connection');
  close(s, POLICY, `more than ${s.settings.maxUnasked} texts that nobody asked for`);
}

function close(s: State, code: number, reason: string): void {
  stop(s, reason);
  s.channel.close(code, reason);
}

function stop(s: State, reason: string): void {
  s.ended ??= reason;
  settle(s, faulty('gone', s.ended));
}

const faulty = (fault: ConnectionFault, detail: string): AgentAnswer => ({ fault, detail });
