import type { AccountUsage } from '../ports/budget-usage.ts';
import type { StoredPairingResult } from '../ports/contests.ts';
import type { RevocationTarget } from '../ports/tokens.ts';
import type { TablePosition } from '../ports/tapes.ts';
import type { Store } from '../store.ts';
import { type Check, count, each, fields, flag, instant, json, optional, ordinal, rawJson, text, total } from './checks.ts';

/** The ports of a store: everything but its own two methods. */
export type Port = Exclude<keyof Store, 'ping' | 'now' | 'isFull' | 'close'>;

/** The checks of a method's arguments, by their names and in their order; and a rule about all of them. */
export interface Schema {
  readonly args: Readonly<Record<string, Check>>;
  /** Says what is wrong with the call as a whole. */
  readonly rule?: (...args: never[]) => string | undefined;
}

const table = text;
const seat = count;
const limit = count;
const room = { table, room: text };
const filter = { before: instant, keepResults: flag, onlyThoughts: optional(flag) };
const strategyKey = { recipe: text, rules: text, role: text };
const thought = fields({ table, seat, decision: text, step: count, kind: text, name: text, at: instant, content: json });
const score = { rules: text, side: text, kind: text, recipe: optional(text), model: optional(text), games: count, wins: count };
const page = { limit, before: optional(instant) };

const position: Check = (before: number | TablePosition) =>
  typeof before === 'object' ? fields({ opened: instant, table })(before as never) : instant(before as never);

const target: Check = (what: RevocationTarget) =>
  ('id' in what ? fields({ id: text }) : fields({ table, seat: optional(seat) }))(what as never);

const usageTotals: Check = (totals: readonly AccountUsage[]) => {
  const wrong = each(fields({ kind: text, who: text, period: count, used: total, most: total }))(totals as never);
  if (wrong !== undefined) return wrong;
  const keys = totals.map(({ kind, who }) => JSON.stringify([kind, who]));
  const twice = keys.find((key, i) => keys.indexOf(key) < i);
  return twice && ` contains ${twice} twice: give one total for each account`;
};

const pairingResult: Check = (result: StoredPairingResult) =>
  json(result as never) ?? fields({ number: count, attempt: ordinal })(result as never);

const auditFields = { id: text, at: instant, about: json, outcome: text };

