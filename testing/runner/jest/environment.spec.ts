import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';

describe('the environment of the tests', () => {
  it('keeps globals of a suite from the process, and so from other suites', () => {
    Object.assign(globalThis, { ofThisSuite: 1 });
    expect(vm.runInThisContext('typeof ofThisSuite')).toBe('undefined');
  });

  it('has the globals of Node', () => {
    const names = vm.runInThisContext('Object.getOwnPropertyNames(globalThis)') as string[];
    expect(names.filter((name) => !(name in globalThis))).toEqual([]);
    expect(Buffer.from([1])).toBeInstanceOf(Uint8Array);
  });

  it('compiles the same text again from its cache', () => {
    const compiled = ['a', 'a', 'b'].map((name) => vm.compileFunction('return a + 1', [name]));
    expect(compiled.map((each) => each.cachedDataRejected)).toEqual([undefined, false, undefined]);
    expect(compiled[1]!(1)).toBe(2);
  });
});
