import { machine } from './figures.ts';

/** What so many tables cost that were opened together and played to their end. */
export interface Level {
  readonly tables: number;
  readonly seconds: number;
  /** How many ran at once at the most. */
  readonly peak: number;
  /** How often the gamemasters said that there was too much for one more. */
  readonly limited: number;
  /** Processor time of all services, in seconds. */
  readonly cpu: number;
  readonly messages: number;
  readonly parts: readonly Part[];
}

interface Part {
  readonly name: string;
  /** Its share of what all replicas of the service have done: acts of gamemasters, messages of others; NaN when they have done nothing. */
  readonly share: number;
  readonly cpu: number;
  readonly restMiB: number;
  readonly mostMiB: number;
}

/** The figures as Markdown. */
export function scaleText(levels: readonly Level[]): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const first = levels[0]!;
  const lines = [
    row(['tables', 'at once at most', 'games/s', 'messages/s', 'processor time, s/game', 'against the first', 'refused for want of room']),
    row(Array.from({ length: 7 }, () => '---')),
    ...levels.map((one) =>
      row([
        one.tables,
        one.peak,
        (one.tables / one.seconds).toFixed(2),
        (one.messages / one.seconds).toFixed(0),
        (one.cpu / one.tables).toFixed(3),
        (one.cpu / one.tables / (first.cpu / first.tables)).toFixed(2),
        one.limited,
      ]),
    ),
    '',
    row([
      'process',
      ...levels.flatMap(({ tables }) => [`share at ${tables}, %`, `ms/game at ${tables}`, `MiB before ${tables}, and at most`]),
    ]),
    row(Array.from({ length: 1 + 3 * levels.length }, () => '---')),
    ...first.parts.map(({ name }) =>
      row([
        name,
        ...levels.flatMap(({ tables, parts }) => {
          const { share, cpu, restMiB, mostMiB } = parts.find((part) => part.name === name)!;
          return [
            Number.isNaN(share) ? '' : (share * 100).toFixed(1),
            ((1000 * cpu) / tables).toFixed(1),
            `${restMiB.toFixed(0)} to ${mostMiB.toFixed(0)}`,
          ];
        }),
      ]),
    ),
  ];
  return `\n### scale\n\n${machine()}\n\n${lines.join('\n')}\n`;
}
