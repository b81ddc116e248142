import { eventDigest, chainLink } from '@maw/store/integrity/hash-chain.ts';
import { toJson } from '@maw/store/memory/json.ts';
import { compareBytes } from './compare-bytes.ts';
import type { ListQuery, TableListing, RecordedEvent, Score, Tapes } from '@maw/store/ports/tapes.ts';
import { conflictAt, isOver } from '@maw/store/ports/tapes.ts';
import { emptyDatabase, type MemoryDatabase } from './database.ts';

/** Tapes in memory. An append runs synchronously, which makes it atomic. */
export function memoryTapes({ tables, results, scores }: Pick<MemoryDatabase, 'tables' | 'results' | 'scores'> = emptyDatabase()): Tapes {
  return {
    async read(table, after = 0) {
      const tape = tables.get(table)?.tape.slice(after) ?? [];
      return tape.map(({ at, json }, i): RecordedEvent => ({ table, sequence: after + i + 1, at, ...JSON.parse(json) }));
    },

    async append(table, after, events, { at, cause, wake, summary, result, scores: counted = [] }) {
      const known = tables.get(table);
      if ((known?.last ?? 0) !== after) throw conflictAt(table, after);
      // All that can throw comes before the first write.
      let head = known?.head;
      const more = events.map((event, i) => {
        const json = `{"cause":${JSON.stringify(cause)},"event":${toJson(event)}}`;
        head = chainLink(head, eventDigest({ table, sequence: after + i + 1, at, cause, event }));
        return { at, json, hash: head };
      });
      const about = { wake, summary: toJson(summary), isOver: isOver(summary), last: after + more.length, head, retired: known?.retired };
      const kept = result && { at, json: toJson(result) };
      tables.set(table, { opened: known?.opened ?? at, tape: [...(known?.tape ?? []), ...more], ...about });
      if (kept && !results.has(table)) {
        results.set(table, kept);
        scores.set(table, toJson(counted));
      }
    },

    async causesAmong(asked) {
      const causesOf = (table: string) => (tables.get(table)?.tape ?? []).map(({ json }) => (JSON.parse(json) as { cause: string }).cause);
      return new Set(asked.filter(({ table, cause }) => causesOf(table).includes(cause)).map(({ cause }) => cause));
    },

    async due(now, limit) {
      const alarms = [...tables].flatMap(([table, { wake }]) => (wake !== undefined && wake <= now ? [{ table, alarm: wake }] : []));
      return alarms.toSorted((a, b) => a.alarm - b.alarm || (a.table < b.table ? -1 : 1)).slice(0, limit);
    },

    async countDue(now) {
      return [...tables.values()].filter(({ wake }) => wake !== undefined && wake <= now).length;
    },

    async list(query) {
      return listed(tables, query);
    },

    async result(id) {
      const kept = results.get(id);
      return kept && JSON.parse(kept.json);
    },

    async scores(rules) {
      const all = [...scores.values()].flatMap((json): readonly Score[] => JSON.parse(json));
      return summed(all.filter((score) => rules === undefined || score.rules === rules));
    },

    async countByStage() {
      const stages = [...tables.values()].flatMap(({ isOver: over, summary }) => (over ? [] : [String(JSON.parse(summary).stage)]));
      return Object.fromEntries([...Map.groupBy(stages, (stage) => stage)].map(([stage, all]) => [stage, all.length]));
    },
  };
}

/** The tables of a query, newest first. */
function listed(tables: MemoryDatabase['tables'], { limit, before, isOver: over, ...query }: ListQuery): TableListing[] {
  const { opened: from = Infinity, table: than } = typeof before === 'object' ? before : { opened: before };
  const isBefore = (id: string, opened: number) => opened < from || (opened === from && than !== undefined && compareBytes(id, than) < 0);
  return [...tables]
    .filter(([id, table]) => isBefore(id, table.opened) && (over === undefined || table.isOver === over) && fits(id, table.summary, query))
    .toSorted(([a, { opened: first }], [b, { opened: second }]) => second - first || compareBytes(b, a))
    .slice(0, limit)
    .map(([table, { opened, summary }]): TableListing => ({ table, opened, summary: JSON.parse(summary) }));
}

/** One score for each kind of player and side, in order. */
function summed(all: readonly Score[]): readonly Score[] {
  const keyOf = ({ rules, side, kind, recipe = '', model = '' }: Score) => JSON.stringify([rules, side, kind, recipe, model]);
  return [...Map.groupBy(all, keyOf)]
    .toSorted(([a], [b]) => compareKeys(JSON.parse(a), JSON.parse(b)))
    .map(([, own]) => own.reduce((sum, { games, wins }) => ({ ...sum, games: sum.games + games, wins: sum.wins + wins })));
}

/** The order of two keys of several texts. */
const compareKeys = (a: readonly string[], b: readonly string[]): number =>
  a.reduce((order, part, i) => order || compareBytes(part, b[i]!), 0);

function fits(id: string, json: string, { rules, stage, search, agent }: Pick<ListQuery, 'rules' | 'stage' | 'search' | 'agent'>): boolean {
  const summary = JSON.parse(json) as {
    rules?: string;
    stage: string;
    players?: readonly { name?: string }[];
    agents?: readonly { agent?: string }[];
  };
  if ((rules !== undefined && summary.rules !== rules) || (stage !== undefined && summary.stage !== stage)) return false;
  if (agent !== undefined && !summary.agents?.some((each) => each.agent === agent)) return false;
  const names = [id, ...(summary.players ?? []).map(({ name = '' }) => name)];
  return search === undefined || names.some((name) => name.toLowerCase().includes(search.toLowerCase()));
}
