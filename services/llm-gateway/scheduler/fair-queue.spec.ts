import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SelectableServer, slotAllocator } from './server-selection.ts';
import { fairQueue, type QueueEntry } from './fair-queue.ts';
import { URGENCIES, type Urgency } from '../request.ts';

interface Spec {
  readonly slots: number;
  readonly models: readonly string[];
  readonly resident: readonly string[];
  readonly isUp?: boolean;
  readonly single?: readonly string[];
}

const serverOf = (name: string, { slots, models, resident, isUp = true, single = [] }: Spec): SelectableServer & { isUp: boolean } => ({
  name,
  isUp,
  slots,
  canRun(model) {
    return this.isUp && models.includes(model);
  },
  maxConcurrent: (model) => (models.includes(model) ? (single.includes(model) ? 1 : slots) : 0),
  isResident: (model) => resident.includes(model),
});

const wish = (model: string, more: { lastServer?: string; avoid?: readonly string[]; pace?: { [server: string]: number } } = {}) => ({
  model,
  lastServer: more.lastServer,
  avoid: new Set(more.avoid),
  msPerToken: (server: string) => more.pace?.[server],
});

type Job = QueueEntry & { readonly model: string };
const MODELS = ['a', 'b', 'c'];
const GAMES = ['g', 'h', 'i'];
const spec = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  models: fc.subarray(MODELS),
  resident: fc.subarray(MODELS),
  isUp: fc.boolean(),
  single: fc.subarray(MODELS),
});
const step = fc.oneof(
  fc.record({
    do: fc.constant('arrive' as const),
    model: fc.constantFrom(...MODELS),
    game: fc.constantFrom(...GAMES),
    urgency: fc.constantFrom(...URGENCIES),
    rank: fc.nat(20),
  }),
  fc.record({ do: fc.constant('finish' as const), which: fc.nat(30), tookMs: fc.nat(200) }),
  fc.record({ do: fc.constant('toggle' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('leave' as const), which: fc.nat(30) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Servers, their queue, and a model of what both should contain. */
interface Scene {
  readonly servers: readonly (SelectableServer & { isUp: boolean })[];
  readonly allocator: ReturnType<typeof slotAllocator>;
  readonly queue: ReturnType<typeof fairQueue<Job>>;
  readonly waiting: Map<string, Job>;
  readonly running: { server: SelectableServer; model: string; give: () => void; settle: (ms: number) => void }[];
  arrivals: number;
}

const using = ({ running }: Scene, name: string, model?: string): number =>
  running.filter((one) => one.server.name === name && (model === undefined || one.model === model)).length;

const couldRun = (scene: Scene, model: string): boolean =>
  scene.servers.some(
    (one) => one.canRun(model) && using(scene, one.name) < one.slots && using(scene, one.name, model) < one.maxConcurrent(model),
  );

function takeStep(scene: Scene, one: Step): void {
  const { servers, queue, waiting, running } = scene;
  switch (one.do) {
    case 'arrive': {
      const { game, urgency, rank, model } = one;
      const job = { id: String(scene.arrivals++), game, urgency, rank, model, lane: model };
      queue.add(job);
      waiting.set(job.id, job);
      break;
    }
    case 'finish': {
      const [done] = running.splice(one.which % Math.max(1, running.length), 1);
      done?.give();
      done?.give();
      done?.settle(one.tookMs);
      done?.settle(99_999);
      break;
    }
    case 'toggle': {
      const toggled = servers[one.which % servers.length]!;
      toggled.isUp = !toggled.isUp;
      break;
    }
    case 'leave': {
      const id = [...waiting.keys()][one.which];
      if (id !== undefined) expect(queue.remove(id)?.id).toBe(id);
      waiting.delete(id ?? '');
      break;
    }
  }
}

/** Starts requests while one can run; each must be the most urgent, and the earliest of its game. */
function fill(scene: Scene): void {
  const { servers, allocator, queue, waiting, running } = scene;
  for (;;) {
    const able = [...waiting.values()].filter(({ model }) => couldRun(scene, model));
    const job = queue.takeNext(({ model }) => allocator.select(servers, wish(model)) !== undefined);
    const found = job && allocator.select(servers, wish(job.model));
    if (!job || !found) break;
    for (const other of able) {
      expect(URGENCIES.indexOf(job.urgency)).toBeLessThanOrEqual(URGENCIES.indexOf(other.urgency));
      if (other.game === job.game && other.urgency === job.urgency) expect(job.rank).toBeLessThanOrEqual(other.rank);
    }
    waiting.delete(job.id);
    running.push({ server: found, model: job.model, give: allocator.acquire(found, job.model), settle: queue.charge(job.game, 100) });
  }
}

/** Expects that no server exceeds its slots and that no runnable request waits. */
function checkSlots(scene: Scene): void {
  for (const { name, slots, maxConcurrent } of scene.servers) {
    expect(using(scene, name)).toBeLessThanOrEqual(slots);
    for (const model of MODELS)
      if (using(scene, name, model) > 0) expect(using(scene, name, model)).toBeLessThanOrEqual(maxConcurrent(model));
    expect(scene.allocator.busy(name)).toBe(using(scene, name));
  }
  for (const { model } of scene.waiting.values()) expect(couldRun(scene, model)).toBe(false);
  expect(scene.queue.size).toBe(scene.waiting.size);
}

describe('slotAllocator and fairQueue', () => {
  it('never exceed or idle slots, and pick by urgency, then by rank in a game', () => {
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 120 }), (specs, steps) => {
        const servers = specs.map((one, n) => serverOf(`s${n}`, one));
        const scene: Scene = { servers, allocator: slotAllocator(), queue: fairQueue<Job>(), waiting: new Map(), running: [], arrivals: 0 };
        for (const one of steps) {
          takeStep(scene, one);
          fill(scene);
          checkSlots(scene);
        }
      }),
    );
  });

  it('prefer servers without failure, then resident model, affinity, low load and speed', () => {
    const all = ['a'];
    const choose = (
      servers: readonly SelectableServer[],
      more: Parameters<typeof wish>[1] = {},
      busy: readonly number[] = [],
    ): string | undefined => {
      const allocator = slotAllocator();
      busy.forEach((n, i) => Array.from({ length: n }, () => allocator.acquire(servers[i]!, 'a')));
      return allocator.select(servers, wish('a', more))?.name;
    };
    const cold = serverOf('cold', { slots: 8, models: all, resident: [] });
    const one = serverOf('one', { slots: 8, models: all, resident: all });
    const two = serverOf('two', { slots: 8, models: all, resident: all });
    expect(choose([cold, one])).toBe('one');
    expect(choose([cold, one], { avoid: ['one'] })).toBe('cold');
    expect(choose([one], { avoid: ['one'] })).toBe('one');
    expect(choose([one, two], { lastServer: 'two' })).toBe('two');
    expect(choose([one, two], {}, [1, 0])).toBe('two');
    expect(choose([one, two], { lastServer: 'two' }, [0, 4])).toBe('one'); // one warm prompt is not worth a crowd
    expect(choose([one, two], { pace: { one: 30, two: 20 } })).toBe('two');
    expect(choose([one, two])).toBe('one');
    expect(choose([cold, one], { lastServer: 'cold' })).toBe('one');
  });

  it('wait for another server rather than return to the one that failed', () => {
    const allocator = slotAllocator();
    const servers = ['bad', 'other'].map((name) => serverOf(name, { slots: 1, models: ['a'], resident: ['a'] }));
    allocator.acquire(servers[1]!, 'a');
    expect(allocator.select(servers, wish('a', { avoid: ['bad'] }))).toBeUndefined();
    expect(allocator.select(servers, wish('a'))?.name).toBe('bad');
    servers[1]!.isUp = false;
    expect(allocator.select(servers, wish('a', { avoid: ['bad'] }))?.name).toBe('bad');
    expect(allocator.select(servers, wish('a', { avoid: ['bad', 'other'] }))?.name).toBe('bad');
  });

  it('use a free cold server rather than wait for a warm one', () => {
    const allocator = slotAllocator();
    const warm = serverOf('warm', { slots: 1, models: ['a'], resident: ['a'] });
    const cold = serverOf('cold', { slots: 1, models: ['a'], resident: [] });
    allocator.acquire(warm, 'a');
    expect(allocator.select([warm, cold], wish('a', { lastServer: 'warm' }))?.name).toBe('cold');
    allocator.acquire(cold, 'a');
    expect(allocator.select([warm, cold], wish('a'))).toBeUndefined();
    expect(() => allocator.acquire(cold, 'a')).toThrow('no free slot');
  });
});

