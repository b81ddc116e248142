import type { Store } from '../store.ts';
import { Unstorable } from './checks.ts';
import { type Port, type Schema, schemas } from './schemas.ts';

/**
 * A store that rejects arguments PostgreSQL could not store before anything is written, so that all stores reject the same; every call
 * rejects once it is closed. Closing twice closes once.
 */
export function validatedStore(store: Store): Store {
  let closing: Promise<void> | undefined;
  const mustBeOpen = (): void => {
    if (closing) throw new Error('The store is closed');
  };
  const ports = Object.fromEntries((Object.keys(schemas) as Port[]).map((port) => [port, validatedPort(port, store[port], mustBeOpen)]));
  return {
    ...(ports as unknown as Pick<Store, Port>),
    async ping() {
      mustBeOpen();
      return store.ping();
    },
    async now() {
      mustBeOpen();
      return store.now();
    },
    isFull: () => store.isFull(),
    close: () => (closing ??= store.close()),
  };
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

function validatedPort(port: Port, methods: object, mustBeOpen: () => void): object {
  const validated = ([name, { args: checks, rule }]: [string, Schema]): [string, Method] => {
    const method = (methods as Readonly<Record<string, Method>>)[name]!;
    const byPosition = Object.entries(checks);
    const call: Method = async (...args) => {
      mustBeOpen();
      for (const [i, [arg, check]] of byPosition.entries()) {
        const wrong = check(args[i] as never);
        if (wrong !== undefined) throw new Unstorable(`${port}.${name}: ${arg}${wrong}`);
      }
      const wrong = rule?.(...(args as never[]));
      if (wrong !== undefined) throw new Unstorable(`${port}.${name}: ${wrong}`);
      return method(...args);
    };
    return [name, call];
  };
  return Object.fromEntries(Object.entries(schemas[port] as Readonly<Record<string, Schema>>).map(validated));
}
