import type { Me } from './shapes.ts';

/** Where tokens are kept: `tab` until the tab closes, `browser` until they are forgotten. */
export interface TokenStores {
  readonly tab: Storage;
  readonly browser: Storage;
}

const PREFIX = 'maw.token.';
/** Names the token of an administrator or of nobody's table. */
const ANY_TABLE = '';

/** The token in a fragment such as `#token=eyJ…`; the server never sees a fragment. @param name `operator`: that of whoever runs the system */
export const tokenInFragment = (hash: string, name: 'token' | 'operator' = 'token'): string | undefined =>
  new URLSearchParams(hash.replace(/^#/, '')).get(name) ?? undefined;

/** The table that an address of the page is about. */
export const tableInPath = (path: string): string | undefined => /^\/t\/([^/]+)/.exec(path)?.[1];

/** Keeps a token in its tab, until `settleToken` knows whose it is. Two seats of a table can so be played in two tabs. */
export const keepToken = ({ tab }: TokenStores, table: string | undefined, token: string): void =>
  tab.setItem(PREFIX + (table ?? ANY_TABLE), token);

/**
 * Moves a token to where it belongs. That of a table is kept in the browser as well: it survives the tab, and other tabs share it. That of an
 * administrator holds for every table and is forgotten with the tab. An invitation stays in its tab: opened again, it must not replace the
 * token of the seat that was taken with it, and so does a link to watch where the browser has a seat. A token that was forgotten before the server answered stays forgotten.
 * Returns whether there is now a token for every table.
 */
export function settleToken(stores: TokenStores, table: string | undefined, token: string, role: Me['role']): boolean {
  if (findToken(stores, table) !== token) return false;
  if (role === 'admin') {
    if (table !== undefined) forgetTokens(stores, table);
    const isNew = findToken(stores, undefined) !== token;
    stores.tab.setItem(PREFIX + ANY_TABLE, token);
    return isNew;
  }
  const isOfTab = role === 'join' || (role === 'spectator' && table !== undefined && hasKeptToken(stores, table));
  if (table !== undefined && !isOfTab) stores.browser.setItem(PREFIX + table, token);
  return false;
}

/** Whether the browser keeps another token for the table than this tab uses: that of a seat taken before. */
export const hasKeptToken = ({ tab, browser }: TokenStores, table: string): boolean => {
  const kept = browser.getItem(PREFIX + table);
  return kept !== null && kept !== tab.getItem(PREFIX + table);
};

/** Uses the token that the browser keeps for the table in this tab too. */
export const restoreToken = ({ tab }: TokenStores, table: string): void => tab.removeItem(PREFIX + table);

/** The token for a table: this tab's for it, the browser's for it, else the tab's for all. */
export function findToken({ tab, browser }: TokenStores, table: string | undefined): string | undefined {
  const own = table === undefined ? undefined : (tab.getItem(PREFIX + table) ?? browser.getItem(PREFIX + table));
  return own ?? tab.getItem(PREFIX + ANY_TABLE) ?? undefined;
}

/** Changes in the browser's store when somebody signs out, which all its tabs hear. */
const SIGNED_OUT = 'maw.signed-out';

/** Forgets the tokens of this tab and of the browser, and has the other tabs forget theirs. */
export function signOut(stores: TokenStores): void {
  forgetTokens(stores);
  stores.browser.setItem(SIGNED_OUT, String(Date.now()));
}

/** Forgets the tokens of this tab when somebody has signed out in another. Returns whether that is so. @param key that changed in the browser's store */
export function hearSignOut(stores: TokenStores, key: string | null): boolean {
  if (key !== SIGNED_OUT) return false;
  forgetTokens(stores);
  return true;
}

/** Forgets the token for a table, or all of them. */
export function forgetTokens({ tab, browser }: TokenStores, table?: string): void {
  for (const store of [tab, browser])
    for (const key of Object.keys(store)) if (table === undefined ? key.startsWith(PREFIX) : key === PREFIX + table) store.removeItem(key);
}
