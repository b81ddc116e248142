import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';

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

  it('compiles modules anew when V8 rejects its cache, as after a change of its flags', async () => {
    const text = 'export const a = 1;';
    const evaluated = async (): Promise<unknown> => {
      const module = new vm.SourceTextModule(text);
      await module.link(() => module);
      await module.evaluate();
      return module.namespace;
    };
    expect(await evaluated()).toMatchObject({ a: 1 });
    setFlagsFromString('--expose-gc');
    expect(await evaluated()).toMatchObject({ a: 1 });
    expect(await evaluated()).toMatchObject({ a: 1 });
  });

  it('leaves ended suites of the process to the garbage collector', async () => {
    setFlagsFromString('--expose-gc');
    const gc = vm.runInNewContext('gc') as () => void;
    // A worker runs over 200 suites; some leave something open, and what a suite ended last may be freed after a while.
    const isFreed = (): boolean => (gc(), getHeapStatistics().number_of_native_contexts < 120);
    await pollUntil('ended suites to be freed', async () => isFreed(), { everyMs: 200 });
  });
});