/** The queue by definition: each call scans all entries. */
function naiveQueue() {
  const accounts = new Map<string, { spent: number; expected: number; running: number }>();
  const jobs: QueueEntry[] = [];
  let floor = 0;
  const isActive = (game: string): boolean => accounts.get(game)!.running > 0 || jobs.some((job) => job.game === game);
  const at = (game: string) => accounts.get(game) ?? accounts.set(game, { spent: floor, expected: 0, running: 0 }).get(game)!;
  return {
    jobs,
    at,
    add(job: QueueEntry): void {
      const active = [...accounts].filter(([game]) => isActive(game));
      floor = Math.max(
        floor,
        active.length
          ? Math.min(...active.map(([, { spent, expected }]) => spent - expected))
          : Math.max(0, ...[...accounts.values()].map(({ spent }) => spent)),
      );
      for (const [game, { spent }] of accounts) if (!isActive(game) && spent <= floor) accounts.delete(game);
      at(job.game);
      jobs.push(job);
    },
    next(canRun: (job: QueueEntry) => boolean): QueueEntry | undefined {
      const able = jobs.filter(canRun);
      const [first] = able.toSorted(
        (a, b) => URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency) || at(a.game).spent - at(b.game).spent || a.rank - b.rank,
      );
      if (first) jobs.splice(jobs.indexOf(first), 1);
      return first;
    },
    start(game: string, expectedMs: number): (tookMs: number) => void {
      const account = at(game);
      account.running++;
      account.spent += expectedMs;
      account.expected += expectedMs;
      return (tookMs) => {
        account.running--;
        account.spent += tookMs - expectedMs;
        account.expected -= expectedMs;
      };
    },
    gap(): number {
      const spent = jobs.map((job) => at(job.game).spent);
      return jobs.length ? Math.max(...spent) - Math.min(...spent) : 0;
    },
  };
}

