import { FORFEIT, type SeatResult } from '../../../ratings/result.ts';
import { byName } from '../counted.ts';
import type { ListedGame } from '../listed.ts';
import type { Report } from '../report.ts';
import { dealsNeededText, leastPText } from '../../../ratings/rates/difference.ts';
import { eloText } from '../../../ratings/report-tables.ts';
import type { AgentRate } from '../win-rates.ts';
import { type GameLinks, linked } from './games.ts';
import { markup, type Markup, nothing } from '@maw/http/markup.ts';
import { bounds, chance, number, percent, percents, signed } from './numbers.ts';
import { heatMap, rankingPlot } from './plots.ts';
import { sprtPlot } from './sprt-plot.ts';
import type { DifferenceRow, Interval } from '../strengths.ts';
import { rulesCell, rulesText, n, table, w } from './table.ts';

type Results = Report['results'];

/** Who is better. */
export function rankingSection({ ranking, rates, games }: Results, links: GameLinks): Markup {
  if (!games) return nothing;
  const names = [...new Set(ranking.agents.flatMap(({ sides }) => sides.map(({ side }) => side)))];
  const rows = ranking.agents.map(({ agent, rank, rankLow, rankHigh, strength, sides }) => [
    agent,
    rank,
    rankLow === rankHigh ? String(rankLow) : `${rankLow} to ${rankHigh}`,
    signed(strength.value),
    bounds(strength.low, strength.high),
    ...names.map((name) =>
      sides
        .filter(({ side }) => side === name)
        .map(({ value }) => signed(value))
        .join(''),
    ),
  ]);
  const overall = rates.overall.map(({ agent, rules, wins, games: of, share, low, high }) => [agent, rulesCell(rules), linked(number(of), links.to(`${agent} in ${rulesText(rules)}`, isOf({ agent, rules }))), number(wins), percent(share), percents(low, high)]); // prettier-ignore
  return markup`<section>
    <h2>Ranking</h2>
    <figure>
      ${rankingPlot(ranking)}
      <figcaption>
        Strength with its 95 % interval (bootstrap of ${number(ranking.deals)} deals, ${number(ranking.bootstrap)} times). 0 is the average
        agent of this contest.
      </figcaption>
    </figure>
    ${table('Strength: Bradley-Terry, each side for itself', [w('agent'), n('rank'), n('rank, 95 %'), n('strength'), n('95 %'), ...names.map((name) => n(`as ${name}`))], rows)}
    ${table('Win rates; they depend on which sides an agent was dealt', [w('agent'), w('rules'), n('games'), n('won'), n('share'), n('95 %')], overall)}
    ${table(
      'How often a side wins when all agents are average',
      [w('rules'), w('side'), n('share'), n('95 %')],
      ranking.shares.map(({ rules, side, share }) => [
        rulesCell(rules),
        side,
        percent(share.value),
        share.low === null || share.high === null ? 'not known' : percents(share.low, share.high),
      ]),
    )}
  </section>`;
}

/** Which games a win rate is of. @param isPart whether a seat is of its side, role or number */
const isOf =
  ({ agent, rules }: { readonly agent: string; readonly rules: string }, isPart: (seat: SeatResult) => boolean = () => true) =>
  (game: ListedGame): boolean =>
    game.rules === rules && game.seats.some((seat) => seat.agent === agent && isPart(seat));

/** Win rates by side, role and seat as heat maps, a row each for agents. */
export function ratesSection({ rates, games, bias }: Results, links: GameLinks): Markup {
  if (!games) return nothing;
  const parts = [
    ['By side', rates.bySide, ({ side }: SeatResult) => side],
    ['By role, as dealt', rates.byRole, ({ role }: SeatResult) => role],
    ['By seat', rates.bySeat, ({ seat }: SeatResult) => String(seat + 1)],
  ] as const;
  const tests = bias.map(({ rules, test, statistic, freedom, p }) => [rulesCell(rules), test, statistic.toFixed(1), freedom, chance(p)]);
  return markup`<section>
    <h2>Win rates</h2>
    <p class="muted">
      Each cell: the share of games won, and below it the bounds of its 95 % interval (Wilson) in percent. An agent with several such seats
      in a game counts once.
    </p>
    ${parts.map(([title, all, partOf]) =>
      [...Map.groupBy(all, ({ rules }) => rules)].map(
        ([rules, own]) =>
          markup`<h3>${title}, ${rulesText(rules)}</h3>
            <figure>${rateMap(own, `${title}, ${rulesText(rules)}`, (agent, of) =>
              links.to(
                `${agent}, ${of}, in ${rulesText(rules)}`,
                isOf({ agent, rules }, (seat) => partOf(seat) === of),
              ),
            )}</figure>`,
      ),
    )}
    ${tests.length ? table('Was it even? Small p: less even than chance', [w('rules'), w('test'), n('chi-square'), n('degrees'), n('p')], tests) : nothing}
  </section>`;
}

