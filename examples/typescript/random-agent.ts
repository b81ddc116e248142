import { type Agent, play } from '../../clients/typescript/agent.ts';

// Answers by chance, legally. Get MAW_AT and MAW_TOKEN from `maw tokens make --role agent --name fox --shell`.

const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

const agent: Agent = ({ news, question: { verb, options, pick, final } }) => {
  for (const { text } of news) if (text !== undefined) process.stdout.write(`${text}\n`);
  const names = options.map(({ is }) => is);
  if (verb === 'choose') return pick === 1 ? anyOf(names) : names.toSorted(() => Math.random() - 0.5).slice(0, pick);
  if (!final && Math.random() < 0.9) return undefined;
  if (verb === 'tell') return { to: anyOf(names), text: 'Hm.' };
  return names.length ? anyOf(names) : 'I watch, and I say little.';
};

const { MAW_AT: at = '', MAW_TOKEN: key = '' } = process.env;
const results = await play(agent, {
  at,
  key,
  games: Number(process.argv[2] ?? 1),
  onProblem: (error) => process.stderr.write(`${String(error)}\n`),
});
process.stdout.write(`${JSON.stringify(results)}\n`);
