import { expect, it } from '@jest/globals';
import { keyOf } from '@maw/contracts/model-name.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import { logger } from '@maw/telemetry/log.ts';
import type { LlmRequest, Outcome } from '../request.ts';
import { unfitReplies } from './unfit-replies.ts';

const refused = (why: string): Outcome => ({ refusal: new Refusal('invalid-answer', why) });
const ANSWER = { answer: {} } as Outcome;
const request = ({ source = 'llm-gateway', subject = 'bot', repairs = 0 } = {}) =>
  ({ message: { source, subject, data: { agent: 'bot' } }, attempts: [{ server: { name: 's' } }], retry: { repairs } }) as unknown as LlmRequest; // prettier-ignore

function counting() {
  const lines: string[] = [];
  let at = 0;
  const log = logger('llm-gateway', { destination: { write: (line) => void lines.push(line) } });
  return { ...unfitReplies({ now: () => at, log }), lines, wait: (ms: number) => void (at += ms) };
}

it('counts, by server and model, replies that did not fit, and logs them once a minute', () => {
  const { ended, of, lines, wait } = counting();
  ended(request(), 'done', 'm:latest', ANSWER);
  ended(request({ repairs: 1 }), 'done', 'm:latest', ANSWER);
  ended(request(), 'invalid', 'm:latest', refused('not JSON'));
  ended(request(), 'invalid', 'm:latest', refused('/target must be string'));
  ended(request(), 'late', 'm:latest', refused('late'));
  ended(request(), 'cancelled', 'm:latest', refused('cancelled'));
  expect(of('s', keyOf('m'))).toEqual({ replies: 4, repaired: 1, unfit: 2, why: '/target must be string' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', server: 's', model: 'm:latest', replies: 3, unfit: 1 }]);
  wait(60_000);
  ended(request(), 'invalid', 'm', refused('not JSON'));
  expect(lines).toHaveLength(2);
});

it('counts and logs nothing of tables, whoever asked for them: the model of a call by night would name a seat', () => {
  const { ended, of, lines } = counting();
  ended(request({ source: 'player', subject: 't1' }), 'invalid', 'm', refused('not JSON'));
  ended(request({ subject: 'bot/t1' }), 'invalid', 'm', refused('not JSON'));
  expect([of('s', keyOf('m')), lines]).toEqual([undefined, []]);
});
