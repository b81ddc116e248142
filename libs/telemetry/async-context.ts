import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** Propagates the active span through `await`, timers and listeners, like that of the SDK, without loading the SDK. */
export function asyncContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, run, self, ...args) => storage.run(context, () => run.apply(self as ThisParameterType<typeof run>, args)),
    bind: (context, target) =>
      typeof target === 'function'
        ? (function bound(this: unknown, ...args: unknown[]) {
            return storage.run(context, () => target.apply(this, args));
          } as typeof target)
        : target,
    enable: () => manager,
    disable: () => {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