const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      game: fc.constantFrom('g', 'h', 'i', 'j'),
      urgency: fc.constantFrom(...URGENCIES),
      rank: fc.nat(1_000),
      lane: fc.constantFrom('a', 'b'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('next' as const),
      lanes: fc.constantFrom<readonly string[]>([], ['a'], ['b'], ['a', 'b'], ['a', 'b']),
      ms: fc.nat(4),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(9), ms: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), below: fc.nat(1_000) }) },
);

describe('fairQueue', () => {
  let ids = 0;

  it('picks the same entry as a naive full scan', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 30, maxLength: 120 }), (moves) => {
        const queue = fairQueue();
        const plain = naiveQueue();
        const running: (readonly [(ms: number) => void, (ms: number) => void])[] = [];
        for (const [n, one] of moves.entries()) {
          switch (one.do) {
            case 'add': {
              const { game, urgency, lane } = one;
              const added = { id: `m${n}`, game, urgency, lane, rank: one.rank + n / 1_000 };
              queue.add(added);
              plain.add(added);
              break;
            }
            case 'next': {
              const next = queue.takeNext(({ lane = '' }) => one.lanes.includes(lane));
              expect(next).toBe(plain.next(({ lane = '' }) => one.lanes.includes(lane)));
              if (next) running.push([queue.charge(next.game, 100 * one.ms), plain.start(next.game, 100 * one.ms)]);
              break;
            }
            case 'end': {
              const [ended] = running.splice(one.which % Math.max(1, running.length), 1);
              for (const end of ended ?? []) end(100 * one.ms);
              ended?.[0](9_999); // the second end of one is none
              break;
            }
            case 'leave': {
              const [gone] = plain.jobs.splice(one.which, 1);
              if (gone) expect(queue.remove(gone.id)).toBe(gone);
              break;
            }
            case 'drop': {
              const lost = plain.jobs.filter(({ rank }) => rank < one.below);
              expect(queue.dropWhere(({ rank }) => rank < one.below)).toEqual(lost);
              for (const job of lost) plain.jobs.splice(plain.jobs.indexOf(job), 1);
              break;
            }
          }
          expect([queue.size, [...queue.all()]]).toEqual([plain.jobs.length, plain.jobs]);
          expect(queue.gap).toBeCloseTo(plain.gap(), 6);
        }
      }),
    );
  });

  const job = (game: string, rank = 0, urgency: Urgency = 'talk'): QueueEntry => ({ id: `j${ids++}`, game, rank, urgency });
  /** Serves `times` entries one after another; returns their games in order. */
  const serve = (
    queue: ReturnType<typeof fairQueue<QueueEntry>>,
    times: number,
    tookMs: (game: string) => number = () => 100,
  ): string[] => {
    const out: string[] = [];
    for (let i = 0; i < times; i++) {
      const next = queue.takeNext(() => true);
      if (!next) break;
      queue.charge(next.game, 100)(tookMs(next.game));
      out.push(next.game);
    }
    return out;
  };

  it('shares equally between games, however many requests one has queued', () => {
    const queue = fairQueue();
    for (let i = 0; i < 40; i++) queue.add(job('hog'));
    for (let i = 0; i < 10; i++) queue.add(job('meek'));
    expect(serve(queue, 20).filter((game) => game === 'meek')).toHaveLength(10);
    expect(serve(queue, 30)).toEqual(Array.from({ length: 30 }, () => 'hog')); // and no slot idles for it
  });

  it('lets newcomers not wait for what a busy game expected and did not take', () => {
    const queue = fairQueue();
    for (let i = 0; i < 40; i++) queue.add(job('hog'));
    const ends = [1, 2].map(() => queue.charge(queue.takeNext(() => true)!.game, 60_000));
    for (let i = 0; i < 10; i++) queue.add(job('late'));
    for (const end of ends) end(100);
    expect(serve(queue, 20).filter((game) => game === 'late').length).toBeGreaterThanOrEqual(9);
  });

  it('shares by slot time, not by number of requests', () => {
    const queue = fairQueue();
    for (let i = 0; i < 100; i++) for (const game of ['long', 'short']) queue.add(job(game));
    const served = serve(queue, 40, (game) => (game === 'long' ? 300 : 100));
    expect(served.filter((game) => game === 'long')).toHaveLength(10);
  });

  it('charges the expected time at the start, so parallel slots are shared', () => {
    const queue = fairQueue();
    for (let i = 0; i < 4; i++) for (const game of ['a', 'b']) queue.add(job(game));
    const begun = Array.from({ length: 4 }, () => {
      const next = queue.takeNext(() => true)!;
      queue.charge(next.game, 100);
      return next.game;
    });
    expect(begun.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('gives a game no credit for idle time', () => {
    const queue = fairQueue();
    for (let i = 0; i < 50; i++) queue.add(job('busy'));
    queue.add(job('rested'));
    serve(queue, 30);
    for (let i = 0; i < 10; i++) queue.add(job('rested'));
    expect(serve(queue, 10).filter((game) => game === 'rested')).toHaveLength(5);
  });

  it('keeps the debt of a game that is idle for a moment', () => {
    const queue = fairQueue();
    queue.add(job('greedy'));
    queue.add(job('other'));
    expect(serve(queue, 1, () => 1000)).toEqual(['greedy']);
    queue.add(job('greedy'));
    for (let i = 0; i < 8; i++) queue.add(job('other'));
    expect(serve(queue, 9)).toEqual(['other', 'other', 'other', 'other', 'other', 'other', 'other', 'other', 'other']);
  });

  it('serves critical before talk before background, across games', () => {
    const queue = fairQueue();
    queue.add(job('a', 0, 'background'));
    queue.add(job('a', 1, 'talk'));
    queue.add(job('a', 9, 'critical'));
    queue.charge('a', 5_000);
    queue.add(job('b', 0, 'talk')); // it was idle, so it starts at the least slot time of the busy games
    expect(Array.from({ length: 4 }, () => queue.takeNext(() => true)!).map(({ game, urgency }) => `${game} ${urgency}`)).toEqual([
      'a critical',
      'b talk',
      'a talk',
      'a background',
    ]);
  });

  it('checks one entry per lane, however many are queued', () => {
    const queue = fairQueue();
    for (let i = 0; i < 300; i++) queue.add({ ...job(`game ${i % 30}`, i, URGENCIES[i % 3]!), lane: ['busy', 'full'][i % 2]! });
    const looked: string[] = [];
    const none = queue.takeNext(({ lane = '' }) => {
      looked.push(lane);
      return false;
    });
    expect([none, looked.toSorted()]).toEqual([undefined, ['busy', 'full']]);
    queue.add({ ...job('game 7', 1_000, 'background'), lane: 'free' });
    expect(queue.takeNext(({ lane }) => lane === 'free')).toMatchObject({ game: 'game 7', rank: 1_000 });
    expect(queue.takeNext(({ lane }) => lane === 'free')).toBeUndefined();
  });

  it('drops matching entries and removes one by id', () => {
    const queue = fairQueue();
    const [early, late, gone] = [job('a', 1), job('a', 5), job('b', 9)];
    for (const one of [early, late, gone]) queue.add(one);
    expect(queue.dropWhere(({ rank }) => rank < 3)).toEqual([early]);
    expect(queue.remove(gone.id)).toBe(gone);
    expect(queue.remove(gone.id)).toBeUndefined();
    expect(() => queue.add(late)).toThrow('already');
    expect([queue.size, [...queue.all()]]).toEqual([1, [late]]);
  });

  it('keeps two busy games within two requests of each other', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 20, maxLength: 80 }), (times) => {
        const queue = fairQueue();
        const had: { [game: string]: number } = { a: 0, b: 0 };
        for (const ms of times) {
          for (const game of ['a', 'b']) while ((queue.accounts().find((one) => one.game === game)?.waiting ?? 0) < 2) queue.add(job(game));
          const next = queue.takeNext(() => true)!;
          queue.charge(next.game, 100)(ms);
          had[next.game]! += ms;
          expect(Math.abs(had['a']! - had['b']!)).toBeLessThanOrEqual(2 * 400);
        }
      }),
    );
  });
});