/** What every method of a store accepts. */
export const schemas: { readonly [P in Port]: { readonly [M in keyof Store[P]]: Schema } } = {
  tapes: {
    read: { args: { table, after: optional(count) } },
    append: {
      args: {
        table,
        after: count,
        events: json,
        metadata: fields({
          at: instant,
          cause: text,
          wake: optional(instant),
          summary: json,
          result: optional(json),
          scores: optional(each(fields(score))),
        }),
      },
      rule: (id: string, after: number, events: readonly unknown[]) =>
        after === 0 && events.length === 0 ? `table ${id} cannot be opened without an event` : undefined,
    },
    due: { args: { now: instant, limit } },
    countDue: { args: { now: instant } },
    list: {
      args: {
        about: fields({ limit, before: optional(position), rules: optional(text), stage: optional(text), search: optional(text) }),
      },
    },
    result: { args: { table } },
    scores: { args: { rules: optional(text) } },
    countByStage: { args: {} },
  },
  rooms: {
    open: {
      args: {
        opening: fields({
          ...room,
          question: text,
          name: text,
          members: each(seat),
          speakers: each(seat),
          minds: optional(each(seat)),
          maxChars: count,
          until: instant,
          opened: count,
        }),
      },
    },
    close: { args: { ...room, about: fields({ closed: count, lines: count }) } },
    room: { args: room },
    addLine: {
      args: {
        ...room,
        line: fields({ line: ordinal, by: optional(seat), to: optional(seat), text, says: optional(each(text)), at: instant }),
      },
    },
    lines: { args: { ...room, after: count, limit } },
    markRead: { args: { ...room, seat, line: count } },
    readMarks: { args: room },
    purge: { args: { ...room, line: count } },
    archive: { args: room },
    archived: { args: room },
  },
  thoughts: {
    record: { args: { thought } },
    list: {
      args: {
        table,
        about: optional(fields({ seat: optional(seat), decision: optional(text), after: optional(count), limit: optional(limit) })),
      },
    },
    decisions: {
      args: { table, wanted: fields({ seat: optional(seat), decision: optional(text), after: optional(count), limit }) },
    },
    recall: { args: { table, seat } },
    recallAll: { args: { table, seats: each(seat) } },
    remember: {
      args: {
        table,
        seat,
        n: instant,
        memory: json,
        more: optional(fields({ sequence: optional(count), thoughts: optional(each(thought)) })),
      },
    },
  },
  recordings: {
    save: {
      args: {
        exchange: fields({ recording: text, hash: text, id: text, table, asker: text, at: instant, request: rawJson, outcome: rawJson }),
      },
    },
    find: { args: { recording: text, hash: text, nth: count, table } },
    list: { args: { recording: text, about: fields({ asker: optional(text), limit }) } },
  },
  experience: {
    create: { args: { pool: fields({ name: text, version: ordinal, at: instant, about: json }) } },
    add: { args: { name: text, version: ordinal, game: text, entries: each(fields({ n: ordinal, item: json, vector: optional(text) })) } },
    list: { args: { name: optional(text) } },
    games: { args: { name: text, version: ordinal } },
    entries: { args: { name: text, version: ordinal, about: fields({ after: optional(fields({ game: text, n: count })), limit }) } },
  },
  strategies: {
    add: {
      args: {
        version: fields({ name: text, ...strategyKey, parent: count, table, round: ordinal, seat, at: instant, lesson: json }),
      },
    },
    has: { args: { name: text, game: fields({ table, round: ordinal, seat }) } },
    newest: {
      args: {
        name: text,
        about: optional(fields({ version: optional(count), recipe: optional(text), rules: optional(text), role: optional(text) })),
      },
    },
    list: { args: { name: optional(text) } },
    freeze: { args: { name: text, at: instant } },
  },
  policies: {
    add: { args: { policy: fields({ name: text, at: instant, card: json, weights: text }) } },
    list: { args: { name: optional(text) } },
    get: { args: { name: text, version: ordinal } },
  },
  agentSets: {
    begin: {
      args: {
        set: fields({ id: table, division: text, at: instant, terms: json, agents: each(fields({ seat, name: text })), number: count }),
      },
    },
    end: { args: { id: table, at: instant } },
    discard: { args: { id: table, at: instant } },
    running: { args: {} },
    get: { args: { id: table } },
    latest: { args: { division: text, fields: json } },
    addFaults: {
      args: {
        faults: each(
          fields({
            set: table,
            at: instant,
            round: count,
            seat,
            agent: text,
            request: text,
            question: text,
            fault: text,
            detail: text,
            instead: optional(text),
          }),
        ),
      },
    },
    faults: { args: { set: table, after: optional(total), limit: optional(limit) } },
  },
  contests: {
    open: { args: { contest: fields({ id: text, at: instant, contest: json, pairings: count }) } },
    get: { args: { id: text } },
    list: { args: { about: fields({ states: optional(each(text)), limit }) } },
    setState: {
      args: {
        id: text,
        from: each(text),
        to: text,
        about: fields({
          at: instant,
          why: optional(text),
          holder: optional(text),
          terms: optional(fields({ contest: json, pairings: count })),
        }),
      },
    },
    claim: { args: { id: text, holder: text, lease: fields({ at: instant, until: instant }) } },
    release: { args: { id: text, holder: text } },
    begin: { args: { id: text, pairing: fields({ number: count, attempt: ordinal, table, at: instant }) } },
    begun: { args: { id: text } },
    finished: { args: { id: text } },
    finish: {
      args: { id: text, results: each(pairingResult), at: instant },
      rule: (_: string, results: readonly StoredPairingResult[]) => {
        const known = new Set<number>();
        const twice = results.find(({ number }) => known.size === known.add(number).size);
        return twice && `results contain pairing ${twice.number} twice`;
      },
    },
    countFinished: { args: { id: text, since: instant } },
    results: { args: { id: text, about: fields({ after: instant, limit }) } },
    page: { args: { id: text, terms: fields({ after: instant, skip: count, limit, bytes: ordinal, games: ordinal }) } },
  },
  budgetUsage: {
    record: { args: { at: instant, totals: usageTotals } },
    list: { args: { kind: text, about: fields({ since: instant, limit }) } },
    prune: { args: { before: instant } },
  },
  maintenance: {
    countTables: { args: {} },
    lastEventAt: { args: {} },
    listTables: { args: { after: text, limit } },
    readTable: { args: { table } },
    countExpired: { args: { filter: fields(filter) } },
    listExpired: { args: { filter: fields({ ...filter, limit, after: optional(fields({ ended: instant, table })) }) } },
    removeTables: { args: { tables: each(table), about: fields({ at: instant }) } },
  },
  tokens: {
    issue: {
      args: {
        token: fields({
          id: text,
          role: text,
          table: optional(table),
          seat: optional(seat),
          view: optional(text),
          name: text,
          by: text,
          issued: instant,
          until: instant,
        }),
      },
    },
    renew: { args: { id: text, until: instant, at: instant } },
    find: { args: { id: text } },
    list: { args: { about: fields({ at: instant, ...page, table: optional(table) }) } },
    revoke: { args: { target, until: instant } },
    revocations: { args: { after: instant } },
    prune: { args: { at: instant } },
  },
  auditLog: {
    write: { args: { entry: fields({ ...auditFields, who: text, token: text, from: text, what: text }) } },
    finish: { args: { outcome: fields(auditFields) } },
    lastOutcomes: { args: { what: text } },
    list: { args: { about: fields(page) } },
  },
  heartbeat: {
    beat: { args: { longestMs: count, options: optional(fields({ consumed: optional(each(text)), isProbe: optional(flag) })) } },
  },
};
