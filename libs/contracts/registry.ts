import { z } from 'zod';
import { type Contract, type Performative, strict } from './contract.ts';
import { type Envelope, envelope, refusal } from './envelope.ts';

export type Message<C extends Contract = Contract> =
  C extends Contract<infer N, infer D, infer _R> ? Envelope & { readonly type: N; readonly data: z.output<D> } : never;

/** The reply to a request. */
export type Reply<Data = unknown> =
  | { readonly performative: 'agree' | 'inform'; readonly data: Data }
  | { readonly performative: 'refuse' | 'failure'; readonly data: z.output<typeof refusal> };

/** What the sender provides for the envelope. */
export interface MessageHead {
  readonly id: string;
  readonly source: string;
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly causeid?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly replyBy?: number | undefined;
  readonly sequence?: number | undefined;
}

/** A message that no retry makes readable. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

/** The contracts by name: strict for writing, lenient for reading. */
export function createRegistry<const All extends readonly Contract[]>(...all: All) {
  type Any = All[number];
  type Of<N extends Any['name']> = Extract<Any, { name: N }>;
  type ReplyOf<N extends Any['name']> =
    Of<N> extends Contract<string, z.ZodObject, infer R> ? ([R] extends [never] ? never : z.output<R>) : never;
  const byName = new Map<string, Contract>(all.map((c) => [c.name, c]));
  if (byName.size !== all.length) throw new Error('two contracts have the same name');
  const strictData = new Map(all.map((c) => [c.name as string, strict(c.data)]));
  const replySchema = replySchemas(all);

  /** @throws UnreadableMessage */
  const named = (name: string): Contract => {
    const contract = byName.get(name);
    if (!contract) throw new UnreadableMessage(`no contract is named ${name.slice(0, 100)}`);
    return contract;
  };

  return {
    all: all as readonly Contract[],
    get: <N extends Any['name']>(name: N): Of<N> => named(name) as unknown as Of<N>,
    /** The schema of a successful reply. @throws Error when the message has none */
    replyOf: <N extends Any['name']>(name: N) => replyOf(named(name)) as Of<N> extends Contract<string, z.ZodObject, infer R> ? R : never,

    /** Creates a message. @throws ZodError when the data breaks the contract, unknown fields included */
    write<N extends Any['name']>(name: N, data: z.input<Of<N>['data']>, head: MessageHead): Message<Of<N>> {
      const { version, performative } = named(name);
      const parsed = strictData.get(name)!.parse(data);
      return asWritten({ ...envelopeOf(name, version, performative, head), data: parsed }) as unknown as Message<Of<N>>;
    },

    /** Creates a message of data that the contract's own schema, or a stricter one, has parsed already. */
    compose<N extends Any['name']>(name: N, data: z.output<Of<N>['data']>, head: MessageHead): Message<Of<N>> {
      const { version, performative } = named(name);
      return { ...envelopeOf(name, version, performative, head), data } as unknown as Message<Of<N>>;
    },

    /** Parses a received message. Unknown fields are dropped; data of an older version is upgraded. @throws UnreadableMessage */
    read(raw: unknown): Message<Any> {
      const head = parse(envelope, raw, 'envelope');
      const contract = named(head.type);
      const data = upgraded(contract, head.dataversion, (raw as { data?: unknown }).data);
      return { ...head, data: parse(contract.data, data, contract.name) } as unknown as Message<Any>;
    },

    /** Creates a reply. @throws ZodError when the data breaks the contract of the request; Error when that has no reply */
    writeReply(name: Any['name'], reply: Reply, head: MessageHead): Envelope & { readonly data: unknown } {
      const contract = named(name);
      const { performative } = reply;
      return {
        ...envelopeOf(`${name}.reply`, contract.version, performative, head),
        data: replySchema(name, performative).parse(reply.data),
      };
    },

    /** Parses a received reply to `name`. @throws UnreadableMessage */
    readReply<N extends Any['name']>(name: N, raw: unknown): Reply<ReplyOf<N>> {
      return parseReply(named(name), raw) as Reply<ReplyOf<N>>;
    },
  };
}

/** Messages that `write` has made. */
const written = new WeakSet<object>();

function asWritten<M extends object>(message: M): M {
  written.add(message);
  return message;
}

/**
 * Checks a message before it is sent. Only the envelope where `write` has made it: messages are not changed, and their data were checked there.
 * @throws UnreadableMessage
 */
export function checkBeforeSending({ read }: { read(raw: unknown): unknown }, message: object): void {
  if (written.has(message)) parse(envelope, message, 'envelope');
  else read(message);
}

function replyOf({ name, reply }: Contract): z.ZodObject {
  if (!reply) throw new Error(`${name} has no reply`);
  return reply;
}

/** @throws UnreadableMessage */
function parseReply({ name, reply }: Contract, raw: unknown): Reply {
  const { type, performative } = parse(envelope, raw, `envelope of the reply to ${name}`);
  if (type !== `${name}.reply`) throw new UnreadableMessage(`expected the reply to ${name}, not ${type}`);
  const { data } = raw as { data?: unknown };
  if (performative === 'refuse' || performative === 'failure') return { performative, data: parse(refusal, data, type) };
  if (!reply) throw new UnreadableMessage(`${name} has no reply`);
  return { performative: performative as 'agree' | 'inform', data: parse(reply, data, type) };
}

/** @throws UnreadableMessage when the version is newer than the contract, or too old */
function upgraded({ name, version, was }: Contract, from: number, data: unknown): unknown {
  if (from > version) throw new UnreadableMessage(`${name}: version ${from} is newer than ${version}`);
  for (let v = from; v < version; v++) {
    const upgrade = was[v];
    if (!upgrade) throw new UnreadableMessage(`${name}: version ${v} is no longer supported`);
    data = upgrade(data as never);
  }
  return data;
}

/** The schemas that replies are written with, built once: to build one costs more than to parse with it. */
function replySchemas(all: readonly Contract[]): (name: string, performative: Reply['performative']) => z.ZodType {
  const strictReplies = new Map(all.flatMap(({ name, reply }) => (reply ? [[name, strict(reply)]] : [])));
  return (name, performative) => {
    if (performative === 'refuse' || performative === 'failure') return refusal;
    const schema = strictReplies.get(name);
    if (!schema) throw new Error(`${name} has no reply`);
    return schema;
  };
}

const envelopeOf = (type: string, version: number, performative: Performative, head: MessageHead): Envelope => ({
  specversion: '1.0',
  id: head.id,
  source: head.source,
  type,
  subject: head.subject,
  time: new Date(head.at).toISOString(),
  datacontenttype: 'application/json',
  dataversion: version,
  performative,
  ...(head.causeid === undefined ? {} : { causeid: head.causeid }),
  ...(head.replyBy === undefined ? {} : { replyby: new Date(head.replyBy).toISOString() }),
  ...(head.sequence === undefined ? {} : { sequence: head.sequence }),
});

function parse<T extends z.ZodType>(schema: T, raw: unknown, what: string): z.output<T> {
  const result = schema.safeParse(raw);
  if (!result.success) throw new UnreadableMessage(`${what}: ${z.prettifyError(result.error).slice(0, 1000)}`);
  return result.data;
}
