import type { Contract } from '@maw/contracts/contract.ts';

/**
 * The index of all messages, in Markdown: what each is for and who sends it to whom. Fields and examples are in the AsyncAPI document. Deterministic.
 * @param sample a whole message, envelope included
 */
export const messagesPage = (contracts: readonly Contract[], sample: unknown): string => `# Messages

Generated from \`libs/contracts\`; do not edit. Fields, types, limits and an example of each message are in the AsyncAPI document [asyncapi.yaml](asyncapi.yaml),
under \`components.messages\`: look up the name of the message, such as \`table.act\`, or \`table.act.reply\` for its reply. Tools that read AsyncAPI 3.0 show it as pages.

Every message is a CloudEvent in JSON with a few extension attributes: an *envelope* around \`data\`. Commands are published to the exchange
\`commands\`, events to \`events\`; the routing key is the name of the message. Senders write strictly: a field outside the contract is
rejected. Receivers read leniently: unknown fields are dropped. A field may be added; any other change needs a new version, and receivers
upgrade older versions.

A command with a reply is answered with \`agree\` or \`inform\` and the data of the contract, or with \`refuse\` or \`failure\`, a reason code
and a sentence (see [reasons](reasons.md)). It is resent with the same id until the reply arrives or its \`replyby\` has passed.

A whole message:

\`\`\`json
${JSON.stringify(sample, null, 2)}
\`\`\`

${section('Commands', 'command', contracts)}

${section('Events', 'event', contracts)}
`;

function section(title: string, kind: Contract['kind'], contracts: readonly Contract[]): string {
  const rows = contracts
    .filter((contract) => contract.kind === kind)
    .map(({ name, from, to, reply, summary }) => [`\`${name}\``, from.join(', '), to.join(', '), reply ? 'yes' : '', summary]);
  return `## ${title}\n\n${table(['Message', 'From', 'To', 'Reply', 'Purpose'], rows)}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
