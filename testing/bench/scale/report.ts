import { type Cost, type Load, PLAYERS, RULES, serviceOf } from './load-level.ts';
import type { GameQuality } from './game-quality.ts';
import type { MessageCost } from './message-cost.ts';

/** A level: its cost, and the quality of its games. */
export interface Level extends Load {
  readonly cost: Cost;
  readonly course: GameQuality;
}

/** The broker without other load: messages a second, and its processor time for each, in seconds, where that can be seen. */
export interface BrokerAlone {
  readonly rate: number;
  readonly cpu: number | undefined;
}

export interface About {
  readonly replicas: number;
  /** Processor time of all services in a second without tables. */
  readonly rest: number;
  readonly alone: BrokerAlone;
  /** Whether each replica had half of the processors. */
  readonly isPinned: boolean;
  /** What a message costs by itself at the rate of each level. */
  readonly costs: readonly MessageCost[];
}

/** The level that others are compared with, if measured; otherwise the first. */
const COMPARED = 10;

/** The figures as Markdown. */
export function scaleText(levels: readonly Level[], { replicas, isPinned, rest, alone, costs }: About): string {
  const compared = levels.find(({ atOnce }) => atOnce === COMPARED) ?? levels[0]!;
  const [each, net] = [(level: Level): number => level.cost.cpu / level.games, (level: Level): number => withoutRest(level, rest)];
  const rows: readonly Row[] = [
    ['games played', ({ games }) => `${games}`],
    ['at once at most', ({ cost }) => `${cost.peak}`],
    ['step of the night, s', ({ stepMs }) => `${stepMs / 1_000}`],
    ['games/s', ({ games, cost }) => digits(games / cost.seconds)],
    ['messages/s', ({ cost }) => digits(cost.messages / cost.seconds)],
    ['messages/game', ({ games, cost }) => digits(cost.messages / games)],
    ['events/game', ({ games, course }) => digits(course.events / games)],
    ['processor time of all services, s/game', (level) => each(level).toFixed(3)],
    [`against ${compared.atOnce}`, (level) => (each(level) / each(compared)).toFixed(2)],
    ['without what they take at rest, s/game', (level) => net(level).toFixed(3)],
    [`that against ${compared.atOnce}`, (level) => (net(level) / net(compared)).toFixed(2)],
    ['the same, ms/message', ({ cost }) => milli(cost.cpu / cost.messages)],
    ['amqplib alone at this rate, ms/message', (level) => milli(costs[levels.indexOf(level)]?.amqplib)],
    ['the bus alone at this rate, ms/message', (level) => milli(costs[levels.indexOf(level)]?.bus)],
    ['the bus against amqplib', (level) => ratio(costs[levels.indexOf(level)])],
    ['act to its answer, p50 / p99, ms', ({ cost }) => `${milli(cost.acts.p50)} / ${milli(cost.acts.p99)}`],
    ['line to its answer, p50 / p99, ms', ({ cost }) => `${milli(cost.lines.p50)} / ${milli(cost.lines.p99)}`],
    ['answers that were owed', ({ course }) => `${course.asked}`],
    ['of these not given in time', ({ course }) => `${course.missed}`],
    ['answers refused because they came too late', ({ course }) => `${course.late}`],
    ['times that tables were given time back', ({ course }) => `${course.delayed}`],
    ['tables refused for want of room', ({ cost }) => `${cost.limited}`],
    ...statementRows(levels),
    ['appends/game', ({ games, cost }) => digits(cost.appends / games)],
    ['of these in vain, because another replica was faster', ({ games, cost }) => digits(cost.conflicts / games)],
    ['messages/s against the broker alone', ({ cost }) => digits(cost.messages / cost.seconds / alone.rate)],
    ['broker’s processor time, ms/message', ({ cost }) => milli(cost.broker && cost.broker.cpu / cost.messages)],
  ];
  const lines = [
    row(['tables at once', ...levels.map(({ atOnce }) => atOnce)]),
    row(Array.from({ length: 1 + levels.length }, () => '---')),
    ...rows.map(([what, of]) => row([what, ...levels.map(of)])),
    '',
    ...parts(levels),
  ];
  const known = alone.cpu === undefined ? '' : `, for ${milli(alone.cpu)} ms of its processor time each`;
  const words = `Games of ${PLAYERS} \`rules\` minds of ${RULES}, ${replicas} of each service${isPinned ? ', each on its half of the processors' : ''}. The broker alone takes ${digits(alone.rate)} messages/s${known}. At rest all services together take ${milli(rest)} ms of processor time a second.`;
  return `${words}\n\n${lines.join('\n')}`;
}

type Row = readonly [string, (level: Level) => string];

/** Statements of the database for each act: all of them, then those of each service that makes any. What is polled at rest counts too. */
function statementRows(levels: readonly Level[]): readonly Row[] {
  const sum = ({ cost }: Level, service?: string): number =>
    cost.parts.reduce((all, { name, statements }) => all + (service === undefined || serviceOf(name) === service ? statements : 0), 0);
  const services = [...new Set(levels.flatMap(({ cost }) => cost.parts.map(({ name }) => serviceOf(name))))];
  const rowFor = (words: string, service?: string): Row => [words, (level) => digits(sum(level, service) / level.cost.acted)];
  return [
    rowFor('statements/act'),
    ...services
      .filter((service) => levels.some((level) => sum(level, service) > 0))
      .map((service) => rowFor(`of these ${service}`, service)),
  ];
}

/** Processor time a game, in seconds, less that of idle services. */
const withoutRest = ({ games, cost }: Level, rest: number): number => (cost.cpu - rest * cost.seconds) / games;

function parts(levels: readonly Level[]): readonly string[] {
  const names = levels[0]!.cost.parts.map(({ name }) => name);
  const servers = ['broker', 'database'] as const;
  const seen = servers.filter((name) => levels.every(({ cost }) => cost[name]));
  const of =
    (name: string) =>
    (level: Level): readonly string[] => {
      const part = level.cost.parts.find((one) => one.name === name)!;
      return [Number.isNaN(part.share) ? '' : (part.share * 100).toFixed(1), ...usedBy(part, level.games)];
    };
  return [
    row([
      'process',
      ...levels.flatMap(({ atOnce }) => [`share at ${atOnce}, %`, `ms/game at ${atOnce}`, `MiB before ${atOnce}, and at most`]),
    ]),
    row(Array.from({ length: 1 + 3 * levels.length }, () => '---')),
    ...names.map((name) => row([name, ...levels.flatMap(of(name))])),
    ...seen.map((name) => row([name, ...levels.flatMap((level) => ['', ...usedBy(level.cost[name]!, level.games)])])),
    ...(seen.length < servers.length
      ? [
          '',
          `Not seen, because this command has not started them on this machine, or it has no /proc: ${servers.filter((name) => !seen.includes(name)).join(', ')}.`,
        ]
      : []),
  ];
}

const usedBy = ({ cpu, restMiB, mostMiB }: { readonly cpu: number; readonly restMiB: number; readonly mostMiB: number }, games: number) => [
  ((1000 * cpu) / games).toFixed(1),
  `${restMiB.toFixed(0)} to ${mostMiB.toFixed(0)}`,
];

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const digits = (n: number): string => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));
const ratio = (cost: MessageCost | undefined): string => (cost ? (cost.bus / cost.amqplib).toFixed(2) : '');
const milli = (seconds: number | undefined): string => (seconds === undefined || Number.isNaN(seconds) ? '' : digits(seconds * 1_000));
