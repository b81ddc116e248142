import { type Address, addressOf } from '../address.ts';

/** An address, and its slots where they were given. */
export interface Entry {
  readonly address: Address;
  readonly slots: number | undefined;
}

const MOST_SLOTS = 1_024;

/** Reads `http://a:11434=4, b, https://c/ollama`: what is named, and in words what is wrong with it. */
export function serverList(text: string): { readonly entries: readonly Entry[]; readonly mistakes: readonly string[] } {
  const entries = new Map<string, Entry>();
  const mistakes: string[] = [];
  for (const one of text.split(',').filter((entry) => entry.trim() !== '')) {
    try {
      const [, where = one, count] = /^(.*)=(-?\d+)\s*$/s.exec(one) ?? [];
      const address = addressOf(where);
      const slots = count === undefined ? undefined : Number(count);
      if (slots !== undefined && (slots < 1 || slots > MOST_SLOTS))
        throw new Error(`${address.name} has ${slots} slots; it must be 1 to ${MOST_SLOTS}`);
      if (entries.has(address.name)) throw new Error(`${address.name} is named twice; one server is one pool of slots`);
      entries.set(address.name, { address, slots });
    } catch (error) {
      mistakes.push((error as Error).message);
    }
  }
  if (entries.size === 0 && mistakes.length === 0) mistakes.push('names no server; write http://host:11434');
  return { entries: [...entries.values()], mistakes };
}
