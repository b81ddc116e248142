import { describe, expect, it } from '@jest/globals';
import type { Open } from '@maw/games/kernel/question.ts';
import type { AnyRules } from '@maw/games/kernel/rule-set.ts';
import { dying } from '@maw/games/werewolf-7/night.ts';
import type { Werewolf7 } from '@maw/games/werewolf-7/state.ts';
import { compared, kindOf } from './werewolf-7-worlds.ts';

const EYES = ['villager', 'werewolf', 'seer', 'guard', 'witch', 'audience'];
const GAMES = 4;
const KINDS = [
  {},
  { wolfWin: 'all-good-dead', guardRepeat: true, witchBoth: false },
  { wolfWin: 'parity', revealNightRoles: true, revealExecuted: true, lastWords: false },
  { revealFirstNight: true, endFirst: 'werewolves' },
  { sheriff: 'elected', tie: 'runoff' },
  { sheriff: 'elected', sheriffAt: 'after-deaths', sheriffTies: 'decides', sheriffVote: '2', lastWords: false },
  { tie: 'runoff', runoffVoters: 'all', revealExecuted: true },
];

describe('the projection law of seven-player Werewolf', () => {
  it.each(KINDS.flatMap((options) => EYES.map((role) => [role, options] as const)))(
    'shows the %s the same in worlds that differ in hidden facts: %j',
    (role, options) => {
      const { nights, secrets, leaks, earlyLeaks } = compared(kindOf(options), role, GAMES);
      expect({ leaks, earlyLeaks }).toEqual({ leaks: 0, earlyLeaks: 0 });
      expect(nights).toBeGreaterThan(GAMES); // it goes beyond the first night
      expect(secrets).toBeGreaterThan(GAMES / 2); // and the worlds really differ, so the law proves something
    },
  );

  it.each(EYES)('shows the %s the same when the same people die, with nightState: running', (role) => {
    expect(compared(kindOf({ nightState: 'running' }), role, 6)).toMatchObject({ leaks: 0 });
  });

  it('detects the length of a step with hurry', () => {
    expect(compared(kindOf({ hurry: true }), 'audience', 6).leaks).toBeGreaterThan(3);
  });

  it('detects options that lack the night’s victim with nightState: running', () => {
    expect(compared(kindOf({ nightState: 'running' }), 'seer', 12).earlyLeaks).toBeGreaterThan(0);
  });

  it('shows the election of a sheriff the same whoever has died, and detects one that does not', () => {
    // in one world, those who die tonight are not asked
    const unasked = (rules: AnyRules): AnyRules => ({
      ...rules,
      follow: Object.fromEntries(
        Object.entries(rules.follow).map(([name, follow]) => [
          name,
          (s: Werewolf7, q: Open, moment: Parameters<typeof follow>[2]) =>
            follow(s, q, moment).map((e) => {
              const { type, question } = e as { type: string; question: Open };
              return type === 'asked' && question.id.endsWith('/run')
                ? { ...e, question: { ...question, of: question.of.filter((seat) => !dying(s).includes(seat)) } }
                : e;
            }),
        ]),
      ),
    });
    const options = { sheriff: 'elected' };
    const fair = compared(kindOf(options), 'villager', 12);
    expect(fair).toMatchObject({ leaks: 0, earlyLeaks: 0 });
    expect(fair.elections).toBeGreaterThan(3);
    expect(compared(kindOf(options, unasked), 'villager', 12).earlyLeaks).toBeGreaterThan(3);
  });

  const telling =
    (type: string) =>
    (rules: AnyRules): AnyRules => ({
      ...rules,
      see: (e, eye, s) => ((e as Event).type === type ? e : rules.see(e, eye, s)),
    });
  it.each(['aimed', 'protected', 'warned', 'poisoned', 'inspected'])('detects a rule that shows everybody what was %s', (type) => {
    expect(compared(kindOf({}, telling(type)), 'villager', 8).leaks).toBeGreaterThan(0);
  });

  it('detects a rule that skips the steps of the dead', () => {
    // the guard is dead in one world and alive in the other: without his step the night is shorter
    const skipping = (rules: AnyRules): AnyRules => ({
      ...rules,
      follow: Object.fromEntries(
        Object.entries(rules.follow).map(([name, follow]) => [
          name,
          (s: unknown, q: Open, moment: Parameters<typeof follow>[2]) =>
            follow(s, q, moment).map((e) =>
              (e as Event).type === 'asked' && !(e as { question: Open }).question.of.length
                ? { ...e, question: { ...(e as { question: Open }).question, settles: 'when-all-answer' as const } }
                : e,
            ),
        ]),
      ),
    });
    expect(compared(kindOf({}, skipping), 'audience', 12).leaks).toBeGreaterThan(0);
  });
});
