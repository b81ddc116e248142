import { compareBytes } from './compare-bytes.ts';
import type { GatewayKeys, StoredKey } from '@maw/store/ports/gateway-keys.ts';

/** Keys of the gateway in memory. */
export function memoryGatewayKeys(): GatewayKeys {
  const rows = new Map<string, StoredKey>();
  return {
    list: async () => structuredClone([...rows.values()].toSorted((a, b) => a.at - b.at || compareBytes(a.id, b.id))),
    async add(key) {
      if ([...rows.values()].some(({ id, digest }) => id === key.id || digest === key.digest)) throw new Error('duplicate key');
      rows.set(key.id, structuredClone(key));
    },
    remove: async (id) => rows.delete(id),
  };
}
