import { describe, expect, it } from '@jest/globals';
import { type Level, scaleText } from './report.ts';

const part = (name: string, share: number, statements = 0) => ({ name, share, statements, cpu: 5, restMiB: 100, mostMiB: 200.4 });
function level(atOnce: number, cpu: number): Level {
  const waits = { p50: 0.012, p99: 0.345 };
  const server = { cpu: 4, restMiB: 80, mostMiB: 90 };
  const cost = {
    tables: [],
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
    cost,
    course: { events: 8_000, asked: 5_000, missed: 7, late: 6, delayed: 5 },
  };
}
const about = {
  replicas: 2,
  isPinned: false,
  rest: 0.1,
  alone: { rate: 800, cpu: 0.0005 },
  costs: [{ rate: 200, amqplib: 0.0004, bus: 0.0007 }],
};
const cells = (text: string, name: string): readonly string[] =>
  text
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))!
    .split(' | ')
    .slice(1)
    .map((cell) => cell.replace(' |', ''));

describe('the figures of scale', () => {
  it('compare CPU time with the level of ten, also without the idle share', () => {
    const text = scaleText([level(2, 40), level(10, 25), level(1_000, 20)], about);
    expect(cells(text, 'processor time of all services, s/game')).toEqual(['0.400', '0.250', '0.200']);
    expect(cells(text, 'against 10')).toEqual(['1.60', '1.00', '0.80']);
    expect(cells(text, 'without what they take at rest, s/game')).toEqual(['0.350', '0.200', '0.150']);
    expect(cells(text, 'that against 10')).toEqual(['1.75', '1.00', '0.75']);
  });

  it('compare it with the first level when there is none of ten', () => {
    expect(cells(scaleText([level(2, 40), level(5, 20)], about), 'against 2')).toEqual(['1.00', '0.50']);
  });

  it('show rates, waits, missed answers, and the share of the broker’s limit', () => {
    const text = scaleText([level(10, 25)], about);
    expect(cells(text, 'games/s')).toEqual(['2.00']);
    expect(cells(text, 'messages/s')).toEqual(['200']);
    expect(cells(text, 'act to its answer, p50 / p99, ms')).toEqual(['12.0 / 345']);
    expect(cells(text, 'of these not given in time')).toEqual(['7']);
    expect(cells(text, 'messages/s against the broker alone')).toEqual(['0.25']);
    expect(cells(text, 'broker’s processor time, ms/message')).toEqual(['0.40']);
    expect(cells(text, 'the same, ms/message')).toEqual(['2.50']);
    expect(cells(text, 'amqplib alone at this rate, ms/message')).toEqual(['0.40']);
    expect(cells(text, 'the bus against amqplib')).toEqual(['1.75']);
    expect(cells(text, 'gamemaster')).toEqual(['25.0', '50.0', '100 to 200']);
    expect(cells(text, 'web')).toEqual(['', '50.0', '100 to 200']);
    expect(cells(text, 'database')).toEqual(['', '40.0', '80 to 90']);
    expect(text).not.toContain('Not seen');
  });

  it('count statements an act, by service, and appends in vain', () => {
    const text = scaleText([level(10, 25)], about);
    expect(cells(text, 'statements/act')).toEqual(['3.00']);
    expect(cells(text, 'of these gamemaster')).toEqual(['2.50']);
    expect(cells(text, 'of these player')).toEqual(['0.50']);
    expect(text).not.toContain('of these web');
    expect(cells(text, 'appends/game')).toEqual(['50.0']);
    expect(cells(text, 'of these in vain, because another replica was faster')).toEqual(['12.0']);
  });

  it('name the server that could not be measured', () => {
    expect(scaleText([level(1, 25)], about)).toMatch(/Not seen, .*: database\.$/);
  });
});
