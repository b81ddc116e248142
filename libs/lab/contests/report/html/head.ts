import { ENOUGH_DEALS } from '../../../ratings/strength/bootstrap.ts';
import type { Schedule } from '../../definition.ts';
import { type Report, unfinishedText } from '../report.ts';
import { markup, type Markup, nothing } from '@maw/http/markup.ts';
import { chance, number } from './numbers.ts';
import { rulesText } from './table.ts';

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
  const { tables, uncounted, usage, simulated, forfeits, exchanged, games } = report.results;
  const unfinished = unfinishedText(report);
  const warnings: string[] = [];
  if (simulated.length)
    warnings.push(
      `A simulator has played, not a model: ${simulated.join(', ')}. It makes up its answers. ` +
        'These figures show that the experiment runs, and say nothing of any model.',
    );
  if (unfinished !== undefined) warnings.push(unfinished);
  if (tables.void) warnings.push(`${tables.void} of ${tables.played} tables are void; they are listed below with their reasons.`);
  if (uncounted.length) warnings.push(`${uncounted.length} tables were played after the contest was decided; they do not count.`);
  if (forfeits.length) {
    const lost = forfeits.map((each) => `${each.agent} ${number(each.games)}`).join(', ');
    warnings.push(`Games that an agent forfeited count as lost for it, and for nobody else: ${lost}.`);
  }
  if (exchanged)
    warnings.push(
      `In ${number(exchanged)} of ${number(games)} games a role changed hands between sides. Strength and win rates by side go by the side ` +
        'at the end, which wins or loses; win rates by role and “who against whom” go by the deal.',
    );
  warnings.push(...strengthWarnings(report.results));
  if (usage.unpriced.length) warnings.push(`The contest has no price of ${usage.unpriced.join(', ')}: cost is of the other models only.`);
  return warnings;
}

/** Why strengths may mislead. */
function strengthWarnings({ games, ranking, bias }: Report['results']): readonly string[] {
  const { deals, groups } = ranking;
  const warnings: string[] = [];
  if (games && deals < ENOUGH_DEALS)
    warnings.push(
      `Strength and ranks stand on ${number(deals)} ${deals === 1 ? 'deal' : 'deals'}: with fewer than ${ENOUGH_DEALS} ` +
        'their intervals are too narrow. Look at win rates and differences.',
    );
  if (groups.length > 1) {
    const apart = groups.map((group) => group.join(', ')).join(' | ');
    warnings.push(`Agents fall into ${groups.length} groups that never met: strengths compare only within ${apart}.`);
  }
  const suspicious = bias.filter(({ p }) => p < SUSPICIOUS);
  for (const { rules, test, p } of suspicious)
    if (test !== 'wins by seat')
      warnings.push(
        `Unevenly dealt, ${rulesText(rules)}: ${test} differ more than by chance (p ${chance(p)}). ` +
          'Without a balanced schedule this may favour somebody.',
      );
  for (const { rules, test, p } of suspicious)
    if (test === 'wins by seat')
      warnings.push(
        `In ${rulesText(rules)} some seats win more than others (p ${chance(p)}): an agent that depends on its seat, or rules that do.`,
      );
  return warnings;
}

/** The answer in sentences. */
function findingsOf({ ranking, differences, sprt, stopped, games, published }: Report['results']): readonly string[] {
  if (!games) return ['No game counts yet, so there is nothing to say.'];
  const best = ranking.agents.filter(({ rankLow }) => rankLow === 1).map(({ agent }) => agent);
  const findings: string[] = [];
  if (stopped !== undefined) findings.push(`It ended early: ${stopped}.`);
  findings.push(best.length === 1 ? `${best[0]} is the best (95 %).` : `The best is one of ${best.join(', ')} (95 %).`);
  const pairs = `${differences.length} ${differences.length === 1 ? 'pair' : 'pairs'}`;
  for (const { one, other, difference, adjusted } of differences) {
    if (adjusted >= SURE) continue;
    const [better, worse] = difference.value > 0 ? [one, other] : [other, one];
    const points = (Math.abs(difference.value) * 100).toFixed(1);
    findings.push(`${better} wins more than ${worse}, by ${points} percentage points (p ${chance(adjusted)}, corrected for ${pairs}).`);
  }
  const open = differences.filter(({ adjusted }) => adjusted >= SURE);
  const most = Math.max(0, ...open.map(({ dealsNeeded }) => dealsNeeded ?? 0));
  const needed = most ? ` Differences like these would need up to ${number(most)} deals.` : '';
  if (open.length) findings.push(`${open.length} of ${differences.length} pairs were not told apart.${needed}`);
  if (sprt?.accepted) findings.push(`The sequential test says: ${sprt.agents[0]} is ${sprt.accepted} than ${sprt.agents[1]}.`);
  if (published) findings.push(publishedSentence(published));
  return findings;
}

function publishedSentence({ figures, claims }: NonNullable<Report['results']['published']>): string {
  const measured = figures.filter(({ p }) => p !== undefined);
  const differ = measured.filter(({ p }) => p! < SURE).length;
  const held = claims.filter(({ finding }) => finding === 'as published').length;
  const parts: string[] = [];
  if (figures.length)
    parts.push(`of ${figures.length} published figures ${measured.length} can be compared, and ${differ} of these differ (p < 0.05 each)`);
  if (claims.length) parts.push(`of ${claims.length} published orders ${held} ${held === 1 ? 'was' : 'were'} found again`);
  return `Beside the document: ${parts.join('; ')}.`;
}
