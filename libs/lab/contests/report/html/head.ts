import { ENOUGH_DEALS } from '../../../ratings/strength/bootstrap.ts';
import type { Schedule } from '../../definition.ts';
import { type Report, unfinishedText } from '../report.ts';
import { markup, type Markup, nothing } from './markup.ts';
import { chance, number } from './numbers.ts';
import { rulesText } from './rules-name.ts';

/** A p-value below it is worth a warning: a contest has several tests, and few readers. */
const SUSPICIOUS = 0.01;
const SURE = 0.05;

/** Title, facts, warnings, and what can be said at all. */
export function headOf(report: Report): Markup {
  const { contest, results, about } = report;
  const { tables, games, usage } = results;
  const facts: readonly (readonly [string, string])[] = [
    ['games that count', number(games)],
    ['tables played', `${number(tables.played)} of ${number(tables.planned)}`],
    ...(tables.void ? [['void tables', number(tables.void)] as const] : []),
    ['agents', number(contest.agents.length)],
    ['deals', number(results.ranking.deals)],
    ['schedule', scheduleWords(contest.schedule)],
    ['rule sets', [...new Set(contest.games.map(({ rules }) => rules))].join(', ')],
    ['seed', contest.seed],
    ...(usage.cost === undefined ? [] : [['cost', usage.cost.toFixed(2)] as const]),
    ...(about.made === undefined ? [] : [['made', new Date(about.made).toISOString().slice(0, 16).replace('T', ' ')] as const]),
  ];
  return markup`<header>
      <h1>${contest.name}</h1>
      ${contest.about ? markup`<p>${contest.about}</p>` : nothing}
      <dl class="facts">
        ${facts.map(
          ([name, value]) =>
            markup`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${warningsOf(report).map((text) => markup`<p class="warn">${text}</p>`)}
    </header>
    <section>
      <h2>What it says</h2>
      <ul>
        ${findingsOf(results).map((text) => markup`<li>${text}</li>`)}
      </ul>
    </section>`;
}

function scheduleWords(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'set':
      return `${schedule.sets} sets of ${schedule.games}`;
    case 'aiwolf-2021':
      return `aiwolf-2021, ${schedule.preliminary} + ${schedule.final} sets of ${schedule.games}`;
    case 'balanced':
    case 'cells':
    case 'cross':
    case 'sides':
      return `${schedule.kind}, ${schedule.deals} deals`;
  }
}

/** What a reader has to know before any number. */
function warningsOf(report: Report): readonly string[] {
  const { results } = report;
  const { tables, bias, ranking, uncounted, usage, simulated, forfeits } = results;
  const unfinished = unfinishedText(report);
  const uneven = bias.filter(({ test, p }) => p < SUSPICIOUS && test !== 'wins by seat');
  const seats = bias.filter(({ test, p }) => p < SUSPICIOUS && test === 'wins by seat');
  return [
    ...(simulated.length ? [`A simulator has played, not a model: ${simulated.join(', ')}. It makes up its answers. These figures show that the experiment runs, and say nothing of any model.`] : []), // prettier-ignore
    ...(unfinished === undefined ? [] : [unfinished]),
    ...(tables.void ? [`${tables.void} of ${tables.played} tables are void; they are listed below with their reasons.`] : []),
    ...(uncounted.length ? [`${uncounted.length} tables were played after the contest was decided; they do not count.`] : []),
    ...(forfeits.length ? [`Games that an agent forfeited count as lost for it, and for nobody else: ${forfeits.map(({ agent, games }) => `${agent} ${number(games)}`).join(', ')}.`] : []), // prettier-ignore
    ...(results.exchanged
      ? [`In ${number(results.exchanged)} of ${number(results.games)} games a role changed hands between sides. Strength and win rates by side go by the side at the end, which wins or loses; win rates by role and “who against whom” go by the deal.`] // prettier-ignore
      : []),
    ...(results.games && ranking.deals < ENOUGH_DEALS
      ? [`Strength and ranks stand on ${number(ranking.deals)} ${ranking.deals === 1 ? 'deal' : 'deals'}: with fewer than ${ENOUGH_DEALS} their intervals are too narrow. Look at win rates and differences.`] // prettier-ignore
      : []),
    ...(ranking.groups.length > 1
      ? [`Agents fall into ${ranking.groups.length} groups that never met: strengths compare only within ${ranking.groups.map((group) => group.join(', ')).join(' | ')}.`] // prettier-ignore
      : []),
    ...uneven.map(({ rules, test, p }) => `Unevenly dealt, ${rulesText(rules)}: ${test} differ more than by chance (p ${chance(p)}). Without a balanced schedule this may favour somebody.`), // prettier-ignore
    ...seats.map(({ rules, p }) => `In ${rulesText(rules)} some seats win more than others (p ${chance(p)}): an agent that depends on its seat, or rules that do.`), // prettier-ignore
    ...(usage.unpriced.length ? [`The contest has no price of ${usage.unpriced.join(', ')}: cost is of the other models only.`] : []), // prettier-ignore
  ];
}

/** The answer in sentences. */
function findingsOf({ ranking, differences, sprt, stopped, games, published }: Report['results']): readonly string[] {
  if (!games) return ['No game counts yet, so there is nothing to say.'];
  const apart = differences.filter(({ adjusted }) => adjusted < SURE);
  const best = ranking.agents.filter(({ rankLow }) => rankLow === 1).map(({ agent }) => agent);
  const open = differences.filter(({ adjusted }) => adjusted >= SURE);
  const most = open.reduce((all, { dealsNeeded }) => Math.max(all, dealsNeeded ?? 0), 0);
  return [
    ...(stopped === undefined ? [] : [`It ended early: ${stopped}.`]),
    best.length === 1 ? `${best[0]} is the best (95 %).` : `The best is one of ${best.join(', ')} (95 %).`,
    ...apart.map(({ one, other, difference, adjusted }) => {
      const [better, worse] = difference.value > 0 ? [one, other] : [other, one];
      return `${better} wins more than ${worse}, by ${(Math.abs(difference.value) * 100).toFixed(1)} percentage points (p ${chance(adjusted)}, corrected for ${differences.length} ${differences.length === 1 ? 'pair' : 'pairs'}).`;
    }),
    ...(open.length ? [`${open.length} of ${differences.length} pairs were not told apart.${most ? ` Differences like these would need up to ${number(most)} deals.` : ''}`] : []), // prettier-ignore
    ...(sprt?.accepted ? [`The sequential test says: ${sprt.agents[0]} is ${sprt.accepted} than ${sprt.agents[1]}.`] : []),
    ...(published ? [publishedSentence(published)] : []),
  ];
}

function publishedSentence({ figures, claims }: NonNullable<Report['results']['published']>): string {
  const measured = figures.filter(({ p }) => p !== undefined);
  const differ = measured.filter(({ p }) => p! < SURE).length;
  const held = claims.filter(({ finding }) => finding === 'as published').length;
  const parts = [
    ...(figures.length ? [`of ${figures.length} published figures ${measured.length} can be compared, and ${differ} of these differ (p < 0.05 each)`] : []), // prettier-ignore
    ...(claims.length ? [`of ${claims.length} published orders ${held} ${held === 1 ? 'was' : 'were'} found again`] : []),
  ];
  return `Beside the document: ${parts.join('; ')}.`;
}
