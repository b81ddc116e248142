import type { Contract } from '@maw/contracts/contract.ts';
import { envelope, refusal } from '@maw/contracts/envelope.ts';
import { fieldsOf, type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/**
 * The page of all messages, in Markdown. Deterministic.
 * @param sample a whole message, envelope included
 */
export const messagesPage = (contracts: readonly Contract[], sample: unknown): string => `# Messages

Generated from \`libs/contracts\`; do not edit. The same as an AsyncAPI document: [asyncapi.yaml](asyncapi.yaml).

Every message is a CloudEvent in JSON with a few extension attributes: an *envelope* around \`data\`. Commands are published to the exchange
\`commands\`, events to \`events\`; the routing key is the name of the message. Senders write strictly: a field outside the contract is
rejected. Receivers read leniently: unknown fields are dropped. A field may be added; any other change needs a new version, and receivers
upgrade older versions.

A command with a reply is answered with \`agree\` or \`inform\` and the data of the contract, or with \`refuse\` or \`failure\`, a reason code
and a sentence (see [reasons](reasons.md)). It is resent with the same id until the reply arrives or its \`replyby\` has passed.

${table(
  ['Message', 'From', 'To', 'Description'],
  contracts.map(({ name, from, to, summary }) => [`[\`${name}\`](#${name.replaceAll('.', '')})`, from.join(', '), to.join(', '), summary]),
)}

## The envelope

${fields(jsonSchemaOf(envelope, 'envelope'))}

A whole message:

${json(sample)}

## The refusal

The data of every \`refuse\` and \`failure\`.

${fields(jsonSchemaOf(refusal, 'refusal'))}

${contracts.map(section).join('\n\n')}
`;

function section({ kind, name, version, performative, from, to, summary, data, example, reply, replyExample }: Contract): string {
  return [
    `## ${name}`,
    summary,
    table(
      ['Kind', 'Version', 'FIPA act', 'From', 'To', 'Has a reply'],
      [[kind, String(version), `\`${performative}\``, from.join(', '), to.join(', '), reply ? 'yes' : 'no']],
    ),
    fields(jsonSchemaOf(data, name)),
    json(example),
    ...(reply ? ['### Reply', fields(jsonSchemaOf(reply, `${name}.reply`)), json(replyExample)] : []),
  ].join('\n\n');
}

function fields(schema: JsonSchema): string {
  const rows = fieldsOf(schema).map(({ path, schema: field, isRequired }) => [
    `\`${path}\``,
    typeOf(field),
    isRequired ? 'yes' : field.default === undefined ? 'no' : code(field.default),
    field.description ?? '',
  ]);
  return rows.length ? table(['Field', 'Type', 'Required, or default', 'Description'], rows) : 'No fields.';
}

/** A type in words: `list (at most 20) of text`. */
export function typeOf(s: JsonSchema): string {
  if (s.const !== undefined) return code(s.const);
  if (s.enum) return s.enum.map(code).join(' or ');
  if (s.anyOf) return s.anyOf.map(typeOf).join(' or ');
  switch (s.type) {
    case 'array':
      return `list${range(s.minItems, s.maxItems)} of ${typeOf(s.items ?? {})}`;
    case 'object':
      return typeof s.additionalProperties === 'object' && !s.properties ? `map to ${typeOf(s.additionalProperties)}` : 'object';
    case 'integer':
      return `whole number${range(s.minimum ?? (s.exclusiveMinimum === undefined ? undefined : s.exclusiveMinimum + 1), s.maximum)}`;
    case 'number':
      return `number${range(s.minimum, s.maximum)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'string':
      if (s.format === 'date-time') return 'ISO 8601 time';
      return s.pattern ? `text like \`${s.pattern}\`` : `text${range(s.minLength || undefined, s.maxLength, ' characters')}`;
    case undefined:
    default:
      return 'anything';
  }
}

function range(least: number | undefined, most: number | undefined, what = ''): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return ` (at most ${most}${what})`;
  return most === undefined ? ` (${least} or more${what})` : ` (${least} to ${most}${what})`;
}

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
