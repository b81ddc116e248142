import { createHash } from 'node:crypto';

/** What agents are told of a game: an id as the division writes it, and a seed, which says nothing about the deal. */
export function gameIds(set: string): (round: number) => { readonly id: string; readonly seed: string } {
  return (round) => {
    const hash = createHash('sha256').update(`${set}/${round}`).digest();
    const id = Array.from(hash.subarray(0, 26), (byte, i) => ULID_SIGNS[byte % (i ? 32 : 8)]).join('');
    return { id, seed: hash.readBigInt64BE(24).toString() };
  };
}

const ULID_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
