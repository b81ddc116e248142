import type { AgentAnswer } from '@maw/aiwolf/server/report.ts';

/** How long an answer may take, in milliseconds. */
export interface AnswerLimits {
  readonly answerMs: number;
  /** Natural-language division: the time beyond `answerMs` before the agent is asked for a sign of life. */
  readonly extraMs: number;
  /** How long a late agent has for it; one that gives none is disconnected. 0: it is not asked. */
  readonly signMs: number;
  /** Anything but its name is no sign of life, a late answer neither. */
  readonly strict?: boolean;
}

/**
 * The connection of one agent that has told its name: a line of TCP or a message of a WebSocket is a packet. Only what was asked for is an
 * answer: late answers and texts that nobody asked for are counted and dropped.
 */
export interface AgentConnection {
  /** The answer to NAME, without blanks around it: 1 to 100 characters, none of them a control character. */
  readonly name: string;
  /** Natural-language division: the name without its number, which agents of one team share. */
  readonly team: string;
  /** Whose it is, as far as can be known: the address that it comes from, or the team of its token. */
  readonly origin: string;
  /** Sends a packet that wants no answer. After the agent has hung up, nothing happens. */
  send(text: string): void;
  /** Sends a packet and waits for its answer; one at a time. Never throws. */
  request(text: string, limits: AnswerLimits): Promise<AgentAnswer>;
  /** A talk at any time: hands over every text of the agent from now on, until the returned function is called. */
  listen(onText: (text: string) => void): () => void;
  /** Texts that nobody asked for, since the connection began. */
  readonly unasked: () => number;
  /** Resolves once the connection is closed, by either side. */
  readonly closed: Promise<void>;
  /** Closes it in good order, once everything sent has left. @param reason for the agent, where the transport tells one: at most 123 bytes */
  close(reason?: string): Promise<void>;
}

/** A server that agents connect to. */
export interface AgentServer {
  /** `tcp://127.0.0.1:10000` or `ws://127.0.0.1:8080/ws` */
  readonly url: string;
  /** Takes no more agents, and closes the connections of all. */
  close(): Promise<void>;
}
