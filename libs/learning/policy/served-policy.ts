import { TACTICS_004 } from './tactics.ts';
import { embeddedText } from '../encoders/embedded.ts';
import type { Observation } from '../observation/observation.ts';
import { adviser, parsePolicy } from './policy.ts';

/** A policy as it is stored. */
export interface PolicyFile {
  readonly name: string;
  readonly version: number;
  /** JSON. */
  readonly card: unknown;
  /** A safetensors file, as base64. */
  readonly weights: string;
}

/** What a policy needs for encoders that ask a model. */
export interface Embedder {
  embed(texts: readonly string[], model?: string): Promise<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** A policy that chooses tactics. */
export interface ServedPolicy {
  /** `NAME@VERSION`. */
  readonly name: string;
  /** The model that it asks for embeddings; undefined: none. */
  readonly model: string | undefined;
  choose(observation: Observation, tools: Embedder): Promise<string>;
}

/**
 * Makes a stored policy ready to be asked.
 * @throws Error that says what is wrong with it: another hash, an unknown encoder or tactic, other sizes
 */
export function servedPolicy(file: PolicyFile): ServedPolicy {
  const name = `${file.name}@${file.version}`;
  const policy = parsePolicy(file.card, Buffer.from(file.weights, 'base64'), `the card of ${name}`, `the file with the weights of ${name}`);
  const unknown = policy.card.tactics.filter((tactic) => !(TACTICS_004 as readonly string[]).includes(tactic));
  if (unknown.length)
    throw new Error(
      `the policy ${name} knows the tactics ${unknown.join(', ')}, which no recipe speaks by; there are ${TACTICS_004.join(', ')}`,
    );
  const ask = adviser(policy);
  const { model } = policy.encoder;
  return {
    name,
    model,
    async choose(observation, { embed }) {
      if (model === undefined) return ask(observation).tactic;
      const { embeddings } = await embed([embeddedText(observation)], model);
      return ask({ ...observation, embedding: embeddings[0]! }).tactic;
    },
  };
}

/** Policies by the name that recipes give them: `NAME@VERSION`, or `NAME`. JSON, so that it can be sent to threads. */
export interface PolicyFiles {
  readonly [wanted: string]: PolicyFile;
}

/** Opens some policies and no others. */
export const policiesOf = (files: PolicyFiles): ((wanted: string) => Promise<ServedPolicy>) =>
  policyLibrary(async (wanted) => {
    if (!Object.hasOwn(files, wanted)) throw new Error(`the policy ${wanted} was not loaded`);
    return files[wanted]!;
  });

/**
 * Loads the policies that some recipes name for games without a model, and checks them.
 * @throws Error that says which is missing, or what is wrong with it
 */
export async function loadPolicies(names: Iterable<string>, load: (wanted: string) => Promise<PolicyFile>): Promise<PolicyFiles> {
  const files: { [wanted: string]: PolicyFile } = {};
  for (const wanted of new Set(names)) {
    const { name, version, card, weights } = await load(wanted);
    files[wanted] = { name, version, card, weights };
    const { name: id, model } = servedPolicy(files[wanted]);
    if (model !== undefined)
      throw new Error(
        `the policy ${id} asks the model ${model} for embeddings, and these games are played without a model; play them at tables`,
      );
  }
  return files;
}

/** Opens policies by name, and keeps each: a version never changes. @param load by `NAME@VERSION`, or `NAME` for the newest */
export function policyLibrary(load: (wanted: string) => Promise<PolicyFile>, most = 20): (wanted: string) => Promise<ServedPolicy> {
  const opened = new Map<string, ServedPolicy>();
  return async (wanted) => {
    const known = opened.get(wanted);
    if (known) return known;
    const policy = servedPolicy(await load(wanted));
    if (policy.name !== wanted) return policy; // the newest may be another one next time
    if (opened.size >= most) opened.delete(opened.keys().next().value!);
    opened.set(wanted, policy);
    return policy;
  };
}
