import { z } from 'zod';

/** Communicative acts of FIPA SC00037 that our messages perform, as document 000 asks. */
export type Performative = 'request' | 'inform' | 'query-ref' | 'agree' | 'refuse' | 'failure';

export type Service = 'gamemaster' | 'chatroom' | 'player' | 'llm-gateway' | 'web';

/**
 * A message the platform can send: its name, its shape, who says it and what it means.
 * Types, validation, routing, the AsyncAPI document and the page in docs are all read off this one value.
 */
export interface Contract<Name extends string = string, Data extends z.ZodObject = z.ZodObject, Reply extends z.ZodObject = z.ZodObject> {
  readonly kind: 'event' | 'command';
  /** `context.verb` for commands, past tense for events. */
  readonly name: Name;
  readonly version: number;
  readonly performative: Performative;
  readonly data: Data;
  /** What a good answer carries; a command without one is never answered. */
  readonly reply: Reply | undefined;
  /** One sentence for people. */
  readonly summary: string;
  readonly from: readonly Service[];
  readonly to: readonly Service[];
  readonly example: z.output<Data>;
  readonly replyExample: z.output<Reply> | undefined;
  /** How to read older versions: `was[1]` turns data of version 1 into version 2. */
  readonly was: { readonly [version: number]: (old: never) => unknown };
}

interface Given<Data extends z.ZodObject> {
  readonly summary: string;
  readonly from: readonly Service[];
  readonly to: readonly Service[];
  readonly data: Data;
  readonly example: z.output<Data>;
  readonly version?: number;
  readonly was?: { readonly [version: number]: (old: never) => unknown };
}

type Dotted = `${string}.${string}`;

/** Something that happened. */
export const event = <const N extends Dotted, D extends z.ZodObject>(name: N, given: Given<D>): Contract<N, D, never> => ({
  kind: 'event',
  name,
  version: 1,
  was: {},
  performative: 'inform',
  reply: undefined,
  replyExample: undefined,
  ...given,
});

/** Something to be done; without a `reply` it is work that answers itself by what the receiver says later. */
export const command = <const N extends Dotted, D extends z.ZodObject, R extends z.ZodObject = never>(
  name: N,
  given: Given<D> & { readonly performative?: 'request' | 'query-ref'; readonly reply?: R; readonly replyExample?: z.output<R> },
): Contract<N, D, R> => ({
  kind: 'command',
  name,
  version: 1,
  was: {},
  performative: 'request',
  ...given,
  reply: given.reply,
  replyExample: given.replyExample,
});

/** The shape of an object given by its fields, refusing every other: what a sender may write. */
export const strict = (data: z.ZodObject): z.ZodObject => z.strictObject(data.shape);
