import { describe, expect, it } from '@jest/globals';
import { BadOption, readOptions } from './options.ts';

describe('maw test', () => {
  it('does everything, with all servers it can get, when nothing is said', () => {
    expect(readOptions([])).toEqual({ stages: ['static', 'unit', 'int', 'e2e'], paths: [], docker: true, install: true, help: false });
  });

  it('does the stages that are named, in their own order', () => {
    expect(readOptions(['--only', 'e2e,unit']).stages).toEqual(['unit', 'e2e']);
    expect(readOptions(['--only=int', '--only', 'static']).stages).toEqual(['static', 'int']);
  });

  it('leaves the static checks out when it is narrowed to some tests, unless they are named', () => {
    expect(readOptions(['libs/bus'])).toMatchObject({ stages: ['unit', 'int', 'e2e'], paths: ['libs/bus'] });
    expect(readOptions(['-t', 'keeps'])).toMatchObject({ stages: ['unit', 'int', 'e2e'], name: 'keeps' });
    expect(readOptions(['--only', 'static', 'libs/bus']).stages).toEqual(['static']);
  });

  it('takes a name that looks like an option', () => {
    expect(readOptions(['-t', '--only']).name).toBe('--only');
  });

  it('can be kept from Docker and from installing', () => {
    expect(readOptions(['--no-docker', '--no-install'])).toMatchObject({ docker: false, install: false });
  });

  it.each([[['--onyl', 'unit']], [['--only', 'units']], [['--only']], [['-t']], [['-x']], [['--only', 'unit,']]])('refuses %j', (args) => {
    expect(() => readOptions(args)).toThrow(BadOption);
  });

  it('names the option it does not know', () => {
    expect(() => readOptions(['--speed'])).toThrow('there is no option --speed');
  });
});
