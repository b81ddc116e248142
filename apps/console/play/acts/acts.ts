import { randomKey, tablePath } from '../../api/client.ts';
import { type ApiProblem, problemOf } from '../../api/problem.ts';
import { type Sender, sendAct } from './send-act.ts';
import type { SeatStorage, SentAct } from './storage.ts';

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
  readonly table: string;
  readonly post: Sender['post'];
  readonly storage: SeatStorage;
  wait(): Promise<void>;
  onChange(): void;
  isClosed(): boolean;
}

/** Sends what a person does at a table: one act per click, one at a time for each question. */
export function createActs(options: ActOptions): Acts {
  const { table, storage, onChange } = options;
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
      if (!(await sendAct({ ...options, newKey: randomKey }, act))) return false;
      if (act.draft !== undefined && storage.draft(question) === act.draft) storage.setDraft(question, '');
      return true;
    } catch (error) {
      update({ refused: { question, problem: problemOf(error) } });
      return false;
    } finally {
      update({ sending: new Set([...state.sending].filter((each) => each !== question)) });
    }
  }
  const at = (rest: string): string => tablePath(table, rest);
  return {
    get state() {
      return state;
    },
    choose: (question, says) => send({ question, path: at('/acts'), body: { question, says } }),
    speak: (question, room, text, draft) =>
      send({ question, path: at('/speech'), body: { room, text }, ...(draft === undefined ? {} : { draft }) }),
    whisper: (question, seat, text) => send({ question, path: at('/acts'), body: { question, says: [`seat:${seat}`, text] }, draft: text }),
    hand: (to) => send({ question: HAND, path: at(to === 'mind' ? '/leave' : '/return'), body: {} }),
    resume: () => storage.sent().forEach((act) => void send(act)),
    dismiss: () => update({ refused: undefined }),
  };
}
