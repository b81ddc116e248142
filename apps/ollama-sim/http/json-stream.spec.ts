import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chat, clock, free, MODEL, sim, start } from '../engine/engine.suite.ts';
import { ask, linesOf, type Seen, until } from '../http-client.suite.ts';

beforeEach(() => start({}));
afterEach(() => sim.close());

const whole = { stream: false };

describe('faults in the middle of a response', () => {
  const streamed = (fault: string): Promise<Seen> => chat({}, fault).seen;

  it.each(['reset-mid-stream', 'half-line'])('%s: sends one line and an incomplete response', async (fault) => {
    const seen = await streamed(fault);
    expect(seen.complete).toBe(false);
    expect(linesOf(seen.text.slice(0, seen.text.indexOf('\n')))[0]).toMatchObject({ done: false });
    expect(seen.text.endsWith('\n')).toBe(fault === 'reset-mid-stream');
    expect(seen.text).not.toContain('"done":true');
    await free();
  });

  it.each([
    ['error-mid-stream', /^an error was encountered/],
    ['runner-crash', /^model runner has unexpectedly stopped/],
  ])('%s: ends the stream with an error line', async (fault, error) => {
    const seen = await streamed(fault);
    const lines = linesOf(seen.text);
    expect([seen.status, seen.complete]).toEqual([200, true]);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toMatchObject({ done: false });
    expect(lines.at(-1)).toEqual({ error: expect.stringMatching(error) });
    await free();
  });

  it('end-without-done: leaves the last line out', async () => {
    const [cut, good] = [await streamed('end-without-done'), await chat({}).seen];
    expect(cut.complete).toBe(true);
    expect(cut.text).toBe(`${good.text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
  });

  it('done-false: ends with done: false and without counters', async () => {
    expect(linesOf((await streamed('done-false')).text).at(-1)).toEqual({
      model: MODEL,
      created_at: expect.any(String),
      message: { role: 'assistant', content: '' },
      done: false,
    });
  });

  it('invalid-json-line: sends one invalid line among valid ones', async () => {
    const rows = (await streamed('invalid-json-line')).text.trimEnd().split('\n');
    const broken = rows.filter((row) => {
      try {
        JSON.parse(row);
        return false;
      } catch {
        return true;
      }
    });
    expect(broken).toHaveLength(1);
    expect(rows.filter((row) => !broken.includes(row)).join('\n')).toBe((await chat({}).seen).text.trimEnd());
  });

  it('applies to an answer without tokens', async () => {
    for (const fault of ['reset-mid-stream', 'half-line']) {
      expect((await chat({ options: { num_predict: 0 } }, fault).seen.catch(() => ({ complete: false }))).complete).toBe(false);
    }
    expect(linesOf((await chat({ options: { num_predict: 0 } }, 'error-mid-stream').seen).text)).toEqual([{ error: expect.any(String) }]);
    await free();
  });

  it('slow-drip: delays every token', async () => {
    const sent = chat({ options: { num_predict: 2 } }, 'slow-drip=700');
    for (const lines of [0, 1]) {
      await until('it waits for a token', () => clock.sleepers() === 1 && linesOf(sent.body()).length === lines);
      clock.advance(699);
      await ask(sim.url, '/api/version');
      expect(linesOf(sent.body())).toHaveLength(lines);
      clock.advance(1);
    }
    expect(linesOf((await sent.seen).text).at(-1)).toMatchObject({ eval_duration: 1_400_000_000 });
  });

  it('clock-skew: shifts created_at', async () => {
    const at = async (fault?: string): Promise<unknown> => linesOf((await chat(whole, fault).seen).text)[0]?.['created_at'];
    expect([await at(), await at('clock-skew'), await at('clock-skew=60000')]).toEqual([
      '2026-08-21T18:48:22.000Z',
      '2026-08-21T17:48:22.000Z',
      '2026-08-21T18:49:22.000Z',
    ]);
  });
});
