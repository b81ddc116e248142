import { beforeEach, expect, it } from '@jest/globals';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { createActs, HAND } from './acts.ts';
import { memoryStorage } from './memory-storage.suite.ts';
import { seatStorage } from './storage.ts';

type Reply = 'ok' | Error;
const tooLate = new ApiProblem(409, 'phase-over', 'is not open');

let store: Storage;
beforeEach(() => {
  store = memoryStorage();
});

/** A page whose posts get these replies, in order, and then none. */
function page(replies: Reply[]) {
  const posted: { path: string; body: object; key: string }[] = [];
  const storage = seatStorage(store, 't', 0, () => 1);
  const acts = createActs({
    storage,
    onChange: () => undefined,
    async post(path, body, key) {
      posted.push({ path, body, key });
      const reply = replies.shift();
      if (reply === undefined) return new Promise(() => undefined);
      if (reply !== 'ok') throw reply;
      return {};
    },
  });
  return { acts, posted, storage };
}

const keysOf = (posted: readonly { readonly key: string }[]) => new Set(posted.map(({ key }) => key));

it('keeps an act that the page was left with, and forgets one that was refused', async () => {
  const left = page([new DOMException('left', 'AbortError')]);
  expect(await left.acts.choose('r/vote', ['seat:1'])).toBe(false);
  expect([left.storage.sent().length, left.acts.state.refused]).toEqual([1, undefined]);
  const back = page([tooLate]);
  expect(await back.acts.choose('r/vote', ['seat:1'])).toBe(false);
  expect(keysOf([...left.posted, ...back.posted]).size).toBe(1);
  expect(back.storage.sent()).toEqual([]);
});

it('gives every click a key of its own once the last one was answered', async () => {
  const { acts, posted } = page(['ok', 'ok']);
  for (let click = 0; click < 2; click++) await acts.speak('r/talk', 'r/Village', 'Yes.');
  expect(keysOf(posted).size).toBe(2);
});

it('shows a refusal until the next act, and does not repeat it', async () => {
  const { acts, posted } = page([tooLate, 'ok']);
  expect(await acts.choose('r/vote', ['seat:1'])).toBe(false);
  expect(acts.state.refused).toEqual({ question: 'r/vote', problem: tooLate });
  await acts.choose('r/vote', ['seat:1']);
  expect(acts.state.refused).toBeUndefined();
  expect(keysOf(posted).size).toBe(2);
});

it('sends an act again with its key after a reload, and forgets what was typed once it is said', async () => {
  const before = page([]);
  before.storage.setDraft('r/talk', 'Hello.');
  void before.acts.speak('r/talk', 'r/Village', 'Hello.', 'Hello.');
  const after = page(['ok']);
  after.acts.resume();
  await new Promise(setImmediate);
  expect(after.posted).toEqual(before.posted);
  expect([after.storage.sent(), after.storage.draft('r/talk')]).toEqual([[], '']);
});

it('keeps typed words that were not those that were said', async () => {
  const { acts, storage } = page(['ok']);
  storage.setDraft('r/talk', 'I was about to');
  await acts.speak('r/talk', 'r/Village', 'Skip');
  expect(storage.draft('r/talk')).toBe('I was about to');
});

it('takes one act at a time for a question, and others meanwhile', async () => {
  const { acts, posted } = page([]);
  void acts.choose('r/vote', ['seat:1']);
  expect(await acts.choose('r/vote', ['seat:2'])).toBe(false);
  void acts.hand('mind');
  expect([...acts.state.sending]).toEqual(['r/vote', HAND]);
  expect(posted.map(({ path }) => path)).toEqual(['/tables/:table/acts', '/tables/:table/leave']);
});
