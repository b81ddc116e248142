import { describe, expect, it } from '@jest/globals';
import { maw } from '../maw/maw.ts';
import { RecordError } from './mistake.ts';
import { readRecord } from './read-record.ts';
import { toggle } from '../kernel/options.ts';
import { type RuleSet, ruleSet } from '../kernel/rule-set.ts';

const good = {
  rules: 'maw',
  options: { dayMs: 1000 },
  players: ['Ann', 'Bob', 'Cy', 'Dan'],
  deal: { roles: ['villager', 'wolf', 'villager', 'villager'] },
  acts: [{ step: 'day-1/vote', seat: 0, says: ['seat:1'] }],
  draws: [{ step: 'day-1/vote', name: 'executed', is: 'seat:3' }],
};

/** The error text for an unreadable record, one line per mistake. */
function mistakesOf(value: unknown, from?: readonly RuleSet[]): string[] {
  try {
    readRecord(value, from);
  } catch (error) {
    if (error instanceof RecordError) return error.message.split('\n');
    throw error;
  }
  return [];
}
const after = (text: string, cut: string) => text.slice(text.indexOf(cut) + cut.length);

describe('a record', () => {
  it('is read unchanged when it is right', () => expect(readRecord(good)).toEqual(good));

  it('needs rules, players and acts, and nothing else', () => {
    expect(mistakesOf({})).toEqual([
      'rules: is missing; it is the name of a rule set, such as "maw"',
      'players: is missing; a list of names, one for each seat',
      'acts: is missing; a list such as [{"step": "day-1/vote", "seat": 0, "says": ["seat:3"]}]; it may be empty',
    ]);
    expect(readRecord({ rules: 'maw', players: ['A', 'B', 'C'], acts: [] })).toEqual({
      rules: 'maw',
      options: {},
      players: ['A', 'B', 'C'],
      deal: {},
      acts: [],
      draws: [],
    });
  });

  it('keeps seed, version, expectations and notes', () => {
    const more = { ...good, seed: 's', version: '1', expect: { winner: 'wolves', alive: [0, 1] }, notes: { from: 'a book' } };
    expect(readRecord(more)).toEqual(more);
  });

  it('drops the notes of acts and keeps their times', () => {
    const act = { step: 'day-1/vote', seat: 0, says: ['seat:1'], at: 12 };
    expect(readRecord({ ...good, acts: [{ ...act, notes: 'quick' }] }).acts).toEqual([act]);
  });

  it.each([[undefined], [null], [1], ['{}'], [[good]]])('is no %j', (value) => {
    expect(mistakesOf(value)).toEqual([
      expect.stringMatching(/^record: .* is no record; a record is an object with rules, players and acts$/),
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a field nobody knows',
      { moves: [] },
      'moves: there is no such field; fields are rules, version, options, players, deal, acts, draws, seed, expect, notes',
    ],
    ['rules that are no text', { rules: 7 }, 'rules: 7 is no text; it is the name of a rule set, such as "maw"'],
    ['rules nobody knows', { rules: 'chess' }, 'rules: there is no rule set "chess"; there are maw'],
    ['another version', { version: '2' }, 'version: "2" is not the version of maw that is played here; it is "1"; or leave it out'],
    ['options in a list', { options: [] }, 'options: a list is no object; it is an object: options by name'],
    ['an unknown option', { options: { speed: 1 } }, 'options.speed: there is no such option; there are dayMs, nightMs,'],
    [
      'an option just below its range',
      { options: { dayMs: 99 } },
      'options.dayMs: 99 is not a whole number from 100 to 86400000; it is how long a day lasts',
    ],
    [
      'an option that is none of its values',
      { options: { votes: 'loud' } },
      'options.votes: "loud" is not one of public, silent; it is whether votes are announced',
    ],
    ['players in a text', { players: 'Ann, Bob' }, 'players: "Ann, Bob" is no list; a list of names, one for each seat'],
    ['too few players', { players: ['A', 'B'], deal: {} }, 'players: there are 2; maw is played by 3 to 20'],
    ['a name twice', { players: ['A', 'B', 'A', 'C'] }, 'players[2]: "A" is the name of seat 0 too; each name is there once'],
    [
      'a name that is empty',
      { players: ['A', ' ', 'C', 'D'] },
      'players[1]: " " is no name; a name is a printable text of 1 to 60 characters',
    ],
    ['a name of 61 characters', { players: ['A', 'B', 'C', 'x'.repeat(61)] }, 'is no name'],
    ['a name that breaks the line', { players: ['A', 'B\n', 'C', 'D'] }, 'players[1]: "B\\n" is no name'],
    ['a deal in a list', { deal: ['wolf'] }, 'deal: a list is no object; it is an object: what was dealt, by name'],
    ['an unknown key of the deal', { deal: { cards: [] } }, 'deal.cards: dealing maw has no such key; there are roles'],
    ['acts that are no list', { acts: {} }, 'acts: {} is no list; a list such as '],
    ['an act that is none', { acts: ['day-1/vote'] }, 'acts[0]: "day-1/vote" is no act; an act is an object with step, seat and says'],
    ['an act without a step', { acts: [{ seat: 0, says: [] }] }, 'acts[0].step: is missing; it is the question, such as "day-1/vote"'],
    ['an act without a seat', { acts: [{ step: 'a/b', says: [] }] }, 'acts[0].seat: is missing; seats are 0 to 3'],
    ['a seat beyond the last', { acts: [{ step: 'a/b', seat: 4, says: [] }] }, 'acts[0].seat: 4 is no seat; seats are 0 to 3'],
    ['a seat below the first', { acts: [{ step: 'a/b', seat: -1, says: [] }] }, 'acts[0].seat: -1 is no seat; seats are 0 to 3'],
    ['a name for a seat', { acts: [{ step: 'a/b', seat: 'Ann', says: [] }] }, 'acts[0].seat: "Ann" is no seat; seats are 0 to 3'],
    [
      'an act that says a text',
      { acts: [{ step: 'a/b', seat: 0, says: 'seat:1' }] },
      'acts[0].says: "seat:1" is no list of texts; it is a list such as ["seat:3"]',
    ],
    ['an act that says numbers', { acts: [{ step: 'a/b', seat: 0, says: [1] }] }, 'acts[0].says: [1] is no list of texts'],
    [
      'an act before the deal',
      { acts: [{ step: 'a/b', seat: 0, says: [], at: -1 }] },
      'acts[0].at: -1 is no time; it is in whole milliseconds since the deal',
    ],
    [
      'an act with another field',
      { acts: [{ step: 'a/b', seat: 0, says: [], vote: 1 }] },
      'acts[0].vote: there is no such field; fields are step, seat, says, at, notes',
    ],
    [
      'a draw without a value',
      { draws: [{ step: 'a/b', name: 'executed' }] },
      'draws[0].is: is missing; it is what was drawn: a text, a number, or a list of them',
    ],
    [
      'a draw nobody knows',
      { draws: [{ step: 'a/b', name: 'exiled', is: 'seat:1' }] },
      'draws[0].name: maw has no draw "exiled"; there are executed',
    ],
    ['a draw twice', { draws: [...good.draws, ...good.draws] }, 'draws[1]: executed after day-1/vote is there twice; each is drawn once'],
    ['a seed that is no text', { seed: 5 }, 'seed: 5 is no text; it is what dice are rolled from'],
    [
      'an expectation of another kind',
      { expect: { loser: 'A' } },
      'expect.loser: there is no such field; fields are winner, winners, alive, roles, points',
    ],
    ['an expected seat that is none', { expect: { alive: [4] } }, 'expect.alive: [4] is no list of seats; it is a list of seats'],
  ])('is rejected with %s', (_, change, said) => {
    const mistakes = mistakesOf({ ...good, ...change });
    expect(mistakes.join('\n')).toContain(said);
  });

  it('accepts names of 60 characters that a table would not', () => {
    const players = ['x'.repeat(60), 'Player 1 (bot)', '李雷', 'A. B.'];
    expect(readRecord({ ...good, players }).players).toEqual(players);
  });

  it('reports every mistake at once', () => {
    const mistakes = mistakesOf({
      ...good,
      rules: 'maw',
      version: '9',
      options: { dayMs: 1, x: 1 },
      deal: { y: 1 },
      acts: [{}, 3],
      draws: [1],
      z: 1,
    });
    expect(mistakes.map((line) => line.split(': ')[0])).toEqual([
      'z',
      'acts[0].step',
      'acts[0].seat',
      'acts[0].says',
      'acts[1]',
      'draws[0]',
      'version',
      'options.dayMs',
      'options.x',
      'deal.y',
    ]);
  });

  it('shows only the beginning of long values', () => {
    const [said] = mistakesOf({ ...good, rules: 'x'.repeat(500) });
    expect(said!.length).toBeLessThan(250);
  });

  const long = 'x'.repeat(5_000);
  it.each<[string, object]>([
    ['a field', { [long]: 1 }],
    ['an option', { options: { [long]: 1 } }],
    ['the value of an option', { options: { dayTie: long } }],
    ['a key of the deal', { deal: { [long]: 1 } }],
    ['a role', { deal: { roles: [long] } }],
    ['many roles', { deal: { roles: Array.from({ length: 5_000 }, (_, i) => `role ${i}`) } }],
    ['a draw', { draws: [{ step: 'deal', name: long, is: 1 }] }],
    [
      'a draw that is there twice',
      {
        draws: [
          { step: long, name: 'executed', is: 1 },
          { step: long, name: 'executed', is: 1 },
        ],
      },
    ],
  ])('reports %s of any length briefly', (_, change) => {
    const mistakes = mistakesOf({ ...good, ...change });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]!.length).toBeLessThan(600);
  });

  it.each<[string, (deep: unknown) => object]>([
    ['rules', (rules) => ({ rules })],
    ['acts[0]', (act) => ({ acts: [act] })],
    ['acts[0].says', (says) => ({ acts: [{ step: 'a/b', seat: 0, says }] })],
    ['options.dayMs', (dayMs) => ({ options: { dayMs } })],
    ['deal.roles', (roles) => ({ deal: { roles } })],
    ['draws[0].is', (is) => ({ draws: [{ step: 'day-1/vote', name: 'executed', is }] })],
    ['expect.winners', (winners) => ({ expect: { winners } })],
  ])('reports %s nested too deep to print', (where, change) => {
    let deep: unknown = [];
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(mistakesOf({ ...good, ...change(deep) })).toEqual([expect.stringContaining(`${where}: `)]);
  });

  it('stops after a thousand mistakes', () => {
    const bad = (count: number) => mistakesOf({ ...good, acts: Array.from({ length: count }, () => 1) });
    expect(bad(999)).toHaveLength(999);
    expect(bad(5_000).slice(999)).toEqual([
      'acts[999]: 1 is no act; an act is an object with step, seat and says',
      'record: has 1000 mistakes and maybe more; correct these first',
    ]);
    const draws = Array.from({ length: 200_000 }, (_, i) => ({ step: 'deal', name: `x${i}`, is: 1 }));
    expect(mistakesOf({ ...good, draws })).toHaveLength(1_001);
  });

  it('rejects very many players', () => {
    const players = Array.from({ length: 100_000 }, (_, i) => `Player ${i}`);
    expect(mistakesOf({ ...good, players, deal: {}, acts: [] })).toEqual(['players: there are 100000; maw is played by 3 to 20']);
  });
});

