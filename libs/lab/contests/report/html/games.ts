import { markup, type Markup, nothing, type Part } from '@maw/http/markup.ts';
import { type ListedGame, MAX_LISTED } from '../listed.ts';
import { number } from './numbers.ts';
import { rulesCell, table, w } from './table.ts';

/** Links from numbers to the games that they are of. */
export interface GameLinks {
  /** The address of a list of some games in the page; undefined where games are not listed. @param of what the number is of, in words */
  to(of: string, counts: (game: ListedGame) => boolean): string | undefined;
  /** All games, and the lists that links lead to. */
  section(): Markup;
}

/**
 * A list is shown once its link was followed, without any script.
 * @param at the address of the page where tables open; undefined: there is none
 */
export function gameLinks(games: readonly ListedGame[] | undefined, at: string | undefined): GameLinks {
  const lists: Markup[] = [];
  return {
    to(of, counts) {
      const own = games?.filter(counts) ?? [];
      if (!own.length) return undefined;
      const id = `games-${lists.length + 1}`;
      const links = own.map((game) => markup`<a href="#game-${game.id}">${game.id}</a> `);
      lists.push(markup`<div class="games" id="${id}"><h3>${of}: ${number(own.length)} ${own.length === 1 ? 'game' : 'games'}</h3><p>${links}</p></div>`); // prettier-ignore
      return `#${id}`;
    },
    section: () =>
      games
        ? markup`<section>
            <h2>Games</h2>
            <p class="muted">A number above that is a link leads to the games that it is of. ${tablesText(games, at)}</p>
            ${lists}${gamesTable(games, at)}
          </section>`
        : markup`<section>
            <h2>Games</h2>
            <p>More than ${number(MAX_LISTED)} games count, so they are not listed here: results.csv has them by agent, side, role and seat.</p>
          </section>`,
  };
}

/** A number that leads to its games. */
export const linked = (shown: Part, href: string | undefined): Markup =>
  href === undefined ? markup`${shown}` : markup`<a href="${href}">${shown}</a>`;

function tablesText(games: readonly ListedGame[], at: string | undefined): string {
  if (!games.some((game) => game.table)) return 'The arena keeps no tables, so these games cannot be opened.';
  return at === undefined
    ? 'Tables open at /t/TABLE in the page of ./maw up.'
    : 'Tables open in the page, with the token of an administrator.';
}

function gamesTable(games: readonly ListedGame[], at: string | undefined): Markup {
  if (!games.length) return nothing;
  const rows = games.map(({ id, rules, deal, cell, winner, seats, table: where }) => [
    markup`<span id="game-${id}">${id}</span>`,
    rulesCell(rules),
    cell ?? '',
    deal,
    [...Map.groupBy(seats, ({ agent }) => agent)].map(([agent, own]) => `${agent}: ${own.map(({ seat, role }) => `${role} ${seat + 1}`).join(', ')}`).join('; '), // prettier-ignore
    winner,
    where && at !== undefined ? markup`<a href="${at}/t/${encodeURIComponent(where)}" target="_top">${where}</a>` : where,
  ]);
  return table('Games that count, with roles as dealt and seats from 1', ['game', 'rules', 'cell', 'deal', 'who played', 'won', 'table'].map(w), rows); // prettier-ignore
}
