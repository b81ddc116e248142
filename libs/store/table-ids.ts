import type { Store } from './store.ts';

/** How many ids are read at once. */
const PAGE = 200;

/** The ids of all tables, page by page. */
export async function* tableIds({ maintenance }: Store): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = await maintenance.listTables(after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!;
  }
}
