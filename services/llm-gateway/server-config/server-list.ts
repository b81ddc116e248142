import { parseAddress, type ServerAddress } from '../address.ts';

interface ListedServer {
  readonly address: ServerAddress;
  /** Undefined when the list does not say. */
  readonly slots: number | undefined;
}

const MAX_SLOTS = 1_024;

/** Reads `http://a:11434=4, b, https://c/ollama`: the servers, and what is wrong in words. */
export function parseServerList(text: string): { readonly entries: readonly ListedServer[]; readonly mistakes: readonly string[] } {
  const entries = new Map<string, ListedServer>();
  const mistakes: string[] = [];
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    try {
      const [, where = entry, count] = /^(.*)=(-?\d+)\s*$/s.exec(entry) ?? [];
      const address = parseAddress(where);
      const slots = count === undefined ? undefined : Number(count);
      if (slots !== undefined && (slots < 1 || slots > MAX_SLOTS))
        throw new Error(`${address.name} has ${slots} slots; it must be 1 to ${MAX_SLOTS}`);
      if (entries.has(address.name)) throw new Error(`${address.name} is named twice; one server is one pool of slots`);
      entries.set(address.name, { address, slots });
    } catch (error) {
      mistakes.push((error as Error).message);
    }
  }
  if (entries.size === 0 && mistakes.length === 0) mistakes.push('names no server; write http://host:11434');
  return { entries: [...entries.values()], mistakes };
}
