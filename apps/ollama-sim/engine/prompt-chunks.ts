/** What a slot remembers of a prompt: one hash per full piece of 64 characters. */
export type Chunks = readonly number[];

export const CHUNK_CHARS = 64;
const CHARS_PER_TOKEN = 4;
export const CHUNK_TOKENS = CHUNK_CHARS / CHARS_PER_TOKEN;

/** Tokens of a prompt by the rule of thumb of four characters each. */
export const tokenCount = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

/** The characters that `tokens` tokens may have. */
export const charsOf = (tokens: number): number => tokens * CHARS_PER_TOKEN;

/** FNV-1a of every full chunk; the rest at the end is never found again, as a model's last token is always evaluated. */
export const chunksOf = (text: string): Chunks => {
  const chunks: number[] = [];
  for (let start = 0; start + CHUNK_CHARS <= text.length; start += CHUNK_CHARS) {
    let hash = 0x811c9dc5;
    for (let i = start; i < start + CHUNK_CHARS; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    chunks.push(hash >>> 0);
  }
  return chunks;
};

/** How many chunks two prompts have in common at their beginning. */
export const sharedChunks = (a: Chunks, b: Chunks): number => {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
};
