import type { Contract } from '../contract.ts';
import { envelope, refusal } from '../envelope.ts';
import { fieldsOf, type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/**
 * The page of every message, in Markdown. The same text for the same contracts.
 * @param sample a whole message, envelope included
 */
export const messagesPage = (contracts: readonly Contract[], sample: unknown): string => `# Messages

Written from \`libs/contracts\`; do not edit. The same as an AsyncAPI document: [asyncapi.yaml](asyncapi.yaml).

Every message is a CloudEvent in JSON with some attributes of ours: an *envelope* around \`data\`. Commands go through the exchange
\`commands\`, events through \`events\`; the routing key is the message's name. Senders write strictly: a field that the contract does not
have is a mistake. Receivers read leniently: fields they do not know are dropped. A field may be added; any other change makes a new
version, and whoever reads brings older ones up to date.

A command with a reply is answered with \`agree\` or \`inform\` and what the contract says, or with \`refuse\` or \`failure\`, a code and a
sentence (see [reasons](reasons.md)). It is sent again with the same id until it is answered or its \`replyby\` has passed.

${table(
  ['Message', 'From', 'To', 'What it says'],
  contracts.map(({ name, from, to, summary }) => [`[\`${name}\`](#${name.replaceAll('.', '')})`, from.join(', '), to.join(', '), summary]),
)}

## The envelope

${fields(jsonSchemaOf(envelope, 'envelope'))}

A whole message:

${json(sample)}

## The refusal

What \`refuse\` and \`failure\` carry, whatever they answer.

${fields(jsonSchemaOf(refusal, 'refusal'))}

${contracts.map(section).join('\n\n')}
`;

function section({ kind, name, version, performative, from, to, summary: says, data, example, reply, replyExample }: Contract): string {
  return [
    `## ${name}`,
    says,
    table(
      ['Kind', 'Version', 'FIPA act', 'From', 'To', 'Answered'],
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
  return rows.length ? table(['Field', 'Type', 'Needed, or default', 'Meaning'], rows) : 'No fields.';
}

/** A type in words. */
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
      if (s.format === 'date-time') return 'time as in ISO 8601';
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
