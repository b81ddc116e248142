import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { doneIn } from '../noninterference/world-pair.ts';
import { type PairedRun, difference, runPair } from './paired-run.ts';
import { PAIRS } from './world-pairs.ts';
import { tampering, telling } from './planted-leaks.ts';
import type { Tamper } from './wiretap.ts';

// Noninterference of the services: in worlds that differ only in what an eye may not know, its services receive the same.

const WAIT_MS = 600_000;
const RULES = Object.keys(PAIRS);
/** The audience and a seat of each rule set; `./maw bench leaks` compares more. */
const NUMBERS = [0, 5];
/** A pair of each rule set whose eye is another seat, one that waits for long. */
const PATIENT: { readonly [rules: string]: number } = { 'maw': 2, 'aiwolf': 4, 'avalon': 1, 'onuw': 3, 'werewolf-7': 3 };

function mustBeAlike(both: PairedRun): void {
  expect(difference(both)).toBeUndefined();
  expect(both.differs).toBe(true);
  expect(both.got[0].length).toBeGreaterThan(20);
}

it('covers every rule set', () => {
  expect(RULES.toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
});

describe.each(RULES)('the services of an eye in %s', (rules) => {
  const patient = PAIRS[rules]!(PATIENT[rules]!);
  const pairs = new Map(NUMBERS.map((n) => [n, PAIRS[rules]!(n)]));

  it.each(NUMBERS)(
    'receive the same in both worlds of pair %i',
    async (n) => {
      mustBeAlike(await runPair(pairs.get(n)!, { probes: 3 }));
    },
    WAIT_MS,
  );

  it(
    'receive the same despite illegal attempts of a seat that waits for long',
    async () => {
      expect(patient.eye).not.toBe('audience');
      mustBeAlike(await runPair(patient, { probes: 8, persistence: 8 }));
    },
    WAIT_MS,
  );

  it('are compared for seats and the audience, in worlds with different acts', () => {
    const all = [...pairs.values(), patient];
    const eyes = new Set(all.map(({ eye }) => eye));
    expect(eyes.size).toBeGreaterThan(2);
    expect(eyes).toContain('audience');
    const other = all.filter(({ worlds: [one, second] }) => JSON.stringify(doneIn(one)) !== JSON.stringify(doneIn(second)));
    expect(other.length).toBeGreaterThan(1);
  });
});

type Leak = Parameters<typeof telling>[0];
const membersOfTheHideout: Leak = ({ room, members }) => (String(room).endsWith('/Hideout') ? members : undefined);

/** A planted leak per rule set: an extra field of a question; and a pair of worlds that differ in it. */
const PLANTED: { readonly [rules: string]: { readonly leak: Leak; readonly pair: number } } = {
  'maw': { leak: membersOfTheHideout, pair: 1 },
  'aiwolf': { leak: membersOfTheHideout, pair: 0 },
  'avalon': { leak: ({ seat, questions }) => (JSON.stringify(questions ?? '').includes('"is":"fail"') ? seat : undefined), pair: 2 },
  'onuw': { leak: ({ seat, phase }) => (String(phase).startsWith('round-1/night') ? seat : undefined), pair: 0 },
  'werewolf-7': { leak: ({ seat, phase }) => (/\/wolf-\d$/.test(String(phase)) ? seat : undefined), pair: 0 },
};

/** A clock that shows when the question ends that was asked last, whoever may know of it. */
function clockOfSecrets(): Tamper {
  let until = 0;
  const tell = tampering('table.view.reply', () => ({ clock: { now: 0, until } }));
  return (message) => {
    const { data } = JSON.parse(message.parcel.body.toString()) as { data: { until?: number } };
    if (message.parcel.type === 'seat.decide') until = data.until!;
    return tell(message);
  };
}

it(
  'detects a clock that shows when a secret step of the night ends',
  async () => {
    expect(difference(await runPair(PAIRS['aiwolf']!(0), { tamper: clockOfSecrets }))).toMatch(/"clock":/);
  },
  WAIT_MS,
);

it.each(RULES)(
  'detects a planted leak in %s',
  async (rules) => {
    const { leak, pair } = PLANTED[rules]!;
    expect(difference(await runPair(PAIRS[rules]!(pair), { tamper: () => telling(leak) }))).toMatch(/It was told: /);
  },
  WAIT_MS,
);
