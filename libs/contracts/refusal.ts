/** What a seat that acts or speaks may be refused for, as the rules say it. */
export const ACT_REASONS = [
  'not-asked',
  'not-your-turn',
  'already-answered',
  'not-an-option',
  'wrong-number-of-choices',
  'nothing-said',
  'too-long',
  'unprintable',
  'phase-over',
  'paused',
  'dead',
  'room-closed',
  'not-a-member',
] as const;

/** Every reason for which a service refuses a request. The reasons of the rules (`@maw/games/kernel/refusal.ts`) are among them. */
export const REASONS = [
  ...ACT_REASONS,
  'too-fast',
  'unknown-game',
  'unknown-rules',
  'unknown-contest',
  'bad-contest',
  'bad-option',
  'bad-name',
  'name-taken',
  'table-full',
  'already-begun',
  'already-seated',
  'not-joined',
  'forbidden',
  'unreadable',
  'late',
  'limited',
  'no-server',
  'invalid-answer',
  'failed',
] as const;
export type Reason = (typeof REASONS)[number];

/** A request that a service does not fulfil, and why. Not a fault: the bus answers with the performative `refuse`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;
  /** What is wrong, where, and what to do instead; for people. */
  readonly detail: string;
  /** After how many milliseconds a retry may succeed; undefined: waiting does not help, or nobody knows. */
  readonly waitMs: number | undefined;
  constructor(reason: Reason, detail = '', waitMs?: number) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.reason = reason;
    this.detail = detail;
    this.waitMs = waitMs;
  }
}
