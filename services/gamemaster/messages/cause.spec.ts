import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerId } from '@maw/bus/opaque-id.ts';
import type { Replica } from '../replica.suite.ts';
import { type Rig, rig, until } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
  await here.seated(at, { minds: [0, 1], options: { dayMs: 600_000 } });
});
afterEach(() => here.close());

const VOTE = 'round-1/day-1/vote';
const causesAt = async (of: Replica) =>
  (await of.get('table.view', { eye: 'narrator', causes: true })).seen.map(({ event, cause }) => [event.type, cause] as const);
const ofType = async (type: string, of = at) => (await causesAt(of)).filter(([is]) => is === type).map(([, cause]) => cause);

/** The decision that was asked of a seat, and the id of its n-th answer. */
async function asked(seat: number, n: number) {
  const decide = await until('the decision', () => at.of('seat.decide').find(({ data }) => data.seat === seat));
  return { decision: decide.id, id: answerId('t1', decide.data.seed, decide.id, n) };
}

describe('causeOf', () => {
  it('names the decision that an act of a mind came from, also after the tape is read again', async () => {
    const [of0, of1] = [await asked(0, 0), await asked(1, 12)];
    for (const [seat, { id }] of [[0, of0], [1, of1]] as const) await at.ask('table.act', { seat, question: VOTE, says: ['seat:2'] }, { source: 'player', id }); // prettier-ignore
    await at.ask('table.act', { seat: 0, question: 'round-1/day-9/vote', says: ['seat:2'] }, { source: 'player', id: 'none' });
    for (const replica of [at, await here.replica()]) {
      expect(await ofType('answered', replica)).toEqual([of0, of1].map(({ id, decision }) => ({ id, decision })));
      expect(await ofType('refused', replica)).toEqual([{ id: 'none' }]);
    }
  });

  it('names no decision behind what people and alarms do', async () => {
    await at.get('table.act', { seat: 2, question: VOTE, says: ['seat:3'] }, { id: 'a-person' });
    expect(await ofType('answered')).toEqual([{ id: 'a-person' }]);
    await here.wait(at);
    const causes = await causesAt(at);
    const tape = await here.tapeOf();
    expect(causes.map(([, cause]) => cause)).toEqual(tape.map(({ cause }) => ({ id: cause })));
  });

  it('tells it to the narrator only, and only when asked', async () => {
    const { id } = await asked(0, 0);
    await at.get('table.act', { seat: 0, question: VOTE, says: ['seat:2'] }, { source: 'player', id });
    for (const about of [{ eye: 'narrator' }, { eye: 0, causes: true }, { eye: 'audience', causes: true }] as const)
      expect((await at.get('table.view', about)).seen.filter((seen) => 'cause' in seen)).toEqual([]);
  });
});
