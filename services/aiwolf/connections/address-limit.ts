import type { Socket } from 'node:net';

/** Counts the connections of each address. */
export interface AddressLimit {
  /** Counts a connection until it is closed; false, and it does not count, where its address has as many as it may. */
  admits(socket: Socket): boolean;
}

export function addressLimit(most: number): AddressLimit {
  const counts = new Map<string, number>();
  return {
    admits(socket) {
      const address = socket.remoteAddress ?? '';
      const count = counts.get(address) ?? 0;
      if (count >= most) return false;
      counts.set(address, count + 1);
      socket.once('close', () => {
        const left = counts.get(address)! - 1;
        if (left) counts.set(address, left);
        else counts.delete(address);
      });
      return true;
    },
  };
}
