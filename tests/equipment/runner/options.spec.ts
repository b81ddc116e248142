import { describe, expect, it } from '@jest/globals';
import { BadOption, readOptions } from './options.ts';

describe('readOptions', () => {
  it('chooses the plain suite, all stages and every kind of server by default', () => {
    expect(readOptions([])).toEqual({
      suites: ['plain'],
      stages: ['static', 'unit', 'int', 'e2e'],
      paths: [],
      docker: true,
      install: true,
      help: false,
    });
  });

  it('keeps the named stages in the order they run in', () => {
    expect(readOptions(['--only', 'e2e,unit']).stages).toEqual(['unit', 'e2e']);
    expect(readOptions(['--only=int', '--only', 'static']).stages).toEqual(['static', 'int']);
  });

  it('leaves out the static checks with a path or pattern unless they are named', () => {
    expect(readOptions(['libs/bus'])).toMatchObject({ stages: ['unit', 'int', 'e2e'], paths: ['libs/bus'] });
    expect(readOptions(['-t', 'keeps'])).toMatchObject({ stages: ['unit', 'int', 'e2e'], name: 'keeps' });
    expect(readOptions(['--only', 'static', 'libs/bus']).stages).toEqual(['static']);
  });

  it('runs a suite instead of the plain one when it is named, without the static checks', () => {
    expect(readOptions(['--storms'])).toMatchObject({ suites: ['storms'], stages: ['unit', 'int', 'e2e'] });
    expect(readOptions(['--containers', '--storms']).suites).toEqual(['storms', 'containers']);
    expect(readOptions(['--engine']).suites).toEqual(['engine']);
    expect(readOptions(['--real']).suites).toEqual(['real']);
    expect(readOptions(['--all'])).toMatchObject({
      suites: ['plain', 'storms', 'containers', 'engine', 'real'],
      stages: ['static', 'unit', 'int', 'e2e'],
    });
  });

  it('chooses among all suites with a path or pattern', () => {
    expect(readOptions(['libs/bus']).suites).toEqual(['plain', 'storms', 'containers', 'engine', 'real']);
    expect(readOptions(['--storms', 'libs/bus']).suites).toEqual(['storms']);
  });

  it('takes a pattern that looks like an option', () => {
    expect(readOptions(['-t', '--only']).name).toBe('--only');
  });

  it('forbids Docker and installing when asked to', () => {
    expect(readOptions(['--no-docker', '--no-install'])).toMatchObject({ docker: false, install: false });
  });

  it.each([[['--onyl', 'unit']], [['--plain']], [['--only', 'units']], [['--only']], [['-t']], [['-x']], [['--only', 'unit,']]])(
    'rejects %j',
    (args) => {
      expect(() => readOptions(args)).toThrow(BadOption);
    },
  );

  it('names the unknown option in the error', () => {
    expect(() => readOptions(['--speed'])).toThrow('unknown option --speed');
  });
});
