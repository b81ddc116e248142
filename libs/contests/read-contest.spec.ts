import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { agentHash, resumeMistakes } from './agent-hash.ts';
import { playOf } from './agent-recipe.ts';
import { contestSchema } from './contest-schema.ts';
import type { ContestInput } from './definition.ts';
import { agentsOf, contestOf } from './fixtures.suite.ts';
import { ContestError, readContest } from './read-contest.ts';
import { recipes } from '@maw/minds/recipes.ts';

const FILE = `
name: twins
agents:
  - { name: left, recipe: rules }
  - { name: right, recipe: rules, parameters: { language: ja } }
games:
  - rules: aiwolf
schedule: { kind: sides, deals: 10 }
stopping: { sprt: { agents: [left, right] } }
`;

const mistakesIn = (text: string): readonly string[] => {
  try {
    readContest(text);
  } catch (error) {
    if (error instanceof ContestError) return error.mistakes;
    throw error;
  }
  return [];
};
const twoSides: Partial<ContestInput> = { agents: agentsOf(2), schedule: { kind: 'sides', deals: 1 } };

describe('a contest file', () => {
  it('can be read again as it was read, with recipes whose parameters may be empty', () => {
    const contest = contestOf({ agents: agentsOf(5, 'xu') });
    expect(contest.agents[0]!.parameters).toMatchObject({ K: 15 });
    expect(readContest(JSON.stringify(contest))).toEqual(contest);
  });

  it('gets the defaults of what it leaves out, those of parameters too', () => {
    const contest = readContest(FILE);
    expect(contest.agents.map(({ parameters }) => parameters)).toEqual([{ language: 'en' }, { language: 'ja' }]);
    expect(contest).toMatchObject({ seed: 'maw', play: 'auto', stopping: { sprt: { bounds: [0, 5], alpha: 0.05 } } });
    expect(readContest(JSON.stringify(contest))).toEqual(contest);
    expect(new Ajv2020({ allowUnionTypes: true }).validate(contestSchema(), parse(FILE))).toBe(true);
  });

  it.each<[string, string, string]>([
    ['name: left', 'name: right', 'contest.yaml:5: agents.1.name: there is another agent called right; give one of them another name'],
    ['recipe: rules }', 'recipe: rule }', 'contest.yaml:4: agents.0.recipe: there is no recipe rule; there are algorithm-1, lan'],
    ['recipe: rules }', 'recipe: ./rules.yaml }', 'contest.yaml:4: agents.0.recipe: ./rules.yaml is a file, which only maw on this'],
    ['language: ja', 'speech: ja', 'contest.yaml:5: agents.1.recipe: the recipe rules has no parameter speech; it has language'],
    ['rules: aiwolf', 'rules: wolves', 'contest.yaml:7: games.0: there are no rules wolves; there are maw, aiwolf'],
    ['rules: aiwolf', '{ rules: aiwolf, options: { talks: x } }', 'contest.yaml:7: games.0: there is no option talks; there are'],
    ['rules: aiwolf', '{ rules: aiwolf, players: 99 }', 'contest.yaml:7: games.0: players: aiwolf is played by'],
    ['[left, right]', '[left, wrong]', 'contest.yaml:9: stopping.sprt.agents.1: there is no agent wrong; there are left, right'],
    ['[left, right]', '[left, left]', 'contest.yaml:9: stopping.sprt.agents: left cannot be compared with itself'],
    ['right] }', 'right], bounds: [5, 0] }', 'contest.yaml:9: stopping.sprt.bounds: write the smaller bound first'],
    ['right] }', 'right], bounds: [.nan, 0] }', 'contest.yaml:9: stopping.sprt.bounds.0: Invalid input: expected number, received NaN'],
    [
      'kind: sides, deals: 10',
      'kind: set, sets: 1',
      'contest.yaml:7: games.0: 2 agents for the 5 seats of aiwolf; name more, or play with',
    ],
    ['kind: sides', 'kind: balanced', 'contest.yaml:7: games.0: 2 agents for 5 seats cannot be balanced'],
    ['kind: sides', 'kind: side', "contest.yaml:8: schedule.kind: Invalid discriminator value. Expected 'set' | 'balanced'"],
    ['name: twins', 'nme: twins', 'contest.yaml:2: nme: there is no such field; remove it'],
    ['games:', 'games: [', 'contest.yaml:8: it is not YAML'],
  ])('with %s changed to %s is refused: %#', (before, after, wanted) => {
    expect(mistakesIn(FILE.replace(before, after)).filter((each) => each.startsWith(wanted))).toHaveLength(1);
  });

  it.each<[Partial<ContestInput>, string]>([
    [{ agents: agentsOf(4) }, '4 agents for 5 seats cannot be balanced'],
    [{ schedule: { kind: 'sides', deals: 1 } }, 'sides is for two agents, not 5'],
    [{ agents: agentsOf(1), schedule: { kind: 'cross', deals: 1 } }, 'cross is for two agents or more'],
    [{ agents: agentsOf(200), schedule: { kind: 'cross', deals: 26 } }, 'it has 1,040,000 games, and a contest at most 1,000,000; name'],
    [{ schedule: { kind: 'set', sets: 1001, games: 1000 } }, 'it has 1,001,000 games'],
    [{ schedule: { kind: 'aiwolf-2021', preliminary: 9999, final: 2, finalists: 5 } }, 'it has 1,000,100 games'],
    [{ schedule: { kind: 'aiwolf-2021', preliminary: 1, final: 1, finalists: 4 } }, '4 finalists for the 5 seats of onuw'],
    [{ agents: agentsOf(2, 'react'), games: [{ rules: 'maw' }], play: 'arena' }, 'react needs a model, and play: arena has none'],
    [{ agents: [{ name: 'a', recipe: 'rules', model: 'm' }] }, 'agents.0.model: rules asks no model; leave it out'],
    [
      { agents: [{ name: 'a', recipe: 'xu', parameters: { experience: 'pool' } }] },
      'pool may grow while the contest runs; say its version',
    ],
    [{ ...twoSides, agents: agentsOf(2, 'react'), stopping: { maxCost: 1 } }, 'say its model, so that there is a price'],
    [{ schedule: { kind: 'set', sets: 1 }, stopping: { sprt: { agents: ['a0', 'a1'] } } }, 'does not play each deal with both agents'],
    [{ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', others: 'b' }] } }, 'schedule.cells.0.others: there is no agent b'],
    [
      { schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', sides: { wolves: 'a0' } }] } },
      'there is no side wolves; there are village',
    ],
    [{ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', seats: { 6: 'a0' } }] } }, 'there is no seat 6; there are 5'],
    [{ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', seats: { 5: 'a0' } }] } }, 'some seats have no agent; say with others:'],
    [
      {
        schedule: {
          kind: 'cells',
          deals: 1,
          cells: [
            { name: 'c', others: 'a0' },
            { name: 'c', others: 'a1' },
          ],
        },
      },
      'another cell called c',
    ],
  ])('that asks for what cannot be is refused: %j', (given, wanted) => expect(() => contestOf(given)).toThrow(wanted));

  it('may name files of recipes where that is allowed', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'maw-contest-')), 'mine.yaml');
    writeFileSync(file, 'name: mine\ndescription: My own.\nmodel: false\nsteps: [observe, random]\n');
    const { agents } = readContest(FILE.replace('recipe: rules }', `recipe: ${file} }`), recipes, { allowsFiles: true });
    expect(agents[0]!.recipe).toBe(file);
  });

  it('is played in the arena unless an agent needs a model', () => {
    expect(playOf(contestOf(), recipes)).toBe('arena');
    expect(playOf(contestOf({ play: 'tables' }), recipes)).toBe('tables');
    expect(playOf(contestOf({ agents: [...agentsOf(4), { name: 'b', recipe: 'react' }] }), recipes)).toBe('tables');
  });
});

describe('an agent', () => {
  it('has a hash of what it is, defaults filled in, without its name', () => {
    const [one, two, three, four] = contestOf({
      agents: [
        { name: 'one', recipe: 'rules' },
        { name: 'two', recipe: 'rules', parameters: { language: 'en' } },
        { name: 'three', recipe: 'rules', parameters: { language: 'ja' } },
        { name: 'four', recipe: 'react', model: 'm' },
        { name: 'five', recipe: 'react' },
      ],
    }).agents.map(agentHash);
    expect(two).toBe(one);
    expect(new Set([one, three, four]).size).toBe(3);
  });
});

describe('a contest that is resumed', () => {
  const begun = contestOf({ agents: [{ name: 'a', recipe: 'rules' }] });
  it.each<[Partial<ContestInput>, RegExp]>([
    [
      { agents: [{ name: 'a', recipe: 'rules', parameters: { language: 'ja' } }] },
      /^the agent a has changed.*language was en and is ja.*put/,
    ],
    [
      { agents: [{ name: 'a', recipe: 'random' }] },
      /^the agent a has changed.*recipe was rules and is random, language was en and is absent/,
    ],
    [{ agents: [{ name: 'b', recipe: 'rules' }] }, /^the agent a is gone; put it back/],
    [
      {
        agents: [
          { name: 'a', recipe: 'rules' },
          { name: 'b', recipe: 'rules' },
        ],
        games: [{ rules: 'maw' }],
      },
      /^agents were added/,
    ],
    [{ agents: begun.agents, seed: 'other' }, /^seed: "other" is not what the contest was begun with, "maw"/],
    [{ agents: begun.agents, schedule: { kind: 'balanced', deals: 1 } }, /^schedule.deals: it was 2 and may only grow, not be 1/],
    [{ agents: begun.agents, schedule: { kind: 'cells', deals: 2, cells: [{ name: 'c', others: 'a' }] } }, /^schedule.kind was balanced/],
  ])('is refused when it is not the same: %j', (given, wanted) => expect(resumeMistakes(begun, contestOf(given))[0]).toMatch(wanted));

  it('may have other texts and prices, and more deals', () => {
    const now = contestOf({ agents: begun.agents, about: 'more', prices: { m: { prompt: 1, completion: 1 } }, schedule: { kind: 'balanced', deals: 3 } }); // prettier-ignore
    expect(resumeMistakes(begun, now)).toEqual([]);
  });
});
