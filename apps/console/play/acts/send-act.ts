import { problemOf } from '../../api/problem.ts';
import type { SeatStorage, SentAct } from './storage.ts';

export interface Sender {
  /** Sends a POST with its key. @throws ApiProblem */
  post(path: string, body: object, key: string): Promise<unknown>;
  newKey(): string;
  /** Waits before the next attempt, at most until the link is back. */
  wait(): Promise<void>;
  readonly storage: Pick<SeatStorage, 'sent' | 'setSent'>;
  /** Whether the page of the seat was left. */
  isClosed(): boolean;
}

/**
 * Sends one act of a click until it is answered, with one key, so that it counts once. An act that is still without an answer keeps its key
 * over reloads: the same act for the same question is then the same click.
 * @returns false when the page was left before
 * @throws ApiProblem when it is refused
 */
export async function sendAct(sender: Sender, act: Omit<SentAct, 'key'>): Promise<boolean> {
  const { storage, isClosed, post, wait, newKey } = sender;
  const known = storage.sent().find((each) => isSame(each, act));
  const sent = known ?? { ...act, key: newKey() };
  storage.setSent(act.question, sent);
  for (;;) {
    try {
      await post(sent.path, sent.body, sent.key);
      storage.setSent(act.question, undefined);
      return true;
    } catch (error) {
      const { status } = problemOf(error);
      if (status > 0 && status < 500) storage.setSent(act.question, undefined);
      if (!isUnanswered(status)) throw error;
    }
    await wait();
    if (isClosed()) return false;
  }
}

/** Whether the act may have been carried out, and another attempt may tell. */
const isUnanswered = (status: number): boolean => status === 0 || status >= 502;

const isSame = (a: Omit<SentAct, 'key'>, b: Omit<SentAct, 'key'>): boolean =>
  a.question === b.question && a.path === b.path && JSON.stringify(a.body) === JSON.stringify(b.body);
