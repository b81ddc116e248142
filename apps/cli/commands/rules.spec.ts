import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import { runMaw } from '../command.suite.ts';

const maw = (...args: string[]) => runMaw(['rules', ...args], { cwd: tmpdir() });
const set = ruleSetNamed('maw');

describe('maw rules', () => {
  it('lists the rule sets, a line each', async () => {
    const { code, lines, out } = await maw();
    expect([code, lines]).toEqual([0, []]);
    const rows = out.trimEnd().split('\n');
    expect(rows.map((row) => row.split(' ')[0])).toEqual(catalogue.map(({ name }) => name));
    for (const [i, { says }] of catalogue.entries()) expect(rows[i]!.endsWith(says)).toBe(true);
    expect(rows[0]).toContain('3 to 20 players');
  });

  it('prints the rules and the options of one, as its data has them', async () => {
    const { code, out } = await maw('maw');
    expect(code).toBe(0);
    expect(out).toContain(set.text(6, {}));
    expect(out).toMatch(/^ {2}option +values +default +meaning$/m);
    for (const [name, { says }] of Object.entries(set.options)) expect(out).toMatch(new RegExp(`^ {2}${name} .*${says}$`, 'm'));
    const sides = Object.entries(set.sides!).map(([side, roles]) => `${side} (${roles.join(', ')})`);
    expect(out).toContain(`Sides, as --side and contests name them: ${sides.join('; ')}.\n`);
    expect(out).toMatch(/^ {2}maxDays +1 to 1000 days +30 +/m);
    expect(out).toMatch(/^ {2}dayTie +none, random +none +/m);
    expect(out).toMatch(/^ {2}seer +true, false +false +/m);
  });

  it('prints them with the chosen options', async () => {
    const { out } = await maw('maw', '--players', '9', '--option', 'seer=true', '--option', 'maxDays=4');
    expect(out).toContain(set.text(9, { seer: true, maxDays: 4 }));
  });

  it('prints JSON for programs', async () => {
    const all = (await maw('--json')).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const printed = catalogue.map(({ name, version, says, players, sides, optionalRoles, options, record }) => ({
      name,
      version,
      says,
      players,
      sides,
      optionalRoles,
      options,
      record,
    }));
    expect(all).toEqual(JSON.parse(JSON.stringify(printed)));
    const { out } = await maw('maw', '--json', '--option', 'seer=true');
    expect(JSON.parse(out)).toMatchObject({
      ...all[0],
      text: set.text(6, { seer: true }),
      chosen: { players: 6, options: { seer: true, maxDays: 30 } },
    });
  });

  it.each([
    [['chess'], 'maw: there are no rules chess; there are maw'],
    [['maw', '--option', 'speed=9'], 'maw: there is no option speed; there are dayMs'],
    [['maw', '--option', 'maxDays=0'], 'maw: maxDays: "0" is not a whole number from 1 to 1000'],
    [['maw', '--option', 'seer'], 'expected NAME=VALUE'],
    [['maw', '--players', '2'], 'maw: players: maw is played by 3 to 20, not 2'],
    [['werewolf-7', '--players', '6'], 'maw: players: werewolf-7 is played by 7, not 6'],
    [['--players', '5'], 'maw: --players and --option are for one rule set: maw rules NAME'],
  ])('explains what is wrong with %j', async (args, said) => {
    const { code, out, err } = await maw(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(said);
  });
});
