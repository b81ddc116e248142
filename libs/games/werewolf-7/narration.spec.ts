import { describe, expect, it } from '@jest/globals';
import { sevenAt } from './werewolf-7.suite.ts';
import { initialState, type Werewolf7 } from './state.ts';
import { werewolf7 } from './werewolf-7.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus'];

describe('seven-player Werewolf: the texts', () => {
  const { tell } = werewolf7.rules(7, {});
  const told = (e: object) => tell(e as never, { names });

  it('name everybody who died at dawn', () => {
    expect(told({ type: 'dawned', day: 2, dead: [] })).toBe('Day 2 begins. Nobody died in the night.');
    expect(told({ type: 'dawned', day: 2, dead: [{ seat: 1 }] })).toBe('Day 2 begins. Bob died in the night.');
    expect(told({ type: 'dawned', day: 2, dead: [{ seat: 1 }, { seat: 3, role: 'witch' }] })).toBe(
      'Day 2 begins. Bob and Dot (Witch) died in the night.',
    );
  });

  it('use a different verb for each choice', () => {
    const answered = (step: string, option: string) =>
      tell({ type: 'answered', question: `night-1/x/${step}`, answer: { by: 0, says: [option] }, at: 0 } as never, {
        names,
        question: { verb: 'choose' } as never,
      });
    expect(['hunt', 'protect', 'save', 'poison', 'inspect', 'vote'].map((step) => answered(step, 'seat:1'))).toEqual([
      'Ann wants to kill Bob tonight.',
      'Ann protects Bob.',
      'Ann saves Bob.',
      'Ann poisons Bob.',
      'Ann asks whether Bob is a Werewolf.',
      'Ann votes for Bob.',
    ]);
    expect(['hunt', 'protect', 'vote'].map((step) => answered(step, 'pass'))).toEqual([
      'Ann wants to kill nobody tonight.',
      'Ann passes.',
      'Ann votes for nobody.',
    ]);
  });

  it('have a sentence for every event seen by anybody but the narrator', () => {
    const g = sevenAt({ maxDays: 2 });
    g.night({ ...g.kill(g.villager1), guard: g.seer, save: g.villager1, poison: g.wolf1, seer: g.wolf2 });
    g.execute(g.guard);
    g.night();
    g.day();
    const own = new Set(['asked', 'settled', 'passed', 'opened', 'joined', 'began', 'scored', 'closed', 'withdrawn']);
    for (const event of g.all.flatMap((eye) => g.seen(eye)))
      if (!own.has(event.type))
        expect(told({ ...event, ...(event.type === 'answered' ? { answer: { by: 0, says: ['pass'] } } : {}) })).toBeTruthy();
  });

  const brief = (role: string, more: Partial<Werewolf7> = {}) => {
    const roles = names.map((_, s) => (s === 0 ? role : s === 1 && role === 'werewolf' ? role : 'hidden')) as Werewolf7['roles'];
    return werewolf7.rules(7, {}).brief({ ...initialState, roles, ...more }, 0, names);
  };
  const tonight = initialState.tonight;

  it('brief each seat on what it knows', () => {
    expect(brief('villager')).toBe('Your role: Villager.');
    expect(brief('werewolf')).toBe('Your role: Werewolf. The other Werewolf: Bob.');
    expect(brief('werewolf', { dead: [1] })).toBe('Your role: Werewolf. The other Werewolf: Bob, who is dead.');
    expect(
      brief('seer', {
        inspected: [
          [2, true],
          [3, false],
          [2, true],
        ],
      }),
    ).toBe('Your role: Seer. You know that Cid is a Werewolf. You know that Dot is not a Werewolf.');
    expect(brief('guard', { night: true, guardedBefore: 4 })).toBe('Your role: Guard. You last protected Eve.');
    expect(brief('guard', { night: true, guardedBefore: 4, tonight: { ...tonight, guarded: 2 } })).toBe(
      'Your role: Guard. You protect Cid.',
    );
    expect(brief('guard', { guardedBefore: 4 })).toBe('Your role: Guard.'); // he passed in the previous night
    expect(brief('witch')).toBe('Your role: Witch. You have the antidote and the poison.');
    expect(brief('witch', { antidote: false })).toBe('Your role: Witch. You have the poison.');
    expect(brief('witch', { antidote: false, poison: false })).toBe('Your role: Witch. You have neither antidote nor poison left.');
    expect(brief('witch', { night: true, tonight: { ...tonight, warned: 0 } })).toMatch(/kill Ann tonight unless you save yourself\.$/);
    expect(brief('villager', { condemned: 0 })).toMatch(/last words/);
    expect(brief('villager', { dead: [0] })).toMatch(/You are dead/);
  });
});
