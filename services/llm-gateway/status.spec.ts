import { describe, expect, it } from '@jest/globals';
import { budget } from './admission/token-account.ts';
import type { Completions } from './scheduler/completions.ts';
import type { ServerRegistry } from './servers/registry.ts';
import { statusOf } from './status.ts';

describe('statusOf', () => {
  it('lists the 100 games with most waiting, then most running requests', () => {
    const games = Array.from({ length: 150 }, (_, n) => ({ game: `g${n}`, waiting: n % 3, running: n, spentMs: n + 0.4 }));
    const entries = [
      { urgency: 'talk', request: { arrivedAt: 300 } },
      { urgency: 'critical', request: { arrivedAt: 100 } },
    ];
    const queue = { all: () => entries.values(), accounts: () => games, gap: 7.6 };
    const scheduler = {
      queue,
      dispatcher: { capacity: () => ({ utilisation: 0.12345, active: 150, more: 1 }) },
      admission: { limitedAgents: () => [], budgets: { game: budget(1_000, false), tenant: budget(0, true) } },
    } as unknown as Completions;
    const status = statusOf({ all: [] } as unknown as ServerRegistry, scheduler, { instance: 'g', httpUrl: undefined, at: 1_000 });
    expect(status.games).toHaveLength(100);
    expect(status.games.slice(0, 2)).toEqual([
      { game: 'g149', waiting: 2, running: 149, spentMs: 149 },
      { game: 'g146', waiting: 2, running: 146, spentMs: 146 },
    ]);
    expect(status.games.at(-1)).toMatchObject({ waiting: 1, running: 1 });
    expect(status.waiting).toEqual({ critical: 1, talk: 1, background: 0, longestMs: 900 });
    expect(status.budgets).toEqual({ kept: 'in-memory', accounts: [] });
    const server = { name: 's', kind: 'ollama', health: { isUp: true }, slots: 1, models: new Map() };
    const amiss = (problem: string, why: string) => ({ ...server, problem, breakers: { why, stateOf: () => 'open' } });
    const all = [amiss('', 'left alone after a failure: 500'), amiss('it has two slots', 'left alone after a failure: 500')];
    const dispatcher = { ...scheduler.dispatcher, busySlots: () => 0 };
    const { servers } = statusOf({ all } as unknown as ServerRegistry, { ...scheduler, dispatcher } as unknown as Completions, {
      instance: 'g',
      httpUrl: undefined,
      at: 1_000,
    });
    expect(servers.map(({ why }) => why)).toEqual(['left alone after a failure: 500', 'it has two slots']);
    expect([status.gapMs, status.capacity.utilisation]).toEqual([8, 0.123]);
  });
});
