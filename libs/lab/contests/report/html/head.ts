import type { BiasTest } from '../../../ratings/rates/bias-tests.ts';
import { ENOUGH_DEALS } from '../../../ratings/strength/bootstrap.ts';
import type { Schedule } from '../../definition.ts';
import type { CellDifference } from '../cells.ts';
import { idleText, type Report, stoppedText, unfinishedText } from '../report.ts';
import type { DifferenceRow } from '../strengths.ts';
import { leastPText } from '../../../ratings/rates/difference.ts';
import { markup, type Markup, nothing } from '@maw/http/markup.ts';
import { chance, number } from './numbers.ts';
import { rulesText } from './table.ts';

/** A p-value below it is worth a warning: a contest has several tests, and few readers. */
const SUSPICIOUS = 0.01;
const SURE = 0.05;

type Results = Report['results'];

/** The title of a report, its facts and warnings, and its findings in sentences. */
export function headOf(report: Report): Markup {
  const { contest, results } = report;
  const fact = ([name, value]: Fact): Markup => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return markup`<header>
      <h1>${contest.name}</h1>
      ${contest.about ? markup`<p>${contest.about}</p>` : nothing}
      <dl class="facts">${factsOf(report).map(fact)}</dl>
      ${warningsOf(report).map((text) => markup`<p class="warn">${text}</p>`)}
    </header>
    <section>
      <h2>What it says</h2>
      <ul>${findingsOf(results).map((text) => markup`<li>${text}</li>`)}</ul>
    </section>`;
}

type Fact = readonly [name: string, value: string];

function factsOf({ contest, results, about }: Report): readonly Fact[] {
  const { tables, games, usage, ranking } = results;
  const facts: Fact[] = [
    ['games that count', number(games)],
    ['tables played', `${number(tables.played)} of ${number(tables.planned)}`],
  ];
  if (tables.void) facts.push(['void tables', number(tables.void)]);
  facts.push(
    ['agents', number(contest.agents.length)],
    ['deals', number(ranking.deals)],
    ['schedule', scheduleWords(contest.schedule)],
    ['rule sets', [...new Set(contest.games.map(({ rules }) => rules))].join(', ')],
    ['seed', contest.seed ?? 'told once the contest is over'],
  );
  if (usage.cost !== undefined) facts.push(['cost', usage.cost.toFixed(2)]);
  if (about.made !== undefined) facts.push(['made', minuteOf(about.made)]);
  return facts;
}

/** `2030-01-31 12:00`, in UTC. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

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
  const { bias, usage, lost = [] } = report.results;
  const warnings = [...tableWarnings(report), ...gameWarnings(report.results), ...strengthWarnings(report.results), ...lost];
  for (const test of bias) if (test.p < SUSPICIOUS) warnings.push(biasWarning(test));
  if (usage.unpriced.length) warnings.push(`The contest has no price of ${usage.unpriced.join(', ')}: cost is of the other models only.`);
  return warnings;
}

/** Who played, and which tables do not count. */
function tableWarnings(report: Report): readonly string[] {
  const { tables, uncounted, simulated } = report.results;
  const unfinished = unfinishedText(report);
  const warnings: string[] = [];
  if (simulated.length)
    warnings.push(
      `A simulator has played, not a model: ${simulated.join(', ')}. It makes up its answers. ` +
        'These figures show that the experiment runs, and say nothing of any model.',
    );
  if (unfinished !== undefined) warnings.push(unfinished);
  for (const text of [idleText(report.contest), stoppedText(report.results)]) if (text !== undefined) warnings.push(text);
  if (tables.void) warnings.push(`${tables.void} of ${tables.played} tables are void; they are listed below with their reasons.`);
  if (uncounted.length) warnings.push(`${uncounted.length} tables were played after the contest was decided; they do not count.`);
  return warnings;
}

