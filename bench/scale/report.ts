import type { GameQuality } from './game-quality.ts';
import { type Cost, serviceOf } from './load-level.ts';
import type { MessageCost } from './message-cost.ts';
import { type Load, PLAYERS, RULES } from './table-opener.ts';

/** A level: its cost, and the quality of its games. */
export interface Level extends Load {
  /** The steps of the night that were tried, in milliseconds: with all but the last one answers were missed. */
  readonly tried: readonly number[];
  readonly cost: Omit<Cost, 'tables'>;
  readonly course: GameQuality;
  /** What a message costs by itself at the rate of this level. Undefined: interrupted before it was measured. */
  message?: MessageCost;
}

/** The broker without other load: messages a second, and its processor time for each, in seconds, where that can be seen. */
export interface BrokerAlone {
  readonly rate: number;
  readonly cpu: number | undefined;
}

/** All levels with one number of replicas. */
export interface Pass {
  readonly replicas: number;
  /** Whether each replica had half of the processors. */
  readonly isPinned: boolean;
  /** Processor time of all services in a second without tables; NaN when not measured. */
  rest: number;
  readonly levels: Level[];
}

/** The level that others are compared with, if it was played to the end; otherwise the first one that was. */
const COMPARED = 10;

/** A column of the table. */
interface Column {
  readonly level: Level;
  readonly pass: Pass;
}
type Row = readonly [name: string, of: (column: Column) => string];

/** The figures of passes that have a level as Markdown. */
export function scaleText(passes: readonly Pass[], alone: BrokerAlone): string {
  const columns = passes.flatMap((pass) => pass.levels.map((level): Column => ({ level, pass })));
  const replicas: readonly Row[] = passes.length > 1 ? [['replicas of each service', ({ pass }) => `${pass.replicas}`]] : [];
  const rows = [
    ...replicas,
    ...loadRows,
    ...costRows(comparedIn(passes[0]!).atOnce),
    ...messageRows,
    ...statementRows(columns),
    ...qualityRows,
    ...serverRows(alone),
  ];
  const known = alone.cpu === undefined ? '' : `, for ${milli(alone.cpu)} ms of its processor time each`;
  return [
    `Games of ${PLAYERS} \`rules\` minds of ${RULES}, ${passes.map(({ replicas: count }) => count).join(' and then ')} of each service${passes[0]!.isPinned ? ', each on its half of the processors' : ''}. RabbitMQ alone takes ${digits(alone.rate)} messages/s${known}. At rest all services together take ${passes.map(({ rest }) => milli(rest)).join(' and ')} ms of processor time a second.`,
    ...notes(columns),
    table(
      ['tables at once', ...columns.map(({ level }) => level.atOnce)],
      rows.map(([what, of]) => [what, ...columns.map(of)]),
    ),
    ...passes.map(parts),
  ].join('\n\n');
}

/** What the reader of a level has to know besides. */
const notes = (columns: readonly Column[]): readonly string[] =>
  columns.flatMap(({ level, pass }) => {
    const { cost, course, games, atOnce } = level;
    const which = `${atOnce} tables at once${pass.isPinned ? ` with ${pass.replicas === 1 ? 'one replica' : `${pass.replicas} replicas`}` : ''}`;
    const isLate = course.missed + course.late > 0;
    return [
      ...(isWhole(level)
        ? []
        : [
            `With ${which} it was ended after ${(cost.seconds / 60).toFixed(1)} minutes, when ${cost.over} of ${games} games were over: figures a game are left out.`,
          ]),
      ...(isLate ? [`With ${which} no step was found that was long enough for all answers.`] : []),
    ];
  });

const isWhole = ({ cost }: Level): boolean => cost.ended === undefined;
/** A figure a game, which only a level has that was played to the end. */
const aGame =
  (of: (level: Level, pass: Pass) => string) =>
  ({ level, pass }: Column): string =>
    isWhole(level) ? of(level, pass) : '';
const each = ({ cost, games }: Level): number => cost.cpu / games;
/** Processor time a game, in seconds, less that of idle services. */
const withoutRest = ({ games, cost }: Level, { rest }: Pass): number => (cost.cpu - rest * cost.seconds) / games;
const comparedIn = ({ levels }: Pass): Level =>
  levels.find((level) => level.atOnce === COMPARED && isWhole(level)) ?? levels.find(isWhole) ?? levels[0]!;

const loadRows: readonly Row[] = [
  ['games played', ({ level }) => `${level.cost.over}`],
  ['most at once', ({ level }) => `${level.cost.peak}`],
  ['step of the night, s', ({ level }) => `${level.stepMs / 1_000}`],
  [
    'shorter steps, with which answers were missed, s',
    ({ level }) =>
      level.tried
        .slice(0, -1)
        .map((ms) => ms / 1_000)
        .join(', '),
  ],
  ['games/s', aGame(({ games, cost }) => digits(games / cost.seconds))],
  ['messages/s', ({ level: { cost } }) => digits(cost.messages / cost.seconds)],
  ['messages/game', aGame(({ games, cost }) => digits(cost.messages / games))],
  ['events/game', aGame(({ games, course }) => digits(course.events / games))],
];

