import { describe, expect, it } from '@jest/globals';
import { type Level, type Pass, scaleText } from './report.ts';

const part = (name: string, share: number, statements = 0) => ({ name, share, statements, cpu: 5, restMiB: 100, mostMiB: 200.4 });
function level(atOnce: number, cpu: number): Level {
  const waits = { p50: 0.012, p99: 0.345 };
  const server = { cpu: 4, restMiB: 80, mostMiB: 90 };
  const cost = {
    ended: undefined,
    over: 100,
    seconds: 50,
    peak: atOnce,
    limited: 3,
    cpu,
    messages: 10_000,
    acted: 4_000,
    appends: 5_000,
    conflicts: 1_200,
    acts: waits,
    lines: { p50: Number.NaN, p99: Number.NaN },
    parts: [part('gamemaster', 0.25, 6_000), part('gamemaster-2', 0.75, 4_000), part('player', 1, 2_000), part('web', Number.NaN)],
    broker: server,
    database: atOnce === 1 ? undefined : server,
  };
  return {
    atOnce,
    games: 100,
    stepMs: 500,
    apartMs: 1,
    tried: [300, 400, 500],
    cost,
    course: { events: 8_000, asked: 5_000, missed: 7, late: 6, delayed: 5 },
    message: { rate: 200, amqplib: 0.0004, bus: 0.0007 },
  };
}
const alone = { rate: 800, cpu: 0.0005 };
const passOf = (levels: readonly Level[], replicas = 2): Pass => ({ replicas, isPinned: false, rest: 0.1, levels: [...levels] });
const textOf = (...levels: readonly Level[]): string => scaleText([passOf(levels)], alone);
const cells = (text: string, name: string): readonly string[] =>
  text
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))!
    .split(' | ')
    .slice(1)
    .map((cell) => cell.replace(' |', ''));

describe('the figures of scale', () => {
  it('compare CPU time with the level of ten, also without the idle share', () => {
    const text = textOf(level(2, 40), level(10, 25), level(1_000, 20));
    expect(cells(text, 'tables at once')).toEqual(['2', '10', '1000']);
    expect(cells(text, 'processor time of all services, s/game')).toEqual(['0.400', '0.250', '0.200']);
    expect(cells(text, 'relative to 10 at once')).toEqual(['1.60', '1.00', '0.80']);
    expect(cells(text, 'without processor time at rest, s/game')).toEqual(['0.350', '0.200', '0.150']);
    expect(cells(text, 'that relative to 10 at once')).toEqual(['1.75', '1.00', '0.75']);
  });

  it('compare it with the first level when there is none of ten', () => {
    expect(cells(textOf(level(2, 40), level(5, 20)), 'relative to 2 at once')).toEqual(['1.00', '0.50']);
  });

  it('show rates, costs, waits, missed answers, and the share of the broker’s limit', () => {
    const text = textOf(level(10, 25));
    expect(cells(text, 'shorter steps, with which answers were missed, s')).toEqual(['0.3, 0.4']);
    expect(cells(text, 'games/s')).toEqual(['2.00']);
    expect(cells(text, 'messages/s')).toEqual(['200']);
    expect(cells(text, 'act to its answer, p50 / p99, ms')).toEqual(['12.0 / 345']);
    expect(cells(text, 'of these missed')).toEqual(['7']);
    expect(cells(text, 'messages/s relative to RabbitMQ alone')).toEqual(['0.25']);
    expect(cells(text, 'broker’s processor time, ms/message')).toEqual(['0.40']);
    expect(cells(text, 'database’s processor time, ms/act')).toEqual(['1.00']);
    expect(cells(text, 'processor time of all services, ms/act')).toEqual(['6.25']);
    expect(cells(text, 'processor time of all services, ms/message')).toEqual(['2.50']);
    expect(cells(text, 'amqplib alone at this rate, ms/message')).toEqual(['0.40']);
    expect(cells(text, 'all services relative to amqplib')).toEqual(['6.25']);
    expect(cells(text, 'the bus relative to amqplib')).toEqual(['1.75']);
    expect(cells(text, 'gamemaster')).toEqual(['25.0', '1.25', '100 to 200']);
    expect(cells(text, 'web')).toEqual(['', '1.25', '100 to 200']);
    expect(cells(text, 'database')).toEqual(['', '1.00', '80 to 90']);
    expect(text).not.toContain('Not seen');
  });

  it('count statements an act, by service, and appends in vain', () => {
    const text = textOf(level(10, 25));
    expect(cells(text, 'statements/act')).toEqual(['3.00']);
    expect(cells(text, 'of these gamemaster')).toEqual(['2.50']);
    expect(cells(text, 'of these player')).toEqual(['0.50']);
    expect(text).not.toContain('of these web');
    expect(cells(text, 'appends/game')).toEqual(['50.0']);
    expect(cells(text, 'of these in vain, because another replica was faster')).toEqual(['12.0']);
  });

  it('name the server that could not be measured', () => {
    expect(textOf(level(1, 25))).toMatch(/Not seen, .*: database\.$/);
  });

  it('leave out what was not measured, and figures a game of a level that was ended early, and say so', () => {
    const one = level(100, 25);
    const { message: _, ...ended } = { ...one, cost: { ...one.cost, ended: 'time' as const, over: 40, seconds: 90 } };
    const text = textOf(level(10, 25), ended);
    expect(cells(text, 'games played')).toEqual(['100', '40']);
    expect(cells(text, 'processor time of all services, s/game')).toEqual(['0.250', '']);
    expect(cells(text, 'processor time of all services, ms/act')).toEqual(['6.25', '6.25']);
    expect(cells(text, 'amqplib alone at this rate, ms/message')).toEqual(['0.40', '']);
    expect(text).toContain('With 100 tables at once it was ended after 1.5 minutes, when 40 of 100 games were over');
    expect(text).toContain('With 10 tables at once no step was found that was long enough for all answers.');
  });

  it('put one replica beside two, each compared within its own levels', () => {
    const of = (replicas: number, cpu: number): Pass => ({ ...passOf([level(10, cpu), level(100, 30)], replicas), isPinned: true });
    const text = scaleText([of(1, 10), of(2, 20)], alone);
    expect(text).toContain('1 and then 2 of each service, each on its half of the processors');
    expect(cells(text, 'tables at once')).toEqual(['10', '100', '10', '100']);
    expect(cells(text, 'replicas of each service')).toEqual(['1', '1', '2', '2']);
    expect(cells(text, 'relative to 10 at once')).toEqual(['1.00', '3.00', '1.00', '1.50']);
    expect(text).toContain('With 100 tables at once with 2 replicas no step');
  });
});
