import { faultKinds } from '../../result.ts';
import { lineUpText, type MeasuredValue, type MeasureTable } from '../behaviour.ts';
import type { ListedGame } from '../listed.ts';
import { type Comparison, unmeasuredText } from '../published.ts';
import type { Report } from '../report.ts';
import { markup, type Markup, nothing } from '@maw/http/markup.ts';
import { chance, number, percent, percents, signed } from './numbers.ts';
import { type GameLinks, linked } from './games.ts';
import { learningPlot } from './plots.ts';
import { n, table, w } from './table.ts';

type Results = Report['results'];

export function learningSection({ learning }: Results): Markup {
  if (!learning.length) return nothing;
  const rows = learning.map(({ agent, from, to, games, share, low, high }) => [agent, from === to ? String(from) : `${from} to ${to}`, number(games), percent(share), percents(low, high)]); // prettier-ignore
  return markup`<section>
    <h2>Learning from game to game</h2>
    <figure>
      ${learningPlot(learning)}
      <figcaption>Win rate by the number of the game within its set or cell; bands are 95 % intervals.</figcaption>
    </figure>
    <details>
      <summary>The numbers</summary>
      ${table('Win rates within sets', [w('agent'), w('games'), n('games'), n('share'), n('95 %')], rows)}
    </details>
  </section>`;
}

/** Published figures beside ours. */
export function publishedSection({ published }: Results): Markup {
  if (!published) return nothing;
  return markup`<section>
    <h2>Beside the document</h2>
    <p>${published.document}. ${published.about}</p>
    ${figuresTable(published)}${claimsTable(published)}
    <p class="muted">
      “Games to tell apart”: so many games of each would show a difference like the one measured in 80 of 100 experiments (two-sided, 5 %).
      Each row is a test of its own.
    </p>
  </section>`;
}

const figure = (value: number, low?: number, high?: number): Markup =>
  markup`${number(value)}${low === undefined || high === undefined ? nothing : markup`<small>${number(low)} to ${number(high)}</small>`}`;

function figuresTable({ figures }: Comparison): Markup {
  if (!figures.length) return nothing;
  const rows = figures.map(({ cell, measure, about, published, how, ours, why, p, needed, where }) => [
    cell,
    `${measure}, ${about}`,
    figure(published.value, published.low, published.high),
    published.games === undefined ? '' : number(published.games),
    ours ? figure(ours.value, ours.low, ours.high) : unmeasuredText(why),
    ours ? number(ours.games) : '',
    p === undefined ? '' : chance(p),
    typeof needed === 'number' ? number(needed) : needed,
    `${where}, ${how === 'plot' ? 'read off the plot' : 'printed'}`,
  ]);
  const columns = [
    w('cell'),
    w('measure'),
    n('published'),
    n('games'),
    n('ours'),
    n('games'),
    n('p'),
    n('games to tell apart'),
    w('where'),
  ];
  return table('Figures', columns, rows);
}

function claimsTable({ claims }: Comparison): Markup {
  if (!claims.length) return nothing;
  const rows = claims.map(({ measure, about, higher, lower, difference, finding, why, deals, needed, where }) => [
    `${measure}, ${about}`,
    `${higher} above ${lower}`,
    difference ? markup`${signed(difference.value, 3)}<small>${signed(difference.low, 3)} to ${signed(difference.high, 3)}</small>` : '',
    finding === 'not measured' ? unmeasuredText(why) : finding,
    deals === undefined ? (difference ? 'games as independent' : '') : number(deals),
    typeof needed === 'number' ? number(needed) : needed,
    where,
  ]);
  return table('Where no number is printed: what is above what', [w('measure'), w('published'), n('ours: difference'), w('finding'), n('by deals'), n('deals or games to tell apart'), w('where')], rows); // prettier-ignore
}

