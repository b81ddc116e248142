import { describe, expect, it } from '@jest/globals';
import { type Following, followStream, type Frame, type Link } from './follow.ts';
import { ApiProblem } from './problem.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const seen = (n: number) => `id: ${n}\nevent: seen\ndata: {"n":${n}}\n\n`;
/** A response that says `texts` and then ends, or hangs. */
const says =
  (texts: readonly string[], isHanging = false) =>
  (signal: AbortSignal) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const text of texts) controller.enqueue(bytes(text));
          if (!isHanging) controller.close();
          else signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
    );

/** Follows a server that answers each connection in its turn; ends when it has run out of answers. */
async function follow(answers: readonly ((signal: AbortSignal) => Response)[], more: Partial<Following> = {}) {
  const stop = new AbortController();
  const frames: Frame[] = [];
  const links: Link[] = [];
  const asked: number[] = [];
  const left = [...answers];
  const ended = followStream({
    retryMs: 1,
    signal: stop.signal,
    onFrame: (frame) => frames.push(frame),
    onLink: (link) => links.at(-1) !== link && links.push(link),
    async open(signal) {
      asked.push(frames.length);
      const answer = left.shift();
      if (answer) return answer(signal);
      stop.abort();
      throw new ApiProblem(0, 'no-door');
    },
    ...more,
  });
  await ended;
  return { numbers: frames.map(({ data }) => (data as { n: number }).n), links, asked };
}

describe('followStream', () => {
  it('goes on after the last event, wherever the stream is cut', async () => {
    const { numbers, links, asked } = await follow([says([seen(1), seen(2), seen(3).slice(0, 12)]), says([': still here\n\n', seen(3)])]);
    expect(numbers).toEqual([1, 2, 3]);
    expect(asked).toEqual([0, 2, 3]);
    expect(links).toEqual(['live', 'lost', 'live', 'lost']);
  });

  it('gives a stream up that says nothing for two keep-alives, and opens another', async () => {
    const { numbers, links } = await follow([says([seen(1)], true), says([seen(2)])], { silenceMs: 30 });
    expect(numbers).toEqual([1, 2]);
    expect(links).toEqual(['live', 'lost', 'live', 'lost']);
  });

  it('waits longer and longer for a server that greets and then breaks', async () => {
    const began = performance.now();
    await follow(
      Array.from({ length: 5 }, () => says(['retry: 2000\n\n'])),
      { retryMs: 4 },
    );
    // 4 + 8 + 16 + 32 + 64 ms; without growth at most 5 times 6 ms
    expect(performance.now() - began).toBeGreaterThanOrEqual(110);
  });

  it('does not take a mistake of the page for a lost connection', async () => {
    const onFrame = () => {
      throw new TypeError('no such field');
    };
    await expect(follow([says([seen(1)])], { onFrame })).rejects.toMatchObject({ reason: 'page-failed', isTemporary: false });
  });

  it('tries again after a failure of the server, but not after a refusal', async () => {
    const fails = (status: number) => () => {
      throw new ApiProblem(status, 'x');
    };
    expect((await follow([fails(503), fails(0), says([seen(1)])])).numbers).toEqual([1]);
    await expect(follow([fails(403)])).rejects.toMatchObject({ status: 403 });
  });
});
