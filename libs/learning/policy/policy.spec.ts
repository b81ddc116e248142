import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { encoderNamed } from '../encoders/encoder-named.ts';
import { createActivations, createNetwork, forward } from '../network/network.ts';
import { sparseRows } from '../network/sparse-rows.ts';
import { adviser, formatPolicy, parsePolicy, readPolicy, sha256, writePolicy } from './policy.ts';
import { policyFile } from './policy-file.suite.ts';
import { policyLibrary, servedPolicy } from './served-policy.ts';
import { decodeSafetensors, encodeSafetensors } from './safetensors.ts';

const folder = temporaryFolder();
const [cardFile, weightsFile] = [join(folder, 'policy.json'), join(folder, 'policy.safetensors')];

const critics = [0, 1].map((i) => createNetwork([16, 5, 6], diceOf('policy', `${i}`)));
beforeEach(() =>
  writePolicy(folder, critics, {
    encoder: 'hashed-ngrams-1:16:0',
    tactics: ['accuse', 'defend', 'wait'],
    quantiles: 2,
    training: { rho: 0.3 },
    data: { source: 'by hand', sha256: sha256('games'), choices: 7 },
  }),
);

const seen = { role: 'seer', turn: 0, log: ['I saw a wolf'] };
const editCard = (change: (card: Record<string, unknown>) => object): void =>
  writeFileSync(cardFile, JSON.stringify(change(JSON.parse(readFileSync(cardFile, 'utf8')) as Record<string, unknown>)));

describe('a policy', () => {
  it('is read as it was written, and names the tactic of the greatest value', () => {
    const policy = readPolicy(folder);
    expect(policy.critics).toEqual(critics);
    expect(policy.card).toMatchObject({ critics: 2, widths: [16, 5, 6], training: { rho: 0.3 } });
    const { tactic, values } = adviser(policy)(seen);
    expect(values).toHaveLength(3);
    expect(tactic).toBe(policy.card.tactics[values.indexOf(Math.max(...values))]);
  });

  it('averages critics and quantiles', () => {
    const policy = readPolicy(folder);
    const constant = policy.critics.map(({ widths, parameters }, critic) => {
      const biases = parameters.fill(0).subarray(-6);
      biases.set([1, 3, 0, 0, 0, 10].map((value) => value + critic));
      return { widths, parameters };
    });
    expect(adviser({ ...policy, critics: constant })(seen)).toEqual({ tactic: 'wait', values: [2.5, 0.5, 5.5] });
  });

  it.each<readonly [string, () => void]>([
    ['policy.json is missing', () => rmSync(cardFile)],
    ['policy.safetensors is missing', () => rmSync(weightsFile)],
    [
      'policy.safetensors is not the file that policy.json describes',
      () => writeFileSync(weightsFile, readFileSync(weightsFile).fill(1, 900, 901)),
    ],
    ['"embed:x" is no encoder', () => editCard((card) => ({ ...card, encoder: 'embed:x' }))],
    ['do not fit the encoder hashed-ngrams-1:32:0', () => editCard((card) => ({ ...card, encoder: 'hashed-ngrams-1:32:0' }))],
    ['do not fit the encoder hashed-ngrams-1:16:0 and 2 tactics', () => editCard((card) => ({ ...card, tactics: ['a', 'b'] }))],
    ['critic.2.layer.0.weight has no values, not 80', () => editCard((card) => ({ ...card, critics: 3 }))],
    ['critic.0.layer.0.weight has 80 values, not 96', () => editCard((card) => ({ ...card, widths: [16, 6, 6] }))],
    ['policy.json: no JSON', () => writeFileSync(cardFile, '{')],
    ['policy.json, tactics: ', () => editCard((card) => ({ ...card, tactics: 'all' }))],
  ])('is refused: %s', (why, spoil) => {
    spoil();
    expect(() => readPolicy(folder)).toThrow(why);
  });

  it('is refused with weights that are no numbers', () => {
    const { tensors, metadata } = decodeSafetensors(readFileSync(weightsFile), 'weights');
    tensors.get('critic.1.layer.1.bias')!.values[2] = Number.NaN;
    const weights = encodeSafetensors({ tensors, metadata });
    writeFileSync(weightsFile, weights);
    editCard((card) => ({ ...card, weightsSha256: sha256(weights) }));
    expect(() => readPolicy(folder)).toThrow('critic.1.layer.1.bias has values that are no numbers');
  });
});