describe('a recorded deal', () => {
  it.each<[unknown, string]>([
    [['villager', 'villager', 'villager', 'villager'], 'missing: wolf; too many: villager; it is wolf, 3 villager, in some order'],
    [['wolf', 'wolf', 'seer', 'villager'], 'missing: 2 villager; too many: wolf, seer; it is wolf, 3 villager, in some order'],
    [['wolf', 'villager', 'villager'], 'missing: villager; it is wolf, 3 villager, in some order'],
    [['wolf', 'villager', 'villager', 'villager', 'villager'], 'too many: villager; it is wolf, 3 villager, in some order'],
    [{ 0: 'wolf' }, '{"0":"wolf"} is no list; it is wolf, 3 villager, in some order'],
    ['wolf', '"wolf" is no list; it is wolf, 3 villager, in some order'],
  ])('rejects the impossible %j', (roles, said) => expect(mistakesOf({ ...good, deal: { roles } })).toEqual([`deal.roles: ${said}`]));

  it('is checked with the options and players of the record', () => {
    const seer = { ...good, options: { seer: true }, deal: { roles: ['villager', 'wolf', 'villager', 'seer'] } };
    expect(mistakesOf(seer)).toEqual([]);
    expect(mistakesOf({ ...seer, options: {} })).toEqual([
      'deal.roles: missing: villager; too many: seer; it is wolf, 3 villager, in some order',
    ]);
  });

  it('may be given by draws with the step deal', () => {
    const draws = [{ step: 'deal', name: 'roles', is: ['villager', 'villager', 'villager', 'wolf'] }];
    expect(mistakesOf({ ...good, deal: {}, draws })).toEqual([]);
    expect(mistakesOf({ ...good, deal: {}, draws: [{ step: 'deal', name: 'roles', is: ['wolf'] }] })).toEqual([
      'draws[0].is: missing: 3 villager; it is wolf, 3 villager, in some order',
    ]);
    expect(mistakesOf({ ...good, deal: {}, draws: [{ step: 'deal', name: 'hats', is: 1 }] })).toEqual([
      'draws[0]: with these options and players dealing rolls no hats; it rolls roles',
    ]);
  });

  const dealer = (
    deal: (dice: { pick(name: string, items: readonly [number, ...number[]]): number }) => void,
    more: Partial<RuleSet> = {},
  ) =>
    ruleSet({
      name: 'toy',
      version: '1',
      says: '',
      players: { least: 1, most: 9, usual: 2 },
      options: { wide: toggle('Leader', true, 'whether there is a leader') },
      record: { deal: { 'leader': 'who leads', 'hat of seat:N': 'its hat' }, draws: { 'coin of seat:N': 'heads' } },
      ...(more.readDeal ? { readDeal: more.readDeal } : {}),
      rules: (_, options) => ({
        ...maw.rules(3, {}),
        deal: (_players, { dice }) => {
          if (options.wide) deal(dice as never);
          return [];
        },
      }),
      text: () => '',
    });

  it('names the possible items when another is given', () => {
    const toy = [dealer((dice) => dice.pick('leader', [0, 1, 2]))];
    const record = { rules: 'toy', players: ['A', 'B'], acts: [] };
    expect(mistakesOf({ ...record, deal: { leader: 2 } }, toy)).toEqual([]);
    expect(mistakesOf({ ...record, deal: { leader: 3 } }, toy)).toEqual(['deal.leader: 3 cannot be drawn; it is one of 0, 1, 2']);
    expect(mistakesOf({ ...record, deal: { leader: '2' } }, toy)).toEqual(['deal.leader: "2" cannot be drawn; it is one of 0, 1, 2']);
    expect(mistakesOf({ ...record, deal: { leader: 1 }, options: { wide: false } }, toy)).toEqual([
      'deal.leader: with these options and players dealing rolls no leader; it rolls nothing',
    ]);
  });

  it('accepts draw names that contain a seat', () => {
    const toy = [dealer((dice) => dice.pick('hat of seat:1', [0, 1]))];
    const record = { rules: 'toy', players: ['A', 'B'], acts: [] };
    expect(mistakesOf({ ...record, deal: { 'hat of seat:1': 1 } }, toy)).toEqual([]);
    for (const name of ['hat of seat:N1', 'hat of seat:', 'a hat of seat:1', 'hat of seat:1 or'])
      expect(mistakesOf({ ...record, deal: { [name]: 1 } }, toy)).toEqual([
        `deal.${name}: dealing toy has no such key; there are leader, hat of seat:N`,
      ]);
    expect(mistakesOf({ ...record, draws: [{ step: 'a/b', name: 'coin of seat:12', is: 1 }] }, toy)).toEqual([]);
  });

  it('is read by the rule set, which may refuse it', () => {
    const readDeal: RuleSet['readDeal'] = ({ leader, ...rest }) => {
      if (typeof leader !== 'string') throw new (class extends Error {})('no refusal');
      return { ...rest, leader: ['Ann', 'Bob'].indexOf(leader) };
    };
    const toy = [dealer((dice) => dice.pick('leader', [0, 1]), { readDeal })];
    const record = { rules: 'toy', players: ['A', 'B'], acts: [] };
    expect(mistakesOf({ ...record, deal: { leader: 'Bob' } }, toy)).toEqual([]);
    expect(mistakesOf({ ...record, deal: { leader: 'Zoe' } }, toy)).toEqual(['deal: -1 cannot be drawn; it is one of 0, 1']);
    expect(() => readRecord({ ...record, deal: {} }, toy)).toThrow('no refusal');
  });

  it('of onuw needs both cards and centre', () => {
    const onuw = {
      rules: 'onuw',
      players: ['A', 'B', 'C', 'D', 'E'],
      acts: [],
      deal: { cards: ['werewolf', 'seer', 'robber', 'villager', 'villager'] },
    };
    expect(mistakesOf(onuw)).toHaveLength(1);
    expect(mistakesOf(onuw)[0]).toMatch(/^deal: a deal of onuw has the lists cards and centre/);
    expect(mistakesOf({ ...onuw, deal: { ...onuw.deal, centre: ['werewolf', 'troublemaker', 'insomniac'] } })).toEqual([]);
    expect(after(mistakesOf({ ...onuw, deal: { ...onuw.deal, centre: ['werewolf', 'werewolf', 'insomniac'] } })[0]!, 'deal: ')).toMatch(
      /^missing: troublemaker; too many: werewolf; it is /,
    );
  });
});
