import { randomKey } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../../api/problem.ts';
import type { ActPath, SeatStorage, SentAct } from './storage.ts';

/** What became of the clicks of a person. */
export interface ActState {
  /** The questions whose answer is on its way, and `HAND`. */
  readonly sending: ReadonlySet<string>;
  /** The last refusal, until the next act for that question. */
  readonly refused: { readonly question: string; readonly problem: ApiProblem } | undefined;
}

/** Stands for a question where the seat itself is handed over. */
export const HAND = 'hand';

export interface Acts {
  readonly state: ActState;
  /** Whether it was done; a refusal is in the state. */
  choose(question: string, says: readonly string[]): Promise<boolean>;
  /** @param draft what was typed, where it was translated; undefined: nothing was */
  speak(question: string, room: string, text: string, draft?: string): Promise<boolean>;
  whisper(question: string, seat: number, text: string): Promise<boolean>;
  hand(to: 'mind' | 'person'): Promise<boolean>;
  /** Sends again what a reload left without an answer. */
  resume(): void;
  dismiss(): void;
}

export interface ActOptions {
  /** Sends a POST with its key until it is answered. @throws ApiProblem when it is refused, AbortError when the page of the seat is left */
  post(path: ActPath, body: object, key: string): Promise<unknown>;
  readonly storage: SeatStorage;
  onChange(): void;
}

/** Sends what a person does at a table: one act per click, one at a time for each question. */
export function createActs(options: ActOptions): Acts {
  const { storage, onChange } = options;
  let state: ActState = { sending: new Set(), refused: undefined };
  const update = (next: Partial<ActState>): void => {
    state = { ...state, ...next };
    onChange();
  };
  async function send(act: Omit<SentAct, 'key'>): Promise<boolean> {
    const { question } = act;
    if (state.sending.has(question)) return false;
    update({ sending: new Set([...state.sending, question]), refused: undefined });
    try {
      if (!(await sendAct(options, act))) return false;
      if (act.draft !== undefined && storage.draft(question) === act.draft) storage.setDraft(question, '');
      return true;
    } catch (error) {
      update({ refused: { question, problem: problemOf(error) } });
      return false;
    } finally {
      update({ sending: new Set([...state.sending].filter((each) => each !== question)) });
    }
  }
  return {
    get state() {
      return state;
    },
    choose: (question, says) => send({ question, path: '/tables/:table/acts', body: { question, says } }),
    speak: (question, room, text, draft) =>
      send({ question, path: '/tables/:table/speech', body: { room, text }, ...(draft === undefined ? {} : { draft }) }),
    whisper: (question, seat, text) =>
      send({ question, path: '/tables/:table/acts', body: { question, says: [`seat:${seat}`, text] }, draft: text }),
    hand: (to) => send({ question: HAND, path: to === 'mind' ? '/tables/:table/leave' : '/tables/:table/return', body: {} }),
    resume: () => storage.sent().forEach((act) => void send(act)),
    dismiss: () => update({ refused: undefined }),
  };
}

/**
 * Sends one act of a click, with one key, so that it counts once. An act that is still without an answer keeps its key over reloads: the same
 * act for the same question is then the same click.
 * @returns false when the page was left before
 * @throws ApiProblem when it is refused
 */
async function sendAct({ storage, post }: ActOptions, act: Omit<SentAct, 'key'>): Promise<boolean> {
  const known = storage.sent().find((each) => isSame(each, act));
  const sent = known ?? { ...act, key: randomKey() };
  storage.setSent(act.question, sent);
  try {
    await post(sent.path, sent.body, sent.key);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    storage.setSent(act.question, undefined);
    throw error;
  }
  storage.setSent(act.question, undefined);
  return true;
}

const isSame = (a: Omit<SentAct, 'key'>, b: Omit<SentAct, 'key'>): boolean =>
  a.question === b.question && a.path === b.path && JSON.stringify(a.body) === JSON.stringify(b.body);
