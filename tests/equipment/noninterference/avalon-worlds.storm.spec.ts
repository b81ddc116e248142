import { describe, expect, it } from '@jest/globals';
import { isEvil, type Role } from '@maw/games/avalon/state.ts';
import type { Eye, Seat } from '@maw/games/kernel/question.ts';
import type { AnyRules, RuleSet } from '@maw/games/kernel/rule-set.ts';
import { CASTS, type Options, pair, stream } from './avalon-worlds.ts';

const OPTIONS: readonly Options[] = [
  {},
  { assassination: 'any-quest' },
  { fifth: 'forced', talk: false, approval: 'half' },
  { goodMayFail: true, assassination: 'any-quest' },
  { lady: true, twoFails: false },
  { lady: true, assassination: 'any-quest', talk: false },
];

describe.each(OPTIONS)('the projection law of Avalon with %j', (options) => {
  it.each(Object.entries(CASTS))('holds for every seat and the audience of %s', (_, cast) => {
    let differing = 0;
    const eyes: readonly Eye[] = [...cast.keys(), 'audience'];
    const pairs = eyes.length;
    for (let n = 0; n < pairs; n++) {
      const eye = eyes[n % eyes.length]!;
      const [one, second] = pair(n, cast, eye, options);
      expect(stream(one, eye)).toEqual(stream(second, eye));
      expect(one.met).toEqual(second.met);
      if (JSON.stringify(stream(one, 'narrator')) !== JSON.stringify(stream(second, 'narrator'))) differing++;
    }
    expect(differing).toBe(pairs); // the worlds really differ, so the law proves something
  });
});

const lived = Array.from({ length: 60 }, (_, n) => {
  const cast = Object.values(CASTS)[n % 5]!;
  return { cast, eye: n % cast.length, worlds: pair(n, cast, n % cast.length, { assassination: 'any-quest', lady: n % 2 === 0 }) };
});
const looksDifferent = (eye: Eye, [one, second]: ReturnType<typeof pair>): boolean =>
  JSON.stringify([stream(one, eye), one.met]) !== JSON.stringify([stream(second, eye), second.met]);

describe('the pairs of worlds', () => {
  it('cover eyes of all ten roles', () => {
    expect(new Set(lived.map(({ eye, worlds }) => worlds[0].roles[eye])).size).toBe(10);
  });

  it('differ in Assassins and failing hands, and include silence and shots', () => {
    const tapes = lived.flatMap(({ worlds }) => worlds.map(({ table }) => table.tape));
    const has = (type: string, fits: (e: { readonly [field: string]: unknown }) => boolean) =>
      tapes.some((tape) => tape.some((e) => e.type === type && fits(e)));
    expect(lived.some(({ worlds: [a, b] }) => a.roles.indexOf('assassin') !== b.roles.indexOf('assassin'))).toBe(true);
    expect(has('quested', (e) => e['fails'] === 1)).toBe(true);
    expect(has('quested', (e) => e['fails'] === 2)).toBe(true);
    expect(has('quested', (e) => e['isSuccess'] === true)).toBe(true);
    expect(has('settled', (e) => String(e['question']).endsWith('/quest') && e['defaulted'] !== undefined)).toBe(true);
    expect(has('shot', () => true)).toBe(true);
    expect(has('shot', (e) => e['other'] !== undefined)).toBe(true);
    expect(has('inspected', (e) => e['found'] === 'good')).toBe(true);
    expect(has('inspected', (e) => e['found'] === 'evil')).toBe(true);
  });
});