describe('a stored policy', () => {
  const noModel = { embed: () => Promise.reject(new Error('no model')) };

  it('chooses as its files do, and is opened once', async () => {
    let loads = 0;
    const open = policyLibrary(
      async (wanted) => (loads++, { name: wanted.split('@')[0]!, version: 1, ...policyFile('deceptive_defense') }),
    );
    expect(await (await open('p@1')).choose(seen, noModel)).toBe('deceptive_defense');
    await open('p@1');
    expect(loads).toBe(1);
    expect((await open('p')).name).toBe('p@1'); // the newest may be another one next time
    await open('p');
    expect(loads).toBe(3);
  });

  it('has the outputs of the network that was trained, within 1e-5', () => {
    const trained = [0, 1].map((i) => createNetwork([64, 9, 4], diceOf('served', `${i}`)));
    const about = { encoder: 'hashed-ngrams-1:64:0', tactics: ['accuse', 'wait'], quantiles: 2, training: {}, data: { source: '', sha256: '', choices: 0 } }; // prettier-ignore
    const { card, weights } = formatPolicy(trained, about);
    const stored = [JSON.parse(JSON.stringify(card)) as unknown, Buffer.from(Buffer.from(weights).toString('base64'), 'base64')] as const;
    const { values } = adviser(parsePolicy(...stored, 'card', 'weights'))(seen);
    const row = sparseRows([encoderNamed(card.encoder).encode(seen)], 64);
    const outputs = trained.map((critic) => [...forward(critic, row, Int32Array.of(0), 1, createActivations(critic.widths, 1))]);
    const wanted = [0, 2].map((at) => outputs.reduce((sum, output) => sum + (output[at]! + output[at + 1]!) / 4, 0));
    for (const [i, value] of values.entries()) expect(Math.abs(value - wanted[i]!)).toBeLessThan(1e-5);
    expect(Math.abs(values[0]! - values[1]!)).toBeGreaterThan(1e-3);
  });

  it('asks its model for the embedding of what the seat knows, and refuses one of another length', async () => {
    const asked: unknown[] = [];
    const policy = servedPolicy({ name: 'p', version: 2, ...policyFile('honest_evidence', { encoder: 'embed:nomic:v1:16' }) });
    const embed = (length: number) => async (texts: readonly string[], model?: string) => {
      asked.push(texts, model);
      return { embeddings: [Array.from({ length }, () => 0.5)] };
    };
    const known = { ...seen, belief: { 'p1=seer': 0.5 } };
    expect(await policy.choose(known, { embed: embed(16) })).toBe('honest_evidence');
    expect(asked).toEqual([['Role: seer. Turn: 0. Game history: I saw a wolf Thought and belief: p1=seer 0.5'], 'nomic:v1']);
    await expect(policy.choose(seen, { embed: embed(17) })).rejects.toThrow('the embedding has 17 numbers, and embed:nomic:v1:16 wants 16');
  });
});

describe('a safetensors file', () => {
  const tensors = new Map([
    ['a', { shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) }],
    ['b', { shape: [1], values: Float32Array.of(-0.5) }],
  ]);
  const bytes = encodeSafetensors({ tensors, metadata: { format: 'x' } });

  it('has the layout of the format', () => {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    expect(length % 8).toBe(0);
    expect(JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString())).toEqual({
      __metadata__: { format: 'x' },
      a: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] },
      b: { dtype: 'F32', shape: [1], data_offsets: [16, 20] },
    });
    expect(bytes).toHaveLength(8 + length + 20);
    expect(decodeSafetensors(bytes, 'f')).toEqual({ tensors, metadata: { format: 'x' } });
  });

  it.each([
    [bytes.subarray(0, 5), 'its header has no end'],
    [bytes.subarray(0, 60), 'its header has no end'],
    [bytes.subarray(0, bytes.length - 2), 'f, b: 4 bytes for 1 values, in a file with 18 bytes of them'],
    [Buffer.from(Buffer.from(bytes).toString('latin1').replace('F32', 'F16'), 'latin1'), 'a.dtype: values of type F16; only F32 is read'],
    [Buffer.from(Buffer.from(bytes).toString('latin1').replace('{', '['), 'latin1'), 'is no safetensors file'],
  ])('is refused when it is broken (%#)', (broken, why) => expect(() => decodeSafetensors(broken, 'f')).toThrow(why));
});
