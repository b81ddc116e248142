/** Where acts are sent to. */
export type ActPath = `/tables/:table/${'acts' | 'speech' | 'leave' | 'return'}`;

/** An act that was sent. Without an answer, it is sent again with the same key: it is then carried out once. */
export interface SentAct {
  readonly question: string;
  readonly path: ActPath;
  readonly body: object;
  /** What was typed for it; forgotten once it is said. */
  readonly draft?: string;
  readonly key: string;
}

interface Draft {
  readonly text: string;
  readonly at: number;
}

/** What a seat has typed and sent, which survives reloads. */
export interface SeatStorage {
  /** What was typed for a question; empty when nothing was. */
  draft(question: string): string;
  setDraft(question: string, text: string): void;
  /** The newest text of another question with the same last parts, which was never sent. */
  unsent(question: string): string | undefined;
  /** The acts without an answer. */
  sent(): readonly SentAct[];
  setSent(question: string, act: SentAct | undefined): void;
  /** Forgets all of it: the table is over. */
  clear(): void;
}

const PREFIX = 'maw.play.';
/** Texts of tables that nobody came back to are forgotten after a week. */
const KEPT_MS = 7 * 86_400_000;

/** @param now milliseconds since the epoch */
export function seatStorage(store: Storage, table: string, seat: number, now: () => number): SeatStorage {
  dropOld(store, now() - KEPT_MS);
  const own = `${PREFIX}${table}.${seat}.`;
  const drafts = `${own}draft.`;
  const sent = `${own}sent.`;
  const keys = (prefix: string): string[] => Object.keys(store).filter((key) => key.startsWith(prefix));
  return {
    draft: (question) => (read(store, drafts + question) as Draft | undefined)?.text ?? '',
    setDraft(question, text) {
      if (text) write(store, drafts + question, { text, at: now() });
      else store.removeItem(drafts + question);
    },
    unsent(question) {
      const isLike = (key: string): boolean => key !== drafts + question && kindOf(key) === kindOf(question);
      const others = keys(drafts)
        .filter(isLike)
        .flatMap((key) => (read(store, key) as Draft | undefined) ?? []);
      return others.toSorted((a, b) => b.at - a.at)[0]?.text;
    },
    sent: () => keys(sent).flatMap((key) => (read(store, key) as SentAct | undefined) ?? []),
    setSent(question, act) {
      if (act) write(store, sent + question, { ...act, at: now() });
      else store.removeItem(sent + question);
    },
    clear: () => keys(own).forEach((key) => store.removeItem(key)),
  };
}

/** The last two parts of the id of a question, without numbers: the night's talk and the day's are different. */
const kindOf = (question: string): string => question.split('/').slice(-2).join('/').replaceAll(/\d+/g, '');

function dropOld(store: Storage, before: number): void {
  for (const key of Object.keys(store))
    if (key.startsWith(PREFIX) && ((read(store, key) as Draft | undefined)?.at ?? 0) < before) store.removeItem(key);
}

function read(store: Storage, key: string): unknown {
  try {
    return JSON.parse(store.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined; // not written by this page
  }
}

/** A full or forbidden store keeps nothing; the page goes on without it. */
function write(store: Storage, key: string, value: object): void {
  try {
    store.setItem(key, JSON.stringify(value));
  } catch {
    // nothing is kept
  }
}
