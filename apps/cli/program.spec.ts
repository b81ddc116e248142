import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { runMaw } from './command.suite.ts';
import { groupHelp } from './program.ts';

const here = { cwd: import.meta.dirname };
const listed = (help: string): readonly string[] => [...help.matchAll(/^ {2}([a-z-]+)(?: \[| <| {2,})/gm)].map(([, name]) => name!);

describe('maw help', () => {
  it('lists the common commands in three groups, and says how to see the rest', async () => {
    const { out } = await runMaw(['help'], here);
    expect([...out.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, heading]) => heading)).toEqual(['Options', 'Play', 'Research', 'Operate']);
    expect(listed(out).slice(0, 2)).toEqual(['play', 'rules']);
    expect(listed(out)).not.toContain('definitions');
    expect(out).toContain('maw help all');
  });

  it('lists every command once with "all"', async () => {
    const { out } = await runMaw(['help', 'all'], here);
    const names = listed(out);
    expect(names).toEqual(expect.arrayContaining(['play', 'definitions', 'bench']));
    expect(new Set(names).size).toBe(names.length);
  });

  it('rejects a command that no group lists', () => {
    const program = new Command('maw');
    program.command('new');
    expect(() => groupHelp(program, { isWhole: true })).toThrow('new is in no group');
  });
});
