import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

type Config = ConstructorParameters<typeof TestEnvironment>[0];
type Context = ConstructorParameters<typeof TestEnvironment>[1];

/** Jest sets 100, and each assertion captures a stack, even when it passes. */
const STACK_FRAMES = 20;

/**
 * Jest's environment for Node, with less work per suite:
 * - the global object is V8's own, not a proxy that every lookup of a global passes through;
 * - zod interprets its schemas: a suite uses each a few times, and to compile them takes longer;
 * - a file that several suites of one process load is compiled once: later suites take V8's code cache.
 */
export default class LightEnvironment extends TestEnvironment {
  constructor(config: Config, context: Context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    this.global.Error.stackTraceLimit = STACK_FRAMES;
    Object.assign(this.global, { __zod_globalConfig: { jitless: true } });
  }
}

declare module 'node:vm' {
  interface SourceTextModule {
    createCachedData(): Buffer;
  }
}

// V8's own cache never hits, because each suite compiles for a realm of its own; it only keeps ended suites in memory.
setFlagsFromString('--no-compilation-cache');

/** V8 rejects what it cached before its flags changed, as specs do that expose the garbage collector. Then it is cached anew. */
const codeCache = new Map<string, Buffer>();
/** V8 creates its buffer in the realm of the suite, and the buffer would keep all of that suite in memory. */
const ofThisRealm = (cachedData: Buffer): Buffer => Buffer.from(cachedData);
const { SourceTextModule, compileFunction } = vm;

vm.SourceTextModule = new Proxy(SourceTextModule, {
  construct(_, [code, options]: [string, vm.SourceTextModuleOptions?]) {
    const cachedData = codeCache.get(code);
    if (cachedData) {
      try {
        return new SourceTextModule(code, { ...options, cachedData });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
      }
    }
    const compiled = new SourceTextModule(code, options);
    codeCache.set(code, ofThisRealm(compiled.createCachedData()));
    return compiled;
  },
});

vm.compileFunction = (code, parameters, options) => {
  const key = `(${parameters?.join()}) ${code}`;
  const cachedData = codeCache.get(key);
  const compiled = compileFunction(code, parameters, { ...options, ...(cachedData ? { cachedData } : { produceCachedData: true }) });
  if (compiled.cachedDataRejected) codeCache.delete(key);
  else if (compiled.cachedData) codeCache.set(key, ofThisRealm(compiled.cachedData));
  return compiled;
};