function rateMap(all: readonly AgentRate[], says: string, hrefOf: (agent: string, of: string) => string | undefined): Markup {
  const rows = [...new Set(all.map(({ agent }) => agent))];
  const columns = [...new Set(all.map(({ of }) => of))];
  const cells = new Map(all.map((rate) => [`${rate.agent}\n${rate.of}`, rate]));
  return heatMap({
    rows,
    columns,
    says,
    cell: (i, j) => cells.get(`${rows[i]}\n${columns[j]}`),
    hrefOf: (i, j) => hrefOf(rows[i]!, columns[j]!),
  });
}

/** Pairs of agents, pairs of cells, and the sequential test. */
export function differencesSection({ games, ranking, differences, cellDifferences, sprt }: Results, links: GameLinks): Markup {
  if (!games || ranking.agents.length < 2) return nothing;
  const cells = cellDifferences.map((each) => ({
    ...each,
    of: [rulesCell(each.rules), each.side],
    href: links.to(
      `${each.one} and ${each.other}`,
      ({ rules, cell }) => rules === each.rules && (cell === each.one || cell === each.other),
    ),
  }));
  const pairs = differences.map((each) => ({ ...each, href: links.to(`${each.one} or ${each.other}`, ({ seats }) => seats.some(({ agent }) => agent === each.one || agent === each.other)) })); // prettier-ignore
  return markup`<section>
    <h2>Differences</h2>
    ${
      differences.length
        ? differenceTable('Win rates of agents that held the same places in the same deals, in percentage points', ['agents'], pairs)
        : markup`<p>No two agents held the same places in the same deals, so their win rates are not compared.</p>`
    }
    ${cells.length ? differenceTable('Cell minus cell in the same deals: how often a side won, in percentage points', ['cells', 'rules', 'side'], cells) : nothing}
    <p class="muted">
      p: how often the deals would differ so much if each might as well have gone the other way round. p, Holm: corrected for the number of
      comparisons. “Deals needed”: at a difference like the one measured, so many deals find it in 80 of 100 contests (two-sided, 5 %).
    </p>
    ${
      sprt
        ? markup`<h3>Sequential test</h3>
            <p>
              ${sprt.agents[0]} against ${sprt.agents[1]}: is it better by ${sprt.bounds[1]} normalised Elo, or by ${sprt.bounds[0]} at
              most? After ${number(sprt.pairs)} deals the log-likelihood ratio is ${signed(sprt.llr)}; the test ends at
              ${signed(sprt.lower)} (no better) or ${signed(sprt.upper)} (better).
              ${sprt.accepted === null ? 'It has not ended.' : `It ended: ${sprt.accepted}.`}
              ${sprt.estimate ? `${eloText(sprt.agents[0], sprt.estimate)}.` : ''}
            </p>
            ${sprt.path.length ? markup`<figure>${sprtPlot(sprt)}</figure>` : nothing}`
        : nothing
    }
  </section>`;
}

/** Whether an agent wins by its seat, or by how long it talks. */
export function heldSection({ held }: Results): Markup {
  if (!held.some(({ sameRole }) => sameRole)) return nothing;
  const points = (difference: Interval | null): Markup | string =>
    difference
      ? markup`${signed(difference.value * 100, 1)}<small>${bounds(difference.low === null ? null : difference.low * 100, difference.high === null ? null : difference.high * 100, 1)}</small>`
      : 'nobody';
  const rows = held.map(({ agent, rules, seats, length, sameRole, sameSeat, sameLength }) => [agent, rulesCell(rules), number(seats), length === null ? '' : number(Math.round(length)), points(sameRole), points(sameSeat), points(sameLength)]); // prettier-ignore
  const columns = [w('agent'), w('rules'), n('seats'), n('characters a speech'), n('same role'), n('same role and seat'), n('same role and length of speech')]; // prettier-ignore
  return markup`<section>
    <h2>Is it the seat, or the length of speech?</h2>
    ${table('How much more often its seats won than those of others with the same role, in percentage points', columns, rows)}
    <p class="muted">
      A difference that vanishes among the same seats was one of seats; one that vanishes among speeches of the same length (silent, short, usual
      or long beside the others of the game) goes with how long an agent talks. That does not say which causes which.
    </p>
  </section>`;
}