const costRows = (compared: number): readonly Row[] => [
  ['processor time of all services, s/game', aGame((level) => each(level).toFixed(3))],
  [`relative to ${compared} at once`, aGame((level, pass) => (each(level) / each(comparedIn(pass))).toFixed(2))],
  ['without processor time at rest, s/game', aGame((level, pass) => withoutRest(level, pass).toFixed(3))],
  [
    `that relative to ${compared} at once`,
    aGame((level, pass) => (withoutRest(level, pass) / withoutRest(comparedIn(pass), pass)).toFixed(2)),
  ],
  ['processor time of all services, ms/act', ({ level: { cost } }) => milli(cost.cpu / cost.acted)],
];

const messageRows: readonly Row[] = [
  ['processor time of all services, ms/message', ({ level: { cost } }) => milli(cost.cpu / cost.messages)],
  ['amqplib alone at this rate, ms/message', ({ level }) => milli(level.message?.amqplib)],
  ['all services relative to amqplib', ({ level: { cost, message } }) => ratio(cost.cpu / cost.messages, message?.amqplib)],
  ['the bus alone at this rate, ms/message', ({ level }) => milli(level.message?.bus)],
  ['the bus relative to amqplib', ({ level: { message } }) => ratio(message?.bus, message?.amqplib)],
];

/**
 * Statements of the database for each act: all of them, then those of each service that makes any; and how often gamemasters appended to tapes. What
 * is polled at rest counts too.
 */
function statementRows(columns: readonly Column[]): readonly Row[] {
  const sum = ({ level: { cost } }: Column, service?: string): number =>
    cost.parts.reduce((all, { name, statements }) => all + (service === undefined || serviceOf(name) === service ? statements : 0), 0);
  const services = [...new Set(columns.flatMap(({ level }) => level.cost.parts.map(({ name }) => serviceOf(name))))];
  const rowFor = (words: string, service?: string): Row => [words, (column) => digits(sum(column, service) / column.level.cost.acted)];
  return [
    rowFor('statements/act'),
    ...services
      .filter((service) => columns.some((column) => sum(column, service) > 0))
      .map((service) => rowFor(`of these ${service}`, service)),
    ['appends/game', aGame(({ games, cost }) => digits(cost.appends / games))],
    ['of these in vain, because another replica was faster', aGame(({ games, cost }) => digits(cost.conflicts / games))],
  ];
}

const qualityRows: readonly Row[] = [
  ['act to its answer, p50 / p99, ms', ({ level: { cost } }) => `${milli(cost.acts.p50)} / ${milli(cost.acts.p99)}`],
  ['line to its answer, p50 / p99, ms', ({ level: { cost } }) => `${milli(cost.lines.p50)} / ${milli(cost.lines.p99)}`],
  ['answers expected', ({ level: { course } }) => `${course.asked}`],
  ['of these missed', ({ level: { course } }) => `${course.missed}`],
  ['answers refused as late', ({ level: { course } }) => `${course.late}`],
  ['times that deadlines were extended', ({ level: { course } }) => `${course.delayed}`],
  ['tables refused as over capacity', ({ level: { cost } }) => `${cost.limited}`],
];

const serverRows = (alone: BrokerAlone): readonly Row[] => [
  ['messages/s relative to RabbitMQ alone', ({ level: { cost } }) => digits(cost.messages / cost.seconds / alone.rate)],
  ['broker’s processor time, ms/message', ({ level: { cost } }) => milli(cost.broker && cost.broker.cpu / cost.messages)],
  ['database’s processor time, ms/act', ({ level: { cost } }) => milli(cost.database && cost.database.cpu / cost.acted)],
];

/** The processes of a pass. */
function parts({ levels }: Pass): string {
  const names = levels[0]!.cost.parts.map(({ name }) => name);
  const servers = ['broker', 'database'] as const;
  const seen = servers.filter((name) => levels.every(({ cost }) => cost[name]));
  const of =
    (name: string) =>
    (level: Level): readonly string[] => {
      const part = level.cost.parts.find((one) => one.name === name)!;
      return [Number.isNaN(part.share) ? '' : (part.share * 100).toFixed(1), ...usedBy(part, level)];
    };
  const text = table(
    ['process', ...levels.flatMap(({ atOnce }) => [`share at ${atOnce}, %`, `ms/act at ${atOnce}`, `MiB before ${atOnce}, and at most`])],
    [
      ...names.map((name) => [name, ...levels.flatMap(of(name))]),
      ...seen.map((name) => [name, ...levels.flatMap((level) => ['', ...usedBy(level.cost[name]!, level)])]),
    ],
  );
  if (seen.length === servers.length) return text;
  const missing = servers.filter((name) => !seen.includes(name)).join(', ');
  return `${text}\n\nNot seen, because this command has not started them on this machine, or it has no /proc: ${missing}.`;
}

interface Used {
  readonly cpu: number;
  readonly restMiB: number;
  readonly mostMiB: number;
}

const usedBy = ({ cpu, restMiB, mostMiB }: Used, { cost }: Level): readonly string[] => [
  milli(cpu / cost.acted),
  `${restMiB.toFixed(0)} to ${mostMiB.toFixed(0)}`,
];

type Cells = readonly (string | number)[];
const table = (head: Cells, rows: readonly Cells[]): string => [head, head.map(() => '---'), ...rows].map(row).join('\n');
const row = (cells: Cells): string => `| ${cells.join(' | ')} |`;
const digits = (n: number): string => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));
const ratio = (one: number | undefined, other: number | undefined): string =>
  one === undefined || other === undefined ? '' : (one / other).toFixed(2);
const milli = (seconds: number | undefined): string => (seconds === undefined || Number.isNaN(seconds) ? '' : digits(seconds * 1_000));
