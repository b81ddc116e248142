/** What an agent sent to a request, or why there is no answer. */
export type AgentAnswer = { readonly text: string } | { readonly fault: ConnectionFault; readonly detail: string };

/**
 * Why a request has no answer: it came too late or not at all (`late`); the agent has hung up (`gone`); it was longer than any answer
 * (`too-long`); its bytes are no text (`not-text`).
 */
export type ConnectionFault = 'late' | 'gone' | 'too-long' | 'not-text';

/** Whom a report is about. */
interface At {
  /** The table, too. */
  readonly set: string;
  /** From 1. */
  readonly round: number;
  /** From 0. */
  readonly seat: number;
  /** The answer to NAME. */
  readonly agent: string;
}

/** What the service does, for a command that runs it and shows it. Times are milliseconds since 1970. */
export type ServiceReport =
  /** An agent has told its name, or has hung up. `server`: the index of its terms. */
  | { readonly type: 'connected' | 'disconnected'; readonly server: number; readonly agent: string }
  /** A table is open and its agents sit there; the other seats are filled, those of people once they have joined. */
  | { readonly type: 'began'; readonly set: string; readonly server: number; readonly agents: readonly { seat: number; name: string }[] }
  /** The gamemaster does not open the table: its agents are sent away. */
  | { readonly type: 'refused'; readonly set: string; readonly reason: string; readonly detail: string }
  /** A packet was sent, and its answer has come or does not come; `answer` is absent where none was wanted. */
  | (At & {
      readonly type: 'packet';
      readonly request: string;
      readonly text: string;
      readonly sentAt: number;
      readonly answer?: AgentAnswer;
      readonly answeredAt: number;
    })
  /** An answer that did not count; `instead` counted, where anything did. */
  | (At & {
      readonly type: 'fault';
      readonly request: string;
      readonly question: string;
      readonly fault: string;
      readonly detail: string;
      readonly instead?: string;
      readonly at: number;
    })
  /** The stand-in plays the seat from now on, or the agent does again. */
  | (At & { readonly type: 'replaced' | 'returned' })
  | { readonly type: 'ended'; readonly set: string };

/** Hears reports in order. Must not throw. */
export type Reporter = (report: ServiceReport) => void;
