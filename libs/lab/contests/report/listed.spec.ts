import { describe, expect, it } from '@jest/globals';
import type { ContestInput } from '../definition.ts';
import { agentsOf, contestOf } from '../fixtures.suite.ts';
import { htmlOf } from './html/page.ts';
import { reportOf } from './report.ts';
import { resultsOf } from './synthetic-results.suite.ts';

const werewolves = { games: [{ rules: 'werewolf-7' }] } satisfies Partial<ContestInput>;
const options = { bootstrap: 50 };

/** The games that the links of a page lead to, by what the link stands for. */
function listsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const lists = page.matchAll(/<div class="games" id="(games-\d+)"><h3>([^<]*)<\/h3>\s*<p>(.*?)<\/p>/gs);
  return new Map(
    [...lists].map(([, id, of, links]) => {
      expect(page.match(new RegExp(`href="#${id}"`, 'g'))?.length).toBeGreaterThanOrEqual(1);
      return [of!.replace(/: \d+ games?$/, ''), [...links!.matchAll(/href="#game-([^"]+)">\1</g)].map(([, game]) => game!)];
    }),
  );
}

describe('the games behind the numbers of a report', () => {
  const contest = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'cross', deals: 2 } });
  const results = resultsOf(contest, (number) => ({ winner: number % 3 ? 'village' : 'werewolves', table: `t-${number}` })).map((result) =>
    result.number === 5 ? { ...result, games: [], records: [], void: { why: 'away', culprit: 'a1' } } : result,
  );
  const report = reportOf(contest, results, options);
  const lists = listsOf(htmlOf(report, ''));

  it('are as many as each number is of, also where one was forfeited', () => {
    const { rates, cross, measures } = report.results;
    for (const { agent, games } of rates.overall) expect(lists.get(`${agent} in werewolf-7`)).toHaveLength(games);
    for (const { agent, of, games } of [rates.bySide, rates.byRole, rates.bySeat].flat())
      expect([agent, of, lists.get(`${agent}, ${of}, in werewolf-7`)?.length]).toEqual([agent, of, games]);
    for (const { first, others, games } of cross) expect(lists.get(`${first} as village against ${others}`)).toHaveLength(games);
    for (const { name, games } of measures.flatMap(({ rows }) => rows)) expect([name, lists.get(name)?.length]).toEqual([name, games]);
    expect(lists.get('a0 as village against a1')).toEqual(['1/1']); // the other was forfeited by a1, which was against it
  });

  it('stand each in the page once, with who played, and lead to their tables where there is a page', () => {
    const page = htmlOf(report, 'http://maw.example');
    for (const { id } of report.results.list!) expect(page.split(`id="game-${id}"`)).toHaveLength(2);
    expect(page).toContain('<a href="http://maw.example/t/t-3" target="_top">t-3</a>');
    expect(htmlOf(report, '')).toContain('href="/t/t-3"');
    const alone = htmlOf(report);
    expect(alone).not.toContain('/t/t-3');
    expect(alone).toContain('>t-3</td>');
    expect(report.results.list![5]).toMatchObject({ id: '5/1', winner: 'forfeit', seats: [{ agent: 'a1' }, {}] });
    expect(report.results.list![5]).not.toHaveProperty('table');
  });

  it('lead to no table in the arena, whose records have the number of their pairing in its place', () => {
    const arena = resultsOf(contest, (number) => ({ winner: 'village', table: String(number) }));
    const made = reportOf(contest, arena, options);
    expect(made.results.list!.map(({ table }) => table)).toEqual(arena.map(() => ''));
    expect(htmlOf(made, '')).not.toContain('/t/');
    expect(htmlOf(made, '')).toContain('The arena keeps no tables');
  });

  it('of cells are those of the cell, and of a difference those of both', () => {
    const cells = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'cells', deals: 3, cells: [{ name: 'with', others: 'a0' }, { name: 'without', others: 'a1' }] } }); // prettier-ignore
    const found = listsOf(
      htmlOf(
        reportOf(
          cells,
          resultsOf(cells, () => ({ winner: 'village' })),
          options,
        ),
      ),
    );
    expect(found.get('with, village')).toEqual(['0/1', '2/1', '4/1']);
    expect(found.get('with and without')).toHaveLength(6);
  });

  it('are not listed where they are too many for a page, which says so', () => {
    const many = contestOf({ ...werewolves, agents: agentsOf(2), schedule: { kind: 'sides', deals: 501 } });
    const whole = reportOf(
      many,
      resultsOf(many, () => ({ winner: 'village' }), false),
      options,
    );
    expect(whole.results).not.toHaveProperty('list');
    expect(htmlOf(whole)).toMatch(/More than 1\u202f000 games count.*results\.csv/s);
    expect(listsOf(htmlOf(whole)).size).toBe(0);
  });
});
