import type { Status } from '../status.ts';

/** How many of the busiest games and of the limited are shown. */
const MAX_SHOWN = 20;

const share = (value: number): string => `${Math.round(value * 100)} %`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const games = (count: number): string => `${count} ${count === 1 ? 'game' : 'games'}`;

/** A status for people at a terminal. */
export function statusText({ instance, door, servers, waiting, games: all, limited, budgets, gapMs, capacity }: Status): string {
  const rows = servers.map(({ server, kind, state, slots, busy, breaker, models }) => [
    server,
    kind,
    state + restOf(breaker),
    `${busy}/${slots}`,
    models.map(inWords).join(', ') || 'none',
  ]);
  const amiss = servers.flatMap((each) => [...(each.why === '' ? [] : [`  ${each.server}: ${each.why}`]), ...unfitIn(each)]);
  const busiest = all.slice(0, MAX_SHOWN).map((one) => [one.game, String(one.waiting), String(one.running), seconds(one.spentMs)]);
  return [
    `gateway ${instance}${door === undefined ? '' : ` at ${door}`}`,
    `asked for: ${share(capacity.utilisation)} of the slot time, by ${games(capacity.active)}; ${capacity.more} more would fit`,
    `waiting: ${waiting.critical} critical, ${waiting.talk} talk, ${waiting.background} background; the longest for ${seconds(waiting.longestMs)}; games lie ${seconds(gapMs)} apart`,
    '',
    ...table(['server', 'kind', 'state', 'slots', 'models (* in memory)'], rows),
    ...(amiss.length ? ['', 'amiss:', ...amiss] : []),
    ...(busiest.length ? ['', ...table(['game', 'waiting', 'running', 'slot time ahead'], busiest)] : []),
    ...(limited.length ? ['', 'limited:', ...limited.slice(0, MAX_SHOWN).map(({ agent, why }) => `  ${agent}: ${why}`)] : []),
    ...(budgets ? ['', `budgets, ${KEPT[budgets.kept]}:`, ...accountsIn(budgets.accounts)] : []),
    '',
  ].join('\n');
}

type Budgets = NonNullable<Status['budgets']>;

const KEPT = {
  'in-memory': 'kept in memory until this gateway ends',
  'in-ledger': 'kept in the database',
  'unreached': 'kept in memory, for the database cannot be reached',
} as const satisfies { readonly [kept in Budgets['kept']]: string };

function accountsIn(accounts: Budgets['accounts']): string[] {
  const rows = accounts
    .toSorted((a, b) => a.left - b.left)
    .map(({ kind, who, used, left }) => [`${kind} ${who}`, String(used), String(left)]);
  return rows.length ? table(['account', 'tokens used', 'left'], rows.slice(0, MAX_SHOWN)) : ['  nothing was used'];
}

type Breaker = Status['servers'][number]['breaker'];

/** Left alone after failures, or tried with one job. */
const restOf = (breaker: Breaker): string => (breaker === 'closed' ? '' : breaker === 'open' ? ', left alone' : ', being tried');

/** What is wrong with replies to calls of no table; none while all fit. */
const unfitIn = ({ server, models }: Status['servers'][number]): string[] =>
  models.flatMap(({ name, ofNoTable: { replies, unfit, why } = { replies: 0, unfit: 0 } }) =>
    unfit ? [`  ${server}: ${unfit} of ${replies} replies of ${name} to no table did not fit, the last: ${why}`] : [],
  );

const inWords = ({ name, isResident, breaker, msPerToken }: Status['servers'][number]['models'][number]): string =>
  `${name}${isResident ? '*' : ''}${restOf(breaker)}${msPerToken === undefined ? '' : ` ${msPerToken} ms/token`}`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}