/** @param heads of the names, and of what else tells a row apart (`of`) */
function differenceTable(
  caption: string,
  heads: readonly string[],
  differences: readonly (DifferenceRow & { readonly of?: readonly (Markup | string)[]; readonly href: string | undefined })[],
): Markup {
  const rows = differences.map(({ one, other, of = [], deals, difference, p, adjusted, dealsNeeded, href }) => [
    `${one} − ${other}`,
    ...of,
    linked(number(deals), href),
    signed(difference.value * 100, 1),
    bounds(difference.low! * 100, difference.high! * 100, 1),
    chance(p),
    chance(adjusted),
    dealsNeededText({ deals, dealsNeeded }),
  ]);
  const columns = [...heads.map(w), n('deals'), n('difference'), n('95 %'), n('p'), n('p, Holm'), n('deals needed')];
  const least = leastPText(differences);
  return markup`${table(caption, columns, rows)}${least === undefined ? nothing : markup`<p>${least}</p>`}`;
}

const forfeitsText = (cross: Results['cross']): string =>
  cross.flatMap(({ first, others, forfeits }) => (forfeits ? [`${first} against ${others} ${number(forfeits)}`] : [])).join(', ') || 'none';

/** Who plays which side against whom; cells of a table of results. */
export function crossSection({ cross, cells }: Results, links: GameLinks): Markup {
  const byRules = Map.groupBy(cross, ({ rules }) => rules);
  const maps = [...byRules].map(([rules, own]) => {
    const rows = [...new Set(own.map(({ first }) => first))];
    const columns = [...new Set(own.map(({ others }) => others))].toSorted(byName);
    const side = own[0]!.side;
    const isOfLineUp = (first: string, others: string, game: ListedGame): boolean =>
      game.rules === rules && game.lineUp?.first === first && game.lineUp.others === others;
    const hrefOf = (first: string, others: string) => links.to(`${first} as ${side} against ${others}`, (game) => isOfLineUp(first, others, game)); // prettier-ignore
    return markup`<h3>${rulesText(rules)}: how often ${side} won</h3>
      <figure>
        ${heatMap({
          rows,
          columns,
          says: `Wins of ${side} by who played it (rows) and against whom (columns)`,
          columnTitle: `rows play ${side}, against:`,
          hrefOf: (i, j) => hrefOf(rows[i]!, columns[j]!),
          cell: (i, j) => own.find(({ first, others }) => first === rows[i] && others === columns[j]),
        })}
      </figure>`;
  });
  const isForfeited = [...cross, ...cells.flatMap(({ sides }) => sides)].some(({ forfeits }) => forfeits > 0);
  const cellRows = cells.flatMap(
    ({ cell, rules, sides, draws }) =>
    sides.map(({ side, wins, games, share, low, high, forfeits }) => [cell, rulesCell(rules), side, linked(number(games), links.to(`${cell}, ${side}`, (game) => game.cell === cell && game.rules === rules && (game.winner !== FORFEIT || game.seats.some((seat) => seat.side === side)))), number(wins), percent(share), percents(low, high), draws, ...(isForfeited ? [forfeits] : [])]), // prettier-ignore
  );
  const columns = [w('cell'), w('rules'), w('side'), n('games'), n('won'), n('share'), n('95 %'), n('draws'), ...(isForfeited ? [n('forfeited')] : [])]; // prettier-ignore
  if (!maps.length && !cellRows.length) return nothing;
  return markup`<section>
    <h2>Who against whom</h2>
    ${cellRows.length ? table(`Cells${isForfeited ? '; forfeited games are among the games, and lost' : ''}`, columns, cellRows) : nothing}${maps}
    ${isForfeited && maps.length ? markup`<p class="muted">Games forfeited by who plays ${cross[0]!.side}, which count as lost here: ${forfeitsText(cross)}.</p>` : nothing}
  </section>`;
}