/** Games that count in a way a reader may not expect. */
function gameWarnings({ forfeits, exchanged, games }: Results): readonly string[] {
  const warnings: string[] = [];
  if (forfeits.length) {
    const lost = forfeits.map((each) => `${each.agent} ${number(each.games)}`).join(', ');
    warnings.push(`Games that an agent forfeited count as lost for it, and for nobody else: ${lost}.`);
  }
  if (exchanged)
    warnings.push(
      `In ${number(exchanged)} of ${number(games)} games a role changed hands between sides. Strength and win rates by side go by the side ` +
        'at the end, which wins or loses; win rates by role and “who against whom” go by the deal.',
    );
  return warnings;
}
/** Why strengths may mislead. */
function strengthWarnings({ games, ranking: { deals, groups } }: Results): readonly string[] {
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
  return warnings;
}

function biasWarning({ rules, test, p }: BiasTest): string {
  if (test === 'wins by seat')
    return `In ${rulesText(rules)} some seats win more than others (p ${chance(p)}): an agent that depends on its seat, or rules that do.`;
  return (
    `Unevenly dealt, ${rulesText(rules)}: ${test} differ more than by chance (p ${chance(p)}). ` +
    'Without a balanced schedule this may favour somebody.'
  );
}

/** The results in sentences. */
function findingsOf(results: Results): readonly string[] {
  const { ranking, sprt, stopped, games, published, differences, cellDifferences } = results;
  if (!games) return ['No game counts yet, so there is nothing to say.'];
  const best = ranking.agents.filter(({ rankLow }) => rankLow === 1).map(({ agent }) => agent);
  const findings: string[] = [];
  if (stopped !== undefined) findings.push(`It ended early: ${stopped}.`);
  const isCompared = differences.length === (ranking.agents.length * (ranking.agents.length - 1)) / 2;
  if (!isCompared) findings.push(`Not all agents held the same places in the same deals, so none is called the best.`);
  else findings.push(best.length === 1 ? `${best[0]} is the best (95 %).` : `The best is one of ${best.join(', ')} (95 %).`);
  findings.push(...differenceFindings(differences, 'wins more than'), ...differenceFindings(cellDifferences, 'is above'));
  if (sprt?.accepted) findings.push(`The sequential test says: ${sprt.agents[0]} is ${sprt.accepted} than ${sprt.agents[1]}.`);
  if (published) findings.push(publishedSentence(published));
  return findings;
}

/** Who wins more than whom, and how many pairs were not told apart. @param verb of the better one */
function differenceFindings(differences: readonly (DifferenceRow & Partial<CellDifference>)[], verb: string): readonly string[] {
  const pairs = `${differences.length} ${differences.length === 1 ? 'pair' : 'pairs'}`;
  const findings: string[] = [];
  for (const { one, other, side, rules, difference, adjusted } of differences) {
    if (adjusted >= SURE) continue;
    const [better, worse] = difference.value > 0 ? [one, other] : [other, one];
    const points = (Math.abs(difference.value) * 100).toFixed(1);
    const what = side === undefined ? '' : ` in wins of ${side}, ${rulesText(rules!)}`;
    findings.push(`${better} ${verb} ${worse}${what}, by ${points} percentage points (p ${chance(adjusted)}, corrected for ${pairs}).`);
  }
  const open = differences.filter(({ adjusted }) => adjusted >= SURE);
  const most = Math.max(0, ...open.map(({ dealsNeeded }) => dealsNeeded ?? 0));
  const needed = most ? ` Differences like these would need up to ${number(most)} deals.` : '';
  const least = leastPText(differences);
  if (open.length)
    findings.push(
      `${open.length} of ${differences.length} pairs ${differences[0]?.side === undefined ? '' : 'of cells '}were not told apart.${needed}${least === undefined ? '' : ` ${least}`}`,
    );
  return findings;
}

function publishedSentence({ figures, claims }: NonNullable<Results['published']>): string {
  const measured = figures.filter(({ p }) => p !== undefined);
  const differ = measured.filter(({ p }) => p! < SURE).length;
  const held = claims.filter(({ finding }) => finding === 'as published').length;
  const parts: string[] = [];
  if (figures.length)
    parts.push(`of ${figures.length} published figures ${measured.length} can be compared, and ${differ} of these differ (p < 0.05 each)`);
  if (claims.length) parts.push(`of ${claims.length} published orders ${held} ${held === 1 ? 'was' : 'were'} found again`);
  return `Beside the document: ${parts.join('; ')}.`;
}
