/** A prompt as slots and caches compare it: one hash per full 64 characters. */
export type Chunks = readonly number[];

const CHUNK_CHARS = 64;
const CHARS_PER_TOKEN = 4;
export const CHUNK_TOKENS = CHUNK_CHARS / CHARS_PER_TOKEN;

/** Estimates the tokens of a prompt: four characters each. */
export const tokenCount = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

/** The number of characters in `tokens` tokens. */
export const charsOf = (tokens: number): number => tokens * CHARS_PER_TOKEN;

/** FNV-1a of every full chunk. The rest is never cached, as a model always evaluates the last token. */
export const chunksOf = (text: string): Chunks => {
  const chunks: number[] = [];
  for (let start = 0; start + CHUNK_CHARS <= text.length; start += CHUNK_CHARS) {
    let hash = 0x811c9dc5;
    for (let i = start; i < start + CHUNK_CHARS; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    chunks.push(hash >>> 0);
  }
  return chunks;
};

/** The length of the common prefix, in chunks. */
export const sharedChunks = (a: Chunks, b: Chunks): number => {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
};
