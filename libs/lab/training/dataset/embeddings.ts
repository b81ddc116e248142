import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { embeddedText, MAX_EMBEDDING } from '@maw/learning/encoders/embedded.ts';
import type { Encoder } from '@maw/learning/encoders/encoder.ts';
import { sha256 } from '@maw/learning/policy/policy.ts';
import { parseJson } from '../../parse-json.ts';
import type { Dataset } from './dataset.ts';

/** The first line of a file of embeddings. */
const Header = z.strictObject({
  format: z.literal('maw-embeddings-1'),
  model: z.string(),
  dimension: z.int().min(1).max(MAX_EMBEDDING),
});

/** Every further line: the embedding of a text, as 32-bit floats in base64. */
const Line = z.strictObject({ sha256: z.string(), embedding: z.base64() });

/** The embeddings that a model has made of texts, by the SHA-256 of the text. */
interface Embeddings {
  /** Undefined before the first one. */
  readonly dimension: number | undefined;
  readonly vectors: Map<string, Float32Array>;
  /** The bytes of whole lines: what follows them was cut off when the writer was interrupted. */
  readonly wholeBytes: number;
  /** SHA-256 of those bytes. */
  readonly hash: string;
}

/** The file beside a dataset with the embeddings of its observations by a model. */
export const embeddingsFile = (dataset: string, model: string): string => `${dataset}.${encodeURIComponent(model)}.embeddings`;

/** @throws Error that names the line that is wrong */
function readEmbeddings(file: string, model: string): Embeddings {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const vectors = new Map<string, Float32Array>();
  let [dimension, from, line]: [number | undefined, number, number] = [undefined, 0, 0];
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    line++;
    const where = `${file}, line ${line}`;
    const value = parseJson(bytes.toString('utf8', from, end));
    from = end + 1;
    if (dimension === undefined) {
      const header = Header.safeParse(value).data;
      if (header?.model !== model) throw new Error(`${where}: it does not begin a file of embeddings by ${model}; delete the file`);
      ({ dimension } = header);
      continue;
    }
    const { sha256: text, embedding } = Line.safeParse(value).data ?? {};
    const vector = floatsOf(embedding ?? '');
    if (text === undefined || vector.length !== dimension || !vector.every(Number.isFinite))
      throw new Error(`${where}: it is no embedding of ${dimension} numbers; delete the file and fetch it again`);
    vectors.set(text, vector);
  }
  return { dimension, vectors, wholeBytes: from, hash: sha256(bytes.subarray(0, from)) };
}

const floatsOf = (base64: string): Float32Array => {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
};

/** The dataset, each choice with the embedding that an encoder wants of it, and the SHA-256 of those embeddings; as it is where it wants none. */
export interface EmbeddedDataset extends Dataset {
  readonly embeddingsSha256?: string;
}

/**
 * Adds to each choice of a dataset the embedding that an encoder wants.
 * @param file the dataset's
 * @throws Error when some have none yet, or they have another dimension
 */
export function withEmbeddings(dataset: Dataset, encoder: Encoder, file: string): EmbeddedDataset {
  const { model, dimension, name } = encoder;
  if (model === undefined) return dataset;
  const stored = readEmbeddings(embeddingsFile(file, model), model);
  if (stored.dimension !== undefined && stored.dimension !== dimension)
    throw new Error(`the embeddings of ${file} by ${model} have ${stored.dimension} numbers, and ${name} wants ${dimension}`);
  const choices = dataset.choices.map((choice) => ({ ...choice, embedding: stored.vectors.get(sha256(embeddedText(choice))) }));
  const missing = choices.filter(({ embedding }) => embedding === undefined).length;
  if (missing)
    throw new Error(
      `${missing} of ${choices.length} choices in ${file} have no embedding by ${model} yet; fetch them with: maw dataset embed ${file} --model ${model}`,
    );
  return { ...dataset, choices, embeddingsSha256: stored.hash };
}

export interface Fetch {
  /** The dataset's file. */
  readonly file: string;
  readonly dataset: Dataset;
  readonly model: string;
  /** @throws Error when the model does not answer */
  readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
  /** Stops it after the texts that are being embedded. */
  readonly signal: AbortSignal;
  /** Told how many texts have an embedding, of how many. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** What a fetch left in the file. */
export interface Fetched {
  readonly texts: number;
  /** How many of them had an embedding before. */
  readonly known: number;
  readonly dimension: number | undefined;
  /** Whether all texts have one. */
  readonly isDone: boolean;
}

/** How many texts are embedded at once, and lost by an interruption. */
const BATCH = 64;

/**
 * Fetches the embeddings of a dataset's observations into the file beside it. What is there stays, so an interrupted fetch goes on.
 * @throws Error when the file is wrong, or the model answers with embeddings of another dimension or with NaN or an infinite number
 */
export async function fetchEmbeddings({ file, dataset, model, embed, signal, onProgress }: Fetch): Promise<Fetched> {
  const path = embeddingsFile(file, model);
  const { vectors, wholeBytes, ...stored } = readEmbeddings(path, model);
  if (existsSync(path)) truncateSync(path, wholeBytes);
  const texts = new Map(dataset.choices.map((choice) => [sha256(embeddedText(choice)), embeddedText(choice)]));
  const missing = [...texts].filter(([hash]) => !vectors.has(hash));
  const known = texts.size - missing.length;
  let { dimension } = stored;
  let done = 0;
  while (done < missing.length && !signal.aborted) {
    const batch = missing.slice(done, done + BATCH);
    const found = await embed(batch.map(([, text]) => text));
    if (dimension === undefined) {
      dimension = checkedDimension(found[0]?.length ?? 0, model);
      writeFileSync(path, `${JSON.stringify({ format: 'maw-embeddings-1', model, dimension } satisfies z.infer<typeof Header>)}\n`);
    }
    appendFileSync(path, batch.map(([hash], i) => lineOf(hash, found[i] ?? [], dimension!, model)).join(''));
    done += batch.length;
    onProgress?.(known + done, texts.size);
  }
  return { texts: texts.size, known, dimension, isDone: done === missing.length };
}

function checkedDimension(length: number, model: string): number {
  if (length >= 1 && length <= MAX_EMBEDDING) return length;
  throw new Error(`${model} answers with ${length} numbers for a text; an embedding has one to ${MAX_EMBEDDING}`);
}

function lineOf(hash: string, vector: readonly number[], dimension: number, model: string): string {
  const floats = Float32Array.from(vector);
  if (floats.length !== dimension)
    throw new Error(`${model} answers with ${floats.length} numbers for a text, and with ${dimension} for others`);
  if (!floats.every(Number.isFinite)) throw new Error(`${model} answers with an embedding that contains NaN or an infinite number`);
  const line: z.infer<typeof Line> = { sha256: hash, embedding: Buffer.from(floats.buffer).toString('base64') };
  return `${JSON.stringify(line)}\n`;
}
