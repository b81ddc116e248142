import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Embeddable, Encoder } from '../encoders/encoder.ts';
import { encoderNamed } from '../encoders/encoder-named.ts';
import { createActivations, forward, layersOf, type Network, parameterCount } from '../network/network.ts';
import { sparseRows } from '../network/sparse-rows.ts';
import { decodeSafetensors, encodeSafetensors, type Tensor } from './safetensors.ts';

/** What is said about a policy's weights: all that is needed to use and to reproduce them. */
const Card = z.strictObject({
  format: z.literal('maw-policy-1'),
  encoder: z.string(),
  tactics: z.array(z.string().min(1)).min(2),
  /** How many outputs each tactic has, whose mean is its value. */
  quantiles: z.int().min(1),
  critics: z.int().min(1),
  /** Inputs, hidden layers, outputs. */
  widths: z.array(z.int().min(1)).min(2),
  /** The parameters of the training. */
  training: z.record(z.string(), z.unknown()),
  data: z.strictObject({ source: z.string(), sha256: z.string(), embeddingsSha256: z.string().optional(), choices: z.int() }),
  /** What the policy is worth from deals that were held out, by critics fitted to all games, and to the held-out games alone. */
  evaluation: z.strictObject({ value: z.number(), heldOutValue: z.number() }).optional(),
  weightsSha256: z.string(),
});
export type PolicyCard = z.infer<typeof Card>;

export interface Policy {
  readonly card: PolicyCard;
  readonly critics: readonly Network[];
  readonly encoder: Encoder;
}

export const POLICY_FILES = { card: 'policy.json', weights: 'policy.safetensors' } as const;

/** The tensors of a critic, and where they are in its parameters: by layer the weights, inputs x outputs, and the biases. */
const partsOf = (widths: readonly number[], critic: number) =>
  layersOf(widths).flatMap(({ inputs, outputs, weights, biases }, layer) => [
    { name: `critic.${critic}.layer.${layer}.weight`, shape: [inputs, outputs], from: weights, to: biases },
    { name: `critic.${critic}.layer.${layer}.bias`, shape: [outputs], from: biases, to: biases + outputs },
  ]);

const weightsOf = (critics: readonly Network[]): ReadonlyMap<string, Tensor> =>
  new Map(
    critics.flatMap(({ widths, parameters }, critic) =>
      partsOf(widths, critic).map(({ name, shape, from, to }) => [name, { shape, values: parameters.slice(from, to) }] as const),
    ),
  );

type About = Omit<PolicyCard, 'format' | 'critics' | 'widths' | 'weightsSha256'>;

/** A policy as its two files: its weights as safetensors, and its card. */
export function formatPolicy(critics: readonly Network[], about: About): { readonly card: PolicyCard; readonly weights: Uint8Array } {
  const weights = encodeSafetensors({ tensors: weightsOf(critics), metadata: { format: 'maw-policy-1' } });
  const shape = { critics: critics.length, widths: [...critics[0]!.widths] };
  return { card: { format: 'maw-policy-1', ...about, ...shape, weightsSha256: sha256(weights) }, weights };
}

/** Writes a policy into a folder. */
export function writePolicy(folder: string, critics: readonly Network[], about: About): void {
  const { card, weights } = formatPolicy(critics, about);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, POLICY_FILES.weights), weights);
  writeFileSync(join(folder, POLICY_FILES.card), `${JSON.stringify(card, undefined, 2)}\n`);
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Reads a policy from its folder and checks that its parts belong together.
 * @throws Error that names the file and what is wrong: none there, another hash, an unknown encoder, other sizes
 */
export function readPolicy(folder: string): Policy {
  const { card, weights, cardFile, weightsFile } = readPolicyFiles(folder);
  return parsePolicy(card, weights, cardFile, weightsFile);
}

/** Reads the files of a policy without checking that they belong together. @throws Error that names the file that is missing, or no JSON */
export function readPolicyFiles(folder: string) {
  const cardFile = join(folder, POLICY_FILES.card);
  const weightsFile = join(folder, POLICY_FILES.weights);
  const card = jsonOf(read(cardFile, folder).toString(), cardFile);
  return { card, weights: read(weightsFile, folder), cardFile, weightsFile };
}

/**
 * Checks that a card and weights belong together.
 * @param cardFile what to call the card in messages, and `weightsFile` the weights
 * @throws Error that says what is wrong: another hash, an unknown encoder, other sizes
 */
export function parsePolicy(value: unknown, bytes: Uint8Array, cardFile: string, weightsFile: string): Policy {
  const card = parseCard(value, cardFile);
  if (sha256(bytes) !== card.weightsSha256)
    throw new Error(`${weightsFile} is not the file that ${POLICY_FILES.card} describes: its SHA-256 is ${sha256(bytes)}`);
  const encoder = encoderNamed(card.encoder);
  const outputs = card.tactics.length * card.quantiles;
  if (encoder.dimension !== card.widths[0] || outputs !== card.widths.at(-1))
    throw new Error(
      `${cardFile}: widths ${card.widths.join(', ')} do not fit the encoder ${card.encoder} and ${card.tactics.length} tactics with ${card.quantiles} outputs each`,
    );
  const { tensors } = decodeSafetensors(bytes, weightsFile);
  return { card, encoder, critics: Array.from({ length: card.critics }, (_, i) => criticOf(tensors, card.widths, i, weightsFile)) };
}

function read(file: string, folder: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`there is no policy in ${folder}: ${file} is missing`, { cause: error });
    throw error;
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: no JSON (${(error as Error).message})`, { cause: error });
  }
}

function parseCard(value: unknown, file: string): PolicyCard {
  const card = Card.safeParse(value);
  if (card.success) return card.data;
  const [issue] = card.error.issues;
  throw new Error(`${file}, ${issue!.path.join('.')}: ${issue!.message}`);
}

function criticOf(tensors: ReadonlyMap<string, Tensor>, widths: readonly number[], critic: number, file: string): Network {
  const parameters = new Float32Array(parameterCount(widths));
  for (const { name, from, to } of partsOf(widths, critic)) {
    const values = tensors.get(name)?.values;
    if (values?.length !== to - from) throw new Error(`${file}: ${name} has ${values?.length ?? 'no'} values, not ${to - from}`);
    if (!values.every(Number.isFinite)) throw new Error(`${file}: ${name} has values that are no numbers`);
    parameters.set(values, from);
  }
  return { widths, parameters };
}

/** What a policy says at one moment. */
export interface Advice {
  readonly tactic: string;
  /** By tactic: what it is worth to the policy; of a clone the logarithm of its likelihood, up to a constant. */
  readonly values: readonly number[];
}

const FIRST_ROW = Int32Array.of(0);

/** A function that asks a policy. Nothing of the training is needed for it. */
export function adviser({ card: { tactics, quantiles }, critics, encoder }: Policy): (observation: Embeddable) => Advice {
  const activations = createActivations(critics[0]!.widths, 1);
  return (observation) => {
    const row = sparseRows([encoder.encode(observation)], encoder.dimension);
    const values = tactics.map(() => 0);
    for (const critic of critics)
      forward(critic, row, FIRST_ROW, 1, activations).forEach((each, i) => {
        values[Math.floor(i / quantiles)]! += each / (quantiles * critics.length);
      });
    return { tactic: tactics[values.indexOf(Math.max(...values))]!, values };
  };
}