describe('a planted leak', () => {
  /** Rules with something changed in them. */
  const changed =
    (change: (rules: AnyRules) => Partial<AnyRules>) =>
    (set: RuleSet): RuleSet => ({
      ...set,
      rules(players, options) {
        const rules = set.rules(players, options);
        return { ...rules, ...change(rules) };
      },
    });
  /** Changes the questions that are asked. */
  const asking = (change: (question: { readonly id: string }) => object) =>
    changed((rules) => ({
      follow: Object.fromEntries(
        Object.entries(rules.follow).map(([step, follow]) => [
          step,
          (...given: Parameters<typeof follow>) =>
            follow(...given).map((e: { type: string; question: { readonly id: string } }) =>
              e.type === 'asked' ? { ...e, question: { ...e.question, ...change(e.question) } } : e,
            ),
        ]),
      ),
    }));
  /** Whether some pair of worlds looks different to the eye. */
  const isNoticed = (change: (set: RuleSet) => RuleSet, options: Options = { assassination: 'any-quest', lady: true }): boolean =>
    Array.from({ length: 24 }, (_, n) => n).some((n) => {
      const cast = Object.values(CASTS)[n % 5]!;
      const eye = n % cast.length;
      return looksDifferent(eye, pair(n, cast, eye, options, change));
    });

  it('is not found without a plant', () => {
    expect(lived.some(({ eye, worlds }) => looksDifferent(eye, worlds))).toBe(false);
  });

  const isAt = (step: string, q: { readonly id: string }) => q.id.endsWith(`/${step}`);
  const leaks: { readonly [what: string]: (set: RuleSet) => RuleSet } = {
    'that Percival is shown Merlin first': changed((rules) => ({
      see(e, eye, s) {
        const seen = rules.see(e, eye, s);
        const first = (a: Seat) => (s.roles[a] === 'merlin' ? -1 : 1);
        return seen?.as === 'merlin-or-morgana' ? { ...seen, of: seen.of.toSorted(first) } : seen;
      },
    })),
    'that the evil are shown the roles of each other': changed((rules) => ({
      see: (e, eye, s) =>
        e.type === 'dealt' && isEvil(e.roles[eye])
          ? { ...e, roles: e.roles.map((role: Role) => (isEvil(role) ? role : 'hidden')) }
          : rules.see(e, eye, s),
    })),
    'that all hear what one is shown': changed((rules) => ({ see: (e, eye, s) => (e.type === 'saw' ? e : rules.see(e, eye, s)) })),
    'that all hear what the Lady of the Lake shows': changed((rules) => ({
      see: (e, eye, s) => (e.type === 'inspected' ? e : rules.see(e, eye, s)),
    })),
    'that the lovers see who is Merlin': changed((rules) => ({
      see: (e, eye, s) =>
        e.type === 'dealt' && /^(?:tristan|isolde)$/.test(e.roles[eye]) ? { ...e, roles: e.roles.map((role: Role, n: Seat) => (role === 'merlin' || n === eye ? role : 'hidden')) } : rules.see(e, eye, s), // prettier-ignore
    })),
    'that all see who the lovers are': changed((rules) => ({
      see: (e, eye, s) => (e.type === 'saw' && /^(?:tristan|isolde)$/.test(e.as) ? e : rules.see(e, eye, s)),
    })),
    'that cards are heard': asking((q) => (isAt('quest', q) ? { heard: 'at-once' } : {})),
    'that all hear who is asked for Merlin': asking((q) => (isAt('assassinate', q) ? { among: 'table' } : {})),
    'that the question for Merlin ends with its answer': asking((q) => (isAt('assassinate', q) ? { settles: 'when-all-answer' } : {})),
    'that the order of options tells of others': changed((rules) => ({
      narrow(s, q, n) {
        const isFirst = (option: string) => Number(isAt('team', q) && s.roles[Number(option.slice(5))] === 'assassin');
        return rules.narrow!(s, q, n).toSorted((a, b) => isFirst(b) - isFirst(a));
      },
    })),
  };

  it.each(Object.entries(leaks))('is found: %s', (_, leak) => {
    expect(isNoticed(leak)).toBe(true);
  });

  it('is found in the timing of the option hurry', () => {
    expect(isNoticed((set) => set, { assassination: 'any-quest', hurry: true })).toBe(true);
  });
});
