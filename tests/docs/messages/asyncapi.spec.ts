import specs from '@asyncapi/specs';
import { describe, expect, it } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { asyncApi } from './asyncapi.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { envelope, refusal } from '@maw/contracts/envelope.ts';
import { fieldsOf, isDescribed, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { descriptionKeyOf, fieldDescriptions } from './field-descriptions.ts';
import { messagesPage } from './messages-page.ts';
import { z } from 'zod';

const document = asyncApi(contracts.all, '1.2.3') as {
  readonly channels: {
    readonly [name: string]: { readonly address: string | null; readonly bindings?: { amqp: { exchange: { name: string } } } };
  };
  readonly operations: {
    readonly [name: string]: { readonly action: string; readonly channel: { $ref: string }; readonly reply?: unknown };
  };
  readonly components: {
    readonly messages: { readonly [name: string]: { readonly payload: object; readonly examples?: readonly { payload: object }[] } };
  };
};
const answered = contracts.all.filter(({ reply }) => reply).map(({ name }) => name);

/** Everything a `$ref` points to. */
const refs = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [inner as string] : refs(inner)));

/** The official schema brings the schema of JSON Schema along, so Ajv must not. */
function official(): ValidateFunction {
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  return ajv.compile(specs.schemas['3.0.0'] as object);
}

describe('the AsyncAPI document', () => {
  it('is valid by the official schema of AsyncAPI 3.0.0', () => {
    const validate = official();
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...document, channels: { broken: { address: 7 } } })).toBe(false);
  });

  it('has no dangling references', () => {
    const all = [...new Set(refs(document))];
    expect(all.length).toBeGreaterThan(50);
    const found = (ref: string) =>
      ref
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as { [key: string]: unknown } | undefined)?.[key], document);
    expect(all.filter((ref) => !ref.startsWith('#/') || found(ref) === undefined)).toEqual([]);
  });

  it('has a channel per contract, on the exchange of its kind', () => {
    for (const { name, kind } of contracts.all) {
      expect(document.channels[name]?.address).toBe(name);
      expect(document.channels[name]?.bindings?.amqp.exchange.name).toBe(kind === 'command' ? 'commands' : 'events');
    }
    expect(Object.keys(document.channels)).toHaveLength(contracts.all.length + answered.length);
  });

  it('has an operation per sender and receiver, with its reply', () => {
    const expected = contracts.all.flatMap(({ name, from, to }) => [
      ...from.map((service) => [`${service}.send.${name}`, 'send', name]),
      ...to.map((service) => [`${service}.receive.${name}`, 'receive', name]),
    ]);
    const found = Object.entries(document.operations).map(([key, { action, channel }]) => [
      key,
      action,
      channel.$ref.slice('#/channels/'.length),
    ]);
    expect(new Set(found.map(String))).toEqual(new Set(expected.map(String)));
    expect(found).toHaveLength(expected.length);
    const replying = Object.entries(document.operations).filter(([, { reply }]) => reply);
    expect(new Set(replying.map(([key]) => key.split('.').slice(2).join('.')))).toEqual(new Set(answered));
  });

  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'maw', components: document.components });
  const validatorOf = (name: string) => ajv.compile({ $ref: `maw#/components/messages/${name}/payload` });

  it.each(Object.keys(document.components.messages).filter((name) => name !== 'refusal'))(
    '%s: its example is valid by its schema',
    (name) => {
      const validate = validatorOf(name);
      const [example] = document.components.messages[name]!.examples!;
      validate(example!.payload);
      expect(validate.errors ?? []).toEqual([]);
      expect(validate({ ...example!.payload, data: 'nothing' })).toBe(false);
      expect(validate({ ...example!.payload, type: 'another.one' })).toBe(false);
    },
  );

  it('distinguishes refusals from successful replies', () => {
    const [example] = document.components.messages['table.open.reply']!.examples!;
    const refused = { ...example!.payload, performative: 'refuse', data: { reason: 'bad-option' } };
    expect([validatorOf('refusal')(refused), validatorOf('table.open.reply')(refused)]).toEqual([true, false]);
    expect([validatorOf('refusal')(example!.payload), validatorOf('table.open.reply')(example!.payload)]).toEqual([false, true]);
  });

  it('is deterministic', () => {
    expect(JSON.stringify(asyncApi(contracts.all, '1.2.3'))).toBe(JSON.stringify(document));
  });
});

/** Everything that has fields, by the name it goes by. */
const shapes: readonly (readonly [string, z.ZodType])[] = [
  ...contracts.all.flatMap(({ name, data, reply }) => [[name, data] as const, ...(reply ? [[`${name}.reply`, reply] as const] : [])]),
  ['envelope', envelope],
  ['refusal', refusal],
];

describe('the description of a field', () => {
  it.each(shapes)('%s: exists for every field', (name, shape) => {
    const silent = fieldsOf(jsonSchemaOf(shape, name)).filter(({ schema }) => !isDescribed(schema));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('exists only for existing fields', () => {
    const bare = (shape: z.ZodType) => fieldsOf(z.toJSONSchema(shape, { target: 'draft-7', io: 'input' }) as JsonSchema);
    const used = shapes.flatMap(([name, shape]) =>
      bare(shape).flatMap(({ path, schema }) => (isDescribed(schema) ? [] : [descriptionKeyOf(name, path)])),
    );
    expect(Object.keys(fieldDescriptions).filter((key) => !used.includes(key))).toEqual([]);
  });
});

describe('the index of messages', () => {
  it('has one row for every contract: who sends it to whom, and what for', () => {
    const rows = [...messagesPage(contracts.all, {}).matchAll(/^\| `([a-z]+\.[a-z]+)` \| (.*) \| (.*) \| (yes|) \| (.*) \|$/gm)];
    const told = rows.map(([, name, from, to, reply, summary]) => [name, { from, to, reply, summary }]);
    const expected = contracts.all.map(({ name, from, to, reply, summary }) => [
      name,
      { from: from.join(', '), to: to.join(', '), reply: reply ? 'yes' : '', summary },
    ]);
    expect(told).toHaveLength(expected.length);
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
  });
});
