import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { agentHash, drawnAsBegun, resumeMistakes } from './agent-hash.ts';
import { playOf } from './agent-recipe.ts';
import { contestSchema, type ContestInput } from './definition.ts';
import { agentsOf, contestOf } from './fixtures.suite.ts';
import { ContestError } from './definition.ts';
import { readContest } from './read-contest.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { findRecipe, readRecipeFile, recipes } from '@maw/minds/recipes.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';

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
const outside: ContestInput['agents'] = [{ name: 'a', outside: 'fox' }, ...agentsOf(4)];
const twoSides: Partial<ContestInput> = { agents: agentsOf(2), schedule: { kind: 'sides', deals: 1 } };

describe('a contest file', () => {
  const folder = temporaryFolder();

  it('can be read again as it was read, with recipes whose parameters may be empty', () => {
    const contest = contestOf({ agents: agentsOf(5, 'xu') });
    expect(contest.agents[0]!.parameters).toMatchObject({ K: 15 });
    expect(readContest(JSON.stringify(contest))).toEqual(contest);
  });

  it('gets the defaults of what it leaves out, those of parameters too', () => {
    const contest = readContest(FILE);
    expect(contest.agents.map(({ parameters }) => parameters)).toEqual([{ language: 'en' }, { language: 'ja' }]);
    expect(contest).toMatchObject({ play: 'auto', stopping: { sprt: { bounds: [0, 5], alpha: 0.05 } } });
    expect(readContest(JSON.stringify(contest))).toEqual(contest);
    expect(new Ajv2020({ allowUnionTypes: true }).validate(contestSchema(), parse(FILE))).toBe(true);
  });

  it.each<[string, string, string]>([
    ['name: left', 'name: right', 'contest.yaml:5: agents.1.name: there is another agent called right; give one of them another name'],
    ['recipe: rules }', 'recipe: rule }', 'contest.yaml:4: agents.0.recipe: there is no recipe rule; there are algorithm-1, lan'],
    ['recipe: rules }', 'recipe: ./rules.yaml }', 'contest.yaml:4: agents.0.recipe: ./rules.yaml is a file, which only maw on this'],
    ['language: ja', 'speech: ja', 'contest.yaml:5: agents.1.parameters: the recipe rules has no parameter speech; it has language'],
    ['rules: aiwolf', 'rules: wolves', 'contest.yaml:7: games.0.rules: there are no rules wolves; there are maw, aiwolf'],
    [
      'rules: aiwolf',
      '{ rules: aiwolf, options: { talks: x } }',
      'contest.yaml:7: games.0.options.talks: there is no option talks; there are',
    ],
    ['rules: aiwolf', '{ rules: aiwolf, players: 99 }', 'contest.yaml:7: games.0.players: aiwolf is played by'],
    ['[left, right]', '[left, wrong]', 'contest.yaml:9: stopping.sprt.agents.1: there is no agent wrong; there are left, right'],
    ['[left, right]', '[left, left]', 'contest.yaml:9: stopping.sprt.agents: left cannot be compared with itself'],
    ['right] }', 'right], bounds: [5, 0] }', 'contest.yaml:9: stopping.sprt.bounds: write the smaller bound first'],
    ['right] }', 'right], bounds: [.nan, 0] }', 'contest.yaml:9: ".nan": JSON has no such value'],
    [
      'kind: sides, deals: 10',
      'kind: set, sets: 1',
      'contest.yaml:7: games.0: 2 agents for the 5 seats of aiwolf; name more, or play with',
    ],
    ['kind: sides', 'kind: balanced', 'contest.yaml:7: games.0: 2 agents for 5 seats cannot be balanced'],
    ['kind: sides', 'kind: side', 'contest.yaml:8: schedule.kind: "side" is not one of set, balanced, sides, cross, cells, aiwolf-2021'],
    ['name: twins', 'nme: twins', 'contest.yaml:2: nme: there is no such field; remove it'],
    ['games:', 'games: [', 'contest.yaml:8: it is not YAML'],
  ])('with %s changed to %s is refused: %#', (before, after, wanted) => {
    expect(mistakesIn(FILE.replace(before, after)).filter((each) => each.startsWith(wanted))).toHaveLength(1);
  });

  it('tells all its mistakes at once, in words, by line: of shapes, recipes, options, and of what is named and not there', () => {
    const text = `
name: a b
agents:
  - { name: a, recipe: rulez }
  - { name: b, recipe: xu, parameters: { K: -1, zoo: 2 }, model: '' }
  - { recipe: rules }
  - { name: d, recipe: xu, parameters: { K: -1, zoo: 2 } }
games:
  - { rules: werewolf-7, players: 3, options: { talkz: 1, maxDays: soon } }
  - rules: chess
schedule: { kind: sides, deals: 0 }
stopping: { sprt: { agents: [a], bounds: [x, 1] }, maxCost: -2 }
play: fast
prices: { m: { prompt: -1 } }
atOnce: 1.5
colour: red
`;
    expect(mistakesIn(text).map((each) => each.replace(/; (there are|it has) [^;]*$/, '; …').replace('contest.yaml:', ''))).toEqual([
      '2: name: a name has up to 60 letters, digits, dots, dashes and underscores',
      '4: agents.0.recipe: there is no recipe rulez; …',
      '5: agents.1.model: write a line of 1 to 200 characters',
      '6: agents.2.name: it is missing; write a text',
      expect.stringMatching(/^7: agents\.3\.parameters: the parameter K of xu cannot be -1.*; the recipe xu has no parameter zoo; …/),
      '9: games.0.options.talkz: there is no option talkz; …',
      '9: games.0.options.maxDays: "soon" is not a whole number from 1 to 1000',
      '9: games.0.players: werewolf-7 is played by 7, not 3',
      '10: games.1.rules: there are no rules chess; …',
      '11: schedule.deals: 0 is not at least 1',
      '12: stopping.sprt.agents: it has 1 entry; write at least 2',
      '12: stopping.sprt.bounds.0: "x" is not a number',
      '12: stopping.maxCost: -2 is not more than 0',
      '13: play: "fast" is not one of auto, arena, tables',
      '14: prices.m.prompt: -1 is not at least 0',
      '14: prices.m.completion: it is missing; write a number',
      '15: atOnce: 1.5 is not a whole number',
      '16: colour: there is no such field; remove it',
    ]);
    const right = `{ name: c, agents: [{ name: a, recipe: nobody }], games: [{ rules: onuw }], schedule: { kind: cells, deals: 1, cells: [{ name: x, others: z }] } }`;
    expect(mistakesIn(right)).toEqual([expect.stringContaining('no recipe nobody'), expect.stringContaining('there is no agent z')]);
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
    [{ agents: [{ name: 'a' }] }, 'agents.0: say its recipe, or with outside: the name that it tells when it connects'],
    [
      { agents: [{ name: 'a', outside: 'fox', recipe: 'rules' }] },
      'agents.0.recipe: a thinks for itself; leave recipe out, or leave outside out',
    ],
    [
      {
        agents: [
          { name: 'a', outside: 'fox' },
          { name: 'b', outside: 'fox2' },
        ],
      },
      'agents.0.outside: b would connect as fox2 too',
    ],
    [
      {
        agents: [
          { name: 'a', outside: 'fox' },
          { name: 'b', outside: 'fox' },
        ],
      },
      'agents.1.outside: a would connect as fox too',
    ],
    [
      { agents: outside, games: [{ rules: 'aiwolf' }], play: 'arena' },
      'agents.0.outside: outside agents connect to tables, and play: arena has none',
    ],
    [{ agents: outside, games: [{ rules: 'aiwolf' }], seed: 'maw' }, 'seed: with outside agents a seed is a secret that is drawn'],
    [{ agents: outside }, 'games.0: without over: http outside agents play aiwolf only, not onuw; add that to them, or leave it out'],
    [
      { agents: outside, games: [{ rules: 'aiwolf', options: { preset: 'nlp-2026' } }], schedule: { kind: 'set', sets: 1, games: 2 } },
      'games.0: agents of the natural-language division connect for one game at a time, and not for sets of 2',
    ],
    [{ ...twoSides, agents: agentsOf(2, 'react'), stopping: { maxCost: 1 } }, 'say its model, so that there is a price'],
    [
      { agents: agentsOf(11), schedule: { kind: 'set', sets: 2 } },
      'schedule.sets: 2 sets of onuw for 5 seats leave out some of the 11 agents; write 3 or more',
    ],
    [
      { agents: agentsOf(20), schedule: { kind: 'aiwolf-2021', preliminary: 3, final: 3 } },
      'schedule.preliminary: 3 sets of onuw for 5 seats leave out some of the 20 agents; write 4 or more',
    ],
    [
      { agents: agentsOf(20), schedule: { kind: 'aiwolf-2021', preliminary: 4, final: 1 } },
      'schedule.final: 1 set of onuw for 5 seats leave out some of the 15 finalists; write 3 or more',
    ],
    [{ ...twoSides, stopping: { maxCost: 1 } }, 'stopping.maxCost: no agent asks a model, so nothing costs anything; leave it out'],
    [
      {
        ...twoSides,
        agents: [
          { name: 'a', recipe: 'react', model: 'm' },
          { name: 'b', recipe: 'rules' },
        ],
        prices: { m: { prompt: 0, completion: 0 } },
        stopping: { maxCost: 1 },
      },
      'stopping.maxCost: the prices of all models are 0, so it is never reached',
    ],
    [{ schedule: { kind: 'set', sets: 1 }, stopping: { sprt: { agents: ['a0', 'a1'] } } }, 'does not play each deal with both agents'],
    [{ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', others: 'b' }] } }, 'schedule.cells.0.others: there is no agent b'],
    [
      { schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', sides: { wolves: 'a0' } }] } },
      'there is no side wolves; there are village',
    ],
    [{ schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', seats: { 6: 'a0' } }] } }, 'there is no seat 6; there are 5'],
    [
      {
        games: [{ rules: 'onuw', players: 7, options: { cards: 'all' } }],
        schedule: { kind: 'cells', deals: 1, cells: [{ name: 'c', sides: { village: 'a0', werewolves: 'a1' } }] },
      },
      'schedule.cells.0: some seats have no agent; say with others:',
    ],
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

  it.each([{}, { cards: 'all' }])('needs agents of the sides that its options may deal: %j', (options) => {
    const schedule: ContestInput['schedule'] = {
      kind: 'cells',
      deals: 1,
      cells: [{ name: 'c', sides: { village: 'a0', werewolves: 'a1' } }],
    };
    expect(() => contestOf({ games: [{ rules: 'onuw', options }], schedule })).not.toThrow();
  });

  it('may name files of recipes where that is allowed', () => {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'name: mine\ndescription: My own.\nmodel: false\nsteps: [observe, random]\n');
    const { agents } = readContest(FILE.replace('recipe: rules }', `recipe: ${file} }`), recipes, { allowsFiles: true });
    expect(agents[0]!.recipe).toBe(file);
  });

  it('knows its recipes by what their files say, prompts too', () => {
    const recipeOfText = (prompt: string) => {
      writeFileSync(join(folder, 'speak.md'), prompt);
      writeFileSync(join(folder, 'mine.yaml'), 'name: mine\ndescription: My own.\nmodel: true\nsteps: [observe, { step: act, with: { prompt: speak.md, temperature: 1, maxTokens: 9 } }]\n'); // prettier-ignore
      return readRecipeFile(join(folder, 'mine.yaml'));
    };
    const read = (recipe: Recipe) => contestOf({ agents: agentsOf(5, 'mine') }, [recipe]);
    const [one, same, other] = ['# user\n\nSpeak.\n', '# user\n\nSpeak.\n', '# user\n\nBe silent.\n'].map((prompt) => read(recipeOfText(prompt))); // prettier-ignore
    expect(resumeMistakes(one!, same!)).toEqual([]);
    expect(resumeMistakes(one!, other!)[0]).toMatch(
      /^the agent a0 has changed since the contest was begun \(the recipe mine, or a prompt of it, was edited\); put/,
    );
    const older = { ...one!, agents: one!.agents.map(({ fingerprint: _, ...agent }) => agent) };
    expect(resumeMistakes(older, other!)).toEqual([]);
  });

  it('is played in the arena unless an agent needs a model', () => {
    expect(playOf(contestOf(), recipes)).toBe('arena');
    expect(playOf(contestOf({ play: 'tables' }), recipes)).toBe('tables');
    expect(playOf(contestOf({ agents: [...agentsOf(4), { name: 'b', recipe: 'react' }] }), recipes)).toBe('tables');
    const learning = [{ ...findRecipe('random'), after: [{ kind: 'reflect', name: 'look back', run: async () => ({}) }] } as const];
    expect(playOf(contestOf({}, learning), learning)).toBe('tables');
    expect(() => contestOf({ play: 'arena' }, learning)).toThrow(
      'random has steps that run after a game (`after`), and the arena runs none',
    );
    expect(playOf(contestOf({ agents: outside, games: [{ rules: 'aiwolf' }] }), recipes)).toBe('tables');
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
    const [fox, owl, other] = ['fox', 'owl', 'fox'].map((name, i) => agentHash({ name: `a${i}`, outside: name }));
    expect([other === fox, owl === fox]).toEqual([true, false]);
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
    [{ agents: begun.agents, seed: 'other' }, /^seed is not the one with which the contest was begun; leave it out/],
    [
      { agents: begun.agents, games: [{ rules: 'onuw', options: { talkMs: 3000, selfVote: true } }] },
      /^games\.0\.options\.talkMs was absent when the contest was begun and is 3 s, games.*selfVote was absent.* and is true; put it back.* \(--seconds/,
    ],
    [{ agents: begun.agents, schedule: { kind: 'balanced', deals: 1 } }, /^schedule.deals: it was 2 and may only grow, not be 1/],
    [{ agents: begun.agents, schedule: { kind: 'cells', deals: 2, cells: [{ name: 'c', others: 'a' }] } }, /^schedule.kind was balanced/],
  ])('is refused when it is not the same: %j', (given, wanted) => expect(resumeMistakes(begun, contestOf(given))[0]).toMatch(wanted));

  it('goes on with the groups that it has begun with, those of an earlier version too', () => {
    const now = contestOf({ schedule: { kind: 'set', sets: 9, games: 1 } });
    const before = { ...now, schedule: { kind: 'set', sets: 4, games: 1 } as const };
    expect(drawnAsBegun(before, now).schedule).toEqual({ kind: 'set', sets: 9, games: 1 });
    expect(drawnAsBegun(now, now).schedule).toEqual({ kind: 'set', sets: 9, games: 1, even: true });
    expect(resumeMistakes(before, drawnAsBegun(before, now))).toEqual([]);
  });

  it('may have other texts and prices, and more deals', () => {
    const now = contestOf({ agents: begun.agents, about: 'more', prices: { m: { prompt: 1, completion: 1 } }, schedule: { kind: 'balanced', deals: 3 } }); // prettier-ignore
    expect(resumeMistakes(begun, now)).toEqual([]);
  });
});
