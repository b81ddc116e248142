import { createHash } from 'node:crypto';

export const CAPABILITIES = ['completion', 'thinking', 'tools', 'insert', 'vision', 'embedding'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** A model that the simulated server has on disk. */
export interface Model {
  /** With its tag. */
  readonly name: string;
  readonly capabilities: readonly Capability[];
  /** The longest context in tokens; `num_ctx` is capped at it. */
  readonly contextLength: number;
  /** The length of its embedding vectors. */
  readonly dimensions: number;
  readonly digest: string;
  /** How long a load takes; undefined: the server's default. */
  readonly loadMs: number | undefined;
}

export interface ModelSpec extends Partial<Omit<Model, 'name' | 'digest'>> {
  readonly name: string;
}

export const newModel = (spec: ModelSpec): Model => ({
  capabilities: ['completion', 'tools'],
  contextLength: 32_768,
  dimensions: 256,
  loadMs: undefined,
  ...spec,
  name: withTag(spec.name),
  digest: createHash('sha256').update(withTag(spec.name)).digest('hex'),
});

const withTag = (name: string): string => (name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`);

/** The model name in responses; it always says that this is a simulation. */
export const spokenName = (asked: string): string => (/simulat/i.test(asked) ? asked : `simulated/${asked}`);

const PREFIX = 'simulated/';

/** Finds a model by its name, with or without tag, or by the name in responses. */
export const findModel = (models: ReadonlyMap<string, Model>, asked: string): Model | undefined => {
  const name = withTag(asked).toLowerCase();
  return models.get(name) ?? (name.startsWith(PREFIX) ? models.get(name.slice(PREFIX.length)) : undefined);
};
