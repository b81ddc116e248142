import type { Experience } from '@maw/minds/mind.ts';
import type { ExperiencePools } from '@maw/store/ports/experience.ts';
import type { CliConfig } from '../config.ts';
import { type StoreOptions, withStore } from '../maintenance/open-store.ts';
import { dayOf, say, sayColumns, sayList } from '../output.ts';
import { withProgress } from '../progress.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { buildExperience } from '@maw/lab/training/experience/build.ts';
import { embedAt } from '@maw/lab/training/experience/embed.ts';
import { findPool } from '@maw/store/find-version.ts';
import { exportPool, importPool } from '@maw/lab/training/experience/pool-file.ts';

interface BuildArguments extends StoreOptions {
  readonly rules: string;
  readonly tables?: readonly string[];
  readonly new: boolean;
  readonly maxDays: number;
  readonly embeddings?: string;
  readonly embeddingModel: string;
  readonly key?: string;
}

/** How many decisions `maw experience show` prints. */
const SHOWN = 5;

/** `maw experience build`. @returns the exit code: 130 when it was stopped */
export async function build(name: string, options: BuildArguments, config: CliConfig, signal: AbortSignal): Promise<number> {
  const { rules, tables, embeddings, embeddingModel, key, maxDays, json } = options;
  const embed = embeddings === undefined ? undefined : embedAt(embeddings, embeddingModel, key);
  await withStore(options, config, async (store) => {
    const about = { name, rules, tables, isNew: options.new, maxDays, now: await store.now(), signal, embed };
    const built = await withProgress(tables?.length ?? (await store.maintenance.countTables()), (at) => buildExperience(store, about, at));
    const { pool, games, entries, known } = built;
    const how = embed ? `embeddings of ${embed.model}, exact` : 'words (BM25)';
    const added = `${pool}: ${games} games with ${entries} decisions added, ${known} were there; it is searched by ${how}.`;
    const none = `There is no finished game of ${rules} with at most ${maxDays} days, so nothing was added to ${name}.`;
    say(json ? JSON.stringify(built) : games || known ? added : none);
  });
  return signal.aborted ? 130 : 0;
}

/** `maw experience list`. */
export const list = (options: StoreOptions, config: CliConfig): Promise<void> =>
  withStore(options, config, async ({ experience }) =>
    sayList(await experience.list(), options.json, {
      none: 'There is no experience; maw experience build NAME makes a pool of finished games.',
      header: ['pool', 'rules', 'made', 'games', 'decisions', 'searched by'],
      row: ({ name, version, at, about, games, entries }) =>
        [`${name}@${version}`, about['rules'], dayOf(at), games, entries, about['search']].map(String),
    }),
  );

/** `maw experience show`. */
export const show = (wanted: string, options: StoreOptions, config: CliConfig): Promise<void> =>
  withStore(options, config, async ({ experience }) => {
    const pool = await findPool(experience, wanted);
    const items = await allItems(experience, pool);
    if (options.json) return items.forEach((item) => say(JSON.stringify(item)));
    say(`${pool.name}@${pool.version}: ${pool.games} games, ${pool.entries} decisions; ${JSON.stringify(pool.about)}`);
    const branches = [...Map.groupBy(items, ({ branch }) => branch)].map(([branch, all]) => {
      const scores = all.map(({ score }) => score).toSorted((a, b) => a - b);
      return [branch, String(all.length), String(scores[0]), String(scores[scores.length >> 1]), String(scores.at(-1))];
    });
    sayColumns([['decision', 'number', 'lowest', 'median', 'highest'], ...branches]);
    for (const { role, score, reflection, response } of items.slice(0, SHOWN))
      say(`\n${role}, ${score}: ${sanitizeText(reflection)}\n  -> ${sanitizeText(response)}`);
  });

interface Item extends Experience {
  readonly branch: string;
  readonly role: string;
}

const allItems = async (pools: ExperiencePools, { name, version, entries }: { name: string; version: number; entries: number }) =>
  (await pools.entries(name, version, { limit: entries })).map(({ item }) => item as unknown as Item);

/** `maw experience export`. */
export const exportTo = (pool: string, file: string, options: { readonly data: string }, config: CliConfig): Promise<void> =>
  withStore(options, config, async ({ experience }) => say(`${await exportPool(experience, pool, file)} decisions are in ${file}.`));

/** `maw experience import`. */
export const importFrom = (file: string, options: { readonly data: string; readonly as?: string }, config: CliConfig): Promise<void> =>
  withStore(options, config, async (store) => say(`It is ${await importPool(store.experience, file, await store.now(), options.as)}.`));