/** Behaviour: a table per grouping and rule set, with a column per measure. */
export function measuresSection({ measures, withoutMeasures }: Results, links: GameLinks): Markup {
  if (withoutMeasures !== undefined)
    return markup`<section>
      <h2>Behaviour</h2>
      <p>${withoutMeasures}</p>
    </section>`;
  if (!measures.length) return nothing;
  return markup`<section>
    <h2>Behaviour</h2>
    <p class="muted">
      Below each value: its 95 % interval where it has one, and of how many cases it is. The formulae are in docs/minds.md.
    </p>
    ${measures.map((each) => measureTable(each, links))}
  </section>`;
}

function measureTable({ by, columns, rows }: MeasureTable, links: GameLinks): Markup {
  const isOf = (name: string, { cell, lineUp, seats }: ListedGame): boolean =>
    by === 'cell' ? cell === name : by === 'agent' ? seats.some(({ agent }) => agent === name) : !!lineUp && lineUpText(lineUp) === name;
  const hrefs = new Map(rows.map(({ name }) => [name, links.to(name, (game) => game.table !== undefined && isOf(name, game))]));
  const groups = [...Map.groupBy(columns.map((column, i) => ({ ...column, i })), ({ rules, measure }) => `${rules}: ${measure}`)]; // prettier-ignore
  return markup`<h3>By ${by}</h3>
    <div class="flow">
    ${groups.map(([title, own]) => {
      const body = rows.flatMap(({ name, games, values }) => {
        const cells = own.map(({ i }) => values[i]);
        return cells.some(Boolean) ? [[name, linked(number(games), hrefs.get(name)), ...cells.map((value) => (value ? measuredCell(value) : ''))]] : []; // prettier-ignore
      });
      return body.length ? table(`${title} (${own[0]!.source})`, [w(by), n('games'), ...own.map(({ about }) => n(about))], body) : nothing;
    })}</div>`;
}

function measuredCell({ value, low, high, cases }: MeasuredValue): Markup {
  const interval = low === undefined || high === undefined ? '' : `${number(low)} to ${number(high)}, `;
  return markup`${number(value)}<small>${interval}of ${number(cases)}</small>`;
}

/** What went wrong, what models did, and what it cost. */
export function spendingSection({ faults, usage, voids, uncounted }: Results): Markup {
  const faultRows = faults.map(({ agent, tables, faults: own, culprit }) => [agent, number(tables), ...faultKinds.map((kind) => number(own[kind])), number(culprit)]); // prettier-ignore
  const usageRows = usage.rows.map(({ agent, model, tables, calls, prompt, completion, seconds, cost }) => [
    agent,
    model,
    number(tables),
    number(calls),
    number(prompt),
    number(completion),
    number(Math.round(seconds)),
    ...(usage.cost === undefined ? [] : [cost === undefined ? 'no price' : number(cost), cost === undefined || !tables ? '' : number(cost / tables)]), // prettier-ignore
  ]);
  const columns = [
    w('agent'),
    w('model'),
    n('tables'),
    n('calls'),
    n('prompt tokens'),
    n('reply tokens'),
    n('model seconds'),
    ...(usage.cost === undefined ? [] : [n('cost'), n('cost a table')]),
  ];
  return markup`<section>
    <h2>${usage.cost === undefined ? 'Faults and models' : 'Faults and cost'}</h2>
    ${table('Faults, over all tables, also void ones', [w('agent'), n('tables'), ...faultKinds.map((kind) => n(kind)), n('made a table void')], faultRows)}
    ${usageRows.length ? table('Models, over all tables, also void ones', columns, usageRows) : markup`<p class="muted">No model was asked.</p>`}
    ${usage.cost === undefined ? nothing : markup`<p>In all ${number(usage.cost)}, or ${number(usage.cost / Math.max(1, usage.games))} a game.</p>`}
    ${
      voids.length
        ? table(
            'Void tables',
            [w('table'), n('attempts'), w('culprit'), w('why')],
            voids.map(({ number: table_, attempt, culprit, why }) => [table_, attempt, culprit ?? 'nobody', why]),
          )
        : nothing
    }
    ${uncounted.length ? markup`<p>Not counted, as the contest was decided before: tables ${uncounted.join(', ')}.</p>` : nothing}
  </section>`;
}
