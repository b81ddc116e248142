import { tableIds } from '@maw/store/table-ids.ts';
import { experienceOf, type FinishedGame } from './experience-of.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { gamesOf } from '../../measures/game-record.ts';
import { periodOf } from '@maw/minds/recipes/lan/period.ts';
import { checkPoolName, poolEntries } from './pool-file.ts';
import type { ExperiencePools, Pool, PoolEntry } from '@maw/store/ports/experience.ts';
import type { Store } from '@maw/store/store.ts';

export interface BuildOptions {
  readonly name: string;
  readonly rules: string;
  /** The tables; undefined: all. */
  readonly tables: readonly string[] | undefined;
  /** Begins another version, instead of adding to the newest. */
  readonly isNew: boolean;
  /** Games over more days are left out; document 001: 12. */
  readonly maxDays: number;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Embeds reflections; undefined: the pool is searched by words. */
  readonly embed: Embed | undefined;
}

export interface Embed {
  readonly model: string;
  (texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

interface Built {
  readonly pool: string;
  readonly games: number;
  readonly entries: number;
  /** Games that were in the pool before. */
  readonly known: number;
}

/**
 * Adds the experience of finished games to a pool. A game goes in as a whole, and those that are in are left alone: run again, it goes on.
 * @param onTable called after each table
 * @throws Error when there are no such rules or tables, or the newest version was made with another model or for other rules
 */
export async function buildExperience(store: Store, options: BuildOptions, onTable: (done: number) => void = () => {}): Promise<Built> {
  const { name, rules, embed, signal } = options;
  ruleSetNamed(rules);
  for (const table of options.tables ?? []) if (!(await store.tapes.read(table)).length) throw new Error(`there is no table ${table}`);
  const { pool, isThere } = await poolFor(store.experience, options);
  const known = new Set(isThere ? await store.experience.games(name, pool.version) : []);
  let [done, games, entries, before] = [0, 0, 0, 0];
  for await (const table of options.tables ?? tableIds(store)) {
    if (signal.aborted) break;
    for (const { game, finished } of await finishedGames(store, table, rules)) {
      if (known.has(game)) before++;
      else if (finished.days <= options.maxDays) {
        const items = experienceOf(finished);
        const vectors = embed && items.length ? await embed(items.map(({ reflection }) => reflection)) : [];
        const added = items.map((item, i) => ({ n: i + 1, item: { ...item }, ...(vectors[i] ? { vector: base64Of(vectors[i]) } : {}) }));
        if (!isThere) await store.experience.create(pool); // one that is there stays as it is
        if (await store.experience.add(name, pool.version, game, added)) {
          games++;
          entries += added.length;
        }
      }
    }
    onTable(++done);
  }
  return { pool: `${name}@${pool.version}`, games, entries, known: before };
}

/** What pools are made of, and where they are kept. */
export type ExperienceStore = Pick<Store, 'tapes' | 'thoughts' | 'experience'>;

interface NextVersion extends Pick<Pool, 'name' | 'version' | 'at'> {
  readonly rules: string;
  /** The game that is added, and whose decisions of it. */
  readonly game: { readonly table: string; readonly seats: readonly number[] } | undefined;
}

/**
 * Makes a version of a pool that is searched by words: the games of the version before it, and one more. Repeated, interrupted too, it makes the same
 * version.
 */
export async function nextPoolVersion(store: ExperienceStore, { name, version, at, rules, game }: NextVersion): Promise<void> {
  const { experience } = store;
  await experience.create({ name, version, at, about: { rules, search: BY_WORDS } });
  const before: PoolEntry[] = [];
  if (version > 1) for await (const entry of poolEntries(experience, name, version - 1)) before.push(entry);
  for (const [known, entries] of Map.groupBy(before, (entry) => entry.game)) await experience.add(name, version, known, entries);
  for (const { game: added, finished } of game ? await finishedGames(store, game.table, rules) : []) {
    const thoughts = finished.thoughts.filter(({ seat }) => game!.seats.includes(seat));
    await experience.add(name, version, added, experienceOf({ ...finished, thoughts }).map((item, i) => ({ n: i + 1, item: { ...item } }))); // prettier-ignore
  }
}

const BY_WORDS = 'words (BM25)';

/** The version that is added to; if there is none, one that is made with the first game. */
async function poolFor(
  pools: ExperiencePools,
  { name, rules, isNew, embed, now }: BuildOptions,
): Promise<{ readonly pool: Pool; readonly isThere: boolean }> {
  checkPoolName(name);
  const newest = (await pools.list(name)).at(-1);
  const about = { rules, search: embed ? 'embeddings, exact' : BY_WORDS, ...(embed ? { model: embed.model } : {}) };
  if (newest && !isNew) {
    for (const field of ['rules', 'model'] as const) {
      const [there, wanted] = [newest.about[field], (about as { [field: string]: unknown })[field]];
      if (there !== wanted)
        throw new Error(
          `${name}@${newest.version} is of ${field} ${String(there)}, not ${String(wanted)}; begin another version with --new`,
        );
    }
    return { pool: newest, isThere: true };
  }
  return { pool: { name, version: (newest?.version ?? 0) + 1, at: now, about }, isThere: false };
}

/** The finished rounds of a table of these rules. */
async function finishedGames(
  store: Pick<Store, 'tapes' | 'thoughts'>,
  table: string,
  rules: string,
): Promise<readonly { readonly game: string; readonly finished: FinishedGame }[]> {
  const events = (await store.tapes.read(table)).map(({ event }) => event);
  const games = gamesOf(table, events).filter((game) => game.rules === rules);
  if (!games.length) return [];
  const thoughts = await store.thoughts.list(table);
  return games.map(({ round, names, roles, winners }) => {
    const isOfRound = (id: unknown): boolean => typeof id === 'string' && id.startsWith(`round-${round}/`);
    const phases = events.flatMap(({ question }) =>
      ((id) => (isOfRound(id) ? [id as string] : []))((question as { id?: unknown } | undefined)?.id),
    );
    const days = Math.max(1, ...phases.map((phase) => periodOf({ phase, rules: { name: rules, text: '' } }).number));
    const own = thoughts.filter(({ content }) => isOfRound(`${String(content['phase'])}/`));
    return { game: `${table}/${round}`, finished: { rules, names, roles, winners, days, thoughts: own } };
  });
}

/** 32-bit floats as base64. */
const base64Of = (vector: readonly number[]): string => Buffer.from(new Float32Array(vector).buffer).toString('base64');
