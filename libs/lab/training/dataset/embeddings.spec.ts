import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { encoderNamed } from '@maw/learning/encoders/encoder-named.ts';
import { recordTalk3 } from '@maw/bench/learning/talk-3-games.ts';
import { readPolicy } from '@maw/learning/policy/policy.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { TrainingConfig } from '../config.ts';
import { continueRun, createRun } from '../run.ts';
import { formatDataset } from './dataset.ts';
import { embeddingsFile, type Fetch, fetchEmbeddings, withEmbeddings } from './embeddings.ts';
import { transitionsOf } from './transitions.ts';

const folder = temporaryFolder();
const file = join(folder, 'games.jsonl');
const stored = embeddingsFile(file, 'a/b:c');
const dataset = recordTalk3({ games: 60, behaviour: 'uniform', seed: '1' });
beforeAll(() => writeFileSync(file, formatDataset(dataset)));
beforeEach(() => rmSync(stored, { force: true }));

/** Each text's length, and how many vowels it has. */
const vectorOf = (text: string): readonly number[] => [text.length / 300, text.replaceAll(/[^aeiou]/g, '').length / 100];
const asked: string[] = [];
const fetch = (given: Partial<Fetch> = {}) =>
  fetchEmbeddings({
    file,
    dataset,
    model: 'a/b:c',
    embed: async (texts) => (asked.push(...texts), texts.map(vectorOf)),
    signal: new AbortController().signal,
    ...given,
  });
const encoder = encoderNamed('embed:a/b:c:2');

describe('embeddings beside a dataset', () => {
  it('are fetched once for each text, also when the fetch is interrupted in the middle of a line', async () => {
    asked.length = 0;
    const stop = new AbortController();
    const begun = await fetch({ signal: stop.signal, onProgress: () => stop.abort() });
    expect(begun).toMatchObject({ known: 0, isDone: false });
    expect(() => withEmbeddings(dataset, encoder, file)).toThrow(/\d+ of 180 choices in .* have no embedding by a\/b:c yet/);
    appendFileSync(stored, readFileSync(stored, 'utf8').slice(-60, -20));
    const done = await fetch();
    expect(done).toEqual({ texts: new Set(asked).size, known: 64, dimension: 2, isDone: true });
    expect(asked).toHaveLength(new Set(asked).size);
    expect(await fetch({ embed: () => Promise.reject(new Error('nothing is left to ask')) })).toMatchObject({ known: done.texts });
    const whole = readFileSync(stored, 'utf8');
    rmSync(stored);
    await fetch();
    expect(readFileSync(stored, 'utf8')).toBe(whole);
  });

  it('are the states that an encoder for them gives, and of no other size', async () => {
    await fetch();
    const { choices } = withEmbeddings(dataset, encoder, file);
    const { states } = transitionsOf(dataset, choices, encoder);
    expect([...states.columns.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
    const text = (i: number) => asked.find((each) => choices[i]!.log.every((line) => each.includes(line)) && each.startsWith(`Role: ${choices[i]!.role}. Turn: ${choices[i]!.turn}.`))!; // prettier-ignore
    expect([...states.values.subarray(2, 4)]).toEqual([...Float32Array.from(vectorOf(text(1)))]);
    expect(() => withEmbeddings(dataset, encoderNamed('embed:a/b:c:3'), file)).toThrow('have 2 numbers, and embed:a/b:c:3 wants 3');
    expect(withEmbeddings(dataset, encoderNamed('hashed-ngrams-1:64:0'), file)).toBe(dataset);
  });

  it.each<[string, (texts: readonly string[]) => readonly (readonly number[])[]]>([
    ['a/b:c answers with 3 numbers for a text, and with 2 for others', (texts) => texts.map((text, i) => (i === 5 ? [1, 2, 3] : vectorOf(text)))], // prettier-ignore
    ['a/b:c answers with an embedding that contains NaN or an infinite number', (texts) => texts.map((text, i) => (i === 5 ? [1, Number.NaN] : vectorOf(text)))], // prettier-ignore
    ['a/b:c answers with 0 numbers for a text', (texts) => texts.map(() => [])],
  ])('are refused: %s', async (why, embed) => {
    await expect(fetch({ embed: async (texts) => embed(texts) })).rejects.toThrow(why);
    expect(await fetch()).toMatchObject({ known: 0, isDone: true });
  });

  it.each([
    ['line 1: it does not begin a file of embeddings by a/b:c', (text: string) => text.replace('a/b:c', 'other')],
    ['line 3: it is no embedding of 2 numbers', (text: string) => text.split('\n').with(2, '{"sha256":"x","embedding":"AAAA"}').join('\n')],
    ['line 4: it is no embedding of 2 numbers', (text: string) => text.split('\n').with(3, '{').join('\n')],
  ])('are refused: %s', async (why, spoil) => {
    await fetch();
    writeFileSync(stored, spoil(readFileSync(stored, 'utf8')));
    expect(() => withEmbeddings(dataset, encoder, file)).toThrow(why);
    await expect(fetch()).rejects.toThrow(why);
  });

  it('are trained on, and a training does not go on with others', async () => {
    const run = join(folder, 'run');
    const config = TrainingConfig.parse({ encoder: encoder.name, steps: 30, hidden: [4] });
    expect(() => createRun(run, file, config)).toThrow('180 of 180 choices');
    await fetch();
    createRun(run, file, config);
    continueRun(run, () => {});
    expect(readPolicy(run).card).toMatchObject({
      encoder: 'embed:a/b:c:2',
      widths: [2, 4, 6],
      data: { embeddingsSha256: expect.any(String) },
    });
    rmSync(stored);
    await fetch({ embed: async (texts) => texts.map(() => [1, 0]) });
    expect(() => continueRun(run, () => {})).toThrow('the embeddings of');
  });
});
