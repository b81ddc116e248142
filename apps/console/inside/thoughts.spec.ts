import { describe, expect, it } from '@jest/globals';
import { cachedDecisions, type Decision, mergeDecisions, readDecision, readDecisions, type ReadThoughts } from './thoughts.ts';

const decision = (n: number, steps = 1): Decision => ({ n, seat: 0, decision: `d${n}`, began: n, ended: n, steps });
const thought = (step: number) => ({ step, kind: 'act', name: 'decide', at: step, content: {} });

/** A table with three decisions, of which the server shows two at a time; each has three steps, shown two at a time. */
function table() {
  const asked: string[] = [];
  const read: ReadThoughts = async ({ decision: id, after }) => {
    asked.push(`${id ?? 'list'} ${after}`);
    const from = <T>(all: readonly T[], number: (one: T) => number) => all.filter((one) => number(one) > after);
    const decisions = from([1, 2, 3].map((n) => decision(n)), ({ n }) => n); // prettier-ignore
    if (id === undefined) return { decisions: decisions.slice(0, 2), thoughts: [], more: decisions.length > 2 };
    if (id === 'd9') throw new Error('there is no decision d9');
    const thoughts = from([1, 2, 3].map(thought), ({ step }) => step);
    return { decisions: [decision(Number(id.slice(1)))], thoughts: thoughts.slice(0, 2), more: thoughts.length > 2 };
  };
  return { asked, read };
}

describe('the thoughts of a table', () => {
  it('are read page by page, decisions and steps', async () => {
    const { asked, read } = table();
    const found: number[] = [];
    await readDecisions(read, 0, (page) => found.push(...page.map(({ n }) => n)));
    expect(found).toEqual([1, 2, 3]);
    expect((await readDecision(read, 'd2')).steps.map(({ step }) => step)).toEqual([1, 2, 3]);
    expect(asked).toEqual(['list 0', 'list 2', 'd2 0', 'd2 2']);
  });

  it('are read once per decision, again when it has grown or could not be read', async () => {
    const { asked, read } = table();
    const get = cachedDecisions(read);
    await Promise.all([get(decision(1)), get(decision(1))]);
    await get(decision(1, 4));
    await expect(get(decision(9))).rejects.toThrow('no decision d9');
    await expect(get(decision(9))).rejects.toThrow('no decision d9');
    expect(asked.filter((each) => each.endsWith(' 0'))).toEqual(['d1 0', 'd1 0', 'd9 0', 'd9 0']);
  });

  it('keep the newest state of a decision that goes on', () => {
    expect(mergeDecisions([decision(1), decision(2)], [decision(2, 5), decision(3)])).toEqual([decision(1), decision(2, 5), decision(3)]);
  });
});
